/* What the model sees. UI thread only. */
#ifndef SOTTO_UI_APP_INSPECT_H
#define SOTTO_UI_APP_INSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;
struct command_call;
struct event;
struct inspection;

/* How full the context is. */
struct app_gauge {
	uint32_t used;           /* tokens, ... */
	bool is_estimated;       /* ... about */
	uint32_t n_dropped;      /* messages that are left out, as last told */
	uint32_t n_next_dropped; /* that the next message will leave out, as last told */
	uint32_t leaf;           /* asked for last: this leaf, with this model */
	uint64_t generation;
	bool wants_context;      /* /context was asked for during a reply */
	bool wants_answer;       /* what /context or F8 show was asked for, and the user has not left it */
	bool context_as_text;    /* its answer goes to the transcript, not to a panel */
	bool context_again;      /* ... only to the panel that is open, if it still is */
};

/* Asks how full the context is, if that may have changed. */
void app_update_gauge(struct app *app);
/* How many messages are left out now to make room; says so when it has changed. */
void app_tell_dropped(struct app *app, uint32_t n);
/* Marks [n] messages, of rising ids, as left out. NULL: no memory. */
void app_mark_left_out(struct app *app, const uint32_t *ids, size_t n);
/* The conversation at rest has been counted; the user is told beforehand what the next message will push
 * out. */
void app_show_gauge(struct app *app, const struct event *event);
bool app_inspect(struct app *app, const struct command_call *call);
/* Whether the counting that has ended gave way to something else: it is asked for again, behind that. */
bool app_inspect_gave_way(struct app *app, const struct event *event);
/* What was asked for does not come any more. False: nothing was. */
bool app_inspect_leave(struct app *app);
void app_show_context(struct app *app, const struct inspection *inspect);
bool app_context(struct app *app, const struct command_call *call);

#endif
