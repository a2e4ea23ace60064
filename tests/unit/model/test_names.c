/* The table of tensors' names, in both directions. */
#include <criterion/criterion.h>

#include <string.h>

#include "model/names.h"

Test(names, both_directions_agree)
{
	static const struct {
		const char *architecture, *checkpoint, *gguf;
	} rows[] = {
		{"llama", "model.embed_tokens.weight", "token_embd.weight"},
		{"llama", "lm_head.weight", "output.weight"},
		{"llama", "model.layers.0.self_attn.q_proj.bias", "blk.0.attn_q.bias"},
		{"llama", "model.layers.127.post_attention_layernorm.weight", "blk.127.ffn_norm.weight"},
		{"gemma3", "model.layers.1.post_attention_layernorm.weight", "blk.1.post_attention_norm.weight"},
		{"gemma3", "model.layers.1.pre_feedforward_layernorm.weight", "blk.1.ffn_norm.weight"},
		{"qwen35", "model.layers.2.linear_attn.A_log", "blk.2.ssm_a"},
		{"qwen35", "model.layers.2.linear_attn.dt_bias", "blk.2.ssm_dt.bias"},
		{"gemma4", "model.layers.3.layer_scalar", "blk.3.layer_output_scale.weight"},
		{"gpt-oss", "model.layers.4.self_attn.sinks", "blk.4.attn_sinks.weight"},
		{"lfm2", "model.embedding_norm.weight", "token_embd_norm.weight"},
		{"phi3", "model.layers.0.mlp.gate_up_proj.weight", "blk.0.ffn_up.weight"},
	};
	struct tensor_name name;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		cr_assert(names_to_gguf(rows[i].architecture, rows[i].checkpoint, &name), "%s", rows[i].checkpoint);
		cr_assert_str_eq(name.text, rows[i].gguf);
		cr_assert(names_to_checkpoint(rows[i].architecture, rows[i].gguf, NAMES_NONE, &name), "%s",
		          rows[i].gguf);
		cr_assert_str_eq(name.text, rows[i].checkpoint);
	}
}

Test(names, single_experts_have_the_name_of_all)
{
	struct tensor_name name;

	cr_assert(names_to_gguf("qwen3moe", "model.layers.12.mlp.experts.34.up_proj.weight", &name));
	cr_assert_str_eq(name.text, "blk.12.ffn_up_exps.weight");
	cr_assert(name.layer == 12 && name.expert == 34);
	cr_assert(names_to_checkpoint("qwen3moe", "blk.12.ffn_up_exps.weight", 34, &name));
	cr_assert_str_eq(name.text, "model.layers.12.mlp.experts.34.up_proj.weight");
	cr_assert_eq(names_of_experts("qwen3moe"), 3);
	cr_assert_eq(names_of_experts("qwen3"), 0);
	cr_assert(names_expert_at("llama", 1, 7, &name)); /* w2, as the reference has it */
	cr_assert_str_eq(name.text, "blk.7.ffn_down_exps.weight");
	cr_assert_not(names_expert_at("llama", 3, 7, &name));
}

Test(names, what_is_not_in_the_table_has_no_name)
{
	static const char *const names[] = {
		"", "model", "model.embed_tokens", "model.embed_tokens.scale", "model.layers.0.self_attn.q_proj",
		"model.layers.x.self_attn.q_proj.weight", "model.layers.00.self_attn.q_proj.weight",
		"model.layers.-1.self_attn.q_proj.weight", "model.layers.1234567.self_attn.q_proj.weight",
		"model.layers.0.self_attn.q_proj.weight.weight", "model.layers.0.linear_attn.A_log",
	};
	struct tensor_name name;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		cr_assert_not(names_to_gguf("llama", names[i], &name), "%s", names[i]);
	cr_assert_not(names_to_gguf("falcon", "lm_head.weight", &name));
	cr_assert_not(names_to_checkpoint("falcon", "output.weight", 0, &name));
	cr_assert_not(names_to_gguf("qwen35", "model.layers.2.linear_attn.A_log.weight", &name));
}

/* All but one. */
static bool has_others(void *ctx, const char *name)
{
	return strcmp(ctx, name) != 0;
}

/* Layers 0 and 2 have attention, layer 1 the recurrent mixer. */
static bool has_of_hybrid(void *ctx, const char *name)
{
	bool is_recurrent = strstr(name, "ssm_") || strstr(name, "attn_qkv") || strstr(name, "attn_gate");
	bool is_attention = strstr(name, "attn_q.") || strstr(name, "attn_k") || strstr(name, "attn_v") ||
	                    strstr(name, "attn_output") || strstr(name, "attn_q_norm");

	if (!has_others(ctx, name))
		return false;
	return strstr(name, "blk.1.") ? !is_attention : !is_recurrent;
}

Test(names, what_is_missing_is_found)
{
	static const char *const needed[] = {"token_embd.weight", "blk.2.attn_v.weight", "blk.1.ssm_a",
	                                     "blk.0.ffn_down.weight", "blk.2.post_attention_norm.weight"};
	struct tensor_name missing;

	cr_assert(names_complete("qwen35", 3, has_of_hybrid, (void *)(uintptr_t)"nothing", &missing));
	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
		cr_assert_not(names_complete("qwen35", 3, has_of_hybrid, (void *)(uintptr_t)needed[i], &missing), "%s",
		              needed[i]);
		cr_assert_str_eq(missing.text, needed[i]);
	}
	cr_assert(names_complete("llama", 3, has_others, (void *)(uintptr_t) "output.weight",
	                         &missing)); /* it may be the embedding */
}
