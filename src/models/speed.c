#include "models/speed.h"

#include "base/limits.h"

/* What a token reaches of the measured rate: 0.8 to 1.05 with vectors (bench/LOG.md). The
 * rest goes to what stands between the products. */
static const double share = 0.85;

/* Less than this, and caches decide. */
static const uint64_t least_bytes = MIB(64);

double speed_estimate(double weight_rate, uint64_t token_bytes)
{
	return token_bytes < least_bytes ? 0 : weight_rate * share / (double)token_bytes;
}
