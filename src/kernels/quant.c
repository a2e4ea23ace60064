#include "kernels/quant.h"

#include "kernels/blocks.h"
#include "kernels/quant_generic.h"

#define ROW(type, elements, bytes, fn) \
	[BLOCK_##type] = {.name = #type, .n_elements = (elements), .n_bytes = (bytes), \
	                  .dequantize = dequantize_##fn}

static const struct quant quants[BLOCK_TYPE_MAX] = {
	ROW(F32, 1, sizeof(float), f32),
	ROW(F16, 1, sizeof(uint16_t), f16),
	ROW(BF16, 1, sizeof(uint16_t), bf16),
	ROW(Q4_0, BLOCK_32, sizeof(struct block_q4_0), q4_0),
	ROW(Q4_1, BLOCK_32, sizeof(struct block_q4_1), q4_1),
	ROW(Q5_0, BLOCK_32, sizeof(struct block_q5_0), q5_0),
	ROW(Q5_1, BLOCK_32, sizeof(struct block_q5_1), q5_1),
	ROW(Q8_0, BLOCK_32, sizeof(struct block_q8_0), q8_0),
	ROW(Q2_K, BLOCK_256, sizeof(struct block_q2_k), q2_k),
	ROW(Q3_K, BLOCK_256, sizeof(struct block_q3_k), q3_k),
	ROW(Q4_K, BLOCK_256, sizeof(struct block_q4_k), q4_k),
	ROW(Q5_K, BLOCK_256, sizeof(struct block_q5_k), q5_k),
	ROW(Q6_K, BLOCK_256, sizeof(struct block_q6_k), q6_k),
	ROW(IQ4_NL, BLOCK_32, sizeof(struct block_iq4_nl), iq4_nl),
	ROW(IQ4_XS, BLOCK_256, sizeof(struct block_iq4_xs), iq4_xs),
};

const struct quant *quant_find(uint32_t type)
{
	if (type >= BLOCK_TYPE_MAX || !quants[type].name)
		return NULL;
	return &quants[type];
}
