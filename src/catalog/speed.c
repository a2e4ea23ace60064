#include "catalog/speed.h"

#include "base/limits.h"

/* The share of the measured rate that tokens reach: 0.8 to 1.05 with vectors (bench/LOG.md). The
 * rest is spent between the products. */
static const double share = 0.85;

/* With fewer bytes than this, the speed depends on the processor's caches. */
static const uint64_t least_bytes = MIB(64);

double speed_estimate(double weight_rate, uint64_t token_bytes)
{
	return token_bytes < least_bytes ? 0 : weight_rate * share / (double)token_bytes;
}
