/* Penalties for recent tokens, as llama.cpp defines them. */
#ifndef SOTTO_SAMPLER_PENALTIES_H
#define SOTTO_SAMPLER_PENALTIES_H

#include <stddef.h>

#include "sampler/params.h"

/* Lowers (in most cases) the logits of the tokens among the last params->repeat_last_n
 * of `history`. They stay finite or become -inf. `counts` holds n_vocab zeros, before
 * and after. Ids beyond the vocabulary are skipped. */
void penalties_apply(float *logits, size_t n_vocab, const int32_t *history, size_t n_history,
                     const struct sampler_params *params, uint32_t *counts);

#endif
