/* Dequantisation in plain C, one function a block type (kernels/quant.h). */
#ifndef SOTTO_KERNELS_QUANT_GENERIC_H
#define SOTTO_KERNELS_QUANT_GENERIC_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/quant.h"

struct block_iq1_m;
struct block_iq4_xs;
struct block_tq1_0;

quant_dequantize dequantize_f32, dequantize_f16, dequantize_bf16, dequantize_q4_0, dequantize_q4_1,
	dequantize_q5_0, dequantize_q5_1, dequantize_q8_0, dequantize_q2_k, dequantize_q3_k,
	dequantize_q4_k, dequantize_q5_k, dequantize_q6_k, dequantize_iq4_nl, dequantize_iq4_xs,
	dequantize_iq2_xxs, dequantize_iq2_xs, dequantize_iq2_s, dequantize_iq3_xxs,
	dequantize_iq3_s, dequantize_iq1_s, dequantize_iq1_m, dequantize_mxfp4, dequantize_nvfp4,
	dequantize_q1_0, dequantize_q2_0, dequantize_tq1_0, dequantize_tq2_0;

/* One of them, by a function for each block of `length` weights. */
#define DEQUANTIZE(fn, length) \
	void dequantize_##fn(const void *blocks, float *out, size_t n) \
	{ \
		const struct block_##fn *b = blocks; \
\
		for (size_t i = 0; i < n / (length); i++) \
			fn##_block(&b[i], out + i * (length)); \
	}

/* The 16 levels of IQ4_NL and IQ4_XS. */
extern const int8_t iq4_levels[16];

/* Scale of a group of Q3_K, -32..31: the low four bits of the 16 scales are the
 * nibbles of bytes 0..7 (low ones first), the high two bits stand in bytes
 * 8..11, two bits a row of four. */
int q3_k_scale(const uint8_t packed[12], size_t group);

/* The 6-bit scale and offset of sub-block s of Q4_K and Q5_K: whole in bytes
 * s and s + 4 for s < 4; above, the low nibbles share byte s + 4 and the high
 * two bits fill up the bytes of the first four. */
void k4_scale(const uint8_t packed[12], size_t s, int *scale, int *offset);

/* Scale of sub-block s, -32..31. */
int iq4_xs_scale(const struct block_iq4_xs *block, size_t s);

/* Twice the 16 numbers of MXFP4 and NVFP4 (the halved scale compensates), plus FP4_ZERO. */
enum { FP4_ZERO = 16 };
extern const int8_t fp4_levels[16];

/* The bits of a scale of NVFP4 that count: one pattern means 0. */
static inline uint8_t nvfp4_scale(uint8_t bits)
{
	return bits == 0x7f ? 0 : bits & 0x7f;
}

/* Element i of a block of TQ1_0: 0..2. */
int tq1_0_quant(const struct block_tq1_0 *block, size_t i);

/* The signs of a sub-block, bit j for element j, of 4 times 7 bits and the scale. */
uint32_t iq_signs(const uint8_t rest[4]);
/* The same for 8 elements, of 7 bits. */
static inline uint8_t iq_eight_signs(uint32_t seven)
{
	return (uint8_t)(seven | (uint32_t)__builtin_parity(seven) << 7);
}

/* The scale of a block of IQ1_M, and the 3 bits of its group g of 16. */
uint16_t iq1_m_d(const struct block_iq1_m *block);
uint8_t iq1_m_scale(const struct block_iq1_m *block, size_t g);

#endif
