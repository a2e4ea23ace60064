#include "kernels/quant.h"

#include "kernels/blocks.h"
#include "kernels/quant_generic.h"

#define ROW(id, elements, block, panel, fn, pack_fn) \
	[BLOCK_##id] = {.name = #id, .type = BLOCK_##id, .n_elements = (elements), \
	                .n_bytes = (uint32_t)sizeof(block), .dequantize = dequantize_##fn, \
	                .panel_bytes = (uint32_t)sizeof(panel), .pack = panel_pack_##pack_fn}
#define ROW32(id, fn) ROW(id, BLOCK_32, struct block_##fn, struct panel_##fn, fn, fn)
#define ROW256(id, fn) ROW(id, BLOCK_256, struct block_##fn, struct panel_##fn, fn, fn)

static const struct quant quants[BLOCK_TYPE_MAX] = {
	ROW(F32, 1, float, float[PANEL_ROWS], f32, f32),
	ROW(F16, 1, uint16_t, uint16_t[PANEL_ROWS], f16, f16),
	ROW(BF16, 1, uint16_t, uint16_t[PANEL_ROWS], bf16, f16),
	ROW32(Q4_0, q4_0),
	ROW32(Q4_1, q4_1),
	ROW32(Q5_0, q5_0),
	ROW32(Q5_1, q5_1),
	ROW32(Q8_0, q8_0),
	ROW256(Q2_K, q2_k),
	ROW256(Q3_K, q3_k),
	ROW256(Q4_K, q4_k),
	ROW256(Q5_K, q5_k),
	ROW256(Q6_K, q6_k),
	ROW(IQ4_NL, BLOCK_32, struct block_iq4_nl, struct panel_q4_0, iq4_nl, q4_0),
	ROW256(IQ4_XS, iq4_xs),
	ROW256(IQ2_XXS, iq2_xxs),
	ROW(IQ2_XS, BLOCK_256, struct block_iq2_xs, struct panel_iq2_s, iq2_xs, iq2_xs),
	ROW256(IQ2_S, iq2_s),
	ROW256(IQ3_XXS, iq3_xxs),
	ROW256(IQ3_S, iq3_s),
	ROW(IQ1_S, BLOCK_256, struct block_iq1_s, struct panel_iq1_m, iq1_s, iq1_s),
	ROW256(IQ1_M, iq1_m),
	ROW256(TQ2_0, tq2_0),
	ROW(TQ1_0, BLOCK_256, struct block_tq1_0, struct panel_tq2_0, tq1_0, tq1_0),
	ROW32(MXFP4, mxfp4),
	ROW(NVFP4, BLOCK_64, struct block_nvfp4, struct panel_nvfp4, nvfp4, nvfp4),
	ROW(Q1_0, BLOCK_128, struct block_q1_0, struct panel_q1_0, q1_0, q1_0),
	ROW(Q2_0, BLOCK_64, struct block_q2_0, struct panel_q2_0, q2_0, q2_0),
};

const struct quant *quant_find(uint32_t type)
{
	if (type >= BLOCK_TYPE_MAX || !quants[type].name)
		return NULL;
	return &quants[type];
}
