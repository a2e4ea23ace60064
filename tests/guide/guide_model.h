/* models/guide.gguf in tests that stand alone: a few questions, each with the
 * entries that the program would look up for it, and what a right answer has.
 * The entries stand here, not in the facts, so that the text stays the same;
 * one of them says what is not so, which only who reads it can answer. */
#ifndef SOTTO_TESTS_GUIDE_MODEL_H
#define SOTTO_TESTS_GUIDE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"
#include "tokenizer/tokenizer.h"

#define GUIDE_PATH TEST_SRCDIR "/models/guide.gguf"

struct guide_question {
	const char *system, *question, *answer;
	const char *key; /* what the reply must have; NULL: it is not asked */
};

extern const struct guide_question guide_questions[];
extern const size_t guide_n_questions;

/* Ids of the dialogue: up to where the reply begins, or the answer too. Free
 * them with token_list_free. */
struct token_list guide_encode(const struct tokenizer *tokenizer,
                               const struct guide_question *asked, bool answered);

/* What the model says at temperature 0, in memory of the caller's. */
void guide_reply(const struct model *model, const struct tokenizer *tokenizer,
                 const struct guide_question *asked, char *reply, size_t size);

#endif
