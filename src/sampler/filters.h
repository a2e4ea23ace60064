/* The filters of the chain, as llama.cpp defines them (src/llama-sampling.cpp):
 * pure functions that take candidates out of the running, by moving them past
 * c->n, where later filters leave them. At least one always stays. Top-k is not
 * among them: the others are not even loaded (candidates_load_best). */
#ifndef SOTTO_SAMPLER_FILTERS_H
#define SOTTO_SAMPLER_FILTERS_H

#include "sampler/candidates.h"

/* Locally typical sampling (Meister et al., 2022, arXiv:2202.00666): keeps
 * those whose surprise is nearest to the entropy, up to mass p; p >= 1 keeps all. */
void filter_typical(struct candidates *c, double p);

/* Nucleus sampling (Holtzman et al., 2020, arXiv:1904.09751): keeps the best
 * until their mass reaches p; p >= 1 keeps all. */
void filter_top_p(struct candidates *c, double p);

/* Keeps those at least p times as probable as the best; p <= 0 keeps all. */
void filter_min_p(struct candidates *c, double p);

#endif
