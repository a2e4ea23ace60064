/* Penalties for what was said lately, as llama.cpp defines them. */
#ifndef SOTTO_SAMPLER_PENALTIES_H
#define SOTTO_SAMPLER_PENALTIES_H

#include <stddef.h>

#include "sampler/params.h"

/* Lowers (mostly) the logits of the tokens among the last params->repeat_last_n
 * of `history`; none becomes infinite but -inf. `counts` has n_vocab zeros, and
 * again afterwards. Ids beyond the vocabulary are skipped. */
void penalties_apply(float *logits, size_t n_vocab, const int32_t *history, size_t n_history,
                     const struct sampler_params *params, uint32_t *counts);

#endif
