#include "catalog/memory.h"

#include "base/sys.h"
#include "model/model.h"

enum { DEFAULT_CTX_MAX = 8192, SMALLEST_CTX = 16 };

struct kv_types memory_kv_types(const struct engine_params *params)
{
	static const enum block_type types[KV_TYPE_COUNT] = {
		[KV_F16] = BLOCK_F16, [KV_F32] = BLOCK_F32, [KV_Q8_0] = BLOCK_Q8_0};

	return (struct kv_types){types[params->kv_type_k], types[params->kv_type_v]};
}

size_t memory_micro_batch(const struct plan *plan, const struct engine_params *params)
{
	return params->n_batch > 0 ? (size_t)params->n_batch : plan_micro_batch(plan);
}

struct memory_need memory_need_of(const struct plan *plan, uint64_t weights,
                                  const struct engine_params *params, size_t n_threads)
{
	return (struct memory_need){
		.plan = plan, .weights = weights, .n_threads = n_threads,
		.n_batch = memory_micro_batch(plan, params),
		.kv_types = memory_kv_types(params)};
}

uint64_t memory_needed(const struct memory_need *need, size_t n_ctx)
{
	uint64_t total = model_context_bytes(need->plan, n_ctx, need->n_batch, need->kv_types,
	                                     need->n_threads);

	return __builtin_add_overflow(total, need->weights, &total) ? UINT64_MAX : total;
}

uint64_t memory_available(const struct memory_need *need, bool loaded)
{
	uint64_t memory = sys_memory_available(), space = sys_address_space_left();
	uint64_t available = memory && memory < space ? memory : space;

	if (loaded && __builtin_add_overflow(available, need->weights, &available))
		return UINT64_MAX;
	return available;
}

uint64_t memory_limit(uint64_t available)
{
	return available / 10 * 9;
}

size_t memory_wanted_ctx(const struct memory_need *need, const struct engine_params *params)
{
	/* A longer context would change the frequencies from the first token on. */
	size_t trained = need->plan->has_long_factors ? need->plan->n_ctx_original
	                                              : need->plan->n_ctx_train;

	if (params->n_ctx > 0)
		return (size_t)params->n_ctx;
	if (params->n_ctx_recommended > 0)
		return trained > 0 && trained < (size_t)params->n_ctx_recommended ? trained : (size_t)params->n_ctx_recommended;
	return trained < DEFAULT_CTX_MAX ? trained : DEFAULT_CTX_MAX;
}

size_t memory_fitting_ctx(const struct memory_need *need, const struct engine_params *params,
                          uint64_t limit)
{
	size_t n_ctx = memory_wanted_ctx(need, params);

	if (params->n_ctx > 0 || params->beside)
		return n_ctx;
	while (n_ctx > SMALLEST_CTX && memory_needed(need, n_ctx) > limit)
		n_ctx -= n_ctx / 8 + 1;
	return n_ctx;
}
