/* What kept.c and kept_file.c share. */
#ifndef SOTTO_KEPT_INTERNAL_H
#define SOTTO_KEPT_INTERNAL_H

#include "kept/kept.h"
#include "kept/texts.h"

struct kept_model {
	char *name; /* owned */
	struct kept_texts texts;
};

struct kept_reply {
	uint32_t node;
	struct kept_model *model; /* the chat's */
	uint32_t n_vocab, n_prompt;
	int32_t tail[KEPT_TAIL_MAX];
	size_t n_tail;
	/* Owned, as the two below; [n]. Their candidates point into the list of all. */
	struct kept_token *tokens;
	size_t *firsts; /* the index of each token's first candidate */
	size_t n, cap_tokens, cap_firsts;
	struct kept_candidate *candidates;
	size_t n_candidates, cap_candidates;
};

struct kept {
	struct kept_reply **replies; /* owned, of rising nodes */
	size_t n_replies, cap_replies;
	struct kept_model **models; /* owned */
	size_t n_models, cap_models;
};

/* For one token more, with its candidates. */
bool kept_make_room(struct kept_reply *reply, size_t n_candidates);

#endif
