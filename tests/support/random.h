/* Seeded numbers for tests: the same on every machine. */
#ifndef SOTTO_TESTS_RANDOM_H
#define SOTTO_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct test_random {
	uint64_t state;
};

uint64_t test_random_u64(struct test_random *random);
/* 0 .. n - 1 */
size_t test_random_below(struct test_random *random, size_t n);
/* Uniform in [-1, 1). */
float test_random_float(struct test_random *random);
void test_random_floats(struct test_random *random, float *out, size_t n, float scale);
void test_random_bytes(struct test_random *random, void *out, size_t n);

#endif
