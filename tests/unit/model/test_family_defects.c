/* Files of the families that are wrong: each key with values that it cannot have, each tensor left
 * out, of another shape, and where it does not belong. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "model/model.h"
#include "support/family_model.h"
#include "support/gguf_memory.h"

/* Opens what the writer has; err.text is what it was refused with. */
static enum status try_writer(struct gguf_writer *w, struct error *err)
{
	struct gguf *gguf;
	struct model *model;
	struct buf bytes = {.max = MIB(64)};
	enum status status;

	cr_assert_eq(gguf_writer_write(w, &bytes, err), STATUS_OK, "%s", err->text);
	cr_assert_eq(gguf_open_memory(&gguf, bytes.data, bytes.len, err), STATUS_OK, "%s", err->text);
	status = model_open(&model, gguf, NULL, err);
	if (status)
		gguf_close(gguf);
	else
		model_close(model);
	buf_free(&bytes);
	return status;
}

/* Small, so that there can be many. */
static struct family_model small_model(const char *name)
{
	struct family_model made = family_model_of(name);

	made.sizes.n_embd = 32;
	made.sizes.n_ff = 48;
	made.sizes.n_vocab = 16;
	return made;
}

/* ---- keys ---- */

enum kind { U32, I32, F32, BOOL, STRING, I32S, BOOLS, GONE };

struct defect {
	const char *model, *key; /* without the architecture */
	enum kind kind;
	double value;  /* I32S, BOOLS: of all items */
	size_t n;      /* of these */
	const char *message; /* part of the error; NULL: the file is sound */
};

static void set_key(struct gguf_writer *w, const struct defect *d, const char *key)
{
	int32_t ints[32];
	unsigned char bools[12 + 32] = {7};
	uint64_t n = d->n;

	for (size_t i = 0; i < d->n; i++) {
		ints[i] = (int32_t)d->value;
		bools[12 + i] = d->value > 0;
	}
	memcpy(bools + 4, &n, sizeof n);
	switch (d->kind) {
	case U32: gguf_writer_set_u32(w, key, (uint32_t)d->value); break;
	case I32: gguf_writer_set_i32(w, key, (int32_t)d->value); break;
	case F32: gguf_writer_set_f32(w, key, (float)d->value); break;
	case BOOL: gguf_writer_set_bool(w, key, d->value > 0); break;
	case STRING: gguf_writer_set_string(w, key, "text", 4); break;
	case I32S: gguf_writer_set_i32s(w, key, ints, d->n); break;
	case BOOLS: gguf_writer_set_raw(w, key, 9, bools, 12 + d->n); break;
	case GONE: break;
	}
}

#define MAX 4294967295.0
#define NOT_A_NUMBER ((double)NAN)
#define WINDOW "attention.sliding_window"
#define PATTERN "attention.sliding_window_pattern"
#define KV "attention.head_count_kv"

static const struct defect defects[] = {
	/* windows */
	{"gemma2", WINDOW, U32, 0, 0, NULL},
	{"gemma2", WINDOW, U32, 1, 0, NULL},
	{"gemma2", WINDOW, U32, 100000, 0, NULL},
	{"gemma2", WINDOW, U32, 1 << 28, 0, NULL},
	{"gemma2", WINDOW, U32, MAX, 0, "found 4294967295, expected 0 to"},
	{"gemma2", WINDOW, I32, -1, 0, "found -1"},
	{"gemma2", WINDOW, F32, 20, 0, "found f32"},
	{"gemma2", WINDOW, I32S, 20, 4, "found an array"},
	{"olmo3", WINDOW, GONE, 0, 0, NULL},
	{"olmo3", PATTERN, BOOLS, 1, 3, "found an array of 3, expected one of 4"},
	{"olmo3", PATTERN, BOOLS, 1, 5, "found an array of 5, expected one of 4"},
	{"olmo3", PATTERN, BOOLS, 1, 0, "found an array of 0, expected one of 4"},
	{"olmo3", PATTERN, BOOLS, 0, 4, NULL},
	{"olmo3", PATTERN, I32S, 1, 4, NULL},
	{"olmo3", PATTERN, I32S, 2, 4, "found 2, expected 0 to 1"},
	{"olmo3", PATTERN, I32S, -1, 4, "found 4294967295, expected 0 to 1"},
	{"olmo3", PATTERN, U32, 0, 0, NULL},
	{"olmo3", PATTERN, U32, 1024, 0, NULL},
	{"olmo3", PATTERN, U32, MAX, 0, "expected 0 to 1024"},
	{"olmo3", PATTERN, STRING, 0, 0, "found string"},

	/* caps, scales, factors */
	{"gemma2", "attn_logit_softcapping", F32, 0, 0, NULL},
	{"gemma2", "attn_logit_softcapping", F32, -50, 0, "found -50, expected 0 to"},
	{"gemma2", "attn_logit_softcapping", F32, NOT_A_NUMBER, 0, "nan"},
	{"gemma2", "attn_logit_softcapping", U32, 50, 0, "found u32"},
	{"gemma2", "final_logit_softcapping", F32, INFINITY, 0, "found inf, expected 0 to"},
	{"gemma3", "final_logit_softcapping", F32, -1, 0, "found -1"},
	{"gemma4", "final_logit_softcapping", F32, NOT_A_NUMBER, 0, "nan"},
	{"granite", "embedding_scale", F32, 0, 0, "found 0, expected 1e-06 to"},
	{"granite", "embedding_scale", F32, NOT_A_NUMBER, 0, "nan"},
	{"granite", "residual_scale", F32, -1, 0, "found -1, expected 1e-06 to"},
	{"granite", "logit_scale", F32, 0, 0, "found 0, expected 1e-06 to"},
	{"granite", "attention.scale", F32, -1, 0, "found -1, expected 0 to"},
	{"granite", "attention.scale", F32, 0, 0, NULL},
	{"granitehybrid", "logit_scale", F32, INFINITY, 0, "found inf"},
	{"granitehybrid", "rope.scaling.finetuned", U32, 1, 0, "found u32"},
	{"cohere2", "logit_scale", F32, 0, 0, "found 0, expected 1e-06 to"},
	{"command-r", "logit_scale", STRING, 0, 0, "found string"},
	{"mistral3", "attention.temperature_scale", F32, -1, 0, "found -1, expected 0 to 100"},
	{"mistral3", "attention.temperature_scale", F32, NOT_A_NUMBER, 0, "nan"},
	{"mistral3", "attention.temperature_scale", GONE, 0, 0, NULL},

	/* rope */
	{"mistral3", "rope.scaling.factor", F32, INFINITY, 0, "found inf, expected 0 to"},
	{"mistral3", "rope.scaling.factor", F32, 1e-30, 0, "expected 0 or 1e-06 to"},
	{"mistral3", "rope.scaling.factor", F32, 0, 0, NULL},
	{"mistral3", "rope.scaling.original_context_length", U32, 0, 0, "found 0, expected 1 to"},
	{"mistral3", "rope.scaling.original_context_length", U32, MAX, 0, "expected 1 to"},
	{"mistral3", "rope.scaling.original_context_length", U32, 1, 0, NULL},
	{"mistral3", "rope.scaling.yarn_log_multiplier", F32, -1, 0, "found -1, expected 0 to 100"},
	{"mistral3", "rope.scaling.yarn_beta_fast", F32, 0, 0, "found 0, expected 0.001 to"},
	{"mistral3", "rope.scaling.yarn_beta_slow", F32, NOT_A_NUMBER, 0, "nan"},
	{"mistral3", "rope.scaling.yarn_beta_slow", F32, 64, 0, NULL},
	{"mistral3", "rope.scaling.yarn_ext_factor", F32, 2, 0, "found 2, expected -1 to 1"},
	{"mistral3", "rope.freq_base", F32, 1, 0, NULL},
	{"llama-yarn", "rope.scaling.attn_factor", F32, 0, 0, "found 0, expected 0.01 to 100"},
	{"phi3-long", "rope.scaling.attn_factor", F32, -1, 0, "found -1, expected 0.01 to 100"},
	{"gemma3", "rope.freq_base_swa", F32, 0, 0, "found 0, expected 1 to"},
	{"gemma3", "rope.freq_base_swa", F32, INFINITY, 0, "found inf"},
	{"gemma3", "rope.freq_base_swa", U32, 10000, 0, "found u32"},
	{"gemma4", "rope.dimension_count_swa", U32, 3, 0, "found 3, expected an even number"},
	{"gemma4", "rope.dimension_count_swa", U32, 18, 0, "found 18, expected 2 to 16"},
	{"gemma4", "rope.dimension_count_swa", U32, MAX, 0, "expected 2 to 16"},
	{"glm4", "rope.dimension_count", U32, 7, 0, "found 7, expected an even number"},
	{"glm4", "rope.dimension_count", U32, 18, 0, "found 18, expected 2 to 16"},

	/* heads */
	{"qwen3", "attention.head_count", U32, MAX, 0, "found 4294967295, expected 1 to 4096"},
	{"qwen3", "attention.head_count", U32, 3, 0, "expected a divisor of the 3 heads"},
	{"qwen3", "attention.head_count", U32, 8, 0, "'blk.0.attn_q.weight': found shape 32x128x1x1, expected 32x256"},
	{"qwen3", KV, U32, 0, 0, "found 0, expected 1 to 4096"},
	{"qwen3", KV, U32, MAX, 0, "expected 1 to 4096"},
	{"qwen3", KV, U32, 3, 0, "found 3, expected a divisor of the 4 heads"},
	{"qwen3", "attention.key_length", U32, MAX, 0, "expected 2 to 1024"},
	{"qwen3", "attention.value_length", U32, 8, 0, "'blk.0.attn_output.weight'"},
	{"gemma4", KV, I32S, 2, 4, "found an array of 4, expected one of 5"},
	{"gemma4", KV, I32S, 0, 5, "found 0, expected 1 to 4096"},
	{"gemma4", KV, I32S, 3, 5, "found 3, expected a divisor of the 4 heads"},
	{"gemma4", KV, I32S, -2, 5, "found -2 for layer 0"},
	{"gemma4", "attention.key_length_swa", U32, 0, 0, "found 0, expected 2 to 1024"},
	{"gemma4", "attention.key_length_swa", U32, MAX, 0, "expected 2 to 1024"},
	{"gemma4", "attention.key_length_swa", U32, 24, 0, "'blk.0.attn_q.weight'"},
	{"gemma4", "attention.value_length_swa", U32, 1025, 0, "found 1025"},
	{"gemma4", "attention.value_length_swa", U32, 8, 0, "'blk.0.attn_"},
	{"gemma4-e2b", "attention.shared_kv_layers", U32, 11, 0, "found 11, expected 0 to 10"},
	{"gemma4-e2b", "attention.shared_kv_layers", U32, 10, 0, "found 10, but layer 0 has none"},
	{"gemma4-e2b", "attention.shared_kv_layers", U32, 9, 0, "found 9, but layer 1 has none"},
	{"gemma4-e2b", "attention.shared_kv_layers", U32, 6, 0, "found 6, but layer 4 has none"},
	{"gemma4-e2b", "attention.shared_kv_layers", U32, MAX, 0, "expected 0 to 10"},
	{"gemma4-e2b", "attention.shared_kv_layers", U32, 0, 0, NULL},
	{"gemma4-e2b", "embedding_length_per_layer_input", U32, MAX, 0, "expected 0 to"},
	{"gemma3n", "altup.num_inputs", U32, 3, 0, "found 3, expected 4 to 4"},
	{"gemma3n", "altup.num_inputs", U32, MAX, 0, "expected 4 to 4"},
	{"gemma3n", "altup.num_inputs", GONE, 0, 0, NULL},
	{"gemma3n", "altup.active_idx", U32, 1, 0, "found 1, expected 0 to 0"},
	{"gemma3n", "attention.sliding_window_pattern", BOOLS, 1, 22, NULL},
	{"gemma3n", "attention.sliding_window_pattern", BOOLS, 1, 21, "found an array of 21, expected one of 22"},
	{"gemma3n", "attention.sliding_window_pattern", U32, 2, 0, NULL},
	{"gemma4-e2b", "embedding_length_per_layer_input", U32, 17, 0,
	 "'per_layer_token_embd.weight': found shape 160x16x1x1, expected 170x16"},

	/* recurrent layers */
	{"qwen35", "ssm.conv_kernel", U32, 0, 0, "found 0, expected 1 to 16"},
	{"qwen35", "ssm.conv_kernel", U32, 17, 0, "found 17, expected 1 to 16"},
	{"qwen35", "ssm.conv_kernel", U32, MAX, 0, "expected 1 to 16"},
	{"qwen35", "ssm.conv_kernel", U32, 3, 0, "'blk.0.ssm_conv1d.weight': found shape 4x128x1x1, expected 3x128"},
	{"qwen35", "ssm.conv_kernel", GONE, 0, 0, "'qwen35.ssm.conv_kernel' is missing"},
	{"qwen35", "ssm.state_size", U32, 0, 0, "found 0, expected 1 to 1024"},
	{"qwen35", "ssm.state_size", U32, MAX, 0, "expected 1 to 1024"},
	{"qwen35", "ssm.state_size", U32, 8, 0, "'blk.0.attn_qkv.weight': found shape 32x128x1x1, expected 32x96"},
	{"qwen35", "ssm.state_size", GONE, 0, 0, "'qwen35.ssm.state_size' is missing"},
	{"qwen35", "ssm.group_count", U32, 0, 0, "found 0, expected 1 to 4096"},
	{"qwen35", "ssm.group_count", U32, 3, 0, "expected a multiple of the 4 heads and the 3 groups"},
	{"qwen35", "ssm.group_count", U32, 8, 0, "found 8, expected a divisor of the 4 heads"},
	{"qwen35", "ssm.group_count", U32, MAX, 0, "expected 1 to 4096"},
	{"qwen35", "ssm.group_count", GONE, 0, 0, "'qwen35.ssm.group_count' is missing"},
	{"qwen35", "ssm.time_step_rank", U32, 0, 0, "found 0, expected 1 to 4096"},
	{"qwen35", "ssm.time_step_rank", U32, 3, 0, "expected a multiple of the 3 heads"},
	{"qwen35", "ssm.time_step_rank", U32, 8, 0, "'blk.0.ssm_dt.bias'"},
	{"qwen35", "ssm.time_step_rank", U32, MAX, 0, "expected 1 to 4096"},
	{"qwen35", "ssm.inner_size", U32, 0, 0, "found 0, expected 1 to"},
	{"qwen35", "ssm.inner_size", U32, 66, 0, "found 66, expected a multiple of the 4 heads"},
	{"qwen35", "ssm.inner_size", U32, MAX, 0, "expected 1 to"},
	{"qwen35", "ssm.inner_size", STRING, 0, 0, "found string"},
	{"qwen35", "full_attention_interval", U32, 0, 0, "found 0, expected 1 to"},
	{"qwen35", "full_attention_interval", U32, 1, 0, "'blk.0.attn_qkv.weight': found shape"},
	{"qwen35", "full_attention_interval", U32, MAX, 0, "expected 1 to"},
	/* experts */
	{"qwen3moe", "expert_count", U32, 0, 0, "found 0 or nothing, expected 1 to 1024"},
	{"qwen3moe", "expert_count", GONE, 0, 0, "found 0 or nothing, expected 1 to 1024"},
	{"qwen3moe", "expert_count", U32, 1025, 0, "found 1025, expected 1 to 1024"},
	{"qwen3moe", "expert_count", U32, MAX, 0, "found 4294967295, expected 1 to 1024"},
	{"qwen3moe", "expert_count", I32, -1, 0, "found -1"},
	{"qwen3moe", "expert_count", U32, 7, 0, "'blk.0.ffn_gate_inp.weight': found shape 32x8x1x1, expected 32x7"},
	{"qwen3moe", "expert_count", U32, 1024, 0, "'blk.0.ffn_gate_inp.weight': found shape 32x8x1x1, expected 32x1024"},
	{"qwen3moe", "expert_used_count", U32, 0, 0, "found 0, expected 1 to 8"},
	{"qwen3moe", "expert_used_count", U32, 9, 0, "found 9, expected 1 to 8"},
	{"qwen3moe", "expert_used_count", U32, MAX, 0, "expected 1 to 8"},
	{"qwen3moe", "expert_used_count", U32, 8, 0, NULL},
	{"qwen3moe", "expert_used_count", U32, 1, 0, NULL},
	{"qwen3moe", "expert_used_count", GONE, 0, 0, "'qwen3moe.expert_used_count' is missing"},
	{"qwen3moe", "expert_feed_forward_length", U32, 0, 0, "found 0, expected 1 to"},
	{"qwen3moe", "expert_feed_forward_length", U32, MAX, 0, "expected 1 to"},
	{"qwen3moe", "expert_feed_forward_length", U32, 32, 0, "'blk.0.ffn_gate_exps.weight': found shape 32x48x8x1, expected 32x32x8"},
	{"gpt-oss", "expert_feed_forward_length", GONE, 0, 0, "'gpt-oss.expert_feed_forward_length' is missing"},
	{"glm4moe", "expert_weights_scale", F32, NOT_A_NUMBER, 0, "nan"},
	{"glm4moe", "expert_weights_scale", F32, -1, 0, "found -1, expected 0 to"},
	{"glm4moe", "expert_weights_scale", F32, 0, 0, NULL},
	{"qwen3moe", "expert_weights_norm", U32, 1, 0, "found u32"},
	{"lfm2moe", "expert_gating_func", U32, 0, 0, "found 0, expected 1 to 3"},
	{"lfm2moe", "expert_gating_func", U32, 4, 0, "found 4, expected 1 to 3"},
	{"lfm2moe", "expert_gating_func", U32, MAX, 0, "expected 1 to 3"},
	{"lfm2moe", "leading_dense_block_count", U32, MAX, 0, "expected 0 to 5"},
	{"lfm2moe", "leading_dense_block_count", U32, 3, 0, "'blk.2.ffn_gate.weight' is missing"},
	{"lfm2moe", "leading_dense_block_count", U32, 1, 0, "'blk.1.ffn_gate_inp.weight' is missing"},
	{"ernie4_5-moe", "interleave_moe_layer_step", U32, 0, 0, "found 0, expected 1 to"},
	{"ernie4_5-moe", "interleave_moe_layer_step", U32, 2, 0, "'blk.2.ffn_gate.weight' is missing"},
	{"ernie4_5-moe", "expert_shared_feed_forward_length", U32, MAX, 0, "expected 0 to"},
	{"glm4moe", "expert_shared_count", U32, 65, 0, "found 65, expected 0 to 64"},
	{"glm4moe", "expert_shared_count", U32, 2, 0, "'blk.1.ffn_gate_shexp.weight': found shape 32x48x1x1, expected 32x96"},
	{"glm4moe", "expert_group_count", U32, 3, 0, "found 3, expected a divisor of the 8 experts"},
	{"glm4moe", "expert_group_count", U32, MAX, 0, "expected 0 to 8"},
	{"glm4moe", "expert_group_count", U32, 0, 0, NULL},
	{"glm4moe", "expert_group_count", U32, 4, 0, NULL},
	/* latent attention */
	{"deepseek3", "attention.kv_lora_rank", U32, 0, 0, "found 0, expected 1 to 1008"},
	{"deepseek3", "attention.kv_lora_rank", U32, 1009, 0, "found 1009, expected 1 to 1008"},
	{"deepseek3", "attention.kv_lora_rank", U32, MAX, 0, "expected 1 to 1008"},
	{"deepseek3", "attention.kv_lora_rank", U32, 16, 0, "'blk.0.attn_kv_a_mqa.weight': found shape 32x48x1x1, expected 32x32"},
	{"deepseek3", "attention.kv_lora_rank", GONE, 0, 0, "'deepseek2.attention.kv_lora_rank' is missing"},
	{"deepseek3", "attention.key_length_mla", U32, 16, 0, "found 16, expected 17 to 1024"},
	{"deepseek3", "attention.key_length_mla", U32, 41, 0, "'blk.0.attn_k_b.weight': found shape 24x32x4x1, expected 25x32x4"},
	{"deepseek3", "attention.key_length_mla", U32, MAX, 0, "expected 17 to 1024"},
	{"deepseek3", "attention.value_length_mla", U32, 0, 0, "found 0, expected 1 to 1024"},
	{"deepseek3", "attention.value_length_mla", U32, MAX, 0, "expected 1 to 1024"},
	{"deepseek3", "attention.q_lora_rank", U32, MAX, 0, "expected 0 to"},
	{"deepseek3", "attention.q_lora_rank", U32, 0, 0, "'blk.0.attn_q.weight' is missing"},
	{"deepseek2-lite", "attention.q_lora_rank", U32, 48, 0, NULL},
	{"deepseek3", "attention.temperature_length", U32, 0, 0, "found 0, expected 1 to"},
	{"deepseek3", "expert_group_used_count", U32, 0, 0, "found 0, expected 1 to 4"},
	{"deepseek3", "expert_group_used_count", U32, 5, 0, "found 5, expected 1 to 4"},
	{"deepseek3", "expert_group_used_count", U32, 1, 0, "found 1 groups, which hold fewer than the 3 experts used"},
	{"deepseek3", "attention.head_count_kv", U32, 4, 0, NULL},
	{"llama4", "attention.sliding_window", U32, 0, 0, NULL},
	{"llama4", "interleave_moe_layer_step", U32, 1, 0, "'blk.0.ffn_gate_inp.weight' is missing"},
	{"qwen35", "attention.recurrent_layers", BOOLS, 1, 4, "found an array of 4, expected one of 5"},
	{"qwen35", "attention.recurrent_layers", BOOLS, 1, 5, "'blk.3.attn_qkv.weight'"},
	{"qwen35-mtp", "nextn_predict_layers", U32, 6, 0, "found 6, expected 0 to 5"},
	{"qwen35-mtp", "nextn_predict_layers", U32, MAX, 0, "expected 0 to 5"},
	{"qwen35-mtp", "nextn_predict_layers", U32, 0, 0, "blk.5."},
	{"falcon-h1", "ssm.group_count", U32, 4, 0, "'blk.0.ssm_in.weight'"},
	{"falcon-h1", "ssm.conv_kernel", GONE, 0, 0, "'falcon-h1.ssm.conv_kernel' is missing"},
	{"granitehybrid", "ssm.inner_size", GONE, 0, 0, "'granitehybrid.ssm.inner_size' is missing"},
	{"granitehybrid", KV, I32S, 2, 3, "found an array of 3, expected one of 4"},
	{"granitehybrid", KV, I32S, 2, 4, "'blk.0.attn_q.weight' is missing"},
	{"granitehybrid", KV, I32S, 3, 4, "found 3, expected a divisor of the 4 heads"},
	{"granitehybrid", KV, I32S, 0, 4, "'blk.1.ssm_in.weight'"},
	{"nemotron_h", "feed_forward_length", I32S, 96, 5, "found an array of 5, expected one of 4"},
	{"nemotron_h", "feed_forward_length", I32S, -96, 4, "found -96 for layer 0"},
	{"nemotron_h", "feed_forward_length", I32S, 48, 4, "'blk.0.ffn_up.weight' is missing"},
	{"lfm2", "shortconv.l_cache", U32, 0, 0, "found 0, expected 1 to 16"},
	{"lfm2", "shortconv.l_cache", U32, 17, 0, "found 17, expected 1 to 16"},
	{"lfm2", "shortconv.l_cache", U32, MAX, 0, "expected 1 to 16"},
	{"lfm2", "shortconv.l_cache", U32, 4, 0, "'blk.0.shortconv.conv.weight'"},
	{"lfm2", "shortconv.l_cache", GONE, 0, 0, "'lfm2.shortconv.l_cache' is missing"},
	{"lfm2", KV, I32S, 2, 6, "found an array of 6, expected one of 5"},
	{"lfm2", KV, U32, 2, 0, "'blk.0.attn_q.weight' is missing"},

	/* norms */
	{"phi2", "attention.layer_norm_epsilon", GONE, 0, 0, "'phi2.attention.layer_norm_epsilon' is missing"},
	{"stablelm", "attention.layer_norm_epsilon", F32, 0, 0, "found 0, expected 1e-12 to 1"},
	{"qwen2", "attention.layer_norm_rms_epsilon", F32, NOT_A_NUMBER, 0, "nan"},
};

Test(family_defects, keys_are_refused_with_what_was_found_and_expected)
{
	for (size_t i = 0; i < sizeof defects / sizeof defects[0]; i++) {
		const struct defect *d = &defects[i];
		struct family_model made = small_model(d->model);
		struct family_file file;
		struct error err = {0};
		enum status status;
		char key[96];

		snprintf(key, sizeof key, "%s.%s", made.spec->architecture, d->key);
		if (d->kind == GONE)
			made.without = key;
		family_file_init(&file, &made);
		set_key(file.w, d, key);
		status = try_writer(file.w, &err);
		cr_expect_eq(status, d->message ? STATUS_FORMAT : STATUS_OK, "%s of %s: %d (%s)", d->key,
		             d->model, (int)status, err.text);
		if (d->message && status)
			cr_expect(strstr(err.text, d->message), "%s of %s: \"%s\" has no \"%s\"", d->key,
			          d->model, err.text, d->message);
		family_file_free(&file);
	}
}

/* ---- tensors ---- */

/* What models of each family run without: "FAMILY TENSOR", FAMILY a name or all. */
static const char *const optional[] = {
	"* output.weight", "* output.bias", "* rope_freqs.weight", "* attn_output.bias",
	"* layer_output_scale.weight", "* ssm_conv1d.bias",
	"granitehybrid ssm_norm.weight", "granitehybrid-moe ssm_norm.weight", "falcon-h1 ssm_norm.weight", "nemotron_h ssm_norm.weight",
	"nemotron_h_moe ssm_norm.weight",
	"gemma4 attn_v.weight", "gemma4-e2b attn_v.weight", "starcoder2 ffn_up.bias",
	"starcoder2 ffn_down.bias", "starcoder2 attn_q.bias", "starcoder2 attn_k.bias",
	"starcoder2 attn_v.bias", "seed_oss attn_q.bias", "seed_oss attn_k.bias", "seed_oss attn_v.bias",
	"glm4 attn_q.bias", "glm4 attn_k.bias", "glm4 attn_v.bias", "glm4moe attn_q.bias",
	"glm4moe attn_k.bias", "glm4moe attn_v.bias", "glm4moe attn_q_norm.weight",
	"glm4moe attn_k_norm.weight", "gemma4-moe attn_v.weight", "* exp_probs_b.bias",
	"* ffn_gate_inp.bias", "* ffn_gate_exps.bias", "* ffn_up_exps.bias", "* ffn_down_exps.bias",
	"* ffn_down_exps.scale",
};

static bool is_optional(const char *family, const char *tensor)
{
	char entry[96];

	for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++) {
		snprintf(entry, sizeof entry, "%s %s", optional[i][0] == '*' ? "*" : family, tensor);
		if (strcmp(entry, optional[i]) == 0)
			return true;
	}
	return false;
}

/* The next tensor's name of the list, "" at its end; and of the first layer that has it. */
static const char *next_tensor(const struct family_spec *spec, const char *list, char name[64],
                               char full[96])
{
	const char *kinds = spec->kinds ? spec->kinds : "a";
	char layers[8] = "";
	const char *end = strchr(list, '\n');
	size_t layer = 0;

	name[0] = '\0';
	if (!end || sscanf(list, "%7s %63s", layers, name) != 2)
		return list;
	if (strchr(layers, 'E')) {
		layer = spec->sizes.n_dense;
		if (spec->sizes.expert_step)
			layer = spec->sizes.expert_step - 1;
	}
	while (!strpbrk(layers, "*-ED") && kinds[layer] && !strchr(layers, kinds[layer]))
		layer++;
	if (layers[0] == '-')
		snprintf(full, 96, "%s", name);
	else
		snprintf(full, 96, "blk.%zu.%s", layer, name);
	return end + 1;
}

static void check_tensor(const struct family_spec *spec, const char *name, const char *full)
{
	struct family_model made = small_model(spec->name);
	struct family_file file;
	struct error err = {0};
	enum status status;
	char quoted[100];

	snprintf(quoted, sizeof quoted, "'%s'", full);
	made.without = full;
	family_file_init(&file, &made);
	status = try_writer(file.w, &err);
	family_file_free(&file);
	if (status == STATUS_UNSUPPORTED) /* as its bias is left over */
		cr_expect(strstr(err.text, ".bias' has no place"), "%s without %s: %s", spec->name, full, err.text);
	else if (is_optional(spec->name, name))
		cr_expect_eq(status, STATUS_OK, "%s without %s: %s", spec->name, full, err.text);
	else if (strcmp(name, "ffn_gate_up_exps.weight") == 0) /* in its place two might have been */
		cr_expect(status == STATUS_FORMAT && strstr(err.text, ".ffn_gate_exps.weight' is missing"));
	else
		cr_expect(status == STATUS_FORMAT && strstr(err.text, quoted) &&
		          strstr(err.text, "is missing"), "%s without %s: %d (%s)",
		          spec->name, full, (int)status, err.text);
	made.without = NULL;
	made.misshapen = full;
	family_file_init(&file, &made);
	status = try_writer(file.w, &err);
	family_file_free(&file);
	/* The vocabulary's size may be the embedding's. */
	if (strcmp(name, "token_embd.weight") == 0)
		return;
	/* A tensor that a length is taken from: others have another one. */
	if (strcmp(spec->name, "gemma3n") == 0 && (strcmp(name, "per_layer_proj_norm.weight") == 0 ||
	                                           strcmp(name, "laurel_l.weight") == 0))
		snprintf(quoted, sizeof quoted, "tensor '");
	cr_expect(status == STATUS_FORMAT && strstr(err.text, quoted) && strstr(err.text, "found shape") &&
	          strstr(err.text, "expected "), "%s with another %s: %d (%s)", spec->name, full,
	          (int)status, err.text);
}

Test(family_defects, tensors_are_missed_and_measured)
{
	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		const char *list = spec->tensors;
		char name[64], full[96];

		while (list = next_tensor(spec, list, name, full), name[0])
			if (spec->kinds == NULL || !strstr(full, "nextn"))
				check_tensor(spec, name, full);
	}
}

/* Whether the family has a tensor of that name in some layer. */
static bool has_tensor(const struct family_spec *spec, const char *wanted)
{
	const char *list = spec->tensors;
	char name[64], full[96];

	while (list = next_tensor(spec, list, name, full), name[0])
		if (strcmp(name, wanted) == 0)
			return true;
	return false;
}

static const struct family_spec *first_with(const char *name)
{
	const struct family_spec *spec = family_specs;

	while (!has_tensor(spec, name))
		spec++;
	return spec;
}

/* The file with a tensor more. */
static void check_surplus(const struct family_spec *spec, const struct gguf *gguf, const char *full)
{
	static const float values[3] = {1, 1, 1};
	struct gguf_writer *w = gguf_writer_create();
	struct error err = {0};
	enum status status;
	uint64_t n = 3;
	char quoted[100];

	for (size_t i = 0; i < gguf_n_kv(gguf); i++)
		gguf_writer_copy(w, gguf, i);
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *t = gguf_tensor_at(gguf, i);

		snprintf(quoted, sizeof quoted, "%.*s", (int)t->name.len, t->name.data);
		gguf_writer_add_tensor(w, quoted, t->type, t->n_dims, t->ne, t->data, (size_t)t->n_bytes);
	}
	snprintf(quoted, sizeof quoted, "'%s'", full);
	gguf_writer_add_tensor(w, full, BLOCK_F32, 1, &n, values, sizeof values);
	status = try_writer(w, &err);
	gguf_writer_free(w);
	cr_expect(status && strstr(err.text, quoted), "%s with %s: %d (%s)", spec->name, full,
	          (int)status, err.text);
}

Test(family_defects, tensors_of_other_families_are_surplus)
{
	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		struct family_model made = small_model(spec->name);
		struct error err = {0};
		struct gguf *gguf;
		struct buf bytes = {.max = MIB(64)};

		cr_assert_eq(family_model_write(&made, &bytes, &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(gguf_open_memory(&gguf, bytes.data, bytes.len, &err), STATUS_OK);
		for (const struct family_spec *from = family_specs; from->name; from++) {
			const char *list = from->tensors;
			char name[64], full[96];

			while (list = next_tensor(from, list, name, full), name[0])
				if (first_with(name) == from && !has_tensor(spec, name))
					check_surplus(spec, gguf, full);
		}
		gguf_close(gguf);
		buf_free(&bytes);
	}
}
