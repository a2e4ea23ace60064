/* Reading panels with vectors: quants, scales and offsets of each type.
 *
 * weight = scale * (quant - zero) [+ offset]. Included after a simd_*.h. The
 * type is a constant wherever these are called: each call becomes the few
 * instructions of its case. `row`: first row of the vector, inside the panel. */
#ifndef SOTTO_KERNELS_PANELS_SIMD_H
#define SOTTO_KERNELS_PANELS_SIMD_H

#include <stdbool.h>

#include "kernels/panels.h"
#include "kernels/panels_codebook.h"
#include "kernels/quant.h"
#include "kernels/quant_generic.h"

/* What products have to know of a type: constants, as the type is one. */
struct shape {
	size_t panel_bytes;  /* of a block of a panel */
	size_t block_length; /* columns of a block */
	size_t group_length; /* columns that share a scale */
	/* Groups that have code of their own: halves of a block that are read alike share theirs.
	 * Code that does not fit the cache of decoded instructions is slow. */
	int groups_of_part;
	int zero; /* the zero point of quants: 0 or a power of two; but see is_centred */
	bool has_offset;
	bool is_biased;   /* quants are signed bytes + SIMD_BIAS, for dot4_biased */
	bool has_codebook;
};

#define SIGNED .zero = SIMD_BIAS, .is_biased = true
#define CODEBOOK SIGNED, .has_codebook = true

static const struct shape shapes[BLOCK_TYPE_MAX] = {
	[BLOCK_F32] = {.panel_bytes = PANEL_ROWS * sizeof(float)},
	[BLOCK_F16] = {.panel_bytes = PANEL_ROWS * sizeof(uint16_t)},
	[BLOCK_BF16] = {.panel_bytes = PANEL_ROWS * sizeof(uint16_t)},
	[BLOCK_Q4_0] = {sizeof(struct panel_q4_0), 32, 32, 1, .zero = 8},
	[BLOCK_Q4_1] = {sizeof(struct panel_q4_1), 32, 32, 1, .has_offset = true},
	[BLOCK_Q5_0] = {sizeof(struct panel_q5_0), 32, 32, 1, .zero = 16},
	[BLOCK_Q5_1] = {sizeof(struct panel_q5_1), 32, 32, 1, .has_offset = true},
	[BLOCK_Q8_0] = {sizeof(struct panel_q8_0), 32, 32, 1, SIGNED},
	[BLOCK_Q2_K] = {sizeof(struct panel_q2_k), 256, 16, 8, .has_offset = true},
	[BLOCK_Q3_K] = {sizeof(struct panel_q3_k), 256, 16, 16, .zero = 4},
	[BLOCK_Q4_K] = {sizeof(struct panel_q4_k), 256, 32, 8, .has_offset = true},
	[BLOCK_Q5_K] = {sizeof(struct panel_q5_k), 256, 32, 8, .has_offset = true},
	[BLOCK_Q6_K] = {sizeof(struct panel_q6_k), 256, 16, 8, .zero = 32},
	[BLOCK_IQ4_NL] = {sizeof(struct panel_q4_0), 32, 32, 1, SIGNED},
	[BLOCK_IQ4_XS] = {sizeof(struct panel_iq4_xs), 256, 32, 8, SIGNED},
	[BLOCK_TQ1_0] = {sizeof(struct panel_tq2_0), 256, 32, 4, .zero = 1},
	[BLOCK_TQ2_0] = {sizeof(struct panel_tq2_0), 256, 32, 4, .zero = 1},
	[BLOCK_MXFP4] = {sizeof(struct panel_mxfp4), 32, 32, 1, .zero = FP4_ZERO},
	[BLOCK_NVFP4] = {sizeof(struct panel_nvfp4), 64, 16, 4, .zero = FP4_ZERO},
	[BLOCK_Q1_0] = {sizeof(struct panel_q1_0), 128, 32, 4, .zero = 1},
	[BLOCK_Q2_0] = {sizeof(struct panel_q2_0), 64, 32, 2, .zero = 1},
	[BLOCK_IQ2_XXS] = {sizeof(struct panel_iq2_xxs), 256, 32, 1, CODEBOOK},
	[BLOCK_IQ2_XS] = {sizeof(struct panel_iq2_s), 256, 16, 2, CODEBOOK},
	[BLOCK_IQ2_S] = {sizeof(struct panel_iq2_s), 256, 16, 2, CODEBOOK},
	[BLOCK_IQ3_XXS] = {sizeof(struct panel_iq3_xxs), 256, 32, 1, CODEBOOK},
	[BLOCK_IQ3_S] = {sizeof(struct panel_iq3_s), 256, 32, 1, CODEBOOK},
	[BLOCK_IQ1_S] = {sizeof(struct panel_iq1_m), 256, 32, 1, CODEBOOK},
	[BLOCK_IQ1_M] = {sizeof(struct panel_iq1_m), 256, 16, 2, CODEBOOK},
};
#undef SIGNED
#undef CODEBOOK

INLINE int groups_of_block(enum block_type type)
{
	return (int)(shapes[type].block_length / shapes[type].group_length);
}

/* True if unsigned quants of 5 bits, which have an offset, get a zero point while they are
 * summed: for sets whose sums must stay small (unpacked_zero is 16). */
INLINE bool is_centred(enum block_type type)
{
	return (type == BLOCK_Q5_1 || type == BLOCK_Q5_K) && unpacked_zero(shapes[type].group_length) == 16;
}

INLINE int quant_zero(enum block_type type)
{
	return is_centred(type) ? 16 : shapes[type].zero;
}

/* log2 of the zero point of unpacked quants, divided by the type's. */
INLINE int zero_shift(enum block_type type)
{
	return __builtin_ctz((unsigned)unpacked_zero(shapes[type].group_length)) -
	       __builtin_ctz((unsigned)quant_zero(type));
}

INLINE vi nibble(const uint8_t *from, bool high)
{
	return bits(load(from), high ? 4 : 0, 15);
}

/* Columns 4 * j .. 4 * j + 3 of a part of the block. */
INLINE vi quad(enum block_type type, const void *block, size_t row, int part, int j)
{
	const struct panel_q4_0 *q4_0 = block;
	const struct panel_q4_1 *q4_1 = block;
	const struct panel_q5_0 *q5_0 = block;
	const struct panel_q5_1 *q5_1 = block;
	const struct panel_q8_0 *q8_0 = block;
	const struct panel_q2_k *q2_k = block;
	const struct panel_q3_k *q3_k = block;
	const struct panel_q4_k *q4_k = block;
	const struct panel_q5_k *q5_k = block;
	const struct panel_q6_k *q6_k = block;
	const struct panel_iq4_xs *iq4_xs = block;
	const struct panel_tq2_0 *tq2_0 = block;
	const struct panel_mxfp4 *mxfp4 = block;
	const struct panel_nvfp4 *nvfp4 = block;
	const struct panel_q1_0 *q1_0 = block;
	const struct panel_q2_0 *q2_0 = block;
	size_t at = 4 * row;
	int s = j / 8; /* sub-block of 32 */

	if (shapes[type].has_codebook)
		return add_bytes(codebook_quad(type, block, row, part, j), SIMD_BIAS);
	switch (type) {
	case BLOCK_Q4_0:
		return nibble(q4_0->qs[j % 4] + at, j / 4);
	case BLOCK_Q4_1:
		return nibble(q4_1->qs[j % 4] + at, j / 4);
	case BLOCK_Q5_0:
		return nibble(q5_0->qs[j % 4] + at, j / 4) | one_bit(load(q5_0->qh + at), j, 4);
	case BLOCK_Q5_1:
		return nibble(q5_1->qs[j % 4] + at, j / 4) | one_bit(load(q5_1->qh + at), j, 4);
	case BLOCK_Q8_0:
		return add_bytes(load(q8_0->qs[j] + at), SIMD_BIAS);
	case BLOCK_IQ4_NL:
		return add_bytes(look_up(iq4_levels, nibble(q4_0->qs[j % 4] + at, j / 4)),
		                 SIMD_BIAS);
	case BLOCK_Q2_K:
		return bits(load(q2_k->qs[8 * part + j % 8] + at), 2 * s, 3);
	case BLOCK_Q3_K:
		return bits(load(q3_k->qs[8 * (s / 4) + j % 8] + at), 2 * (s % 4), 3) |
		       one_bit(load(q3_k->hmask[j % 8] + at), s, 2);
	case BLOCK_Q4_K:
		return nibble(q4_k->qs[8 * (s / 2) + j % 8] + at, s % 2);
	case BLOCK_Q5_K:
		return nibble(q5_k->qs[8 * (s / 2) + j % 8] + at, s % 2) |
		       one_bit(load(q5_k->qh[j % 8] + at), s, 4);
	case BLOCK_Q6_K:
		return nibble(q6_k->ql[16 * part + 8 * (s % 2) + j % 8] + at, s / 2) |
		       bits(load(q6_k->qh[8 * part + j % 8] + at), 2 * s - 4, 0x30);
	case BLOCK_IQ4_XS:
		return add_bytes(look_up(iq4_levels, nibble(iq4_xs->qs[4 * s + j % 4] + at, j % 8 / 4)),
		                 SIMD_BIAS);
	case BLOCK_TQ1_0:
	case BLOCK_TQ2_0:
		return bits(load(tq2_0->qs[8 * part + j % 8] + at), 2 * s, 3);
	case BLOCK_MXFP4:
		return look_up(fp4_levels, nibble(mxfp4->qs[j % 4] + at, j / 4));
	case BLOCK_NVFP4:
		return look_up(fp4_levels, nibble(nvfp4->qs[j / 4 * 2 + j % 2] + at, j % 4 / 2));
	case BLOCK_Q1_0:
		return one_bit(load(q1_0->qs[s] + at), j % 8, 1);
	case BLOCK_Q2_0:
		return bits(load(q2_0->qs[j % 4] + at), j / 4 * 2, 3);
	default:
		return (vi){0};
	}
}

/* 6-bit scale (offset if `offset`) of sub-block s of Q4_K and Q5_K. */
INLINE vf k4_value(const uint8_t low[8][16], const uint8_t high[4][16], size_t row, int s,
                   bool offset)
{
	vi value = bits(load_u8(low[s] + row), offset ? 4 : 0, 15);

	return to_f32(value | bits(load_u8(high[s % 4] + row), s / 4 * 4 + (offset ? 2 : 0) - 4, 0x30));
}

/* As f32_from_e8m0_half. */
INLINE vf e8m0_half(vi e)
{
	vi first = e >> 1;

	return power_of_two(first - 64) * power_of_two(e - first - 64);
}

/* True if both groups of 32 columns are added up with their scales, which are integers,
 * before the sum becomes a float: at most 4 * 8 * 32 * 127 * 128, less than 2^24. */
INLINE bool has_whole_scales(enum block_type type)
{
	return SIMD_WHOLE && (type == BLOCK_Q3_K || type == BLOCK_Q6_K);
}

/* The integer of group g, in both words of a lane. */
INLINE vi whole_scale(enum block_type type, const void *block, size_t row, int g)
{
	const struct panel_q3_k *q3_k = block;
	const struct panel_q6_k *q6_k = block;
	vi scale = load_i8((type == BLOCK_Q3_K ? q3_k->scales[g] : q6_k->scales[g]) + row);

	return (scale & 0xffff) | scale << 16;
}

/* Scales of group g  of the block; without whole scales. */
INLINE vf group_scale(enum block_type type, const void *block, size_t row, int g)
{
	const struct panel_q2_k *q2_k = block;
	const struct panel_q3_k *q3_k = block;
	const struct panel_q4_k *q4_k = block;
	const struct panel_q5_k *q5_k = block;
	const struct panel_q6_k *q6_k = block;
	const struct panel_iq4_xs *iq4_xs = block;
	const struct panel_mxfp4 *mxfp4 = block;
	const struct panel_nvfp4 *nvfp4 = block;
	vf d = load_f16((const uint16_t *)block + row); /* first in almost every layout */

	if (shapes[type].has_codebook)
		return d * codebook_scale(type, block, row, g);
	if (has_whole_scales(type))
		return d;
	switch (type) {
	case BLOCK_Q2_K:
		return d * to_f32(bits(load_u8(q2_k->scales[g] + row), 0, 15));
	case BLOCK_Q3_K:
		return d * to_f32(load_i8(q3_k->scales[g] + row));
	case BLOCK_Q4_K:
		return d * k4_value(q4_k->low, q4_k->high, row, g, false);
	case BLOCK_Q5_K:
		return d * k4_value(q5_k->low, q5_k->high, row, g, false);
	case BLOCK_Q6_K:
		return d * to_f32(load_i8(q6_k->scales[g] + row));
	case BLOCK_IQ4_XS:
		return d * to_f32(load_i8(iq4_xs->scales[g] + row));
	case BLOCK_MXFP4:
		return e8m0_half(load_u8(mxfp4->e + row));
	case BLOCK_NVFP4: /* as f32_from_e4m3_half */
		return (vf)(load_u8(nvfp4->d[g] + row) << 20) * splat_f32(0x1p119f);
	default:
		return d;
	}
}

INLINE vf group_offset(enum block_type type, const void *block, size_t row, int g)
{
	const struct panel_q2_k *q2_k = block;
	const struct panel_q4_k *q4_k = block;
	const struct panel_q5_k *q5_k = block;
	vf m = load_f16((const uint16_t *)block + PANEL_ROWS + row); /* second, where there is one */

	switch (type) {
	case BLOCK_Q2_K:
		return -m * to_f32(bits(load_u8(q2_k->scales[g] + row), 4, 15));
	case BLOCK_Q4_K:
		return -m * k4_value(q4_k->low, q4_k->high, row, g, true);
	case BLOCK_Q5_K:
		return -m * k4_value(q5_k->low, q5_k->high, row, g, true);
	default:
		return m;
	}
}

/* Weights of one column: float types. */
INLINE vf float_weights(enum block_type type, const void *column, size_t row)
{
	switch (type) {
	case BLOCK_F32:
		return load_f32((const float *)column + row);
	case BLOCK_BF16:
		return load_bf16((const uint16_t *)column + row);
	default:
		return load_f16((const uint16_t *)column + row);
	}
}

#endif
