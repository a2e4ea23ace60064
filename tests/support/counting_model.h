/* A model of llama's architecture that counts, for tests that want a real engine to say what they expect: "warm 0 warm 1
 * warm 2 ...", as the synthetic backend (engine/synthetic.h), one token a word, whatever it is asked and however it is
 * sampled; "cold 0 cold 1 ..." with a bias of the first. What comes next follows from the last token alone. */
#ifndef SOTTO_TESTS_COUNTING_MODEL_H
#define SOTTO_TESTS_COUNTING_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { COUNTING_MAX = 2000 };

#define COUNTING_COLD "263+35" /* a logit bias */

struct counting_model {
	uint32_t n_words;    /* of a reply; more than COUNTING_MAX: it counts that far, again and again */
	uint32_t n_thoughts; /* "thought 0 thought 1 ...", between <think> and </think>; 0: it does not think */
	uint32_t n_ctx;      /* 0: 4096 */
	bool slow; /* some hundred tokens a second, not many hundreds: what is done in mid-reply has its time */
};

/* 20 MB, or 100 MB of a slow one, most of them zeros, which are worked with like all numbers. */
enum status counting_model_save(const struct counting_model *model, const char *path, struct error *err);

#endif
