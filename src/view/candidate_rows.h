/* The candidates of a token as rows: text, logit, probability before and after the samplers as bars, and which of them
 * took it out. */
#ifndef SOTTO_VIEW_CANDIDATE_ROWS_H
#define SOTTO_VIEW_CANDIDATE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "kept/kept.h"
#include "terminal/cells.h"

struct candidate_row {
	int32_t id;
	const char *bytes; /* its text; NULL: not known */
	size_t len;
	float logit;
	double before, after; /* probabilities; NAN: not known */
	const char *cut_by;   /* NULL: none, or not known */
	bool is_taken;        /* the reply's token */
	bool is_beyond;       /* it is not among those that are kept: only its probability is known */
};

/* In the place of a reply's token number `at`: the token `id` of that text (NULL: not known). Borrowed. */
struct token_choice {
	size_t at;
	int32_t id;
	const char *bytes;
	size_t len;
};

enum { CANDIDATE_ROWS_MAX = KEPT_SHOWN + 1 };

/* The best ones of a token, and behind them the one that was taken, if it is none of those. Returns how many. */
size_t candidate_rows(struct candidate_row rows[CANDIDATE_ROWS_MAX], const struct kept_reply *reply,
                      const struct kept_token *token);
/* Whether it is known what the samplers left: a server does not tell. */
bool candidates_tell_after(const struct kept_token *token);
/* `tells_after`: of the token whose rows follow. */
void candidate_rows_draw_head(bool tells_after, WINDOW *win, int y, int x, int cols);
void candidate_row_draw(const struct candidate_row *row, bool is_selected, WINDOW *win, int y, int x, int cols);
/* "cut by min-p", or where that is too long the sampler's name alone. */
void candidate_cut_draw(WINDOW *win, int y, int x, int cols, const char *by);
/* "* drew   12.31  48.2%  61.0%" and a line break, for where there is no screen; `number` from 1. */
void candidate_row_print(const struct candidate_row *row, size_t number, struct buf *out);
/* "31.2%", "0.02%", "<0.01%"; "" for NAN. */
void candidate_percent(char out[8], double p);

#endif
