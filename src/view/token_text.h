/* The tokens of a reply as a text: with borders between them, what cannot be seen made visible, and one of them
 * marked. Each has the colour of how sure the model was of it. */
#ifndef SOTTO_VIEW_TOKEN_TEXT_H
#define SOTTO_VIEW_TOKEN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "chat/tree.h"
#include "kept/kept.h"
#include "kept/measures.h"
#include "terminal/cells.h"
#include "terminal/wrap.h"

struct token_span {
	size_t start, end; /* of the shown text */
	size_t run, n_runs;
};

struct token_text {
	struct buf shown;
	struct style_run *runs; /* owned */
	size_t n_runs, cap_runs;
	struct token_span *spans; /* owned, [n]: where each token is */
	size_t n, cap;
	bool has_borders;
	enum kept_shade shade;
	bool failed;       /* out of memory: what is there is not all */
	struct wrap wrap;
	size_t top;        /* the first line that is drawn */
};

void token_text_init(struct token_text *text);
void token_text_free(struct token_text *text);
/* Makes it anew: `reply` has the text of the tokens that are kept. */
void token_text_compose(struct token_text *text, const struct kept_reply *tokens,
                        const struct node *reply);
/* Draws the lines around the marked token. */
void token_text_draw(struct token_text *text, size_t marked, WINDOW *win, int y, int x, int rows, int cols);
int token_text_rows(struct token_text *text, int cols); /* how many lines it has */
/* The token at a place of what was drawn last; `n`: none. */
size_t token_text_at(const struct token_text *text, int row, int col);

/* Appends a token as it is shown in a list: "drew", with blanks and line breaks visible. `bytes` NULL: not known. */
void token_text_put(struct buf *out, const char *bytes, size_t len);
void token_text_put_id(struct buf *out, const struct kept_reply *reply, int32_t id);

#endif
