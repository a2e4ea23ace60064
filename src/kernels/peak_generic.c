#include <string.h>

#include "kernels/peak.h"

/* Two short arrays, which stay in the first-level cache, widened to the 16 bits
 * that every machine with vectors can multiply. */
enum { N_INT8 = 1024, N_STARTS = 16 };

static uint32_t int8_generic(size_t rounds)
{
	int16_t x[N_INT8 + N_STARTS], y[N_INT8];
	uint32_t sum = 0;

	for (size_t i = 0; i < N_INT8 + N_STARTS; i++)
		x[i] = (int8_t)(i * rounds);
	for (size_t i = 0; i < N_INT8; i++)
		y[i] = (int8_t)(i ^ rounds);
	for (size_t r = 0; r < rounds; r++) {
		const int16_t *from = x + r % N_STARTS;
		int32_t dot = 0;

		for (size_t i = 0; i < N_INT8; i++)
			dot += from[i] * y[i];
		sum += (uint32_t)dot;
	}
	return sum;
}

/* Chains that do not wait for each other. They begin differently, or a
 * compiler might see that they are all the same; and stay finite. */
typedef float f32x4 __attribute__((vector_size(16)));

#define CHAINS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

static uint32_t f32_generic(size_t rounds)
{
	f32x4 x = {0.5f, 0.25f, 0.125f, 0.75f}, y = {1, 2, 3, (float)rounds}, sum = {0};
	uint32_t bits[4];

#define BEGIN(i) f32x4 a##i = {1 + i, 2 + i, 3 + i, 4 + i};
#define STEP(i) a##i = a##i * x + y;
#define END(i) sum += a##i;
	CHAINS(BEGIN)
	for (size_t r = 0; r < rounds; r++) {
		CHAINS(STEP)
	}
	CHAINS(END)
	memcpy(bits, &sum, sizeof bits);
	return bits[0] ^ bits[1] ^ bits[2] ^ bits[3];
}

static uint32_t read_generic(const void *data, size_t n_bytes, size_t streams, size_t ahead)
{
	uint64_t sums[8] = {0}, sum = 0;

	for (size_t i = 0; i < n_bytes / streams; i += PEAK_STRIDE)
		for (size_t s = 0; s < streams; s++) {
			const char *at = (const char *)data + s * (n_bytes / streams) + i;
			const uint64_t *words = (const void *)at;

			for (size_t j = 0; ahead && j < PEAK_STRIDE; j += 64)
				__builtin_prefetch(at + ahead + j);
			for (size_t j = 0; j < PEAK_STRIDE / sizeof *words; j += 8)
				for (size_t l = 0; l < 8; l++)
					sums[l] ^= words[j + l];
		}
	for (size_t l = 0; l < 8; l++)
		sum ^= sums[l];
	return (uint32_t)(sum ^ sum >> 32);
}

const struct peak_kernels peak_generic = {
	.int8 = int8_generic,
	.int8_macs = N_INT8,
	.f32 = f32_generic,
	.f32_macs = 12 * 4,
	.read = read_generic,
};
