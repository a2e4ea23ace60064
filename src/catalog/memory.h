/* How much memory a model needs, and the context that fits. Used both by the session
 * and by those who have only read a file's header. */
#ifndef SOTTO_CATALOG_MEMORY_H
#define SOTTO_CATALOG_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cache.h"
#include "model/plan.h"
#include "turn/engine_params.h"

struct memory_need {
	const struct plan *plan; /* borrowed */
	uint64_t weights;        /* bytes */
	size_t n_batch, n_threads;
	struct kv_types kv_types;
};

struct kv_types memory_kv_types(const struct engine_params *params);

/* How many tokens a micro-batch has: as params say, or as plan_micro_batch does. */
size_t memory_micro_batch(const struct plan *plan, const struct engine_params *params);

struct memory_need memory_need_of(const struct plan *plan, uint64_t weights,
                                  const struct engine_params *params, size_t n_threads);

/* Bytes of weights, cache and scratch for a context; UINT64_MAX if they overflow. */
uint64_t memory_needed(const struct memory_need *need, size_t n_ctx);
/* Bytes of memory available for these, and how much of it may be used. `loaded`: the
 * weights are already in memory, and count as available. */
uint64_t memory_available(const struct memory_need *need, bool loaded);
uint64_t memory_limit(uint64_t available);

/* The context that params ask for, in tokens; if they do not, the smaller of the trained one
 * and a default. */
size_t memory_wanted_ctx(const struct memory_need *need, const struct engine_params *params);
/* The same, but made smaller, down to the smallest there is, until it stays within the limit. It
 * is never made smaller if params ask for it or if another model is in memory (beside). */
size_t memory_fitting_ctx(const struct memory_need *need, const struct engine_params *params,
                          uint64_t limit);

#endif
