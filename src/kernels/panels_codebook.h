/* Reading panels of the codebook types with vectors. Included by panels_simd.h.
 *
 * `part` is a sub-block of 32. Indices are looked up row by row: no instruction set has
 * anything faster for tables of this size. */
#ifndef SOTTO_KERNELS_PANELS_CODEBOOK_H
#define SOTTO_KERNELS_PANELS_CODEBOOK_H

#include "kernels/codebooks.h"
#include "kernels/panels.h"

/* Bit `at` of each byte of v, as bit `to`. */
INLINE vi one_bit(vi v, int at, int to)
{
	return bits(v, at - to, (uint8_t)(1 << to));
}

/* `shift` bits to the left of a byte's: the upper bits of an index. */
INLINE vi upper(const uint8_t *from, int shift, int mask)
{
	return load_u8(from) << shift & mask;
}

/* The lowest four levels of `width` bits each, one a byte: split in two pairs, then each
 * pair. */
INLINE vi one_a_byte(vi entry, int width)
{
	int two = (1 << 2 * width) - 1, one = (1 << width) - 1;
	vi pairs = (entry | entry << (16 - 2 * width)) & two * 0x00010001;

	return (pairs | pairs << (8 - width)) & one * 0x01010101;
}

/* Levels 0..3 or 4..7 of a run of 8, for quad j of the sub-block. */
INLINE vi half_run(const uint16_t *codebook, vi index, int j)
{
	return one_a_byte(look_up_u16(codebook, index) >> (j % 2 * 8), 2);
}

/* Columns 4 * j .. 4 * j + 3 of sub-block s, as signed bytes. */
INLINE vi codebook_quad(enum block_type type, const void *block, size_t row, int s, int j)
{
	const struct panel_iq2_xxs *iq2_xxs = block;
	const struct panel_iq2_s *iq2_s = block;
	const struct panel_iq3_xxs *iq3_xxs = block;
	const struct panel_iq3_s *iq3_s = block;
	const struct panel_iq1_m *iq1_m = block;
	size_t at = 4 * row;
	int run = 4 * s + j / 2;
	vi index, high;

	switch (type) {
	case BLOCK_IQ2_XXS:
		index = load_u8(iq2_xxs->index[run] + row);
		return look_up(iq2_levels, half_run(codebook_iq2_xxs, index, j) |
		                           one_bit(load(iq2_xxs->signs[s] + at), j, 2));
	case BLOCK_IQ2_XS:
	case BLOCK_IQ2_S:
		index = load_u8(iq2_s->index[run] + row) |
		        upper(iq2_s->high[s] + row, 8 - j / 2 * 2, 0x300);
		return look_up(iq2_levels,
		               half_run(type == BLOCK_IQ2_S ? codebook_iq2_s : codebook_iq2_xs, index, j) |
		               one_bit(load(iq2_s->signs[s] + at), j, 2));
	case BLOCK_IQ3_XXS:
		index = load_u8(iq3_xxs->index[8 * s + j] + row);
		return look_up(iq3_xxs_levels, one_a_byte(look_up_u16(codebook_iq3_xxs, index), 3) |
		                               one_bit(load(iq3_xxs->signs[s] + at), j, 3));
	case BLOCK_IQ3_S:
		index = load_u8(iq3_s->index[8 * s + j] + row) |
		        upper(iq3_s->high[s] + row, 8 - j, 0x100);
		return look_up(iq3_s_levels, one_a_byte(look_up_u16(codebook_iq3_s, index), 3) |
		                             one_bit(load(iq3_s->signs[s] + at), j, 3));
	default: /* IQ1 */
		high = load_u8(iq1_m->high[run / 2] + row) >> (run % 2 * 4);
		index = load_u8(iq1_m->index[run] + row) | (high << 8 & 0x700);
		return look_up(iq1_levels, half_run(codebook_iq1, index, j) |
		                           (-(high >> 3 & 1) & 0x04040404));
	}
}

/* 2 * scale + 1, of group g. */
INLINE vf odd_scale(const uint8_t (*scales)[PANEL_ROWS], size_t row, int g)
{
	vi scale = load_u8(scales[g / 2] + row) >> (g % 2 * 4) & 15;

	return to_f32(scale + scale + 1);
}

INLINE vf codebook_scale(enum block_type type, const void *block, size_t row, int g)
{
	const struct panel_iq2_xxs *iq2_xxs = block;
	const struct panel_iq2_s *iq2_s = block;
	const struct panel_iq3_xxs *iq3_xxs = block;
	const struct panel_iq3_s *iq3_s = block;
	const struct panel_iq1_m *iq1_m = block;

	switch (type) {
	case BLOCK_IQ2_XXS:
		return odd_scale(iq2_xxs->scales, row, g) * splat_f32(0.125f);
	case BLOCK_IQ2_XS:
	case BLOCK_IQ2_S:
		return odd_scale(iq2_s->scales, row, g) * splat_f32(0.125f);
	case BLOCK_IQ3_XXS:
		return odd_scale(iq3_xxs->scales, row, g) * splat_f32(0.25f);
	case BLOCK_IQ3_S:
		return odd_scale(iq3_s->scales, row, g);
	case BLOCK_IQ1_S:
		return odd_scale(iq1_m->scales, row, 2 * g) * splat_f32(0.125f);
	default: /* IQ1_M */
		return odd_scale(iq1_m->scales, row, g) * splat_f32(0.125f);
	}
}

#endif
