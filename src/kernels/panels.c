#include "kernels/panels.h"

#include <string.h>

#include "kernels/blocks.h"
#include "kernels/panels_pack.h"
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

void panel_pack_q4_0(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q4_0 *in = blocks;
	struct panel_q4_0 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		spread(out->qs, in->qs, 4, row);
	}
}

void panel_pack_q4_1(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q4_1 *in = blocks;
	struct panel_q4_1 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		out->m[row] = in->m;
		spread(out->qs, in->qs, 4, row);
	}
}

void panel_pack_q5_0(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q5_0 *in = blocks;
	struct panel_q5_0 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		spread_bits(out->qh, in->qh, row);
		spread(out->qs, in->qs, 4, row);
	}
}

void panel_pack_q5_1(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q5_1 *in = blocks;
	struct panel_q5_1 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		out->m[row] = in->m;
		spread_bits(out->qh, in->qh, row);
		spread(out->qs, in->qs, 4, row);
	}
}

void panel_pack_q8_0(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q8_0 *in = blocks;
	struct panel_q8_0 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		for (size_t v = 0; v < 8; v++)
			memcpy(out->qs[v] + 4 * row, in->qs + 4 * v, 4);
	}
}

void panel_pack_q2_k(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q2_k *in = blocks;
	struct panel_q2_k *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		out->dmin[row] = in->dmin;
		for (size_t group = 0; group < 16; group++)
			out->scales[group][row] = in->scales[group];
		spread(out->qs, in->qs, 16, row);
	}
}

void panel_pack_q3_k(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q3_k *in = blocks;
	struct panel_q3_k *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		for (size_t group = 0; group < 16; group++)
			out->scales[group][row] = (int8_t)q3_k_scale(in->scales, group);
		spread(out->hmask, in->hmask, 8, row);
		spread(out->qs, in->qs, 16, row);
	}
}

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

void panel_pack_q4_k(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q4_k *in = blocks;
	struct panel_q4_k *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		out->dmin[row] = in->dmin;
		pack_k4_scales(in->scales, row, out->low, out->high);
		spread(out->qs, in->qs, 32, row);
	}
}

void panel_pack_q5_k(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q5_k *in = blocks;
	struct panel_q5_k *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		out->dmin[row] = in->dmin;
		pack_k4_scales(in->scales, row, out->low, out->high);
		spread(out->qs, in->qs, 32, row);
		spread(out->qh, in->qh, 8, row);
	}
}

void panel_pack_q6_k(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q6_k *in = blocks;
	struct panel_q6_k *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		for (size_t group = 0; group < 16; group++)
			out->scales[group][row] = in->scales[group];
		spread(out->ql, in->ql, 32, row);
		spread(out->qh, in->qh, 16, row);
	}
}

void panel_pack_iq4_xs(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_iq4_xs *in = blocks;
	struct panel_iq4_xs *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		for (size_t s = 0; s < 8; s++)
			out->scales[s][row] = (int8_t)iq4_xs_scale(in, s);
		spread(out->qs, in->qs, 32, row);
	}
}

void panel_pack_mxfp4(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_mxfp4 *in = blocks;
	struct panel_mxfp4 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->e[row] = in->e;
		spread(out->qs, in->qs, 4, row);
	}
}

void panel_pack_nvfp4(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_nvfp4 *in = blocks;
	struct panel_nvfp4 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		for (size_t group = 0; group < 4; group++)
			out->d[group][row] = nvfp4_scale(in->d[group]);
		spread(out->qs, in->qs, 8, row);
	}
}

void panel_pack_q1_0(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q1_0 *in = blocks;
	struct panel_q1_0 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		for (size_t s = 0; s < 4; s++)
			spread_bits(out->qs[s], in->qs + 4 * s, row);
	}
}

void panel_pack_q2_0(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_q2_0 *in = blocks;
	struct panel_q2_0 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		uint8_t quants[16] = {0};

		for (size_t j = 0; j < BLOCK_64; j++)
			quants[j % 16] |= (uint8_t)((in->qs[j / 4] >> j % 4 * 2 & 3) << j / 16 * 2);
		out->d[row] = in->d;
		spread(out->qs, quants, 4, row);
	}
}

void panel_pack_tq1_0(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_tq1_0 *in = blocks;
	struct panel_tq2_0 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		uint8_t quants[64] = {0};

		for (size_t j = 0; j < BLOCK_256; j++)
			quants[j / 128 * 32 + j % 32] |= (uint8_t)(tq1_0_quant(in, j) << j % 128 / 32 * 2);
		out->d[row] = in->d;
		spread(out->qs, quants, 16, row);
	}
}

void panel_pack_tq2_0(const void *blocks, size_t n, size_t row, void *panel)
{
	const struct block_tq2_0 *in = blocks;
	struct panel_tq2_0 *out = panel;

	for (size_t i = 0; i < n; i++, in++, out++) {
		out->d[row] = in->d;
		spread(out->qs, in->qs, 16, row);
	}
}
