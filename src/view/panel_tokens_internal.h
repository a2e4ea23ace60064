/* Shared by the files of the panel of tokens. */
#ifndef SOTTO_VIEW_PANEL_TOKENS_INTERNAL_H
#define SOTTO_VIEW_PANEL_TOKENS_INTERNAL_H

#include "view/candidate_rows.h"
#include "view/panel_tokens.h"
#include "view/token_text.h"

enum { TOKENS_LINE_MAX = 160 };

/* A part of the screen. */
struct tokens_area {
	int y, x, rows, cols;
};

struct tokens_panel {
	struct panel panel;
	struct panel_tokens_source source;
	char title[80];
	struct token_text text;
	size_t composed;   /* tokens that the text has; another number: it is made anew */
	size_t at;         /* the token; TOKENS_OVERVIEW: in lines, none */
	struct candidate_row rows[CANDIDATE_ROWS_MAX];
	size_t n_rows, selected, top;
	struct tokens_area text_area, rows_area; /* as last drawn */
};

size_t tokens_n(const struct tokens_panel *tokens);
const struct kept_token *tokens_at(const struct tokens_panel *tokens, size_t i);
/* To another token, with the candidate that was taken selected. */
void tokens_go_to(struct tokens_panel *tokens, size_t at);
bool tokens_has_candidates(const struct tokens_panel *tokens);
const char *tokens_why_none(const struct tokens_panel *tokens);
/* "12 of 64   p 31.2%   entropy 1.20 bits   3 left of the best 48", as much of it as there is room for. */
void tokens_put_figures(const struct tokens_panel *tokens, int cols, char line[TOKENS_LINE_MAX]);
/* How many candidates of a token the samplers left. */
size_t tokens_count_left(const struct kept_token *token);
/* A sentence about one of its candidates: why it is the reply's, what cut it, or what Enter does with it
 * (panel_tokens_foot.c). */
void tokens_put_foot(const struct tokens_panel *tokens, size_t selected, struct buf *out);
/* What Enter, or the number of a candidate, comes to. */
unsigned tokens_choose(const struct tokens_panel *tokens);

/* Where there is no screen (panel_tokens_lines.c). */
void tokens_print(const struct panel *panel, struct buf *out);
unsigned tokens_answer(struct panel *panel, const char *line);

#endif
