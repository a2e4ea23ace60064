#include "catalog/speed.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/sys.h"
#include "kernels/compute.h"
#include "kernels/peak.h"

/* The share of the measured rate that tokens reach: 0.8 to 1.05 with vectors (bench/LOG.md). The
 * rest is spent between the products. */
static const double share = 0.85;

/* With fewer bytes than this, the speed depends on the processor's caches. */
static const uint64_t least_bytes = MIB(64);

double speed_estimate(double weight_rate, uint64_t token_bytes)
{
	return token_bytes < least_bytes ? 0 : weight_rate * share / (double)token_bytes;
}

enum { BUDGET_US = 100000, ROUNDS = 2 };

/* The best rate of many parts, since other programs can only slow it down. */
static double best_product(const struct compute *compute, const struct peak_memory *memory,
                           catalog_cancelled cancelled, void *ctx)
{
	uint64_t begin = sys_now_us();
	double best = 0;

	for (size_t i = 0; i < (size_t)ROUNDS * PEAK_PARTS && sys_now_us() - begin < BUDGET_US; i++) {
		double rate = peak_product(memory, compute, i % PEAK_PARTS);

		if (cancelled && cancelled(ctx))
			return 0;
		best = rate > best ? rate : best;
	}
	return best;
}

double speed_measure(const struct engine_params *params, catalog_cancelled cancelled, void *ctx)
{
	const char *pinned = getenv("SOTTO_TEST_WEIGHT_RATE");
	size_t n_threads = params->n_threads > 0 ? (size_t)params->n_threads : 0;
	struct peak_memory *memory;
	struct compute compute;
	double rate = 0;

	if (pinned && *pinned)
		return number_parse_double(pinned, &rate) ? rate : 0;
	if (compute_open(&compute, params->isa, n_threads, NULL))
		return 0;
	if (!peak_memory_create(&memory, peak_memory_size(MIB(256)), &compute, NULL))
		rate = best_product(&compute, memory, cancelled, ctx);
	peak_memory_free(memory);
	compute_close(&compute);
	return rate;
}
