#include "quantize/encoder.h"

#include <float.h>
#include <string.h>

#include "kernels/float16.h"
#include "quantize/encode.h"
#include "quantize/fit.h"

static void encode_f32(const float *x, void *blocks, size_t n)
{
	memcpy(blocks, x, n * sizeof *x);
}

static void encode_f16(const float *x, void *blocks, size_t n)
{
	uint16_t *out = blocks;

	for (size_t i = 0; i < n; i++)
		out[i] = f16_from_f32(x[i]);
}

static void encode_bf16(const float *x, void *blocks, size_t n)
{
	uint16_t *out = blocks;

	for (size_t i = 0; i < n; i++)
		out[i] = bf16_from_f32(x[i]);
}

static const encoder encoders[BLOCK_TYPE_MAX] = {
	[BLOCK_F32] = encode_f32,       [BLOCK_F16] = encode_f16,   [BLOCK_BF16] = encode_bf16,
	[BLOCK_Q4_0] = encode_q4_0,     [BLOCK_Q4_1] = encode_q4_1, [BLOCK_Q5_0] = encode_q5_0,
	[BLOCK_Q5_1] = encode_q5_1,     [BLOCK_Q8_0] = encode_q8_0, [BLOCK_Q2_K] = encode_q2_k,
	[BLOCK_Q3_K] = encode_q3_k,     [BLOCK_Q4_K] = encode_q4_k, [BLOCK_Q5_K] = encode_q5_k,
	[BLOCK_Q6_K] = encode_q6_k,     [BLOCK_IQ4_NL] = encode_iq4_nl,
	[BLOCK_IQ4_XS] = encode_iq4_xs, [BLOCK_MXFP4] = encode_mxfp4,
};

encoder encoder_find(uint32_t type)
{
	return type < BLOCK_TYPE_MAX ? encoders[type] : NULL;
}

encoder encoder_find_plain(uint32_t type)
{
	switch (type) {
	case BLOCK_Q8_0: return encode_q8_0_plain;
	case BLOCK_MXFP4: return encode_mxfp4;
	default: return NULL;
	}
}

/* The largest scale or offset times the scale's own levels and the weight's that lie farthest on both
 * sides of 0. */
float encoder_largest(uint32_t type)
{
	const float half = FIT_HALF_MAX;

	switch (type) {
	case BLOCK_BF16: return 0x1.fep127f;
	case BLOCK_F16: return half;
	case BLOCK_Q4_1: case BLOCK_Q5_1: return half;
	case BLOCK_Q4_0: return 8 * half;
	case BLOCK_Q5_0: return 16 * half;
	case BLOCK_Q8_0: case BLOCK_IQ4_NL: return 127 * half;
	case BLOCK_Q2_K: return 15 * half;
	case BLOCK_Q4_K: case BLOCK_Q5_K: return 63 * half;
	case BLOCK_Q3_K: return 32 * 4 * half;
	case BLOCK_Q6_K: return 128 * 32 * half;
	case BLOCK_IQ4_XS: return 32 * 127 * half;
	default: return FLT_MAX; /* F32; MXFP4, whose scale is a power of two of eight bits */
	}
}
