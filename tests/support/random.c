#include "support/random.h"

/* splitmix64 (Steele, Lea, Flood 2014) */
uint64_t test_random_u64(struct test_random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

size_t test_random_below(struct test_random *random, size_t n)
{
	return (size_t)(test_random_u64(random) % n);
}

float test_random_float(struct test_random *random)
{
	return (float)(test_random_u64(random) >> 40) * 0x1p-23f - 1.0f;
}

void test_random_floats(struct test_random *random, float *out, size_t n, float scale)
{
	for (size_t i = 0; i < n; i++)
		out[i] = test_random_float(random) * scale;
}

void test_random_bytes(struct test_random *random, void *out, size_t n)
{
	unsigned char *bytes = out;

	for (size_t i = 0; i < n; i++)
		bytes[i] = (unsigned char)test_random_u64(random);
}
