#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "kernels/matmul.h"
#include "model/model.h"
#include "model/work.h"
#include "support/family_model.h"
#include "support/gguf_memory.h"
#include "support/tiny_model.h"

static struct model_work work_of(const struct tiny_model *tiny)
{
	struct model_work work;
	struct gguf *gguf;
	struct buf file = {.max = MIB(16)};

	cr_assert_eq(tiny_model_write(tiny, &file, NULL), STATUS_OK);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, NULL), STATUS_OK);
	work = model_work_of(gguf, NULL);
	gguf_close(gguf);
	buf_free(&file);
	return work;
}

/* Two layers of 64: Q and O 64 x 64, K and V 32 x 64, three of 96 x 64; and
 * the output's matrix of n_vocab x 64. */
enum { LAYER = 2 * 64 * 64 + 2 * 32 * 64 + 3 * 96 * 64 };

static struct tiny_model shape(enum block_type type)
{
	struct tiny_model tiny = tiny_model_default();

	tiny.n_embd = 64;
	tiny.n_ff = 96;
	tiny.type = type;
	return tiny;
}

Test(work, is_that_of_the_matrices)
{
	struct tiny_model tiny = shape(BLOCK_F32);
	struct model_work work = work_of(&tiny);
	uint64_t n_vocab = work.output.f32_macs / 64;

	cr_assert_eq(work.layers.f32_macs, 2 * LAYER);
	cr_assert_eq(work.layers.int8_macs, 0);
	/* The norms, two a layer and the last one, are read, too. */
	cr_assert_eq(work.layers.bytes, 4 * (2 * LAYER + 5 * 64));
	cr_assert_gt(n_vocab, 256);
	cr_assert_eq(work.output.f32_macs, n_vocab * 64);
	cr_assert_eq(work.output.bytes, 4 * n_vocab * 64);
}

Test(work, of_a_shared_embedding_is_the_outputs)
{
	struct tiny_model tiny = shape(BLOCK_F32), tied = tiny;
	struct model_work a = work_of(&tiny), b;

	tied.tied = true;
	b = work_of(&tied);
	cr_assert_eq(a.layers.f32_macs, b.layers.f32_macs);
	cr_assert_eq(a.output.f32_macs, b.output.f32_macs);
	cr_assert_eq(a.output.bytes, b.output.bytes);
}

Test(work, with_eight_bits_is_done_in_integers)
{
	struct tiny_model q8 = shape(BLOCK_Q8_0), f16 = shape(BLOCK_F16), bf16 = shape(BLOCK_BF16);
	struct model_work work = work_of(&q8);

	cr_assert_eq(work.layers.int8_macs, 2 * LAYER);
	cr_assert_eq(work.layers.f32_macs, 0);
	cr_assert_eq(work.layers.bytes, 2 * LAYER / 32 * 34 + 4 * 5 * 64);
	work = work_of(&f16);
	cr_assert_eq(work.layers.int8_macs, 0);
	cr_assert_eq(work.layers.f32_macs, 2 * LAYER);
	cr_assert_eq(work.layers.bf16_macs, 0);
	work = work_of(&bf16);
	cr_assert_eq(work.layers.bf16_macs, 2 * LAYER);
	cr_assert_eq(work.layers.f32_macs, 0);
	cr_assert_eq(work.layers.int8_macs, 0);
}

/* What lies beside the text's tensors costs a token nothing, and neither does what is looked up. */
Test(work, leaves_out_what_text_does_not_need)
{
	static const struct {
		const char *name;
		bool is_in_file;
	} rows[] = {
		{"v.blk.0.attn_q.weight", false}, {"mm.0.weight", false}, {"a.conv1d.1.weight", false},
		{"blk.2.nextn.eh_proj.weight", false}, {"blk.2.ffn_up.weight", false},
		{"per_layer_token_embd.weight", true},
	};
	static const float values[64 * 32];
	const uint64_t ne[] = {64, 32};
	struct tiny_model tiny = shape(BLOCK_F32);
	struct model_work before = work_of(&tiny);
	struct plan plan = {.n_layer = 2, .n_blocks = 3};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gguf_writer *w = tiny_model_writer(&tiny);
		struct model_work work;
		struct gguf *gguf;
		struct buf file = {.max = MIB(16)};

		gguf_writer_add_tensor(w, rows[i].name, BLOCK_F32, 2, ne, values,
		                       sizeof values);
		cr_assert_eq(gguf_writer_write(w, &file, NULL), STATUS_OK);
		cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, NULL), STATUS_OK);
		work = model_work_of(gguf, &plan);
		cr_assert_eq(work.layers.bytes, before.layers.bytes, "%s", rows[i].name);
		cr_assert_eq(work.layers.f32_macs, before.layers.f32_macs);
		cr_assert_eq(work.memory, before.memory);
		cr_assert_eq(work.in_file - before.in_file, rows[i].is_in_file ? sizeof values : 0);
		cr_assert_eq(work.unused, rows[i].is_in_file ? 0 : sizeof values);
		gguf_close(gguf);
		buf_free(&file);
		gguf_writer_free(w);
	}
}

/* Of its experts a token takes some; their number and memory are of all. */
Test(work, of_experts_is_that_of_those_used)
{
	struct family_model made = family_model_of("qwen3moe");
	struct plan *plan = alloc_array(1, sizeof *plan);
	struct model_work work;
	struct gguf *gguf;
	struct buf file = {.max = MIB(64)};
	uint64_t experts = 0, n = 0, bytes = 0, params = 0;

	cr_assert_not_null(plan);
	cr_assert_eq(family_model_write(&made, &file, NULL), STATUS_OK);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, NULL), STATUS_OK);
	cr_assert_eq(model_check(plan, gguf, NULL), STATUS_OK);
	n = plan_experts(plan)->n;
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		params += gguf_tensor_n_elements(tensor);
		if (memmem(tensor->name.data, tensor->name.len, "_exps.", 6)) {
			struct matrix m = {.quant = quant_find(tensor->type), .cols = (size_t)tensor->ne[0],
			                   .rows = (size_t)tensor->ne[1]};

			experts += gguf_tensor_n_elements(tensor);
			bytes += matrix_panel_bytes(&m) * n;
		}
	}
	cr_assert(n > plan_experts(plan)->n_used && experts > 0);
	n -= plan_experts(plan)->n_used;
	work = model_work_of(gguf, plan);
	cr_assert_eq(work.active_params, params - experts / plan_experts(plan)->n * n);
	cr_assert_eq(work.token_memory, work.memory - bytes / plan_experts(plan)->n * n);
	gguf_close(gguf);
	buf_free(&file);
	free(plan);
}
