/* Penalties for recent tokens, as llama.cpp defines them. */
#ifndef SOTTO_SAMPLER_PENALTIES_H
#define SOTTO_SAMPLER_PENALTIES_H

#include <stddef.h>
#include <stdint.h>

#include "sampler/params.h"

/* Lowers (in most cases) the logits of the tokens among the last params->repeat_last_n
 * of `history`. They stay finite or become -inf. `counts` holds n_vocab zeros, before
 * and after. Ids beyond the vocabulary are skipped. */
void penalties_apply(float *logits, size_t n_vocab, const int32_t *history, size_t n_history,
                     const struct sampler_params *params, uint32_t *counts);

/* How many of the last tokens count; 0 where there is nothing to do. */
size_t penalties_reach(const struct sampler_params *params, size_t n_history);
/* The logit of a token that is among them `count` > 0 times. */
float penalties_lower(float logit, uint32_t count, const struct sampler_params *params);

#endif
