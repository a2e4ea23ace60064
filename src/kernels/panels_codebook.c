/* Panels of the codebook types. */
#include "kernels/blocks.h"
#include "kernels/panels_pack.h"
#include "kernels/quant_generic.h"

/* n bytes of a row, each to a vector of its own. */
static void to_rows(uint8_t (*out)[PANEL_ROWS], const uint8_t *in, size_t n, size_t row)
{
	for (size_t i = 0; i < n; i++)
		out[i][row] = in[i];
}

/* The signs and the scale of each sub-block of IQ2_XXS and IQ3_XXS. */
static void pack_rest(const uint8_t rest[4], size_t s, size_t row, uint8_t (*signs)[PANEL_VECTOR],
                      uint8_t (*scales)[PANEL_ROWS])
{
	uint32_t bits = iq_signs(rest);
	uint8_t bytes[4], *scale = &scales[s / 2][row];

	for (size_t i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(bits >> 8 * i);
	spread_bits(signs[s], bytes, row);
	*scale = (uint8_t)(s % 2 ? *scale | (rest[3] >> 4 << 4) : rest[3] >> 4);
}

void panel_pack_iq2_xxs(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_iq2_xxs *in = blocks;
	struct panel_iq2_xxs *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		for (size_t s = 0; s < 8; s++) {
			to_rows(out->index + 4 * s, in->subs[s].index, 4, row);
			pack_rest(in->subs[s].rest, s, row, out->signs, out->scales);
		}
	}
}

void panel_pack_iq2_xs(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_iq2_xs *in = blocks;
	struct panel_iq2_s *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		to_rows(out->scales, in->scales, 8, row);
		for (size_t s = 0; s < 8; s++) {
			uint8_t signs[4];
			unsigned high = 0;

			for (size_t j = 0; j < 4; j++) {
				unsigned q = in->qs[4 * s + j];

				out->index[4 * s + j][row] = (uint8_t)q;
				high |= (q >> 8 & 1) << 2 * j;
				signs[j] = iq_eight_signs(q >> 9);
			}
			out->high[s][row] = (uint8_t)high;
			spread_bits(out->signs[s], signs, row);
		}
	}
}

void panel_pack_iq2_s(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_iq2_s *in = blocks;
	struct panel_iq2_s *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		to_rows(out->index, in->index, 32, row);
		to_rows(out->high, in->high, 8, row);
		to_rows(out->scales, in->scales, 8, row);
		for (size_t s = 0; s < 8; s++)
			spread_bits(out->signs[s], in->signs + 4 * s, row);
	}
}

void panel_pack_iq3_xxs(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_iq3_xxs *in = blocks;
	struct panel_iq3_xxs *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		to_rows(out->index, in->index, 64, row);
		for (size_t s = 0; s < 8; s++)
			pack_rest(in->rest[s], s, row, out->signs, out->scales);
	}
}

void panel_pack_iq3_s(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_iq3_s *in = blocks;
	struct panel_iq3_s *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		to_rows(out->index, in->index, 64, row);
		to_rows(out->high, in->high, 8, row);
		to_rows(out->scales, in->scales, 4, row);
		for (size_t s = 0; s < 8; s++)
			spread_bits(out->signs[s], in->signs + 4 * s, row);
	}
}

void panel_pack_iq1_s(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_iq1_s *in = blocks;
	struct panel_iq1_m *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		to_rows(out->index, in->index, 32, row);
		for (size_t s = 0; s < 8; s++) {
			unsigned rest = in->high[s], shift = rest >> 15 << 3;

			for (size_t j = 0; j < 2; j++, rest >>= 6)
				out->high[2 * s + j][row] = (uint8_t)((rest & 7) | shift |
				                                      (rest >> 3 & 7) << 4 | shift << 4);
			out->scales[s][row] = in->high[s] >> 12 & 7;
		}
	}
}

void panel_pack_iq1_m(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_iq1_m *in = blocks;
	struct panel_iq1_m *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = iq1_m_d(in);
		to_rows(out->index, in->index, 32, row);
		to_rows(out->high, in->high, 16, row);
		for (size_t s = 0; s < 8; s++)
			out->scales[s][row] = (uint8_t)(iq1_m_scale(in, 2 * s) |
			                                iq1_m_scale(in, 2 * s + 1) << 4);
	}
}
