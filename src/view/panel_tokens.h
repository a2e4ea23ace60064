/* A reply, token by token: beside its text the best candidates of one of its tokens, of which another one can be
 * chosen. */
#ifndef SOTTO_VIEW_PANEL_TOKENS_H
#define SOTTO_VIEW_PANEL_TOKENS_H

#include <stdint.h>

#include "chat/tree.h"
#include "kept/kept.h"
#include "kept/measures.h"
#include "view/candidate_rows.h"
#include "view/panel.h"

/* Borrowed while the panel is open. More tokens may be kept meanwhile. */
struct panel_tokens_source {
	const struct kept_reply *tokens;
	const struct node *reply;
	const char *no_candidates; /* what is said of a token that has none */
	const char *reader; /* the model whose candidates they are, if it is not the reply's own; copied. NULL: it is */
	enum kept_shade shade;
};

#define TOKENS_OVERVIEW SIZE_MAX

/* At token number `at`, from 0; in lines TOKENS_OVERVIEW prints the reply and its least sure tokens. */
struct panel *panel_tokens_open(const struct panel_tokens_source *source, size_t at);
struct token_choice panel_tokens_chosen(const struct panel *panel); /* by Enter */

#endif
