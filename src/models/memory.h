/* How much memory a model takes, and the context that fits beside it. The
 * session goes by it, and so does who has seen no more than a file's header. */
#ifndef SOTTO_MODELS_MEMORY_H
#define SOTTO_MODELS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/params.h"
#include "model/cache.h"
#include "model/plan.h"

struct memory_need {
	const struct plan *plan; /* borrowed */
	uint64_t weights;              /* bytes */
	size_t n_batch, n_threads;
	struct kv_types kv_types;
};

struct kv_types memory_kv_types(const struct engine_params *params);

/* Tokens in a micro-batch: params', or plan_micro_batch. */
size_t memory_micro_batch(const struct plan *plan, const struct engine_params *params);

struct memory_need memory_need_of(const struct plan *plan, uint64_t weights,
                                  const struct engine_params *params, size_t n_threads);

/* Weights, cache and scratch for a context; UINT64_MAX for more than can be. */
uint64_t memory_needed(const struct memory_need *need, size_t n_ctx);
/* What there is for them, and how much of it may be used. `loaded`: the weights are in
 * memory already, and count as available. */
uint64_t memory_available(const struct memory_need *need, bool loaded);
uint64_t memory_limit(uint64_t available);

/* The context that params ask for; if they leave it open, the smaller of the trained one and
 * a default. */
size_t memory_wanted_ctx(const struct memory_need *need, const struct engine_params *params);
/* The same, but if they leave it open (and the model need not fit beside another) as much smaller
 * as it takes to stay within the limit; the smallest there is if none does. */
size_t memory_fitting_ctx(const struct memory_need *need, const struct engine_params *params,
                          uint64_t limit);

#endif
