/* Llama and models that differ from it by a number or two. Touvron et al. 2023, "LLaMA",
 * "Llama 2"; Dubey et al. 2024, "The Llama 3 Herd of Models"; Jiang et al. 2023, "Mistral
 * 7B". Pre-normalised transformer with RMSNorm, rotary positions on adjacent pairs (the files
 * have the rows of Q and K permuted for that), grouped-query attention and SwiGLU. */
#include <math.h>

#include "model/family.h"

/* Frequencies of the rotation, stored layer by layer until 2023. */
static const struct weights_group old_frequencies = {WEIGHTS_ROWS(
	{"attn_rot_embd.weight", WEIGHTS_IGNORED},
	{"attention.rotary_embd.inv_freq", WEIGHTS_IGNORED})};

static const struct weights_group *const llama_weights[] = WEIGHTS_LIST(WEIGHTS_USUAL,
	&weights_rope_freqs, &weights_ffn_norm, &weights_gated_ffn, &weights_experts,
	&weights_shared_expert, &old_frequencies);

/* Mixtral (Jiang et al. 2024, "Mixtral of Experts") and models of its kind. */
static const struct family_experts mixtral_experts = {
	.route = ROUTE_SOFTMAX, .normalises = true, .lengths = EXPERTS_DENSE_LENGTH,
};

/* Llama 1 to 3, Mistral, TinyLlama, SmolLM2 and kin. */
const struct family family_llama = {
	.name = "llama",
	.pairing = ROPE_ADJACENT,
	.weights = llama_weights,
	.experts = &mixtral_experts,
};

/* Ministral 3, Devstral 2: queries are scaled up with the position. */
static void shape_mistral3(struct keys *keys, struct plan *plan)
{
	float temperature = keys_f32(keys, "attention.temperature_scale", 0, 0, 100);

	for (uint32_t i = 0; i < plan->n_layer; i++)
		plan->layers[i].temperature_scale = temperature;
}

const struct family family_mistral3 = {
	.name = "mistral3",
	.pairing = ROPE_ADJACENT,
	.weights = llama_weights,
	.experts = &mixtral_experts,
	.shape = shape_mistral3,
};

/* Llama 4 (Meta 2025): three of four layers see only their own chunk of positions, with
 * queries and keys normalised after the rotation; the fourth sees all, is not rotated, and
 * its queries are scaled up with the position. Routes multiply an expert's input, not its
 * output. */
static void shape_llama4(struct keys *keys, struct plan *plan)
{
	/* Files differ in these; the models were trained with them. */
	enum { STRETCH = 8192, PERIOD = 4, MAVERICK = 128 };
	uint32_t n_experts = plan_experts(plan)->n;

	if (keys_has(keys, "attention.sliding_window") && keys_u32(keys, "attention.sliding_window", 0, 0, KEYS_MAX_CTX) == 0)
		return;
	plan_read_windows(keys, plan, STRETCH, PERIOD);
	plan->temperature_length = STRETCH;
	plan->temperature_shift = 1;
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		struct layer_plan *l = &plan->layers[i];

		if (l->window) {
			l->window = STRETCH;
			l->by_chunks = true;
			l->norms_heads = n_experts != MAVERICK;
		} else {
			l->rope = ROPE_NONE;
			l->temperature_scale = 0.1f;
		}
	}
}

const struct family family_llama4 = {
	.name = "llama4",
	.pairing = ROPE_ADJACENT,
	.weights = llama_weights,
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SIGMOID, .weighs_inputs = true,
		.shared = SHARED_BY_COUNT, .n_shared = 1),
	.shape = shape_llama4,
};

/* Granite 3 and 4: factors for embeddings, residual sums, scores and logits. */
static void shape_granite(struct keys *keys, struct plan *plan)
{
	plan->embedding_scale = keys_f32(keys, "embedding_scale", 1, 1e-6, 1e6);
	plan->residual_scale = keys_f32(keys, "residual_scale", 1, 1e-6, 1e6);
	plan->logit_scale = 1 / keys_f32(keys, "logit_scale", 1, 1e-6, 1e6);
	if (!keys_bool(keys, "rope.scaling.finetuned", true))
		for (uint32_t i = 0; i < plan->n_layer; i++)
			plan->layers[i].rope = ROPE_NONE;
}

const struct family family_granite = {
	.name = "granite",
	.pairing = ROPE_ADJACENT,
	.weights = llama_weights,
	.shape = shape_granite,
};

const struct family_experts granite_experts = {
	.route = ROUTE_SOFTMAX, .normalises = true, .lengths = EXPERTS_DENSE_LENGTH,
	.shared = SHARED_BY_LENGTH,
};

const struct family family_granitemoe = {
	.name = "granitemoe",
	.pairing = ROPE_ADJACENT,
	.weights = llama_weights,
	.experts = &granite_experts,
	.shape = shape_granite,
};

/* SmolLM3: every fourth layer is not rotated. */
static void shape_smollm3(struct keys *keys, struct plan *plan)
{
	(void)keys;
	for (uint32_t i = 3; i < plan->n_layer; i += 4)
		plan->layers[i].rope = ROPE_NONE;
}

const struct family family_smollm3 = {
	.name = "smollm3",
	.pairing = ROPE_ADJACENT,
	.weights = llama_weights,
	.shape = shape_smollm3,
};

const struct family family_ernie4_5 = {
	.name = "ernie4_5",
	.pairing = ROPE_ADJACENT,
	.weights = llama_weights,
};

const struct family family_ernie4_5_moe = {
	.name = "ernie4_5-moe",
	.pairing = ROPE_ADJACENT,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_ffn_norm, &weights_gated_ffn,
		&weights_experts, &weights_shared_expert),
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SOFTMAX, .normalises = true,
		.shared = SHARED_BY_LENGTH),
};

/* Seed-OSS: the norm before the feed-forward has another name. */
const struct family family_seed_oss = {
	.name = "seed_oss",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_second_norm, &weights_gated_ffn),
};

/* BitNet b1.58 (Ma et al. 2024, "The Era of 1-bit LLMs"): a norm before each block's last
 * product. */
static const struct weights_group bitnet_norms = {WEIGHTS_ROWS(
	{"attn_sub_norm", WEIGHTS_NORM, WEIGHTS_LAYER(heads_norm), DIM_ONE, DIM_HEADS},
	{"ffn_sub_norm", WEIGHTS_NORM, WEIGHTS_LAYER(hidden_norm), DIM_ONE, DIM_FF})};

const struct family family_bitnet = {
	.name = "bitnet",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &bitnet_norms, &weights_ffn_norm,
		&weights_gated_ffn),
};
