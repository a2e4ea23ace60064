/* What a server is waited for. UI thread only. */
#ifndef SOTTO_UI_APP_WAIT_H
#define SOTTO_UI_APP_WAIT_H

#include <stdint.h>

struct app;
struct event;

struct app_wait {
	char text[160]; /* as the backend told it last, one line */
	uint64_t answer_turn; /* the turn that was told to answer now; 0: none */
};

/* Takes what an event of the worker says of that: any but those of waiting end it. */
void app_wait_look(struct app *app, const struct event *event);
const char *app_waits_for(const struct app *app); /* "": nothing */

#endif
