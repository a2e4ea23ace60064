/* What the files of this room share. */
#ifndef SOTTO_KEPT_INTERNAL_H
#define SOTTO_KEPT_INTERNAL_H

#include "kept/kept.h"
#include "kept/texts.h"

struct kept_model {
	char *name; /* owned */
	struct kept_texts texts;
	bool is_saved;   /* in the file, ... */
	uint32_t number; /* ... as the model of this number */
};

struct kept_reply {
	uint32_t node;
	struct kept_model *model; /* the chat's */
	uint32_t n_vocab, n_prompt;
	int32_t tail[KEPT_TAIL_MAX];
	size_t n_tail;
	struct kept_token *tokens; /* owned, [n]; their candidates point into the list of all */
	size_t n, cap_tokens;
	struct kept_candidate *candidates; /* owned, [n_candidates]: of the first token, then of the next one, ... */
	size_t n_candidates, cap_candidates;
	size_t n_saved; /* tokens that are in the file */
};

struct kept {
	struct kept_reply **replies; /* owned, of rising nodes */
	size_t n_replies, cap_replies;
	struct kept_model **models; /* owned */
	size_t n_models, cap_models;
	/* The file (kept_file.h). */
	char *path;      /* owned; NULL: none yet */
	size_t file_len; /* bytes of it that are whole; 0: it is begun anew */
	uint32_t n_saved_models;
};

/* These give what is there already, or add it; NULL without memory. */
struct kept_model *kept_model_of(struct kept *kept, const char *name);
struct kept_reply *kept_add_reply(struct kept *kept, uint32_t node);
/* Only the first n tokens stay. */
void kept_cut(struct kept_reply *reply, size_t n);
/* Adds a copy of a token with its candidates, whose room is not the reply's own. False: no memory. */
bool kept_push(struct kept_reply *reply, const struct kept_token *token);

#endif
