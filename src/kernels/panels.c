#include "kernels/panels.h"

#include <string.h>

#include "kernels/blocks.h"
#include "kernels/quant_generic.h"

void panel_pack_f32(const void *blocks, size_t n, size_t row, void *panel)
{
	const float *in = blocks;
	float (*out)[PANEL_ROWS] = panel;

	for (size_t i = 0; i < n; i++)
		out[i][row] = in[i];
}

void panel_pack_f16(const void *blocks, size_t n, size_t row, void *panel)
{
	const uint16_t *in = blocks;
	uint16_t (*out)[PANEL_ROWS] = panel;

	for (size_t i = 0; i < n; i++)
		out[i][row] = in[i];
}

/* Dword v of `src` becomes the row's dword of vector v. */
static void spread(uint8_t (*vectors)[PANEL_VECTOR], const uint8_t *src, size_t n, size_t row)
{
	for (size_t v = 0; v < n; v++)
		memcpy(vectors[v] + 4 * row, src + 4 * v, 4);
}

/* Bit j of the 32 goes to byte j % 4, bit j / 4. */
static void spread_bits(uint8_t *vector, const uint8_t bits[4], size_t row)
{
	uint8_t bytes[4] = {0};

	for (size_t j = 0; j < 32; j++)
		bytes[j % 4] |= (uint8_t)((bits[j / 8] >> j % 8 & 1) << j / 4);
	memcpy(vector + 4 * row, bytes, 4);
}

/* One of the functions of panels.h, by a function for each block. */
#define PACK(fn, panel_type) \
	void panel_pack_##fn(const void *blocks, size_t n, size_t row, void *panel) \
	{ \
		const struct block_##fn *in = blocks; \
		struct panel_##panel_type *out = panel; \
\
		for (size_t i = 0; i < n; i++) \
			fn##_block(&in[i], row, &out[i]); \
	}

static void q4_0_block(const struct block_q4_0 *in, size_t row, struct panel_q4_0 *out)
{
	out->d[row] = in->d;
	spread(out->qs, in->qs, 4, row);
}
PACK(q4_0, q4_0)

static void q4_1_block(const struct block_q4_1 *in, size_t row, struct panel_q4_1 *out)
{
	out->d[row] = in->d;
	out->m[row] = in->m;
	spread(out->qs, in->qs, 4, row);
}
PACK(q4_1, q4_1)

static void q5_0_block(const struct block_q5_0 *in, size_t row, struct panel_q5_0 *out)
{
	out->d[row] = in->d;
	spread_bits(out->qh, in->qh, row);
	spread(out->qs, in->qs, 4, row);
}
PACK(q5_0, q5_0)

static void q5_1_block(const struct block_q5_1 *in, size_t row, struct panel_q5_1 *out)
{
	out->d[row] = in->d;
	out->m[row] = in->m;
	spread_bits(out->qh, in->qh, row);
	spread(out->qs, in->qs, 4, row);
}
PACK(q5_1, q5_1)

static void q8_0_block(const struct block_q8_0 *in, size_t row, struct panel_q8_0 *out)
{
	out->d[row] = in->d;
	for (size_t v = 0; v < 8; v++)
		memcpy(out->qs[v] + 4 * row, in->qs + 4 * v, 4);
}
PACK(q8_0, q8_0)

static void q2_k_block(const struct block_q2_k *in, size_t row, struct panel_q2_k *out)
{
	out->d[row] = in->d;
	out->dmin[row] = in->dmin;
	for (size_t group = 0; group < 16; group++)
		out->scales[group][row] = in->scales[group];
	spread(out->qs, in->qs, 16, row);
}
PACK(q2_k, q2_k)

static void q3_k_block(const struct block_q3_k *in, size_t row, struct panel_q3_k *out)
{
	out->d[row] = in->d;
	for (size_t group = 0; group < 16; group++)
		out->scales[group][row] = (int8_t)q3_k_scale(in->scales, group);
	spread(out->hmask, in->hmask, 8, row);
	spread(out->qs, in->qs, 16, row);
}
PACK(q3_k, q3_k)

/* The scales of Q4_K and Q5_K. */
static void pack_k4_scales(const uint8_t packed[12], size_t row, uint8_t low[8][16],
                           uint8_t high[4][16])
{
	for (size_t s = 0; s < 4; s++) {
		int scale, offset, scale4, offset4;

		k4_scale(packed, s, &scale, &offset);
		k4_scale(packed, s + 4, &scale4, &offset4);
		low[s][row] = (uint8_t)((scale & 15) | (offset & 15) << 4);
		low[s + 4][row] = (uint8_t)((scale4 & 15) | (offset4 & 15) << 4);
		high[s][row] = (uint8_t)(scale >> 4 | offset >> 4 << 2 | scale4 >> 4 << 4 |
		                         offset4 >> 4 << 6);
	}
}

static void q4_k_block(const struct block_q4_k *in, size_t row, struct panel_q4_k *out)
{
	out->d[row] = in->d;
	out->dmin[row] = in->dmin;
	pack_k4_scales(in->scales, row, out->low, out->high);
	spread(out->qs, in->qs, 32, row);
}
PACK(q4_k, q4_k)

static void q5_k_block(const struct block_q5_k *in, size_t row, struct panel_q5_k *out)
{
	out->d[row] = in->d;
	out->dmin[row] = in->dmin;
	pack_k4_scales(in->scales, row, out->low, out->high);
	spread(out->qs, in->qs, 32, row);
	spread(out->qh, in->qh, 8, row);
}
PACK(q5_k, q5_k)

static void q6_k_block(const struct block_q6_k *in, size_t row, struct panel_q6_k *out)
{
	out->d[row] = in->d;
	for (size_t group = 0; group < 16; group++)
		out->scales[group][row] = in->scales[group];
	spread(out->ql, in->ql, 32, row);
	spread(out->qh, in->qh, 16, row);
}
PACK(q6_k, q6_k)

static void iq4_xs_block(const struct block_iq4_xs *in, size_t row, struct panel_iq4_xs *out)
{
	out->d[row] = in->d;
	for (size_t s = 0; s < 8; s++)
		out->scales[s][row] = (int8_t)iq4_xs_scale(in, s);
	spread(out->qs, in->qs, 32, row);
}
PACK(iq4_xs, iq4_xs)

static void mxfp4_block(const struct block_mxfp4 *in, size_t row, struct panel_mxfp4 *out)
{
	out->e[row] = in->e;
	spread(out->qs, in->qs, 4, row);
}
PACK(mxfp4, mxfp4)

static void nvfp4_block(const struct block_nvfp4 *in, size_t row, struct panel_nvfp4 *out)
{
	for (size_t group = 0; group < 4; group++)
		out->d[group][row] = nvfp4_scale(in->d[group]);
	spread(out->qs, in->qs, 8, row);
}
PACK(nvfp4, nvfp4)

static void q1_0_block(const struct block_q1_0 *in, size_t row, struct panel_q1_0 *out)
{
	out->d[row] = in->d;
	for (size_t s = 0; s < 4; s++)
		spread_bits(out->qs[s], in->qs + 4 * s, row);
}
PACK(q1_0, q1_0)

static void q2_0_block(const struct block_q2_0 *in, size_t row, struct panel_q2_0 *out)
{
	uint8_t quants[16] = {0};

	for (size_t j = 0; j < BLOCK_64; j++)
		quants[j % 16] |= (uint8_t)((in->qs[j / 4] >> j % 4 * 2 & 3) << j / 16 * 2);
	out->d[row] = in->d;
	spread(out->qs, quants, 4, row);
}
PACK(q2_0, q2_0)

static void tq1_0_block(const struct block_tq1_0 *in, size_t row, struct panel_tq2_0 *out)
{
	uint8_t quants[64] = {0};

	for (size_t j = 0; j < BLOCK_256; j++)
		quants[j / 128 * 32 + j % 32] |= (uint8_t)(tq1_0_quant(in, j) << j % 128 / 32 * 2);
	out->d[row] = in->d;
	spread(out->qs, quants, 16, row);
}
PACK(tq1_0, tq2_0)

static void tq2_0_block(const struct block_tq2_0 *in, size_t row, struct panel_tq2_0 *out)
{
	out->d[row] = in->d;
	spread(out->qs, in->qs, 16, row);
}
PACK(tq2_0, tq2_0)

/* ---- codebooks ---- */

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

static void iq2_xxs_block(const struct block_iq2_xxs *in, size_t row, struct panel_iq2_xxs *out)
{
	out->d[row] = in->d;
	for (size_t s = 0; s < 8; s++) {
		to_rows(out->index + 4 * s, in->subs[s].index, 4, row);
		pack_rest(in->subs[s].rest, s, row, out->signs, out->scales);
	}
}
PACK(iq2_xxs, iq2_xxs)

static void iq2_xs_block(const struct block_iq2_xs *in, size_t row, struct panel_iq2_s *out)
{
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
PACK(iq2_xs, iq2_s)

static void iq2_s_block(const struct block_iq2_s *in, size_t row, struct panel_iq2_s *out)
{
	out->d[row] = in->d;
	to_rows(out->index, in->index, 32, row);
	to_rows(out->high, in->high, 8, row);
	to_rows(out->scales, in->scales, 8, row);
	for (size_t s = 0; s < 8; s++)
		spread_bits(out->signs[s], in->signs + 4 * s, row);
}
PACK(iq2_s, iq2_s)

static void iq3_xxs_block(const struct block_iq3_xxs *in, size_t row, struct panel_iq3_xxs *out)
{
	out->d[row] = in->d;
	to_rows(out->index, in->index, 64, row);
	for (size_t s = 0; s < 8; s++)
		pack_rest(in->rest[s], s, row, out->signs, out->scales);
}
PACK(iq3_xxs, iq3_xxs)

static void iq3_s_block(const struct block_iq3_s *in, size_t row, struct panel_iq3_s *out)
{
	out->d[row] = in->d;
	to_rows(out->index, in->index, 64, row);
	to_rows(out->high, in->high, 8, row);
	to_rows(out->scales, in->scales, 4, row);
	for (size_t s = 0; s < 8; s++)
		spread_bits(out->signs[s], in->signs + 4 * s, row);
}
PACK(iq3_s, iq3_s)

static void iq1_s_block(const struct block_iq1_s *in, size_t row, struct panel_iq1_m *out)
{
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
PACK(iq1_s, iq1_m)

static void iq1_m_block(const struct block_iq1_m *in, size_t row, struct panel_iq1_m *out)
{
	out->d[row] = iq1_m_d(in);
	to_rows(out->index, in->index, 32, row);
	to_rows(out->high, in->high, 16, row);
	for (size_t s = 0; s < 8; s++)
		out->scales[s][row] = (uint8_t)(iq1_m_scale(in, 2 * s) |
		                                iq1_m_scale(in, 2 * s + 1) << 4);
}
PACK(iq1_m, iq1_m)
