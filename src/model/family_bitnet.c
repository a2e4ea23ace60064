/* BitNet b1.58 (Ma et al. 2024, "The Era of 1-bit LLMs"): a norm before each block's last product. */
#include "model/family.h"

static const struct weights_group bitnet_norms = {WEIGHTS_ROWS(
	{"attn_sub_norm", WEIGHTS_NORM, WEIGHTS_LAYER(heads_norm), DIM_ONE, DIM_HEADS},
	{"ffn_sub_norm", WEIGHTS_NORM, WEIGHTS_LAYER(hidden_norm), DIM_ONE, DIM_FF})};

const struct family family_bitnet = {
	.name = "bitnet",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &bitnet_norms, &weights_ffn_norm,
		&weights_gated_ffn),
};
