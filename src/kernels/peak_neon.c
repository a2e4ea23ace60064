#include <arm_neon.h>

#include "kernels/peak.h"

/* As in peak_avx2.c, with 16 chains: those and two operands fit in the 32
 * registers, and hide the four cycles of a result from four pipelines. */
#define CHAINS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) \
	DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
enum { N_CHAINS = 16 };

static uint32_t int8_neon(size_t rounds)
{
	int8x16_t x = vdupq_n_s8((int8_t)rounds), y = vdupq_n_s8(3);
	int32x4_t sum = vdupq_n_s32(0);

#define BEGIN(i) int32x4_t a##i = vdupq_n_s32(i);
#define STEP(i) __asm__ volatile("sdot %0.4s, %1.16b, %2.16b" : "+w"(a##i) : "w"(x), "w"(y));
#define END(i) sum = veorq_s32(sum, a##i);
	CHAINS(BEGIN)
	for (size_t r = 0; r < rounds; r++) {
		CHAINS(STEP)
	}
	CHAINS(END)
	return (uint32_t)vaddvq_s32(sum);
#undef BEGIN
#undef STEP
#undef END
}

static uint32_t f32_neon(size_t rounds)
{
	float32x4_t x = vdupq_n_f32(0.5f), y = vdupq_n_f32((float)rounds);
	uint32x4_t sum = vdupq_n_u32(0);

#define BEGIN(i) float32x4_t a##i = vdupq_n_f32(i);
#define STEP(i) __asm__ volatile("fmla %0.4s, %1.4s, %2.4s" : "+w"(a##i) : "w"(x), "w"(y));
#define END(i) sum = veorq_u32(sum, vreinterpretq_u32_f32(a##i));
	CHAINS(BEGIN)
	for (size_t r = 0; r < rounds; r++) {
		CHAINS(STEP)
	}
	CHAINS(END)
	return vaddvq_u32(sum);
}

static uint32_t read_neon(const void *data, size_t n_bytes, size_t streams, size_t ahead)
{
	uint8x16_t sums[4] = {vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0)};

	for (size_t i = 0; i < n_bytes / streams; i += PEAK_STRIDE)
		for (size_t s = 0; s < streams; s++) {
			const uint8_t *at = (const uint8_t *)data + s * (n_bytes / streams) + i;

			for (size_t j = 0; ahead && j < PEAK_STRIDE; j += 64)
				__builtin_prefetch(at + ahead + j);
			for (size_t j = 0; j < PEAK_STRIDE / 16; j++)
				sums[j % 4] = veorq_u8(sums[j % 4], vld1q_u8(at + 16 * j));
		}
	return vaddvq_u32(vreinterpretq_u32_u8(
		veorq_u8(veorq_u8(sums[0], sums[1]), veorq_u8(sums[2], sums[3]))));
}

const struct peak_kernels peak_neon = {
	.int8 = int8_neon,
	.int8_macs = N_CHAINS * 16,
	.f32 = f32_neon,
	.f32_macs = N_CHAINS * 4,
	.read = read_neon,
};
