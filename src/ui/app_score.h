/* /score: how likely each of some texts is as the next reply, or as the rest of the last one. The chat stays as it is.
 * UI thread only. */
#ifndef SOTTO_UI_APP_SCORE_H
#define SOTTO_UI_APP_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;
struct command_call;
struct event;

enum { SCORED_MAX = 32 };

/* What is being weighed. */
struct app_score {
	uint64_t turn;           /* of its events; 0: nothing is */
	char *texts[SCORED_MAX]; /* owned, [n] */
	size_t n, n_done;
	bool is_rest;            /* what the last reply goes on with */
	double log_p[SCORED_MAX];
	uint32_t n_tokens[SCORED_MAX];
};

bool app_score(struct app *app, const struct command_call *call);
/* Takes an event of its turn. False: it is of another one. *ended: the worker is idle again. */
bool app_score_event(struct app *app, const struct event *event, bool *ended);
void app_score_free(struct app_score *score);

#endif
