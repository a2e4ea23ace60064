/* Random numbers of our own, so that a seed means the same on every machine
 * and in every version: PCG32 (XSH RR, 64 bits of state), M. E. O'Neill, "PCG:
 * A Family of Simple Fast Space-Efficient Statistically Good Algorithms for
 * Random Number Generation", 2014. Not for secrets. */
#ifndef SOTTO_SAMPLER_RNG_H
#define SOTTO_SAMPLER_RNG_H

#include <stdint.h>

struct rng {
	uint64_t state;
	uint64_t increment; /* odd */
};

/* The same seed gives the same sequence everywhere. */
void rng_init(struct rng *rng, uint64_t seed);
/* A seed that nobody chose: from the system's entropy. */
uint64_t rng_fresh_seed(void);

uint32_t rng_next(struct rng *rng);
/* 0 <= x < 1, 53 bits: two draws. */
double rng_uniform(struct rng *rng);

#endif
