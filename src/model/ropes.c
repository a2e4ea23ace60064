#include "model/ropes.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* YaRN: how much pair i keeps of its own frequency. */
static double kept(const struct rope_plan *rope, size_t i)
{
	double at = ((double)i - (double)rope->low) / fmax(0.001, (double)rope->high - (double)rope->low);

	return (double)rope->yarn * (1 - fmin(1, fmax(0, at)));
}

static enum status init_set(struct rope_set *set, const struct rope_plan *rope, const float *factors,
                            const char *name, struct error *err)
{
	*set = (struct rope_set){.pairing = rope->pairing, .n_pairs = rope->dim / 2,
	                         .magnitude = rope->magnitude};
	set->frequency = alloc_array(set->n_pairs, sizeof *set->frequency);
	if (!set->frequency)
		return error_no_memory(err, NULL);
	for (size_t i = 0; i < set->n_pairs; i++) {
		double factor = factors ? (double)factors[i] : 1, own = kept(rope, i);

		if (!(factor > 0) || isinf(factor))
			return error_set(err, STATUS_FORMAT,
			                 "tensor '%s': found %g at %zu, expected a positive number", name,
			                 factor, i);
		set->frequency[i] = pow((double)rope->base, -2.0 * (double)i / (double)rope->dim) *
		                    ((double)rope->freq_scale * (1 - own) + own) / factor;
	}
	return STATUS_OK;
}

enum status ropes_init(struct ropes *ropes, const struct weights *weights, size_t n_ctx,
                       struct error *err)
{
	const struct plan *plan = weights->plan;
	const float *factors = weights->rope_factors;
	const char *name = "rope_freqs.weight";
	enum status status = STATUS_OK;

	*ropes = (struct ropes){0};
	if (!weights->rope_factors_long != !weights->rope_factors_short)
		return error_set(err, STATUS_FORMAT, "tensor 'rope_factors_%s.weight' is missing, expected "
		                 "beside the other factors", weights->rope_factors_long ? "short" : "long");
	if (weights->rope_factors_long) {
		bool is_long = n_ctx > plan->n_ctx_original;

		factors = is_long ? weights->rope_factors_long : weights->rope_factors_short;
		name = is_long ? "rope_factors_long.weight" : "rope_factors_short.weight";
	}
	for (size_t i = 0; i < plan->n_ropes && !status; i++)
		status = init_set(&ropes->sets[i], &plan->ropes[i], i ? NULL : factors, name, err);
	if (status)
		ropes_deinit(ropes);
	return status;
}

void ropes_deinit(struct ropes *ropes)
{
	for (size_t i = 0; i < PLAN_MAX_ROPES; i++)
		free(ropes->sets[i].frequency);
	*ropes = (struct ropes){0};
}
