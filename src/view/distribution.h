/* The distribution beside the sliders: the candidates of the last token of a reply, or of the token where the reply
 * would have gone another way, as the samplers leave them with the present values. No forward pass. UI thread only. */
#ifndef SOTTO_VIEW_DISTRIBUTION_H
#define SOTTO_VIEW_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "kept/what_if.h"
#include "terminal/cells.h"

enum { DISTRIBUTION_RUNS_MAX = 16 };

/* What is known at present. */
struct distribution_now {
	const struct kept_reply *reply; /* NULL: nothing is. Borrowed until the next look */
	const char *none;               /* what to say if there are no candidates; borrowed; NULL: nothing */
	bool is_finished;
	struct sampler_params params;   /* of the sliders */
	struct sampler_order order;
	struct what_if_run runs[DISTRIBUTION_RUNS_MAX];
	size_t n_runs;                  /* 0: with which random numbers it was made is not known, */
	const char *no_what_if;         /* and this is why; static */
};

struct distribution_source {
	void *ctx; /* borrowed */
	void (*look)(void *ctx, struct distribution_now *now); /* NULL: there is nothing to look at, ever */
};

/* Zeroed but for the source: nothing has been looked at. */
struct distribution {
	struct distribution_source source;
	struct distribution_now now;
	bool has_moved;       /* a slider has: what if it had stood there */
	bool is_asked;        /* `what` is the answer to that */
	struct what_if what;
	size_t at;            /* the token that is shown */
	struct again again;   /* what becomes of its candidates; without steps if nothing is kept of them */
	/* What that was worked out from. */
	const struct kept_reply *reply;
	size_t n;
	struct sampler_params params;
	struct sampler_order order;
	bool had_moved;
};

/* Brings it up to date, which is nothing if nothing has changed. */
void distribution_look(struct distribution *d);
/* Whether there is a token to be shown. */
bool distribution_has(const struct distribution *d);
void distribution_draw(const struct distribution *d, WINDOW *win, int y, int x, int rows, int cols);
/* In one line, where there is no room for more: what if, or how many are left and the best of them; or why there is
 * nothing. "": nothing is to be said. */
void distribution_line(const struct distribution *d, struct buf *out);
void distribution_print(const struct distribution *d, struct buf *out);
/* Whether the reply would have gone another way: with what token `id` in the place of which one. */
bool distribution_parts(const struct distribution *d, size_t *at, int32_t *id);

#endif
