/* Tensors that many families share. */
#include "model/family.h"

#define GLOBAL WEIGHTS_GLOBAL
#define LAYER WEIGHTS_LAYER

const struct weights_group weights_embedding = {.is_global = true, WEIGHTS_ROWS(
	{"token_embd.weight", WEIGHTS_MATRIX, GLOBAL(token_embd), DIM_VOCAB, DIM_EMBD},
	{"output", WEIGHTS_LINEAR, GLOBAL(output), DIM_VOCAB, DIM_EMBD, OPTIONAL, MAYBE_BIAS})};

const struct weights_group weights_output_norm = {.is_global = true, WEIGHTS_ROWS(
	{"output_norm", WEIGHTS_NORM, GLOBAL(output_norm), DIM_ONE, DIM_EMBD})};

const struct weights_group weights_output_norm_biased = {.is_global = true, WEIGHTS_ROWS(
	{"output_norm", WEIGHTS_NORM, GLOBAL(output_norm), DIM_ONE, DIM_EMBD, .bias = BIAS})};

const struct weights_group weights_rope_freqs = {.is_global = true, WEIGHTS_ROWS(
	{"rope_freqs.weight", WEIGHTS_VECTOR, GLOBAL(rope_factors), DIM_ONE, DIM_ROPE, OPTIONAL})};

const struct weights_group weights_attn_norm = {WEIGHTS_ROWS(
	{"attn_norm", WEIGHTS_NORM, LAYER(attn_norm), DIM_ONE, DIM_EMBD})};

#define FUSED_Q .fused = "attn_qkv", .before = DIM_NONE, .of = DIM_QKV
#define FUSED_K .fused = "attn_qkv", .before = DIM_Q, .of = DIM_QKV
#define FUSED_V .fused = "attn_qkv", .before = DIM_QK, .of = DIM_QKV

const struct weights_group weights_attention = {.layers = ATTENTION_LAYERS, WEIGHTS_ROWS(
	{"attn_q", WEIGHTS_LINEAR, LAYER(q), DIM_Q, DIM_EMBD, NEEDED, MAYBE_BIAS, FUSED_Q},
	{"attn_output", WEIGHTS_LINEAR, LAYER(o), DIM_EMBD, DIM_HEADS, NEEDED, MAYBE_BIAS})};

const struct weights_group weights_keys_values = {.layers = KV_LAYERS, WEIGHTS_ROWS(
	{"attn_k", WEIGHTS_LINEAR, LAYER(k), DIM_K, DIM_EMBD, NEEDED, MAYBE_BIAS, FUSED_K},
	{"attn_v", WEIGHTS_LINEAR, LAYER(v), DIM_V, DIM_EMBD, NEEDED, MAYBE_BIAS, FUSED_V})};

const struct weights_group weights_qkv_biased = {.layers = ATTENTION_LAYERS, WEIGHTS_ROWS(
	{"attn_q", WEIGHTS_LINEAR, LAYER(q), DIM_Q, DIM_EMBD, NEEDED, BIAS, FUSED_Q},
	{"attn_k", WEIGHTS_LINEAR, LAYER(k), DIM_K, DIM_EMBD, NEEDED, BIAS, FUSED_K},
	{"attn_v", WEIGHTS_LINEAR, LAYER(v), DIM_V, DIM_EMBD, NEEDED, BIAS, FUSED_V},
	{"attn_output", WEIGHTS_LINEAR, LAYER(o), DIM_EMBD, DIM_HEADS, NEEDED, MAYBE_BIAS})};

const struct weights_group weights_head_norms = {.layers = ATTENTION_LAYERS, WEIGHTS_ROWS(
	{"attn_q_norm", WEIGHTS_NORM, LAYER(q_norm), DIM_ONE, DIM_HEAD_K},
	{"attn_k_norm", WEIGHTS_NORM, LAYER(k_norm), DIM_ONE, DIM_HEAD_K})};

const struct weights_group weights_own_head_norms = {.layers = ATTENTION_LAYERS, WEIGHTS_ROWS(
	{"attn_q_norm", WEIGHTS_NORM, LAYER(q_norm), DIM_N_HEAD, DIM_HEAD_K, OPTIONAL},
	{"attn_k_norm", WEIGHTS_NORM, LAYER(k_norm), DIM_N_HEAD_KV, DIM_HEAD_K, OPTIONAL})};

const struct weights_group weights_ffn_norm = {.layers = FFN_LAYERS, WEIGHTS_ROWS(
	{"ffn_norm", WEIGHTS_NORM, LAYER(ffn_norm), DIM_ONE, DIM_EMBD})};

const struct weights_group weights_second_norm = {WEIGHTS_ROWS(
	{"post_attention_norm", WEIGHTS_NORM, LAYER(ffn_norm), DIM_ONE, DIM_EMBD})};

const struct weights_group weights_gated_ffn = {.layers = DENSE_LAYERS, WEIGHTS_ROWS(
	{"ffn_gate", WEIGHTS_LINEAR, LAYER(gate), DIM_FF, DIM_EMBD, NEEDED, MAYBE_BIAS},
	{"ffn_up", WEIGHTS_LINEAR, LAYER(up), DIM_FF, DIM_EMBD, NEEDED, MAYBE_BIAS},
	{"ffn_down", WEIGHTS_LINEAR, LAYER(down), DIM_EMBD, DIM_FF, NEEDED, MAYBE_BIAS})};

const struct weights_group weights_fused_ffn = {.layers = DENSE_LAYERS, WEIGHTS_ROWS(
	{"ffn_up", WEIGHTS_LINEAR, LAYER(gate), DIM_FF, DIM_EMBD, NEEDED, NO_BIAS,
	 .fused = "ffn_up", .before = DIM_NONE, .of = DIM_2FF},
	{"ffn_up", WEIGHTS_LINEAR, LAYER(up), DIM_FF, DIM_EMBD, NEEDED, NO_BIAS,
	 .fused = "ffn_up", .before = DIM_FF, .of = DIM_2FF},
	{"ffn_down", WEIGHTS_LINEAR, LAYER(down), DIM_EMBD, DIM_FF})};

const struct weights_group weights_post_norms = {WEIGHTS_ROWS(
	{"post_attention_norm", WEIGHTS_NORM, LAYER(attn_post_norm), DIM_ONE, DIM_EMBD},
	{"post_ffw_norm", WEIGHTS_NORM, LAYER(ffn_post_norm), DIM_ONE, DIM_EMBD})};

/* Gate, input of the convolution and time steps are one tensor. */
const struct weights_group weights_mamba2 = {.layers = MAMBA2_LAYERS, WEIGHTS_ROWS(
	{"ssm_in", WEIGHTS_LINEAR, LAYER(output_gate), DIM_STATE_WIDTH, DIM_EMBD, NEEDED, NO_BIAS,
	 .fused = "ssm_in", .before = DIM_NONE, .of = DIM_SSM_IN},
	{"ssm_in", WEIGHTS_LINEAR, LAYER(conv_in), DIM_CHANNELS, DIM_EMBD, NEEDED, NO_BIAS,
	 .fused = "ssm_in", .before = DIM_STATE_WIDTH, .of = DIM_SSM_IN},
	{"ssm_in", WEIGHTS_LINEAR, LAYER(state_time), DIM_STATE_HEADS, DIM_EMBD, NEEDED, NO_BIAS,
	 .fused = "ssm_in", .before = DIM_WIDTH_CHANNELS, .of = DIM_SSM_IN},
	{"ssm_conv1d.weight", WEIGHTS_TAPS, LAYER(conv), DIM_CHANNELS, DIM_TAPS},
	{"ssm_conv1d.bias", WEIGHTS_VECTOR, LAYER(conv_bias), DIM_ONE, DIM_CHANNELS, OPTIONAL},
	{"ssm_dt.bias", WEIGHTS_VECTOR, LAYER(state_time_bias), DIM_ONE, DIM_STATE_HEADS},
	{"ssm_a", WEIGHTS_VECTOR, LAYER(state_decay), DIM_STATE_HEADS, DIM_ONE},
	{"ssm_d", WEIGHTS_VECTOR, LAYER(state_skip), DIM_STATE_HEADS, DIM_ONE},
	{"ssm_norm", WEIGHTS_NORM, LAYER(state_norm), DIM_STATE_GROUPS, DIM_GROUP_WIDTH, OPTIONAL},
	{"ssm_out", WEIGHTS_LINEAR, LAYER(state_out), DIM_EMBD, DIM_STATE_WIDTH})};

const struct weights_group weights_layer_embeddings = {.is_global = true, .layers = EMBD_LAYERS, WEIGHTS_ROWS(
	{"per_layer_token_embd.weight", WEIGHTS_MATRIX, GLOBAL(layer_embd), DIM_VOCAB, DIM_LAYER_EMBDS},
	{"per_layer_model_proj", WEIGHTS_LINEAR, GLOBAL(layer_embd_proj), DIM_LAYER_EMBDS, DIM_EMBD},
	{"per_layer_proj_norm", WEIGHTS_NORM, GLOBAL(layer_embd_norm), DIM_ONE, DIM_LAYER_EMBD})};

const struct weights_group weights_layer_embedding_gates = {.layers = EMBD_LAYERS, WEIGHTS_ROWS(
	{"inp_gate", WEIGHTS_LINEAR, LAYER(embd_gate), DIM_LAYER_EMBD, DIM_EMBD},
	{"proj", WEIGHTS_LINEAR, LAYER(embd_proj), DIM_EMBD, DIM_LAYER_EMBD},
	{"post_norm", WEIGHTS_NORM, LAYER(embd_post_norm), DIM_ONE, DIM_EMBD})};
