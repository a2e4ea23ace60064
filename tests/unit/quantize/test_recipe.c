/* Which tensor gets which type, on headers of made-up models. What is expected
 * was written down from llama.cpp's own quantiser. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/writer.h"
#include "quantize/recipe.h"
#include "support/gguf_memory.h"

enum { MAX_TENSORS = 1000 };

struct shape {
	const char *arch;
	uint32_t n_layer, n_head, n_head_kv, n_expert;
	uint64_t row; /* length of every row but where another is said */
	uint64_t down_row; /* 0: as the others */
	bool tied;
};

static const float weights[4096 * 8];
static struct buf file;
static struct gguf *gguf;
static uint32_t types[MAX_TENSORS];
static size_t n_fallbacks;
static struct error err;

static void add(struct gguf_writer *w, const char *name, uint64_t row, uint64_t rows)
{
	uint64_t ne[2] = {row, rows};

	gguf_writer_add_tensor(w, name, BLOCK_F32, rows ? 2 : 1, ne, weights,
	                       (size_t)(row * (rows ? rows : 1)) * sizeof(float));
}

/* A matrix for each of two experts. */
static void add_stack(struct gguf_writer *w, const char *name, uint64_t row)
{
	uint64_t ne[3] = {row, 4, 2};

	gguf_writer_add_tensor(w, name, BLOCK_F32, 3, ne, weights, (size_t)row * 8 * sizeof(float));
}

/* What a layer with experts has besides their ffn_down. */
static void add_experts(struct gguf_writer *w, uint32_t layer, uint64_t row)
{
	static const char *const stacks[] = {"ffn_gate_exps", "ffn_up_exps"};
	char name[64];

	for (size_t i = 0; i < 2; i++) {
		snprintf(name, sizeof name, "blk.%u.%s.weight", layer, stacks[i]);
		add_stack(w, name, row);
		snprintf(name, sizeof name, "blk.%u.%s.bias", layer, stacks[i]);
		add(w, name, 4, 2);
	}
	snprintf(name, sizeof name, "blk.%u.ffn_gate_inp.weight", layer);
	add(w, name, row, 4);
	snprintf(name, sizeof name, "blk.%u.ffn_down_shexp.weight", layer);
	add(w, name, row, 4);
}

static void make(const struct shape *shape)
{
	static const char *const matrices[] = {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate",
	                                       "ffn_up"};
	struct gguf_writer *w = gguf_writer_create();
	char key[64];

	gguf_writer_set_string(w, "general.architecture", shape->arch, strlen(shape->arch));
	snprintf(key, sizeof key, "%s.block_count", shape->arch);
	gguf_writer_set_u32(w, key, shape->n_layer);
	snprintf(key, sizeof key, "%s.attention.head_count", shape->arch);
	gguf_writer_set_u32(w, key, shape->n_head);
	snprintf(key, sizeof key, "%s.attention.head_count_kv", shape->arch);
	gguf_writer_set_u32(w, key, shape->n_head_kv);
	snprintf(key, sizeof key, "%s.expert_count", shape->arch);
	if (shape->n_expert)
		gguf_writer_set_u32(w, key, shape->n_expert);
	add(w, "token_embd.weight", shape->row, 4);
	/* The last layer first: the order of the file has no say. */
	for (uint32_t layer = shape->n_layer; layer-- > 0;) {
		char name[64];

		snprintf(name, sizeof name, "blk.%u.attn_norm.weight", layer);
		add(w, name, shape->row, 0);
		snprintf(name, sizeof name, "blk.%u.attn_q.bias", layer);
		add(w, name, shape->row, 0);
		for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
			snprintf(name, sizeof name, "blk.%u.%s.weight", layer, matrices[i]);
			add(w, name, shape->row, 4);
		}
		snprintf(name, sizeof name, shape->n_expert ? "blk.%u.ffn_down_exps.weight"
		                                            : "blk.%u.ffn_down.weight", layer);
		if (shape->n_expert)
			add_stack(w, name, shape->down_row ? shape->down_row : shape->row);
		else
			add(w, name, shape->down_row ? shape->down_row : shape->row, 4);
		if (shape->n_expert)
			add_experts(w, layer, shape->row);
	}
	if (!shape->tied)
		add(w, "output.weight", shape->row, 4);
	buf_init(&file, MIB(64));
	cr_assert_eq(gguf_writer_write(w, &file, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
}

static void forget(void)
{
	gguf_close(gguf);
	gguf = NULL;
	buf_free(&file);
}

static void plan(const char *recipe, bool pure)
{
	cr_assert_not_null(recipe_find(recipe));
	cr_assert_eq(recipe_plan(recipe_find(recipe), pure, gguf, types, &n_fallbacks, &err),
	             STATUS_OK, "%s", err.text);
}

static const char *type_of(const char *name)
{
	const struct gguf_tensor *tensor = gguf_find_tensor(gguf, name);

	cr_assert_not_null(tensor, "%s", name);
	return block_info(types[tensor - gguf_tensor_at(gguf, 0)])->name;
}

static const char *layer_type(size_t layer, const char *part)
{
	char name[64];

	snprintf(name, sizeof name, "blk.%zu.%s", layer, part);
	return type_of(name);
}

/* The layers, one letter each, whose tensor has not the recipe's own type. */
static const char *better_layers(const char *recipe, const char *part, size_t n_layer)
{
	static char text[128];

	plan(recipe, false);
	memset(text, 0, sizeof text);
	for (size_t layer = 0; layer < n_layer; layer++) {
		const char *name = layer_type(layer, part);
		const char *own = block_info(recipe_find(recipe)->type)->name;

		text[layer] = strcmp(name, own) == 0 ? '.' : name[1];
	}
	return text;
}

static const struct shape llama = {.arch = "llama", .n_layer = 22, .n_head = 32, .n_head_kv = 4,
                                   .row = 256};
static const struct shape plain = {.arch = "llama", .n_layer = 32, .n_head = 8, .n_head_kv = 8,
                                   .row = 256};

Test(quantize_recipe, names)
{
	cr_assert_str_eq(recipe_find("q4_k_m")->name, "Q4_K_M");
	cr_assert_str_eq(recipe_find("Q4_K")->name, "Q4_K_M");
	cr_assert_str_eq(recipe_find("iq4_xs")->name, "IQ4_XS");
	cr_assert_null(recipe_find("Q4"));
	cr_assert_null(recipe_find(""));
	cr_assert_str_eq(recipe_nearest("q4_km"), "Q4_K_M");
	cr_assert_str_eq(recipe_nearest("Q8"), "Q8_0");
	cr_assert_null(recipe_nearest("a long name that is no type of any kind, ever, by any means"));
	for (size_t i = 0; i < n_recipes; i++) {
		cr_expect_eq(recipe_find(recipes[i].name), &recipes[i]);
		for (size_t j = 0; j < i; j++)
			cr_expect_neq(recipes[i].file_type, recipes[j].file_type);
	}
	cr_assert_eq(n_recipes, 20);
}

Test(quantize_recipe, layers_that_get_more)
{
	make(&llama);
	cr_expect_str_eq(better_layers("Q4_K_M", "attn_v.weight", 22), "66..6..6..6..6..6..666");
	cr_expect_str_eq(better_layers("Q4_K_M", "ffn_down.weight", 22), "66..6..6..6..6..6..666");
	cr_expect_str_eq(better_layers("Q5_K_M", "ffn_down.weight", 22), "66..6..6..6..6..6..666");
	cr_expect_str_eq(better_layers("Q4_K_S", "attn_v.weight", 22), "5555..................");
	cr_expect_str_eq(better_layers("Q4_K_S", "ffn_down.weight", 22), "55....................");
	cr_expect_str_eq(better_layers("Q3_K_M", "attn_v.weight", 22), "5544444444444444444444");
	cr_expect_str_eq(better_layers("Q3_K_M", "ffn_down.weight", 22), "5444444444444444444444");
	cr_expect_str_eq(better_layers("Q3_K_M", "attn_output.weight", 22), "4444444444444444444444");
	cr_expect_str_eq(better_layers("Q3_K_L", "attn_output.weight", 22), "5555555555555555555555");
	cr_expect_str_eq(better_layers("Q3_K_S", "attn_v.weight", 22), "......................");
	cr_expect_str_eq(better_layers("Q2_K", "attn_v.weight", 22), "4444444444444444444444");
	cr_expect_str_eq(better_layers("Q2_K", "ffn_down.weight", 22), "3333333333333333333333");
	cr_expect_str_eq(better_layers("IQ4_XS", "attn_v.weight", 22), "5555555555555555555555");
	cr_expect_str_eq(better_layers("IQ4_NL", "ffn_down.weight", 22), "55....................");
	cr_expect_str_eq(better_layers("Q5_K_S", "ffn_down.weight", 22), "......................");
	cr_expect_str_eq(better_layers("Q6_K", "attn_v.weight", 22), "......................");
	cr_expect_str_eq(better_layers("Q4_0", "attn_v.weight", 22), "......................");
	cr_expect_str_eq(better_layers("Q4_K_M", "attn_q.weight", 22), "......................");
	forget();
}

Test(quantize_recipe, fewer_query_heads_for_each_kv_head)
{
	make(&plain);
	cr_expect_str_eq(better_layers("Q2_K", "attn_v.weight", 32), "33333333333333333333333333333333");
	cr_expect_str_eq(better_layers("IQ4_XS", "attn_v.weight", 32), "................................");
	cr_expect_str_eq(better_layers("Q4_K_M", "ffn_down.weight", 32), "6666..6..6..6..6..6..6..6..66666");
	forget();
}

Test(quantize_recipe, output_and_embeddings)
{
	struct shape tied = llama;

	make(&llama);
	plan("Q4_K_M", false);
	cr_expect_str_eq(type_of("output.weight"), "Q6_K");
	cr_expect_str_eq(type_of("token_embd.weight"), "Q4_K");
	plan("Q8_0", false);
	cr_expect_str_eq(type_of("output.weight"), "Q8_0");
	plan("Q2_K", true);
	cr_expect_str_eq(type_of("output.weight"), "Q2_K");
	cr_expect_str_eq(layer_type(0, "ffn_down.weight"), "Q2_K");
	plan("BF16", false);
	cr_expect_str_eq(type_of("output.weight"), "BF16");
	forget();
	tied.tied = true;
	make(&tied);
	plan("Q4_0", false);
	cr_expect_str_eq(type_of("token_embd.weight"), "Q6_K");
	plan("Q4_0", true);
	cr_expect_str_eq(type_of("token_embd.weight"), "Q4_0");
	forget();
}

Test(quantize_recipe, what_is_kept)
{
	make(&llama);
	for (size_t i = 0; i < n_recipes; i++) {
		plan(recipes[i].name, i % 2);
		cr_expect_str_eq(layer_type(3, "attn_norm.weight"), "F32");
		cr_expect_str_eq(layer_type(3, "attn_q.bias"), "F32");
		cr_expect_eq(n_fallbacks, 0);
	}
	forget();
}

Test(quantize_recipe, rows_that_are_no_whole_blocks)
{
	static const struct {
		const char *recipe, *narrow, *odd;
	} rows[] = {
		{"Q2_K", "Q4_0", "F16"},   {"Q3_K_S", "Q4_0", "F16"}, {"Q4_K_S", "Q5_0", "F16"},
		{"Q5_K_S", "Q5_1", "F16"}, {"Q6_K", "Q8_0", "F16"},   {"IQ4_XS", "IQ4_NL", "F16"},
		{"Q4_0", "Q4_0", "F16"},   {"Q8_0", "Q8_0", "F16"},   {"F16", "F16", "F16"},
		{"F32", "F32", "F32"},     {"BF16", "BF16", "BF16"},
	};
	struct shape narrow = llama, odd = llama;

	narrow.row = 96;
	odd.row = 100;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		make(&narrow);
		plan(rows[i].recipe, false);
		cr_expect_str_eq(layer_type(9, "attn_q.weight"), rows[i].narrow);
		forget();
		make(&odd);
		plan(rows[i].recipe, false);
		cr_expect_str_eq(layer_type(9, "attn_q.weight"), rows[i].odd);
		forget();
	}
	make(&narrow);
	plan("Q4_K_M", false);
	cr_expect_str_eq(type_of("output.weight"), "Q8_0");
	cr_expect_str_eq(layer_type(0, "attn_v.weight"), "Q8_0");
	cr_expect_eq(n_fallbacks, 1 + 22 * 7);
	forget();
}

Test(quantize_recipe, experts)
{
	struct shape experts = llama;

	experts.n_expert = 8;
	make(&experts);
	plan("Q4_K_M", false);
	cr_expect_str_eq(layer_type(2, "attn_v.weight"), "Q8_0");
	cr_expect_str_eq(layer_type(2, "attn_k.weight"), "Q8_0");
	cr_expect_str_eq(layer_type(2, "attn_output.weight"), "Q5_K");
	cr_expect_str_eq(layer_type(2, "ffn_down_exps.weight"), "Q4_K");
	cr_expect_str_eq(layer_type(4, "ffn_down_exps.weight"), "Q6_K");
	cr_expect_str_eq(layer_type(2, "ffn_down_shexp.weight"), "Q4_K");
	cr_expect_str_eq(layer_type(4, "ffn_down_shexp.weight"), "Q6_K");
	cr_expect_str_eq(layer_type(2, "ffn_up_exps.weight"), "Q4_K");
	cr_expect_str_eq(layer_type(2, "ffn_gate_inp.weight"), "F32");
	cr_expect_str_eq(layer_type(2, "ffn_up_exps.bias"), "F32");
	plan("IQ4_XS", false);
	cr_expect_str_eq(layer_type(1, "ffn_down_exps.weight"), "Q5_K");
	cr_expect_str_eq(layer_type(2, "ffn_down_exps.weight"), "IQ4_XS");
	plan("Q3_K_L", false);
	cr_expect_str_eq(layer_type(2, "attn_output.weight"), "Q3_K");
	forget();
	experts.n_expert = 4;
	make(&experts);
	plan("Q4_K_M", false);
	cr_expect_str_eq(layer_type(2, "attn_k.weight"), "Q4_K");
	forget();
}

/* Whatever stands behind them: in llama.cpp these are MXFP4_MOE's only rules. */
Test(quantize_recipe, mxfp4_is_for_stacks_of_experts_alone)
{
	struct shape experts = llama;

	experts.n_expert = 8;
	make(&experts);
	plan("MXFP4_MOE", false);
	for (size_t layer = 0; layer < 22; layer++) {
		cr_expect_str_eq(layer_type(layer, "ffn_gate_exps.weight"), "MXFP4");
		cr_expect_str_eq(layer_type(layer, "ffn_up_exps.weight"), "MXFP4");
		cr_expect_str_eq(layer_type(layer, "ffn_down_exps.weight"), "MXFP4");
		cr_expect_str_eq(layer_type(layer, "ffn_down_shexp.weight"), "Q8_0");
		cr_expect_str_eq(layer_type(layer, "attn_v.weight"), "Q8_0");
		cr_expect_str_eq(layer_type(layer, "attn_output.weight"), "Q8_0");
		cr_expect_str_eq(layer_type(layer, "ffn_gate_inp.weight"), "F32");
		cr_expect_str_eq(layer_type(layer, "ffn_gate_exps.bias"), "F32");
	}
	cr_expect_str_eq(type_of("output.weight"), "Q8_0");
	cr_expect_str_eq(type_of("token_embd.weight"), "Q8_0");
	plan("MXFP4", true);
	cr_expect_str_eq(layer_type(0, "attn_q.weight"), "MXFP4");
	cr_expect_str_eq(type_of("output.weight"), "MXFP4");
	forget();
	make(&llama);
	plan("MXFP4_MOE", false);
	cr_expect_str_eq(layer_type(5, "ffn_down.weight"), "Q8_0");
	forget();
}

Test(quantize_recipe, seventy_billion)
{
	struct shape large = llama;

	large.n_layer = 60;
	make(&large);
	plan("Q4_K_S", false);
	cr_expect_str_eq(layer_type(59, "attn_v.weight"), "Q4_K");
	forget();
	large.n_layer = 80;
	large.tied = true;
	large.n_head = large.n_head_kv;
	make(&large);
	plan("Q4_K_S", false);
	cr_expect_str_eq(layer_type(79, "attn_v.weight"), "Q4_K");
	forget();
	large.n_head = 32;
	make(&large);
	plan("Q4_K_S", false);
	cr_expect_str_eq(layer_type(79, "attn_v.weight"), "Q5_K");
	forget();
}

Test(quantize_recipe, a_file_that_is_no_model)
{
	struct gguf_writer *w = gguf_writer_create();

	add(w, "x.weight", 256, 2);
	buf_init(&file, MIB(1));
	cr_assert_eq(gguf_writer_write(w, &file, &err), STATUS_OK);
	gguf_writer_free(w);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK);
	cr_assert_eq(recipe_plan(recipe_find("Q4_0"), false, gguf, types, &n_fallbacks, &err),
	             STATUS_FORMAT);
	cr_assert_not_null(strstr(err.text, "general.architecture"));
	forget();
}
