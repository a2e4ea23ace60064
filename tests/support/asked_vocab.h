/* A vocabulary that is elsewhere, played by one that is here: it answers as llama-server does, which
 * matches user-defined tokens in any text. */
#ifndef SOTTO_TESTS_ASKED_VOCAB_H
#define SOTTO_TESTS_ASKED_VOCAB_H

#include "tokenizer/outside.h"

struct asked_vocab {
	const struct tokenizer *inner;
	size_t n_asked;    /* how many requests were made */
	bool tells_pieces; /* with the ids; otherwise they are asked for */
	enum status fails; /* what the next requests end with */
};

/* The tokenizer that asks `vocab`, which must outlive it; fails the test if it cannot be opened. */
struct tokenizer *asked_vocab_open(struct asked_vocab *vocab);

#endif
