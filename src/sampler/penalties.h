/* Penalties for what was said lately, as llama.cpp defines them. */
#ifndef SOTTO_SAMPLER_PENALTIES_H
#define SOTTO_SAMPLER_PENALTIES_H

#include "sampler/candidates.h"
#include "sampler/params.h"

/* Lowers (mostly) the logits of the tokens among the last params->repeat_last_n
 * of `history`. Candidate i must have id i. `counts` has one zero a candidate,
 * and again afterwards. Ids that no candidate has are skipped. */
void penalties_apply(struct candidates *c, const int32_t *history, size_t n_history,
                     const struct sampler_params *params, uint32_t *counts);

#endif
