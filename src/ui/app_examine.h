/* A reply that is gone through once more for its candidates. It runs as a turn does. UI thread only. */
#ifndef SOTTO_UI_APP_EXAMINE_H
#define SOTTO_UI_APP_EXAMINE_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct event;

/* What is to be done when it has come to its end, with `argument`. */
typedef void examined(struct app *app, uint32_t reply, uint64_t argument);

/* False: it cannot be, and the user was told why. */
bool app_examine(struct app *app, uint32_t reply, examined *then, uint64_t argument);
/* Takes an event of it. True: it was one; *ended: it is over, well or not, before `then` is called. */
bool app_examine_event(struct app *app, const struct event *event, bool *ended);
/* Calls `then`, if it has come to its end. */
void app_examine_end(struct app *app);

struct app_examine {
	examined *then;
	uint64_t argument;
	uint32_t reply;
	bool is_done; /* it has come to its end */
};

#endif
