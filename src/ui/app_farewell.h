/* The end of a chat. UI thread only. */
#ifndef SOTTO_UI_APP_FAREWELL_H
#define SOTTO_UI_APP_FAREWELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct app;
struct buf;
struct tree;

struct farewell {
	bool lacks_model; /* the one that the command line asked for could not be loaded, and no other was */
	bool is_rescued;  /* the chat is saved, but not where it belongs; else, if it is not: */
	struct error save_error;
};

void app_save_all(struct app *app, bool wanted_model, struct farewell *out);
/* Once the screen is closed: the last messages, and how to go on with the chat. */
void app_farewell(const struct app *app, const struct farewell *farewell);

/* Appends the last messages of the path, as many as fit `rows` rows of `cols` columns, and how many
 * were left out. Only what may be shown. */
void app_scrollback_put(const struct tree *tree, size_t rows, int cols, struct buf *out);

#endif
