/* Fetching published models beside the chat: /pull. UI thread only. */
#ifndef SOTTO_UI_APP_PULL_H
#define SOTTO_UI_APP_PULL_H

#include <stdbool.h>
#include <stdint.h>

#include "pull/puller.h"

struct app;
struct buf;
struct command_call;
struct recommended_model;

struct app_pull {
	struct puller *puller; /* owned; NULL: nothing was asked for yet */
	char *asked;           /* owned; the name as it was asked for last; NULL: none */
	bool awaits_machine;   /* it is looked for once the search has said what this machine can */
	bool takes_chosen;     /* no question which of the choices: Enter on one that is recommended */
	bool is_stopping;      /* it was told to stop, and has not ended yet */
	bool is_fetched;       /* it is whole, and not loaded yet, nor said how to */
	uint64_t begun_at;     /* milliseconds */
	char title[160];       /* of its panel, which borrows it */
	unsigned said;         /* in lines: how many tenths, as last said */
	const struct recommended_model *offered; /* ui/app_offer.h; static, NULL: none */
};

bool app_pull(struct app *app, const struct command_call *call);
/* Fetches what a name means, without a question. False: the user was told why not. */
bool app_pull_begin(struct app *app, const char *name);
/* The same, and shows how far it is, even if it was begun before. */
void app_pull_get(struct app *app, const char *name);
int app_pull_fd(const struct app *app); /* to be polled: app_pull_news */
void app_pull_news(struct app *app);
/* The search for this machine's models is over. */
void app_pull_machine_known(struct app *app);
/* What was fetched is loaded, or the user is told how. */
void app_pull_step(struct app *app);
bool app_pull_interrupt(struct app *app); /* Ctrl+C in lines, and while it is looked for; false: there is none */

/* ---- the end ---- */

void app_pull_end(struct app *app); /* wishes it to stop; what is there is kept */
void app_pull_free(struct app *app);

/* ---- how far it is: app_pull_state.c ---- */

enum puller_state app_pull_state(const struct app *app);
bool app_pull_is_under_way(const struct app *app); /* it is looked for, or fetched */
/* What was asked for last, with the tag that was chosen once that is known. */
const char *app_pull_asked(const struct app *app);
const char *app_pull_name(const struct app *app); /* the same while it is under way; else NULL */
double app_pull_fraction(const struct app *app); /* 0 .. 1; less: not known, or nothing is fetched */
/* Whether something of this name is there, but not all: when it was last asked for, it was stopped or failed. */
bool app_pull_was_stopped(const struct app *app, const char *name);
/* "45 % of 2.50 GB, 34.1 MB/s, 41 s left", or what is waited for. */
void app_pull_put(const struct app *app, struct buf *out);
/* "owner/repo:Q4_K_M is being fetched: 45 % of 2.50 GB", or "Looking for owner/repo". */
void app_pull_put_sentence(const struct app *app, struct buf *out);
int app_pull_percent(const struct app *app); /* -1: not known, or nothing is fetched */
void app_pull_put_farewell(const struct app *app, struct buf *out); /* "": nothing was fetched */

#endif
