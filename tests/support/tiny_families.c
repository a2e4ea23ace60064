#include "tiny_families.h"

#include <string.h>

#define W(...) (const struct tiny_weight[]){__VA_ARGS__}, \
	sizeof(const struct tiny_weight[]){__VA_ARGS__} / sizeof(struct tiny_weight)
#define L2 3u
#define L3 7u
#define L4 15u

/* Of most families: the embedding, the output's norm, and a layer with `q` and `kv` rows and gated feed-forward. */
#define EMBED_N(p, n) {p "embed_tokens.weight", .shape = {n, 64}}, {p "norm.weight", .shape = {64}}
#define EMBED(p) EMBED_N(p, 384)
/* That the tiny tokenizer has: Gemma 3's embedding has more rows, Gemma 4's reference fills nothing up. */
#define TOKENS 265
#define HEAD(p) {p "lm_head.weight", .shape = {384, 64}}
#define ATTENTION(p, l, q, kv) \
	{p "layers.%u.self_attn.q_proj.weight", l, .shape = {q, 64}}, \
	{p "layers.%u.self_attn.k_proj.weight", l, .shape = {kv, 64}}, \
	{p "layers.%u.self_attn.v_proj.weight", l, .shape = {kv, 64}}, \
	{p "layers.%u.self_attn.o_proj.weight", l, .shape = {64, q}}
#define BIASES(p, l, q, kv) \
	{p "layers.%u.self_attn.q_proj.bias", l, .shape = {q}}, \
	{p "layers.%u.self_attn.k_proj.bias", l, .shape = {kv}}, \
	{p "layers.%u.self_attn.v_proj.bias", l, .shape = {kv}}
#define HEAD_NORMS(p, l, q, k) \
	{p "layers.%u.self_attn.q_norm.weight", l, .shape = {q}}, \
	{p "layers.%u.self_attn.k_norm.weight", l, .shape = {k}}
#define FFN(p, l, ff) \
	{p "layers.%u.mlp.gate_proj.weight", l, .shape = {ff, 64}}, \
	{p "layers.%u.mlp.up_proj.weight", l, .shape = {ff, 64}}, \
	{p "layers.%u.mlp.down_proj.weight", l, .shape = {64, ff}}
#define NORM(p, l, name) {p "layers.%u." name ".weight", l, .shape = {64}}
#define NORMS(p, l) NORM(p, l, "input_layernorm"), NORM(p, l, "post_attention_layernorm")
#define NORMS4(p, l) NORMS(p, l), NORM(p, l, "pre_feedforward_layernorm"), NORM(p, l, "post_feedforward_layernorm")
#define M "model."
#define LM "model.language_model."

/* How most configurations begin. */
#define COMMON(class, type, layers, heads, kv, ff) \
	"{\"architectures\": [\"" class "\"], \"model_type\": \"" type "\", \"hidden_size\": 64, " \
	"\"num_hidden_layers\": " #layers \
	", \"num_attention_heads\": " #heads ", \"num_key_value_heads\": " #kv ", " \
	"\"intermediate_size\": " #ff ", \"vocab_size\": 384, "

static const struct tiny_family families[] = {
	{"llama", COMMON("LlamaForCausalLM", "llama", 3, 4, 2, 96)
	 "\"head_dim\": 24, \"attention_bias\": true, \"max_position_embeddings\": 2048, "
	 "\"rms_norm_eps\": 1e-05, \"rope_theta\": 500000.0, "
	 "\"rope_scaling\": {\"factor\": 32.0, \"high_freq_factor\": 4.0, \"low_freq_factor\": 1.0, "
	 "\"original_max_position_embeddings\": 512, "
	 "\"rope_type\": \"llama3\"}, \"tie_word_embeddings\": false}",
	 W(EMBED(M), HEAD(""), ATTENTION(M, L3, 96, 48), BIASES(M, L3, 96, 48),
	   {M "layers.%u.self_attn.o_proj.bias", L3, .shape = {64}},
	   FFN(M, L3, 96), NORMS(M, L3), {M "layers.%u.self_attn.rotary_emb.inv_freq", L3, .shape = {12}})},
	{"mistral", COMMON("MistralForCausalLM", "mistral", 2, 4, 2, 96)
	 "\"head_dim\": 16, \"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-05, "
	 "\"rope_theta\": 1000000.0, \"sliding_window\": null, "
	 "\"tie_word_embeddings\": true}",
	 W(EMBED(M), ATTENTION(M, L2, 64, 32), FFN(M, L2, 96), NORMS(M, L2))},
	{"mixtral", COMMON("MixtralForCausalLM", "mixtral", 2, 4, 2, 96)
	 "\"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-05, \"rope_theta\": 1000000.0, "
	 "\"num_local_experts\": 4, "
	 "\"num_experts_per_tok\": 2, \"sliding_window\": null, \"tie_word_embeddings\": false}",
	 W(EMBED(M), HEAD(""), ATTENTION(M, L2, 64, 32), NORMS(M, L2),
	   {M "layers.%u.block_sparse_moe.gate.weight", L2, .shape = {4, 64}},
	   {M "layers.%u.block_sparse_moe.experts.%u.w1.weight", L2, .n_experts = 4, .shape = {96, 64}},
	   {M "layers.%u.block_sparse_moe.experts.%u.w2.weight", L2, .n_experts = 4, .shape = {64, 96}},
	   {M "layers.%u.block_sparse_moe.experts.%u.w3.weight", L2, .n_experts = 4, .shape = {96, 64}})},
	{"mistral3",
	 "{\"architectures\": [\"Mistral3ForConditionalGeneration\"], \"model_type\": \"mistral3\", "
	 "\"image_token_index\": 10, "
	 "\"vision_config\": {\"model_type\": \"pixtral\", \"hidden_size\": 32, \"rope_theta\": 10000.0}, "
	 "\"text_config\": {"
	 "\"model_type\": \"ministral3\", \"hidden_size\": 64, \"num_hidden_layers\": 2, "
	 "\"num_attention_heads\": 4, \"num_key_value_heads\": 2, "
	 "\"intermediate_size\": 96, \"vocab_size\": 384, \"head_dim\": 16, \"max_position_embeddings\": 4096, "
	 "\"rms_norm_eps\": 1e-05, "
	 "\"rope_parameters\": {\"beta_fast\": 32.0, \"beta_slow\": 1.0, \"factor\": 16.0, "
	 "\"llama_4_scaling_beta\": 0.1, \"mscale\": 1.0, "
	 "\"mscale_all_dim\": 1.0, \"original_max_position_embeddings\": 256, \"rope_theta\": 1000000.0, "
	 "\"rope_type\": \"yarn\", \"type\": \"yarn\"}, "
	 "\"sliding_window\": null, \"tie_word_embeddings\": false}}",
	 W(EMBED("language_model." M), HEAD("language_model."), ATTENTION("language_model." M, L2, 64, 32),
	   FFN("language_model." M, L2, 96),
	   NORMS("language_model." M, L2), {"vision_tower.patch_conv.weight", .shape = {32, 3, 2, 2}},
	   {"multi_modal_projector.linear_1.weight", .shape = {64, 32}})},
	{"qwen2", COMMON("Qwen2ForCausalLM", "qwen2", 2, 4, 2, 96)
	 "\"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-06, \"rope_theta\": 1000000.0, "
	 "\"sliding_window\": 4096, \"use_sliding_window\": false, "
	 "\"tie_word_embeddings\": true}",
	 W(EMBED(M), ATTENTION(M, L2, 64, 32), BIASES(M, L2, 64, 32), FFN(M, L2, 96), NORMS(M, L2))},
	{"qwen3", COMMON("Qwen3ForCausalLM", "qwen3", 2, 4, 2, 96)
	 "\"head_dim\": 32, \"max_position_embeddings\": 40960, \"rms_norm_eps\": 1e-06, "
	 "\"rope_theta\": 1000000, \"rope_scaling\": null, "
	 "\"sliding_window\": null, \"tie_word_embeddings\": false}",
	 W(EMBED(M), HEAD(""), ATTENTION(M, L2, 128, 64), HEAD_NORMS(M, L2, 32, 32), FFN(M, L2, 96), NORMS(M, L2))},
	{"qwen3moe", COMMON("Qwen3MoeForCausalLM", "qwen3_moe", 2, 4, 2, 96)
	 "\"head_dim\": 32, \"max_position_embeddings\": 40960, \"rms_norm_eps\": 1e-06, "
	 "\"rope_theta\": 1000000.0, \"moe_intermediate_size\": 32, "
	 "\"num_experts\": 4, \"num_experts_per_tok\": 2, \"norm_topk_prob\": true, \"decoder_sparse_step\": 1, "
	 "\"mlp_only_layers\": [], "
	 "\"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 4.0, "
	 "\"original_max_position_embeddings\": 32768}, \"tie_word_embeddings\": false}",
	 W(EMBED(M), HEAD(""), ATTENTION(M, L2, 128, 64), HEAD_NORMS(M, L2, 32, 32), NORMS(M, L2),
	   {M "layers.%u.mlp.gate.weight", L2, .shape = {4, 64}},
	   {M "layers.%u.mlp.experts.%u.gate_proj.weight", L2, .n_experts = 4, .shape = {32, 64}},
	   {M "layers.%u.mlp.experts.%u.up_proj.weight", L2, .n_experts = 4, .shape = {32, 64}},
	   {M "layers.%u.mlp.experts.%u.down_proj.weight", L2, .n_experts = 4, .shape = {64, 32}})},
#define QWEN35_TEXT \
	"\"hidden_size\": 64, \"num_hidden_layers\": 4, \"num_attention_heads\": 4, \"num_key_value_heads\": 2, " \
	"\"vocab_size\": 384, \"head_dim\": 32, " \
	"\"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-06, \"full_attention_interval\": 4, " \
	"\"layer_types\": [\"linear_attention\", " \
	"\"linear_attention\", \"linear_attention\", \"full_attention\"], \"linear_conv_kernel_dim\": 4, " \
	"\"linear_key_head_dim\": 16, " \
	"\"linear_num_key_heads\": 2, \"linear_num_value_heads\": 6, \"linear_value_head_dim\": 16, " \
	"\"mtp_num_hidden_layers\": 1, " \
	"\"attn_output_gate\": true, \"tie_word_embeddings\": false, "
#define QWEN35_MIXERS \
	{LM "layers.%u.self_attn.q_proj.weight", 8u, .shape = {256, 64}}, \
	{LM "layers.%u.self_attn.k_proj.weight", 8u, .shape = {64, 64}}, \
	{LM "layers.%u.self_attn.v_proj.weight", 8u, .shape = {64, 64}}, \
	{LM "layers.%u.self_attn.o_proj.weight", 8u, .shape = {64, 128}}, \
	HEAD_NORMS(LM, 8u, 32, 32), \
	{LM "layers.%u.linear_attn.in_proj_qkv.weight", L3, .shape = {160, 64}}, \
	{LM "layers.%u.linear_attn.in_proj_z.weight", L3, .shape = {96, 64}}, \
	{LM "layers.%u.linear_attn.in_proj_a.weight", L3, .shape = {6, 64}}, \
	{LM "layers.%u.linear_attn.in_proj_b.weight", L3, .shape = {6, 64}}, \
	{LM "layers.%u.linear_attn.A_log", L3, .shape = {6}}, {LM "layers.%u.linear_attn.dt_bias", L3, .shape = {6}}, \
	{LM "layers.%u.linear_attn.conv1d.weight", L3, .shape = {160, 1, 4}}, \
	{LM "layers.%u.linear_attn.norm.weight", L3, .shape = {16}}, \
	{LM "layers.%u.linear_attn.out_proj.weight", L3, .shape = {64, 96}}, \
	{"mtp.fc.weight", .shape = {64, 128}}, {"mtp.norm.weight", .shape = {64}}, \
	{"mtp.layers.%u.self_attn.q_norm.weight", 1u, .shape = {32}}, \
	{"model.visual.blocks.%u.norm1.weight", 1u, .shape = {32}}
	{"qwen35",
	 "{\"architectures\": [\"Qwen3_5ForConditionalGeneration\"], \"model_type\": \"qwen3_5\", "
	 "\"vision_config\": {\"hidden_size\": 32}, "
	 "\"text_config\": {" QWEN35_TEXT "\"model_type\": \"qwen3_5_text\", \"intermediate_size\": 96, "
	 "\"rope_parameters\": {\"mrope_interleaved\": true, "
	 "\"mrope_section\": [2, 1, 1], \"partial_rotary_factor\": 0.25, \"rope_theta\": 10000000, "
	 "\"rope_type\": \"default\"}}}",
	 W(EMBED(LM), HEAD(""), QWEN35_MIXERS, FFN(LM, L4, 96), NORMS(LM, L4))},
	{"qwen35moe",
	 "{\"architectures\": [\"Qwen3_5MoeForConditionalGeneration\"], \"model_type\": \"qwen3_5_moe\", "
	 "\"vision_config\": {\"hidden_size\": 32}, "
	 "\"text_config\": {" QWEN35_TEXT "\"model_type\": \"qwen3_5_moe_text\", \"moe_intermediate_size\": 32, "
	 "\"shared_expert_intermediate_size\": 48, "
	 "\"num_experts\": 4, \"num_experts_per_tok\": 2, "
	 "\"rope_parameters\": {\"partial_rotary_factor\": 0.25, \"rope_theta\": 10000000, "
	 "\"rope_type\": \"default\"}}}",
	 W(EMBED(LM), HEAD(""), QWEN35_MIXERS, NORMS(LM, L4), {LM "layers.%u.mlp.gate.weight", L4, .shape = {4, 64}},
	   {LM "layers.%u.mlp.experts.gate_up_proj", L4, .shape = {4, 64, 64}},
	   {LM "layers.%u.mlp.experts.down_proj", L4, .shape = {4, 64, 32}},
	   {LM "layers.%u.mlp.shared_expert.gate_proj.weight", L4, .shape = {48, 64}},
	   {LM "layers.%u.mlp.shared_expert.up_proj.weight", L4, .shape = {48, 64}},
	   {LM "layers.%u.mlp.shared_expert.down_proj.weight", L4, .shape = {64, 48}},
	   {LM "layers.%u.mlp.shared_expert_gate.weight", L4, .shape = {1, 64}})},
	{"gemma2", COMMON("Gemma2ForCausalLM", "gemma2", 2, 4, 2, 96)
	 "\"head_dim\": 32, \"max_position_embeddings\": 8192, \"rms_norm_eps\": 1e-06, "
	 "\"rope_theta\": 10000.0, \"sliding_window\": 16, "
	 "\"attn_logit_softcapping\": 50.0, \"final_logit_softcapping\": 30.0, \"query_pre_attn_scalar\": 32}",
	 W(EMBED(M), ATTENTION(M, L2, 128, 64), FFN(M, L2, 96), NORMS4(M, L2))},
	{"gemma3",
	 "{\"architectures\": [\"Gemma3ForConditionalGeneration\"], \"model_type\": \"gemma3\", "
	 "\"vision_config\": {\"hidden_size\": 32, \"image_size\": 16, "
	 "\"patch_size\": 2}, \"text_config\": {\"model_type\": \"gemma3_text\", \"hidden_size\": 64, "
	 "\"num_hidden_layers\": 4, \"num_attention_heads\": 4, "
	 "\"num_key_value_heads\": 2, \"intermediate_size\": 96, \"vocab_size\": 265, \"head_dim\": 32, "
	 "\"max_position_embeddings\": 131072, \"rms_norm_eps\": 1e-06, "
	 "\"rope_theta\": 1000000.0, \"rope_local_base_freq\": 10000.0, \"rope_scaling\": {\"factor\": 8.0, "
	 "\"rope_type\": \"linear\"}, \"sliding_window\": 16, "
	 "\"sliding_window_pattern\": 6, \"final_logit_softcapping\": null, \"attn_logit_softcapping\": null}}",
	 W(EMBED("language_model." M), ATTENTION("language_model." M, L4, 128, 64),
	   HEAD_NORMS("language_model." M, L4, 32, 32),
	   FFN("language_model." M, L4, 96), NORMS4("language_model." M, L4),
	   {"multi_modal_projector.mm_soft_emb_norm.weight", .shape = {32}},
	   {"vision_tower.vision_model.post_layernorm.weight", .shape = {32}})},
#define GEMMA4_TEXT \
	"\"model_type\": \"gemma4_text\", \"hidden_size\": 64, \"num_hidden_layers\": 4, " \
	"\"num_attention_heads\": 4, \"num_key_value_heads\": 2, " \
	"\"intermediate_size\": 96, \"vocab_size\": 265, \"head_dim\": 16, \"global_head_dim\": 32, " \
	"\"max_position_embeddings\": 131072, \"rms_norm_eps\": 1e-06, " \
	"\"sliding_window\": 16, \"final_logit_softcapping\": 30.0, \"layer_types\": [\"sliding_attention\", " \
	"\"full_attention\", \"sliding_attention\", " \
	"\"full_attention\"], \"rope_parameters\": {\"full_attention\": {\"partial_rotary_factor\": 0.25, " \
	"\"rope_theta\": 1000000.0, " \
	"\"rope_type\": \"proportional\"}, \"sliding_attention\": {\"rope_theta\": 10000.0, " \
	"\"rope_type\": \"default\"}}, "
	{"gemma4",
	 "{\"architectures\": [\"Gemma4ForConditionalGeneration\"], \"model_type\": \"gemma4\", "
	 "\"audio_config\": {\"hidden_size\": 32}, \"text_config\": {"
	 GEMMA4_TEXT "\"num_kv_shared_layers\": 2, \"hidden_size_per_layer_input\": 16, "
	 "\"vocab_size_per_layer_input\": 265, \"use_double_wide_mlp\": true, "
	 "\"num_global_key_value_heads\": null, \"moe_intermediate_size\": null, \"enable_moe_block\": false}}",
	 W(EMBED_N(LM, TOKENS), ATTENTION(LM, 5u, 64, 32), ATTENTION(LM, 10u, 128, 64),
	   HEAD_NORMS(LM, 5u, 16, 16), HEAD_NORMS(LM, 10u, 32, 32), FFN(LM, L2, 96),
	   FFN(LM, 12u, 192), NORMS4(LM, L4), {LM "layers.%u.layer_scalar", L4, .shape = {1}},
	   {LM "embed_tokens_per_layer.weight", .shape = {TOKENS, 64}},
	   {LM "per_layer_model_projection.weight", .shape = {64, 64}},
	   {LM "per_layer_projection_norm.weight", .shape = {16}},
	   {LM "layers.%u.per_layer_input_gate.weight", L4, .shape = {16, 64}},
	   {LM "layers.%u.per_layer_projection.weight", L4, .shape = {64, 16}},
	   NORM(LM, L4, "post_per_layer_input_norm"),
	   {"model.audio_tower.subsample_conv_projection.weight", .shape = {32, 32}},
	   {"model.embed_vision.embedding_projection.weight", .shape = {64, 32}})},
	{"gemma4moe",
	 "{\"architectures\": [\"Gemma4ForCausalLM\"], \"tie_word_embeddings\": true, "
	 "" GEMMA4_TEXT "\"num_kv_shared_layers\": 0, "
	 "\"hidden_size_per_layer_input\": 0, \"use_double_wide_mlp\": false, "
	 "\"num_global_key_value_heads\": 1, \"enable_moe_block\": true, "
	 "\"moe_intermediate_size\": 32, \"num_experts\": 4, \"top_k_experts\": 2, \"attention_k_eq_v\": true}",
	 W(EMBED_N(M, TOKENS), ATTENTION(M, 5u, 64, 32),
	   {M "layers.%u.self_attn.q_proj.weight", 10u, .shape = {128, 64}},
	   {M "layers.%u.self_attn.k_proj.weight", 10u, .shape = {32, 64}},
	   {M "layers.%u.self_attn.o_proj.weight", 10u, .shape = {64, 128}},
	   HEAD_NORMS(M, 5u, 16, 16), HEAD_NORMS(M, 10u, 32, 32), FFN(M, L4, 96), NORMS4(M, L4),
	   NORM(M, L4, "pre_feedforward_layernorm_2"),
	   NORM(M, L4, "post_feedforward_layernorm_1"), NORM(M, L4, "post_feedforward_layernorm_2"),
	   {M "layers.%u.layer_scalar", L4, .shape = {1}},
	   {M "layers.%u.router.proj.weight", L4, .shape = {4, 64}}, {M "layers.%u.router.scale", L4, .shape = {64}},
	   {M "layers.%u.router.per_expert_scale", L4, .shape = {4}},
	   {M "layers.%u.experts.gate_up_proj", L4, .shape = {4, 64, 64}},
	   {M "layers.%u.experts.down_proj", L4, .shape = {4, 64, 32}})},
	{"phi3", COMMON("Phi3ForCausalLM", "phi3", 2, 4, 2, 96)
	 "\"max_position_embeddings\": 4096, \"original_max_position_embeddings\": 1024, "
	 "\"rms_norm_eps\": 1e-05, \"rope_theta\": 10000.0, "
	 "\"sliding_window\": null, \"partial_rotary_factor\": 0.75, \"rope_scaling\": {\"type\": \"longrope\", "
	 "\"long_factor\": [1.0, 1.25, 2.5, 4.0, 8.0, 16.0], "
	 "\"short_factor\": [1.0, 1.0, 1.05, 1.1, 1.2, 1.3]}, \"tie_word_embeddings\": false}",
	 W(EMBED(M), HEAD(""), NORMS(M, L2), {M "layers.%u.self_attn.qkv_proj.weight", L2, .shape = {128, 64}},
	   {M "layers.%u.self_attn.o_proj.weight", L2, .shape = {64, 64}},
	   {M "layers.%u.mlp.gate_up_proj.weight", L2, .shape = {192, 64}},
	   {M "layers.%u.mlp.down_proj.weight", L2, .shape = {64, 96}})},
	{"granite", COMMON("GraniteForCausalLM", "granite", 2, 4, 2, 96)
	 "\"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-05, \"rope_theta\": 10000000.0, "
	 "\"attention_multiplier\": 0.0625, "
	 "\"embedding_multiplier\": 12.0, \"residual_multiplier\": 0.22, \"logits_scaling\": 8.0, "
	 "\"tie_word_embeddings\": true}",
	 W(EMBED(M), ATTENTION(M, L2, 64, 32), FFN(M, L2, 96), NORMS(M, L2))},
	{"granitemoe", COMMON("GraniteMoeSharedForCausalLM", "granitemoeshared", 2, 4, 2, 32)
	 "\"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-05, \"rope_theta\": 10000.0, "
	 "\"attention_multiplier\": 0.0625, \"embedding_multiplier\": 12.0, "
	 "\"residual_multiplier\": 0.22, \"logits_scaling\": 8.0, \"num_local_experts\": 4, "
	 "\"num_experts_per_tok\": 2, \"shared_intermediate_size\": 48, "
	 "\"tie_word_embeddings\": true}",
	 W(EMBED(M), ATTENTION(M, L2, 64, 32), NORMS(M, L2),
	   {M "layers.%u.block_sparse_moe.router.layer.weight", L2, .shape = {4, 64}},
	   {M "layers.%u.block_sparse_moe.input_linear.weight", L2, .shape = {4, 64, 64}},
	   {M "layers.%u.block_sparse_moe.output_linear.weight", L2, .shape = {4, 64, 32}},
	   {M "layers.%u.shared_mlp.input_linear.weight", L2, .shape = {96, 64}},
	   {M "layers.%u.shared_mlp.output_linear.weight", L2, .shape = {64, 48}})},
	{"smollm3", COMMON("SmolLM3ForCausalLM", "smollm3", 4, 4, 2, 96)
	 "\"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-06, \"rope_theta\": 5000000.0, "
	 "\"no_rope_layer_interval\": 4, \"no_rope_layers\": [1, 1, 1, 0], "
	 "\"tie_word_embeddings\": true}",
	 W(EMBED(M), ATTENTION(M, L4, 64, 32), FFN(M, L4, 96), NORMS(M, L4))},
	{"olmo2", COMMON("Olmo2ForCausalLM", "olmo2", 2, 4, 2, 96)
	 "\"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-06, \"rope_theta\": 500000, "
	 "\"tie_word_embeddings\": false}",
	 W(EMBED(M), HEAD(""), ATTENTION(M, L2, 64, 32), HEAD_NORMS(M, L2, 64, 32), FFN(M, L2, 96),
	   NORM(M, L2, "post_attention_layernorm"),
	   NORM(M, L2, "post_feedforward_layernorm"))},
	{"olmo3", COMMON("Olmo3ForCausalLM", "olmo3", 4, 4, 2, 96)
	 "\"max_position_embeddings\": 65536, \"rms_norm_eps\": 1e-06, \"rope_theta\": 500000, "
	 "\"sliding_window\": 16, \"layer_types\": [\"sliding_attention\", "
	 "\"sliding_attention\", \"sliding_attention\", \"full_attention\"], "
	 "\"rope_scaling\": {\"attention_factor\": 1.2079441541679836, \"beta_fast\": 32, "
	 "\"beta_slow\": 1, \"factor\": 8.0, \"original_max_position_embeddings\": 8192, "
	 "\"rope_type\": \"yarn\"}, \"tie_word_embeddings\": false}",
	 W(EMBED(M), HEAD(""), ATTENTION(M, L4, 64, 32), HEAD_NORMS(M, L4, 64, 32), FFN(M, L4, 96),
	   NORM(M, L4, "post_attention_layernorm"),
	   NORM(M, L4, "post_feedforward_layernorm"))},
	{"lfm2", COMMON("Lfm2ForCausalLM", "lfm2", 4, 4, 2, 144)
	 "\"max_position_embeddings\": 4096, \"norm_eps\": 1e-05, \"rope_theta\": 1000000.0, "
	 "\"block_ff_dim\": 144, \"block_auto_adjust_ff_dim\": true, "
	 "\"block_ffn_dim_multiplier\": 1.0, \"block_multiple_of\": 32, \"conv_L_cache\": 3, "
	 "\"conv_bias\": false, \"layer_types\": [\"conv\", \"conv\", "
	 "\"full_attention\", \"conv\"], \"tie_embedding\": true}",
	 W({M "embed_tokens.weight", .shape = {384, 64}}, {M "embedding_norm.weight", .shape = {64}},
	   NORM(M, L4, "operator_norm"), NORM(M, L4, "ffn_norm"),
	   {M "layers.%u.self_attn.q_proj.weight", 4u, .shape = {64, 64}},
	   {M "layers.%u.self_attn.k_proj.weight", 4u, .shape = {32, 64}},
	   {M "layers.%u.self_attn.v_proj.weight", 4u, .shape = {32, 64}},
	   {M "layers.%u.self_attn.out_proj.weight", 4u, .shape = {64, 64}},
	   {M "layers.%u.self_attn.q_layernorm.weight", 4u, .shape = {16}},
	   {M "layers.%u.self_attn.k_layernorm.weight", 4u, .shape = {16}},
	   {M "layers.%u.conv.conv.weight", 11u, .shape = {64, 1, 3}},
	   {M "layers.%u.conv.in_proj.weight", 11u, .shape = {192, 64}},
	   {M "layers.%u.conv.out_proj.weight", 11u, .shape = {64, 64}},
	   {M "layers.%u.feed_forward.w1.weight", L4, .shape = {96, 64}},
	   {M "layers.%u.feed_forward.w3.weight", L4, .shape = {96, 64}},
	   {M "layers.%u.feed_forward.w2.weight", L4, .shape = {64, 96}})},
#define GPT_OSS \
	COMMON("GptOssForCausalLM", "gpt_oss", 2, 4, 2, 32) \
	"\"head_dim\": 32, \"max_position_embeddings\": 131072, \"rms_norm_eps\": 1e-05, " \
	"\"rope_theta\": 150000, \"num_local_experts\": 4, " \
	"\"num_experts_per_tok\": 2, \"experts_per_token\": 2, \"sliding_window\": 16, " \
	"\"attention_bias\": true, \"layer_types\": [\"sliding_attention\", " \
	"\"full_attention\"], \"rope_scaling\": {\"beta_fast\": 32.0, \"beta_slow\": 1.0, \"factor\": 32.0, " \
	"\"original_max_position_embeddings\": 4096, " \
	"\"rope_type\": \"yarn\", \"truncate\": false}, \"tie_word_embeddings\": false"
#define GPT_OSS_WEIGHTS \
	EMBED(M), HEAD(""), ATTENTION(M, L2, 128, 64), BIASES(M, L2, 128, 64), \
	{M "layers.%u.self_attn.o_proj.bias", L2, .shape = {64}}, NORMS(M, L2), \
	{M "layers.%u.self_attn.sinks", L2, .shape = {4}}, {M "layers.%u.mlp.router.weight", L2, .shape = {4, 64}}, \
	{M "layers.%u.mlp.router.bias", L2, .shape = {4}}, \
	{M "layers.%u.mlp.experts.gate_up_proj_bias", L2, .shape = {4, 64}}, \
	{M "layers.%u.mlp.experts.down_proj_bias", L2, .shape = {4, 64}}
	{"gpt-oss", GPT_OSS ", \"quantization_config\": {\"quant_method\": \"mxfp4\", "
	 "\"modules_to_not_convert\": [\"model.layers.*.self_attn\"]}}",
	 W(GPT_OSS_WEIGHTS, {M "layers.%u.mlp.experts.gate_up_proj_blocks", L2, .shape = {4, 64, 2, 16},
	   .dtype = "U8"},
	   {M "layers.%u.mlp.experts.gate_up_proj_scales", L2, .shape = {4, 64, 2}, .dtype = "U8"},
	   {M "layers.%u.mlp.experts.down_proj_blocks", L2, .shape = {4, 64, 1, 16}, .dtype = "U8"},
	   {M "layers.%u.mlp.experts.down_proj_scales", L2, .shape = {4, 64, 1}, .dtype = "U8"})},
	{"gpt-oss-plain", GPT_OSS "}",
	 W(GPT_OSS_WEIGHTS, {M "layers.%u.mlp.experts.gate_up_proj", L2, .shape = {4, 64, 64}},
	   {M "layers.%u.mlp.experts.down_proj", L2, .shape = {4, 32, 64}})},
};

const struct tiny_family *tiny_families(size_t *n)
{
	*n = sizeof families / sizeof families[0];
	return families;
}

const struct tiny_family *tiny_family_find(const char *name)
{
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
		if (strcmp(families[i].name, name) == 0)
			return &families[i];
	return NULL;
}
