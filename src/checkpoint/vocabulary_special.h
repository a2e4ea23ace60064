/* The ids of tokens with a role, and which of them are added to texts. Private to this folder. */
#ifndef SOTTO_CHECKPOINT_VOCABULARY_SPECIAL_H
#define SOTTO_CHECKPOINT_VOCABULARY_SPECIAL_H

#include "checkpoint/vocabulary.h"

struct special_sources {
	const struct vocabulary *tokenizer;          /* tokenizer.json; NULL: none */
	const struct settings_tree *post_processor;  /* of it; NULL: none */
	const struct settings_tree *config;          /* tokenizer_config.json; NULL: none, or an empty one */
	const struct settings_tree *model;           /* config.json as it is; NULL: none */
	size_t n_vocab;                              /* ids beyond are left out, with a note */
};

struct special_id {
	const char *key; /* behind "tokenizer.ggml." */
	uint32_t id;
};

struct special_add {
	const char *key;
	bool adds;
};

struct special_found {
	struct special_id ids[9];
	struct special_add adds[3];
	size_t n_ids, n_adds;
};

/* In the reference's order. */
void special_read(struct special_found *found, struct conversion *c, const struct special_sources *from);

#endif
