/* What the files of each family have in common. */
#include "support/family_model.h"

#define RMS(eps) "f attention.layer_norm_rms_epsilon " eps "\n"
#define LAYER_NORM "f attention.layer_norm_epsilon 1e-5\n"
#define ROPE(base) "f rope.freq_base " base "\n"
#define LLAMA_KEYS ROPE("10000") RMS("1e-5")
#define YARN "s rope.scaling.type yarn\nf rope.scaling.factor 4\nu rope.scaling.original_context_length 32\n"
#define WINDOW "u attention.sliding_window window\n"
#define SSM_KEYS "u ssm.conv_kernel 4\nu ssm.inner_size inner\nu ssm.state_size state\n" \
	"u ssm.time_step_rank heads\nu ssm.group_count groups\n"

#define EMBEDDING "- token_embd.weight embd vocab\n- output_norm.weight embd\n"
#define UNTIED "- output.weight embd vocab\n"
#define ROPE_FREQS "- rope_freqs.weight pairs\n"
#define ATTN_NORM "* attn_norm.weight embd\n"
#define FFN_NORM "* ffn_norm.weight embd\n"
#define NORMS ATTN_NORM FFN_NORM
#define QKV(layers) layers " attn_q.weight embd q\n" layers " attn_k.weight embd k\n" \
	layers " attn_v.weight embd k\n"
#define ATTENTION(layers) QKV(layers) layers " attn_output.weight q embd\n"
#define QKV_BIASES "* attn_q.bias q\n* attn_k.bias k\n* attn_v.bias k\n"
#define HEAD_NORMS(layers) layers " attn_q_norm.weight dim\n" layers " attn_k_norm.weight dim\n"
#define ALL_HEADS_NORMS "* attn_q_norm.weight q\n* attn_k_norm.weight k\n"
#define POST_NORMS "* post_attention_norm.weight embd\n* post_ffw_norm.weight embd\n"
#define FFN_OF(layers) layers " ffn_gate.weight embd ff\n" layers " ffn_up.weight embd ff\n" \
	layers " ffn_down.weight ff embd\n"
#define FFN FFN_OF("*")
#define PLAIN_FFN "* ffn_up.weight embd ff\n* ffn_down.weight ff embd\n"
#define FUSED_FFN "* ffn_up.weight embd 2ff\n* ffn_down.weight ff embd\n"
#define FFN_BIASES "* ffn_up.bias ff\n* ffn_down.bias embd\n"
#define MAMBA(layers) layers " ssm_in.weight embd ssm_in\n" layers " ssm_conv1d.weight 4 channels\n" \
	layers " ssm_conv1d.bias channels\n" layers " ssm_dt.bias heads\n" layers " ssm_a 1 heads\n" \
	layers " ssm_d 1 heads\n" layers " ssm_norm.weight group groups\n" \
	layers " ssm_out.weight inner embd\n"

#define EXPERT_KEYS "u expert_count experts\nu expert_used_count used\n" \
	"u expert_feed_forward_length xff\n"
#define ROUTER "E ffn_gate_inp.weight embd experts\n"
#define EXPERTS(ff) ROUTER "E ffn_gate_exps.weight embd " ff " experts\n" \
	"E ffn_up_exps.weight embd " ff " experts\nE ffn_down_exps.weight " ff " embd experts\n"
#define FUSED_EXPERTS ROUTER "E ffn_gate_up_exps.weight embd 2xff experts\n" \
	"E ffn_down_exps.weight xff embd experts\n"
#define EXPERTS_BIAS "E exp_probs_b.bias experts\n"
#define SHARED_EXPERT_OF(ff) "E ffn_gate_shexp.weight embd " ff "\nE ffn_up_shexp.weight embd " ff "\n" \
	"E ffn_down_shexp.weight " ff " embd\n"
#define SHARED_EXPERT SHARED_EXPERT_OF("sff")
#define SHARED_GATE "E ffn_gate_inp_shexp.weight embd\n"

#define ATTENTION_TENSORS EMBEDDING NORMS ATTENTION("*")
#define LLAMA_TENSORS ATTENTION_TENSORS FFN
#define QWEN3_TENSORS EMBEDDING NORMS ATTENTION("*") HEAD_NORMS("*") FFN
#define OLMO2_TENSORS EMBEDDING UNTIED ATTENTION("*") ALL_HEADS_NORMS POST_NORMS FFN
#define PHI3_KEYS LLAMA_KEYS "u attention.sliding_window 0\n"
#define LONGROPE(n_ctx) "u rope.scaling.original_context_length " n_ctx "\nf rope.scaling.attn_factor 1.19\n"
#define PHI3_TENSORS EMBEDDING NORMS ATTENTION("*") FUSED_FFN
#define LONGROPE_TENSORS "- rope_factors_long.weight pairs\n- rope_factors_short.weight pairs\n"
#define GEMMA3_TENSORS QWEN3_TENSORS POST_NORMS
#define GEMMA4_KEYS ROPE("1e6") RMS("1e-6") WINDOW "f rope.freq_base_swa 10000\n" \
	"u attention.key_length_swa half\nu attention.value_length_swa half\n" \
	"u rope.dimension_count_swa half\np attention.sliding_window_pattern 5\n" \
	"u attention.shared_kv_layers shared\nf final_logit_softcapping 30\n"
#define GEMMA4_TENSORS GEMMA3_TENSORS ROPE_FREQS "* layer_output_scale.weight 1\n"
#define LAYER_EMBEDDINGS "- per_layer_token_embd.weight layers vocab\n" \
	"- per_layer_model_proj.weight embd layers\n- per_layer_proj_norm.weight layer\n" \
	"* inp_gate.weight embd layer\n* proj.weight layer embd\n* post_norm.weight embd\n"
#define ALTUP_TENSORS "- altup_proj.weight embd embd 3\n- altup_unembd_proj.weight embd embd 3\n" \
	"* altup_router.weight embd 4\n* altup_router_norm.weight embd\n" \
	"* altup_predict_coef.weight 4 16\n* altup_correct_coef.weight 4 4\n" \
	"* altup_correct_scale.weight embd\n* laurel_l.weight embd 64\n* laurel_r.weight 64 embd\n" \
	"* laurel_post_norm.weight embd\n"
#define GRANITE_KEYS LLAMA_KEYS "f embedding_scale 12\nf residual_scale 0.22\nf attention.scale 0.0625\n"
#define QWEN35_KEYS ROPE("1e7") RMS("1e-6") SSM_KEYS "u full_attention_interval 4\n" \
	"i rope.dimension_sections 2,1,1,0\n"
#define QWEN35_TENSORS QWEN3NEXT_TENSORS "d ssm_beta.weight embd heads\nd ssm_alpha.weight embd heads\n"
#define QWEN3NEXT_TENSORS EMBEDDING UNTIED ATTN_NORM "* post_attention_norm.weight embd\n" \
	"d attn_qkv.weight embd channels\nd attn_gate.weight embd inner\n" \
	"d ssm_conv1d.weight 4 channels\nd ssm_dt.bias heads\nd ssm_a heads\n" \
	"d ssm_norm.weight value\nd ssm_out.weight inner embd\n" \
	"an attn_q.weight embd 2q\nan attn_k.weight embd k\nan attn_v.weight embd k\n" \
	"an attn_output.weight q embd\n" HEAD_NORMS("an")
#define LFM2_TENSORS "- token_embd.weight embd vocab\n- token_embd_norm.weight embd\n" NORMS \
	"c shortconv.conv.weight 3 embd\nc shortconv.in_proj.weight embd 3embd\n" \
	"c shortconv.out_proj.weight embd embd\n" ATTENTION("a") HEAD_NORMS("a")
#define LATENT_KEYS LLAMA_KEYS YARN EXPERT_KEYS "u leading_dense_block_count dense\n" \
	"u attention.kv_lora_rank rank\nu attention.key_length_mla lkey\n" \
	"u attention.value_length_mla lvalue\nu vocab_size vocab\n"
#define LATENT_TENSORS EMBEDDING UNTIED NORMS "* attn_kv_a_norm.weight rank\n" \
	"* attn_kv_a_mqa.weight embd latent\n* attn_k_b.weight nope rank n_head\n" \
	"* attn_v_b.weight rank lvalue n_head\n* attn_output.weight lheads embd\n" FFN_OF("D")

const struct family_spec family_specs[] = {
	{"llama-yarn", "llama", .keys = LLAMA_KEYS YARN, .tensors = LLAMA_TENSORS UNTIED},
	{"llama-rope3", "llama", {.head_dim = 32}, .keys = ROPE("500000") RMS("1e-5"),
	 .tensors = LLAMA_TENSORS UNTIED ROPE_FREQS},
	{"mistral3", "mistral3", {.head_dim = 32}, .keys = LLAMA_KEYS YARN
	 "f rope.scaling.yarn_log_multiplier 1\nf attention.temperature_scale 0.1\n",
	 .tensors = LLAMA_TENSORS UNTIED},
	{"qwen2", "qwen2", .keys = ROPE("1e6") RMS("1e-5"), .tensors = LLAMA_TENSORS QKV_BIASES},
	{"qwen3", "qwen3", {.head_dim = 32}, .keys = ROPE("1e6") RMS("1e-6"), .tensors = QWEN3_TENSORS},
	{"hunyuan-dense", "hunyuan-dense", .keys = LLAMA_KEYS, .tensors = QWEN3_TENSORS},
	{"gemma2", "gemma2", {.head_dim = 32}, .keys = LLAMA_KEYS WINDOW
	 "f attn_logit_softcapping 50\nf final_logit_softcapping 30\n",
	 .tensors = LLAMA_TENSORS POST_NORMS},
	{"gemma3", "gemma3", {.n_layer = 7, .head_dim = 32, .n_head_kv = 1},
	 .keys = ROPE("1e6") RMS("1e-6") WINDOW "f rope.freq_base_swa 10000\n", .tensors = GEMMA3_TENSORS},
	{"gemma3-scaled", "gemma3", {.n_layer = 7, .head_dim = 32}, .keys = ROPE("1e6") RMS("1e-6") WINDOW
	 "s rope.scaling.type linear\nf rope.scaling.factor 8\n", .tensors = GEMMA3_TENSORS},
	{"gemma4", "gemma4", {.n_layer = 5, .head_dim = 32}, "wwwwa",
	 .keys = GEMMA4_KEYS "u embedding_length_per_layer_input 0\n", .tensors = GEMMA4_TENSORS},
	{"gemma4-e2b", "gemma4", {.n_layer = 10, .head_dim = 32, .n_head_kv = 1, .n_shared = 5}, "wwwwa",
	 .keys = GEMMA4_KEYS "u embedding_length_per_layer_input layer\n", .tensors = GEMMA4_TENSORS
	 LAYER_EMBEDDINGS},
	/* the reference takes 20 layers with keys, 10 sparse ones, embeddings of 256, whatever keys say */
	{"gemma3n", "gemma3n", {.n_layer = 22, .n_head_kv = 1, .n_ff = 96, .n_layer_embd = 256,
	                        .n_shared = 2},
	 .sensitive = true,
	 .keys = ROPE("1e6") RMS("1e-6") WINDOW "p attention.sliding_window_pattern 5\n"
	 "u embedding_length_per_layer_input 16\nu attention.shared_kv_layers shared\n"
	 "u altup.active_idx 0\nu altup.num_inputs 4\nt activation_sparsity_scale 5\n",
	 .tensors = GEMMA3_TENSORS LAYER_EMBEDDINGS ALTUP_TENSORS},
	{"phi2", "phi2", {.n_head_kv = 4}, .rope_quarters = 2, .keys = ROPE("10000") LAYER_NORM,
	 .tensors = EMBEDDING UNTIED "- output_norm.bias embd\n- output.bias vocab\n" ATTN_NORM
	 "* attn_norm.bias embd\n" ATTENTION("*") QKV_BIASES "* attn_output.bias embd\n" PLAIN_FFN FFN_BIASES},
	{"phi3", "phi3", {.n_ctx = 256}, .keys = PHI3_KEYS LONGROPE("256"),
	 .tensors = PHI3_TENSORS LONGROPE_TENSORS},
	{"phi3-long", "phi3", .keys = PHI3_KEYS LONGROPE("64"), .tensors = PHI3_TENSORS LONGROPE_TENSORS},
	{"phi4-mini", "phi3", .rope_quarters = 3, .keys = PHI3_KEYS, .tensors = PHI3_TENSORS},
	{"granite", "granite", .keys = GRANITE_KEYS "f logit_scale 8\nb rope.scaling.finetuned true\n",
	 .tensors = LLAMA_TENSORS UNTIED},
	{"smollm3", "smollm3", {.n_layer = 5}, .keys = ROPE("5e6") RMS("1e-5"), .tensors = LLAMA_TENSORS},
	{"seed_oss", "seed_oss", {.head_dim = 32}, .keys = LLAMA_KEYS, .tensors = EMBEDDING UNTIED ATTN_NORM
	 "* post_attention_norm.weight embd\n" ATTENTION("*") QKV_BIASES FFN},
	{"ernie4_5", "ernie4_5", .keys = ROPE("500000") RMS("1e-5"), .tensors = LLAMA_TENSORS},
	{"olmo2", "olmo2", .keys = ROPE("500000") RMS("1e-5"), .tensors = OLMO2_TENSORS},
	{"olmo3", "olmo2", .keys = ROPE("500000") RMS("1e-5") YARN WINDOW
	 "p attention.sliding_window_pattern 4\n", .tensors = OLMO2_TENSORS},
	{"exaone4", "exaone4", .keys = ROPE("1e6") RMS("1e-5"),
	 .tensors = EMBEDDING ATTENTION("*") HEAD_NORMS("*") POST_NORMS FFN},
	{"glm4", "glm4", .rope_quarters = 2, .keys = LLAMA_KEYS, .tensors = EMBEDDING UNTIED NORMS
	 ATTENTION("*") QKV_BIASES POST_NORMS FUSED_FFN},
	{"command-r", "command-r", .keys = ROPE("10000") LAYER_NORM "f logit_scale 0.25\n",
	 .tensors = EMBEDDING ATTN_NORM ATTENTION("*") FFN},
	{"cohere2", "cohere2", .keys = ROPE("10000") LAYER_NORM WINDOW "f logit_scale 0.25\n",
	 .tensors = EMBEDDING ATTN_NORM ATTENTION("*") FFN},
	{"bitnet", "bitnet", .keys = LLAMA_KEYS, .tensors = LLAMA_TENSORS
	 "* attn_sub_norm.weight q\n* ffn_sub_norm.weight ff\n"},
	{"stablelm", "stablelm", {.n_head_kv = 4}, .rope_quarters = 1, .keys = ROPE("10000") LAYER_NORM,
	 .tensors = LLAMA_TENSORS UNTIED "- output_norm.bias embd\n* attn_norm.bias embd\n* ffn_norm.bias embd\n"},
	{"starcoder2", "starcoder2", .keys = ROPE("10000") LAYER_NORM, .tensors = EMBEDDING
	 "- output_norm.bias embd\n" NORMS "* attn_norm.bias embd\n* ffn_norm.bias embd\n" ATTENTION("*")
	 QKV_BIASES "* attn_output.bias embd\n" PLAIN_FFN FFN_BIASES},
	{"qwen35", "qwen35", {.n_layer = 5}, "ddda", 2, QWEN35_KEYS, QWEN35_TENSORS FFN},
	{"qwen35-mtp", "qwen35", {.n_layer = 6, .n_behind = 1}, "ddda", 2,
	 QWEN35_KEYS "u nextn_predict_layers behind\n", QWEN35_TENSORS FFN
	 "n nextn.eh_proj.weight 2embd embd\nn nextn.enorm.weight embd\nn nextn.hnorm.weight embd\n"
	 "n nextn.shared_head_norm.weight embd\n"},
	{"lfm2", "lfm2", {.n_layer = 5}, "ccaca", .keys = LLAMA_KEYS "u shortconv.l_cache 3\n",
	 .tensors = LFM2_TENSORS FFN},
	{"granitehybrid", "granitehybrid", {.n_state_head = 8, .n_state_group = 1}, "mamm",
	 .keys = GRANITE_KEYS SSM_KEYS "f logit_scale 6\nb rope.scaling.finetuned false\n",
	 .tensors = EMBEDDING UNTIED NORMS FFN MAMBA("m") ATTENTION("a")},
	{"falcon-h1", "falcon-h1", {.n_state_group = 1}, .keys = LLAMA_KEYS SSM_KEYS,
	 .tensors = EMBEDDING UNTIED ATTN_NORM "* ffn_norm embd\n" MAMBA("*") ATTENTION("*") FFN},
	{"nemotron_h", "nemotron_h", {.n_ff = 96}, "mfam", .keys = RMS("1e-5") SSM_KEYS,
	 .tensors = EMBEDDING UNTIED ATTN_NORM MAMBA("m") ATTENTION("a")
	 "f ffn_up.weight embd ff\nf ffn_down.weight ff embd\n"},
	{"mixtral", "llama", {.n_expert_used = 2},
	 .keys = LLAMA_KEYS "u expert_count experts\nu expert_used_count used\n",
	 .tensors = ATTENTION_TENSORS UNTIED EXPERTS("ff")},
	{"mistral3-moe", "mistral3", {.head_dim = 32}, .keys = LLAMA_KEYS YARN EXPERT_KEYS
	 "f rope.scaling.yarn_log_multiplier 1\nf attention.temperature_scale 0.1\n",
	 .tensors = ATTENTION_TENSORS UNTIED EXPERTS("ff")},
	{"qwen2moe", "qwen2moe", {.n_shared_ff = 80}, .keys = LLAMA_KEYS EXPERT_KEYS
	 "u expert_shared_feed_forward_length sff\n",
	 .tensors = ATTENTION_TENSORS UNTIED QKV_BIASES EXPERTS("xff") SHARED_EXPERT SHARED_GATE},
	{"qwen3moe", "qwen3moe", {.head_dim = 32, .n_expert = 8}, .keys = ROPE("1e6") RMS("1e-6") EXPERT_KEYS,
	 .tensors = ATTENTION_TENSORS UNTIED HEAD_NORMS("*") EXPERTS("xff")},
	{"qwen35moe", "qwen35moe", {.n_expert = 8}, "ddda", 2,
	 QWEN35_KEYS EXPERT_KEYS "u expert_shared_feed_forward_length sff\n",
	 QWEN35_TENSORS FUSED_EXPERTS SHARED_EXPERT SHARED_GATE},
	{"qwen3next", "qwen3next", {.n_expert = 8}, "ddda", 2,
	 QWEN35_KEYS EXPERT_KEYS "u expert_shared_feed_forward_length sff\n", QWEN3NEXT_TENSORS
	 "d ssm_ba.weight embd 2heads\n" FUSED_EXPERTS SHARED_EXPERT SHARED_GATE},
	{"gpt-oss", "gpt-oss", {.head_dim = 32}, .keys = ROPE("150000") RMS("1e-5") YARN WINDOW EXPERT_KEYS,
	 .tensors = EMBEDDING UNTIED ATTN_NORM "* post_attention_norm.weight embd\n" ATTENTION("*")
	 QKV_BIASES "* attn_output.bias embd\n* attn_sinks.weight n_head\n" EXPERTS("xff")
	 "* ffn_gate_inp.bias experts\n* ffn_gate_exps.bias xff experts\n"
	 "* ffn_up_exps.bias xff experts\n* ffn_down_exps.bias embd experts\n"},
	{"gemma4-moe", "gemma4", {.n_layer = 5, .head_dim = 32, .n_expert = 8}, "wwwwa", .sensitive = true,
	 .keys = GEMMA4_KEYS "u embedding_length_per_layer_input 0\n" EXPERT_KEYS,
	 .tensors = GEMMA4_TENSORS FUSED_EXPERTS "* ffn_gate_inp.scale embd\n* ffn_down_exps.scale experts\n"
	 "* pre_ffw_norm_2.weight embd\n* post_ffw_norm_1.weight embd\n* post_ffw_norm_2.weight embd\n"},
	{"granitemoe", "granitemoe", {.n_shared_ff = 40}, .keys = GRANITE_KEYS "f logit_scale 6\n" EXPERT_KEYS
	 "u expert_shared_feed_forward_length sff\n",
	 .tensors = ATTENTION_TENSORS UNTIED EXPERTS("ff") SHARED_EXPERT},
	{"granitehybrid-moe", "granitehybrid", {.n_state_head = 8, .n_state_group = 1, .n_shared_ff = 40}, "mamm",
	 .keys = GRANITE_KEYS SSM_KEYS "f logit_scale 6\nb rope.scaling.finetuned false\n" EXPERT_KEYS
	 "u expert_shared_feed_forward_length sff\n",
	 .tensors = EMBEDDING UNTIED NORMS MAMBA("m") ATTENTION("a") EXPERTS("ff") SHARED_EXPERT},
	{"lfm2moe", "lfm2moe", {.n_layer = 5, .n_dense = 2}, "ccaca", .keys = LLAMA_KEYS EXPERT_KEYS
	 "u shortconv.l_cache 3\nu expert_gating_func 2\nu leading_dense_block_count dense\n",
	 .tensors = LFM2_TENSORS FFN_OF("D") EXPERTS("xff") EXPERTS_BIAS},
	{"olmoe", "olmoe", {.n_head_kv = 4}, .keys = LLAMA_KEYS "u expert_count experts\nu expert_used_count used\n",
	 .tensors = ATTENTION_TENSORS UNTIED ALL_HEADS_NORMS EXPERTS("ff")},
	{"phimoe", "phimoe", {.n_ctx = 256}, .keys = LLAMA_KEYS LONGROPE("256")
	 "u expert_count experts\nu expert_used_count used\n",
	 .tensors = ATTENTION_TENSORS UNTIED "- output_norm.bias embd\n- output.bias vocab\n"
	 "* attn_norm.bias embd\n* ffn_norm.bias embd\n" QKV_BIASES "* attn_output.bias embd\n"
	 LONGROPE_TENSORS EXPERTS("ff")},
	{"ernie4_5-moe", "ernie4_5-moe", {.n_dense = 1}, .keys = ROPE("500000") RMS("1e-5") EXPERT_KEYS
	 "u interleave_moe_layer_step 1\nu leading_dense_block_count dense\nu expert_shared_count 2\n"
	 "u expert_shared_feed_forward_length sff\n",
	 .tensors = ATTENTION_TENSORS FFN_OF("D") EXPERTS("xff") EXPERTS_BIAS SHARED_EXPERT},
	{"glm4moe", "glm4moe", {.n_layer = 5, .n_expert = 8, .n_dense = 1}, .rope_quarters = 2,
	 .keys = LLAMA_KEYS EXPERT_KEYS "u expert_shared_count 1\nu expert_gating_func 2\n"
	 "b expert_weights_norm true\nf expert_weights_scale 1.5\nu leading_dense_block_count dense\n"
	 "u nextn_predict_layers 0\n",
	 .tensors = EMBEDDING UNTIED ATTN_NORM "* post_attention_norm.weight embd\n" ATTENTION("*")
	 QKV_BIASES HEAD_NORMS("*") FFN_OF("D") EXPERTS("xff") EXPERTS_BIAS SHARED_EXPERT_OF("xff")},
	{"minimax-m2", "minimax-m2", {.n_expert = 8}, .rope_quarters = 2,
	 .keys = LLAMA_KEYS EXPERT_KEYS "u expert_gating_func 2\n",
	 .tensors = ATTENTION_TENSORS UNTIED ALL_HEADS_NORMS EXPERTS("ff") EXPERTS_BIAS},
	{"llama4", "llama4", {.head_dim = 32, .n_expert = 4, .n_expert_used = 1, .expert_step = 2},
	 .keys = ROPE("500000") RMS("1e-5") EXPERT_KEYS "u interleave_moe_layer_step step\n"
	 "u attention.sliding_window 32\nu attention.chunk_size 32\n",
	 .tensors = ATTENTION_TENSORS UNTIED ROPE_FREQS FFN_OF("D") EXPERTS("xff") SHARED_EXPERT_OF("xff")},
	{"deepseek2-lite", "deepseek2", {.n_embd = 32, .n_layer = 27, .n_ff = 64, .kv_rank = 32, .n_expert_used = 2,
	                                 .n_expert_ff = 32, .n_dense = 1},
	 .keys = LATENT_KEYS "u expert_shared_count 2\nf expert_weights_scale 1\n"
	 "f rope.scaling.yarn_log_multiplier 0.0707\n",
	 .tensors = LATENT_TENSORS "* attn_q.weight embd lq\n" FUSED_EXPERTS SHARED_EXPERT_OF("2xff")},
	{"deepseek3", "deepseek2", {.n_expert = 8, .kv_rank = 32, .n_dense = 1},
	 .keys = LATENT_KEYS "u expert_shared_count 1\nf expert_weights_scale 2.5\nb expert_weights_norm true\n"
	 "u expert_gating_func 2\nu expert_group_count 4\nu expert_group_used_count 2\n"
	 "u attention.q_lora_rank qrank\nf rope.scaling.yarn_log_multiplier 0.1\n",
	 .tensors = LATENT_TENSORS "* attn_q_a_norm.weight qrank\n* attn_q_a.weight embd qrank\n"
	 "* attn_q_b.weight qrank lq\n" FUSED_EXPERTS EXPERTS_BIAS SHARED_EXPERT_OF("xff")},
	{"nemotron_h_moe", "nemotron_h_moe", {.n_ff = 96}, "mfam", .keys = RMS("1e-5") SSM_KEYS EXPERT_KEYS
	 "u expert_shared_feed_forward_length sff\nu expert_gating_func 2\nb expert_weights_norm true\n"
	 "f expert_weights_scale 2.5\n",
	 .tensors = EMBEDDING UNTIED ATTN_NORM MAMBA("m") ATTENTION("a")
	 "f ffn_gate_inp.weight embd experts\nf exp_probs_b.bias experts\nf ffn_up_exps.weight embd xff experts\n"
	 "f ffn_down_exps.weight xff embd experts\nf ffn_up_shexp.weight embd sff\nf ffn_down_shexp.weight sff embd\n"},
	{.name = NULL},
};
