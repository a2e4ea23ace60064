/* The end of a chat. UI thread only. */
#ifndef SOTTO_UI_APP_FAREWELL_H
#define SOTTO_UI_APP_FAREWELL_H

#include <stdbool.h>

#include "base/error.h"

struct app;

struct farewell {
	bool lacks_model; /* the one that the command line asked for could not be loaded, and no other was */
	bool is_rescued;  /* the chat is saved, but not where it belongs; else, if it is not: */
	struct error save_error;
};

void app_save_all(struct app *app, bool wanted_model, struct farewell *out);
void app_farewell(const struct app *app, const struct farewell *farewell); /* the screen is closed */

#endif
