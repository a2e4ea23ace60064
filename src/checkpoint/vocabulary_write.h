/* The keys of a vocabulary. Private to this folder. */
#ifndef SOTTO_CHECKPOINT_VOCABULARY_WRITE_H
#define SOTTO_CHECKPOINT_VOCABULARY_WRITE_H

#include "checkpoint/vocabulary.h"

struct vocabulary_keys {
	const char *model; /* tokenizer.ggml.model */
	const char *pre;   /* NULL: no such key */
	bool has_scores, has_merges;
};

/* tokenizer.ggml.model, pre, tokens, scores, token_type and merges, in the reference's order. False: no memory. */
bool vocabulary_put(struct gguf_writer *keys, const struct vocabulary *vocabulary, const struct vocabulary_keys *which);

#endif
