#include "sampler/rng.h"

#include <sys/random.h>
#include <time.h>

/* All sequences use the same stream; any odd number would do. */
static const uint64_t stream = 0xda3e39cb94b95bdbU;
static const uint64_t multiplier = 6364136223846793005U;

void rng_init(struct rng *rng, uint64_t seed)
{
	rng->state = 0;
	rng->increment = stream;
	rng_next(rng);
	rng->state += seed;
	rng_next(rng);
}

uint64_t rng_fresh_seed(void)
{
	uint64_t seed;
	struct timespec ts;

	if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed)
		return seed;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000007u ^ (uint64_t)ts.tv_nsec;
}

uint32_t rng_next(struct rng *rng)
{
	uint64_t old = rng->state;
	uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
	uint32_t turn = (uint32_t)(old >> 59);

	rng->state = old * multiplier + rng->increment;
	return shifted >> turn | shifted << (-turn & 31);
}

double rng_uniform(struct rng *rng)
{
	uint64_t high = rng_next(rng) >> 5, low = rng_next(rng) >> 6;

	return (double)(high << 26 | low) * 0x1p-53;
}
