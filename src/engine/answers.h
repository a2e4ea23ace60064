/* Where a decorator knows the reply's texts (turn.answers) the model only chooses among them: it
 * samples as ever, and what would lead to none of them is replaced by the likeliest token that does. */
#ifndef SOTTO_ENGINE_ANSWERS_H
#define SOTTO_ENGINE_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "sampler/chain.h"
#include "tokenizer/tokenizer.h"
#include "turn/turn.h"

struct answers {
	struct token_list *items; /* owned, [n]: those that the reply may still become come first */
	size_t n, n_left;
	size_t at; /* tokens of the reply so far */
};

/* A turn without answers has none, and its reply may be anything. answers_free in every case. */
enum status answers_make(struct answers *out, const struct tokenizer *tokenizer,
                         const struct turn *turn, struct error *err) MUST_CHECK;
void answers_free(struct answers *answers);

/* Makes `choice`, of these logits, a token that one of the answers has next, with probability 0
 * where it was another; `ends`: it would end the reply. False: the reply ends. */
bool answers_choose(struct answers *answers, const float *logits, bool ends,
                    struct sampler_choice *choice);

#endif
