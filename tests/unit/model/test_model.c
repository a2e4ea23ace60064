#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "kernels/quant.h"
#include "model/family.h"
#include "model/forward.h"
#include "model/model.h"
#include "support/gguf_memory.h"
#include "support/tiny_model.h"

enum kind { U32, I32, F32, BOOL, STRING, I32S, F32S, GONE };

/* One key that is set, or taken away, before a sound model is opened. */
struct defect {
	const char *key;
	enum kind kind;
	double value;
	const char *text; /* STRING, or what STRING would be */
	enum status status;
	const char *message; /* part of the error */
};

static void set_key(struct gguf_writer *w, const struct defect *d)
{
	int32_t ints[3] = {0, 2, 2};
	float floats[2] = {(float)d->value, 1};

	switch (d->kind) {
	case U32:
		gguf_writer_set_u32(w, d->key, (uint32_t)d->value);
		break;
	case I32:
		gguf_writer_set_i32(w, d->key, (int32_t)d->value);
		break;
	case F32:
		gguf_writer_set_f32(w, d->key, (float)d->value);
		break;
	case BOOL:
		gguf_writer_set_bool(w, d->key, d->value > 0);
		break;
	case STRING:
		gguf_writer_set_string(w, d->key, d->text, strlen(d->text));
		break;
	case I32S: /* of as many items as `text` has letters */
		ints[0] = (int32_t)d->value;
		gguf_writer_set_i32s(w, d->key, ints, strlen(d->text));
		break;
	case F32S:
		gguf_writer_set_f32s(w, d->key, floats, 2);
		break;
	case GONE:
		break;
	}
}

/* Renames the key (or tensor) in the file's bytes. */
static void take_away(struct buf *file, const char *name)
{
	char *at = file->data, *end = file->data + file->len;

	do {
		at = memmem(at + 1, (size_t)(end - at - 1), name, strlen(name));
		cr_assert_not_null(at, "%s is not there to be taken away", name);
	} while (at[-1] != '\0'); /* the end of its length: it begins here */
	at[strlen(name) - 1] = '?';
}

static enum status try_open(struct gguf_writer *w, const char *gone, struct model **model,
                            struct buf *file, struct error *err)
{
	struct gguf *gguf;
	enum status status;

	buf_init(file, MIB(16));
	cr_assert_eq(gguf_writer_write(w, file, err), STATUS_OK, "%s", err->text);
	gguf_writer_free(w);
	if (gone)
		take_away(file, gone);
	cr_assert_eq(gguf_open_memory(&gguf, file->data, file->len, err), STATUS_OK, "%s",
	             err->text);
	status = model_open(model, gguf, NULL, err);
	if (status) {
		cr_assert_null(*model);
		gguf_close(gguf);
	}
	return status;
}

static void check_defect(const struct defect *d, const struct tiny_model *tiny)
{
	struct gguf_writer *w = tiny_model_writer(tiny);
	struct error err = {0};
	struct model *model;
	struct buf file;
	enum status status;

	cr_assert_not_null(w);
	set_key(w, d);
	status = try_open(w, d->kind == GONE ? d->key : NULL, &model, &file, &err);
	cr_expect_eq(status, d->status, "%s: found %d (%s), expected %d", d->key,
	             (int)status, err.text, (int)d->status);
	if (status && d->message)
		cr_expect(strstr(err.text, d->message), "%s: \"%s\" has no \"%s\"", d->key, err.text,
		          d->message);
	model_close(status ? NULL : model);
	buf_free(&file);
}

#define ARCH "general.architecture"
#define EPS "llama.attention.layer_norm_rms_epsilon"
#define HEADS "llama.attention.head_count"
#define HEADS_KV "llama.attention.head_count_kv"
#define SCALING "llama.rope.scaling."

/* The model: 2 layers, 16 wide, 4 heads, 2 KV heads, ff 32, context 64. */
static const struct defect defects[] = {
	{ARCH, STRING, 0, "mamba", STATUS_UNSUPPORTED, "\"mamba\" is not supported; supported are: llama"},
	{ARCH, STRING, 0, "gptoss", STATUS_UNSUPPORTED, "use ggml-org/gpt-oss-20b-GGUF"},
	{"general.type", STRING, 0, "adapter", STATUS_UNSUPPORTED, "a LoRA adapter"},
	{ARCH, STRING, 0, "controlvector", STATUS_UNSUPPORTED, "a control vector"},
	{"general.type", STRING, 0, "mmproj", STATUS_UNSUPPORTED, "(mmproj): name the model"},
	{"general.type", STRING, 0, "imatrix", STATUS_UNSUPPORTED, "an importance matrix"},
	{ARCH, STRING, 0, "clip", STATUS_UNSUPPORTED, "(mmproj)"},
	{ARCH, STRING, 0, "nomic-bert", STATUS_UNSUPPORTED, "an encoder"},
	{ARCH, STRING, 0, "bert", STATUS_UNSUPPORTED, "cannot answer: name a chat model"},
	{ARCH, STRING, 0, "t5encoder", STATUS_UNSUPPORTED, "cannot answer: name a chat model"},
	{ARCH, STRING, 0, "jina-bert-v2", STATUS_UNSUPPORTED, "cannot answer: name a chat model"},
	{ARCH, STRING, 0, "gemma-embedding", STATUS_UNSUPPORTED, "an encoder"},
	{ARCH, STRING, 0, "flux", STATUS_UNSUPPORTED, "makes pictures"},
	{ARCH, STRING, 0, "whisper", STATUS_UNSUPPORTED, "speaks or listens"},
	{ARCH, STRING, 0, "llada", STATUS_UNSUPPORTED, "by diffusion"},
	{ARCH, STRING, 0, "eagle3", STATUS_UNSUPPORTED, "guesses ahead"},
	{ARCH, STRING, 0, "", STATUS_UNSUPPORTED, "supported are: llama"},
	{ARCH, STRING, 0, "llama2", STATUS_UNSUPPORTED, "supported are: llama"},
	{ARCH, U32, 1, NULL, STATUS_FORMAT, ARCH},
	{ARCH, GONE, 0, NULL, STATUS_FORMAT, "'general.architecture' is missing"},

	{"llama.context_length", GONE, 0, NULL, STATUS_FORMAT, "'llama.context_length' is missing"},
	{"llama.context_length", U32, 0, NULL, STATUS_FORMAT, "found 0, expected 1 to"},
	{"llama.context_length", U32, 4294967295.0, NULL, STATUS_FORMAT, "expected 1 to"},
	{"llama.context_length", I32, -1, NULL, STATUS_FORMAT, "llama.context_length"},
	{"llama.context_length", F32, 64, NULL, STATUS_FORMAT, "found f32"},
	{"llama.context_length", STRING, 0, "64", STATUS_FORMAT, "found string"},

	{"llama.embedding_length", GONE, 0, NULL, STATUS_FORMAT, "missing"},
	{"llama.embedding_length", U32, 0, NULL, STATUS_FORMAT, "found 0, expected 1 to"},
	{"llama.embedding_length", U32, 20, NULL, STATUS_FORMAT, "expected 20x"},
	{"llama.embedding_length", U32, 17, NULL, STATUS_FORMAT, "divisor of the embedding length 17"},
	{"llama.embedding_length", U32, 1e8, NULL, STATUS_FORMAT, "expected 1 to"},
	{"llama.embedding_length", BOOL, 1, NULL, STATUS_FORMAT, "found bool"},

	{"llama.block_count", GONE, 0, NULL, STATUS_FORMAT, "missing"},
	{"llama.block_count", U32, 0, NULL, STATUS_FORMAT, "expected 1 to 1024"},
	{"llama.block_count", U32, 1025, NULL, STATUS_FORMAT, "expected 1 to 1024"},
	{"llama.block_count", U32, 3, NULL, STATUS_FORMAT, "'blk.2.attn_norm.weight' is missing"},
	{"llama.block_count", U32, 1, NULL, STATUS_UNSUPPORTED, "tensor 'blk.1."},
	{"llama.block_count", I32, -2, NULL, STATUS_FORMAT, "llama.block_count"},

	{"llama.feed_forward_length", GONE, 0, NULL, STATUS_FORMAT, "missing"},
	{"llama.feed_forward_length", U32, 0, NULL, STATUS_FORMAT, "found 0"},
	{"llama.feed_forward_length", U32, 33, NULL, STATUS_FORMAT,
	 "'blk.0.ffn_gate.weight': found shape 16x32x1x1, expected 16x33"},
	{"llama.feed_forward_length", I32S, 32, "abc", STATUS_FORMAT, "found an array of 3, expected one of 2"},
	{"llama.feed_forward_length", I32S, -32, "ab", STATUS_FORMAT, "found -32 for layer 0"},
	{"llama.feed_forward_length", F32S, 32, NULL, STATUS_FORMAT, "array of f32"},

	{HEADS, GONE, 0, NULL, STATUS_FORMAT, "missing"},
	{HEADS, U32, 0, NULL, STATUS_FORMAT, "found 0, expected 1 to"},
	{HEADS, U32, 1e6, NULL, STATUS_FORMAT, "expected 1 to"},
	{HEADS, U32, 3, NULL, STATUS_FORMAT, "expected a divisor of the 3 heads"},
	{HEADS, I32, -4, NULL, STATUS_FORMAT, HEADS},
	{HEADS, I32S, 4, "", STATUS_FORMAT, "array of 0"},
	{HEADS_KV, U32, 0, NULL, STATUS_FORMAT, "found 0"},
	{HEADS_KV, U32, 3, NULL, STATUS_FORMAT, "found 3, expected a divisor of the 4 heads"},
	{HEADS_KV, U32, 8, NULL, STATUS_FORMAT, "expected a divisor"},
	{HEADS_KV, U32, 1, NULL, STATUS_FORMAT, "'blk.0.attn_k.weight'"},
	{HEADS_KV, GONE, 0, NULL, STATUS_FORMAT, "'blk.0.attn_k.weight': found shape 16x8x1x1, expected 16x16"},

	{"llama.attention.key_length", U32, 0, NULL, STATUS_FORMAT, "expected 2 to 1024"},
	{"llama.attention.key_length", U32, 1025, NULL, STATUS_FORMAT, "expected 2 to 1024"},
	{"llama.attention.key_length", U32, 8, NULL, STATUS_FORMAT, "'blk.0.attn_q.weight'"},
	{"llama.attention.value_length", U32, 0, NULL, STATUS_FORMAT, "expected 1 to 1024"},
	{"llama.attention.value_length", U32, 8, NULL, STATUS_FORMAT, "'blk.0.attn_output.weight'"},
	{"llama.attention.causal", BOOL, 0, NULL, STATUS_UNSUPPORTED, "only causal"},
	{"llama.attention.causal", U32, 0, NULL, STATUS_FORMAT, "expected bool"},
	{"llama.attention.sliding_window", U32, 4294967295.0, NULL, STATUS_FORMAT, "expected 0 to"},
	{"llama.attention.sliding_window", I32, -1, NULL, STATUS_FORMAT, "sliding_window"},
	{"llama.attention.sliding_window", STRING, 0, "x", STATUS_FORMAT, "found string"},

	{EPS, GONE, 0, NULL, STATUS_FORMAT, "missing, expected a float"},
	{EPS, F32, 0, NULL, STATUS_FORMAT, "found 0, expected 1e-12 to 1"},
	{EPS, F32, 1e-12, NULL, STATUS_OK, NULL},
	{EPS, F32, -1e-5, NULL, STATUS_FORMAT, "expected 1"},
	{EPS, F32, 2, NULL, STATUS_FORMAT, "found 2, expected"},
	{EPS, F32, (double)NAN, NULL, STATUS_FORMAT, "nan"},
	{EPS, U32, 1, NULL, STATUS_FORMAT, "expected f32"},

	{"llama.rope.dimension_count", U32, 0, NULL, STATUS_FORMAT, "expected 2 to 4"},
	{"llama.rope.dimension_count", U32, 3, NULL, STATUS_FORMAT, "expected an even number"},
	{"llama.rope.dimension_count", U32, 6, NULL, STATUS_FORMAT, "expected 2 to 4"},
	{"llama.rope.freq_base", F32, 0, NULL, STATUS_FORMAT, "expected 1"},
	{"llama.rope.freq_base", F32, (double)INFINITY, NULL, STATUS_FORMAT, "found inf"},
	{"llama.rope.freq_base", U32, 10000, NULL, STATUS_FORMAT, "expected f32"},
	{SCALING "type", STRING, 0, "dynamic", STATUS_UNSUPPORTED, "found \"dynamic\", supported are none, linear, yarn"},
	{SCALING "original_context_length", U32, 0, NULL, STATUS_FORMAT, "found 0, expected 1 to"},
	{SCALING "attn_factor", F32, 0, NULL, STATUS_FORMAT, "expected 0.01 to 100"},
	{"llama.attention.scale", F32, -1, NULL, STATUS_OK, NULL}, /* not followed (differences.c) */
	{"llama.nextn_predict_layers", U32, 2, NULL, STATUS_OK, NULL}, /* nor is this */
	{SCALING "type", U32, 0, NULL, STATUS_FORMAT, "expected string"},
	{SCALING "factor", F32, -1, NULL, STATUS_FORMAT, "found -1, expected 0 to"},
	{SCALING "factor", F32, (double)NAN, NULL, STATUS_FORMAT, "nan"},
	{"llama.rope.scale_linear", F32, -1, NULL, STATUS_FORMAT, "found -1, expected 0 to"},

	{"llama.expert_count", U32, 8, NULL, STATUS_FORMAT, "'llama.expert_used_count' is missing"},
	{"llama.expert_count", I32, -1, NULL, STATUS_FORMAT, "expert_count"},

	{"tokenizer.ggml.tokens", I32S, 1, "ab", STATUS_FORMAT, "tokenizer.ggml.tokens"},
	{"tokenizer.ggml.tokens", U32, 1, NULL, STATUS_FORMAT, "tokenizer.ggml.tokens"},

	{"token_embd.weight", GONE, 0, NULL, STATUS_FORMAT, "'token_embd.weight' is missing"},
	{"output_norm.weight", GONE, 0, NULL, STATUS_FORMAT, "'output_norm.weight' is missing, expected shape 16x1"},
	{"output.weight", GONE, 0, NULL, STATUS_UNSUPPORTED, "'output.weigh?' has no place"},
	{"blk.1.ffn_down.weight", GONE, 0, NULL, STATUS_FORMAT, "'blk.1.ffn_down.weight' is missing, expected shape 32x16"},

	/* Sound, however unusual. */
	{"llama.context_length", U32, 1 << 20, NULL, STATUS_OK, NULL},
	{"llama.feed_forward_length", I32S, 32, "a", STATUS_FORMAT, "array of 1"},
	{"llama.rope.dimension_count", U32, 2, NULL, STATUS_OK, NULL},
	{"llama.rope.dimension_count", GONE, 0, NULL, STATUS_OK, NULL},
	{"llama.rope.freq_base", GONE, 0, NULL, STATUS_OK, NULL},
	{SCALING "type", STRING, 0, "none", STATUS_OK, NULL},
	{SCALING "factor", F32, 0, NULL, STATUS_OK, NULL},
	{"llama.rope.scale_linear", F32, 4, NULL, STATUS_OK, NULL},
	{"llama.expert_count", U32, 0, NULL, STATUS_OK, NULL},
	{"llama.attention.causal", BOOL, 1, NULL, STATUS_OK, NULL},
	{"llama.attention.sliding_window", U32, 0, NULL, STATUS_OK, NULL},
	{"llama.vocab_size", GONE, 0, NULL, STATUS_OK, NULL},
	{"tokenizer.ggml.tokens", GONE, 0, NULL, STATUS_OK, NULL},
};

Test(model, refuses_each_defect_by_name)
{
	struct tiny_model tiny = tiny_model_default();

	for (size_t i = 0; i < sizeof defects / sizeof defects[0]; i++)
		check_defect(&defects[i], &tiny);
}

static void add_vector(struct gguf_writer *w, const char *name, enum block_type type, uint64_t n)
{
	static const float values[64] = {1, -1};

	gguf_writer_add_tensor(w, name, type, 1, &n, values,
	                       (size_t)n / block_info(type)->n_elements * block_info(type)->n_bytes);
}

Test(model, refuses_tensors_that_it_cannot_use)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t n;
		enum status status;
		const char *message;
	} cases[] = {
		{"rope_freqs.weight", BLOCK_F32, 2, STATUS_FORMAT, "found -1 at 1, expected a positive"},
		{"rope_freqs.weight", BLOCK_F32, 3, STATUS_FORMAT, "found shape 3x1x1x1, expected 2x1"},
		{"rope_freqs.weight", 26, 2, STATUS_UNSUPPORTED, "block type I32 is not supported"},
		{"blk.0.attn_q.bias", BLOCK_F32, 15, STATUS_FORMAT, "found shape 15x1x1x1, expected 16x1"},
		{"blk.0.attn_q_norm.weight", BLOCK_F32, 4, STATUS_UNSUPPORTED, "has no place"},
		{"blk.2.attn_q.bias", BLOCK_F32, 16, STATUS_UNSUPPORTED, "has no place"},
		{"blk.00.attn_q.bias", BLOCK_F32, 16, STATUS_UNSUPPORTED, "has no place"},
		{"blk.99999999999999999999.attn_q.bias", BLOCK_F32, 16, STATUS_UNSUPPORTED, "has no place"},
		{"blk.", BLOCK_F32, 16, STATUS_UNSUPPORTED, "has no place"},
		{"extra", BLOCK_F32, 1, STATUS_UNSUPPORTED, "tensor 'extra' has no place"},
		{"blk.0.attn_rot_embd.weight", BLOCK_F32, 2, STATUS_OK, NULL},
		{"blk.1.attn_q.bias", BLOCK_F16, 16, STATUS_OK, NULL},
		{"blk.1.attn_q.scale", BLOCK_F32, 1, STATUS_OK, NULL},
		{"blk.1.attn_q.scale", BLOCK_F32, 2, STATUS_FORMAT, "found shape 2x1x1x1, expected 1x1"},
		{"blk.1.attn_q.input_scale", BLOCK_F32, 1, STATUS_OK, NULL},
		{"blk.1.attn_norm.bias", BLOCK_F32, 16, STATUS_UNSUPPORTED, "has no place"},
		{"v.patch_embd.weight", BLOCK_F32, 16, STATUS_OK, NULL},
		{"mm.0.weight", BLOCK_F32, 16, STATUS_OK, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tiny_model tiny = tiny_model_default();
		struct gguf_writer *w = tiny_model_writer(&tiny);
		struct error err = {0};
		struct model *model;
		struct buf file;
		enum status status;

		add_vector(w, cases[i].name, cases[i].type, cases[i].n);
		status = try_open(w, NULL, &model, &file, &err);
		cr_expect_eq(status, cases[i].status, "%s: %d (%s)", cases[i].name,
		             (int)status, err.text);
		if (status)
			cr_expect(strstr(err.text, cases[i].message), "%s: %s", cases[i].name, err.text);
		model_close(status ? NULL : model);
		buf_free(&file);
	}
}

/* The vocabulary's tokens and the embedding's rows have to agree. */
Test(model, refuses_an_embedding_of_another_vocabulary)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *w = tiny_model_writer(&tiny);
	static const char *const tokens[] = {"a", "b"};
	static const size_t lens[] = {1, 1};
	struct error err = {0};
	struct model *model;
	struct buf file;

	gguf_writer_set_strings(w, "tokenizer.ggml.tokens", tokens, lens, 2);
	cr_assert_eq(try_open(w, NULL, &model, &file, &err), STATUS_FORMAT);
	cr_assert(strstr(err.text, "'token_embd.weight'") && strstr(err.text, "expected 16x2"), "%s",
	          err.text);
	buf_free(&file);
}

struct progress {
	int calls, stop_at;
	float last;
};

static bool note_progress(void *ctx, float fraction)
{
	struct progress *progress = ctx;

	cr_assert(fraction >= progress->last && fraction <= 1);
	progress->last = fraction;
	return ++progress->calls != progress->stop_at;
}

static enum status open_noting(struct model **model, struct gguf *gguf, enum packing packing,
                               struct progress *progress, struct error *err)
{
	const struct model_load load = {.packing = packing, .progress = note_progress, .ctx = progress};

	return model_open(model, gguf, &load, err);
}

/* Of what is packed, and of what is read ahead. */
static void check_progress(const struct buf *file, enum packing packing)
{
	struct progress progress = {0}, stop = {.stop_at = 2};
	struct error err = {0};
	struct gguf *gguf;
	struct model *model;

	cr_assert_eq(gguf_open_memory(&gguf, file->data, file->len, &err), STATUS_OK);
	cr_assert_eq(open_noting(&model, gguf, packing, &stop, &err), STATUS_CANCELLED);
	cr_assert_eq(stop.calls, 2);
	cr_assert_eq(open_noting(&model, gguf, packing, &progress, &err), STATUS_OK);
	cr_assert_eq(progress.last, 1.0f);
	cr_assert(progress.calls > 2);
	model_close(model);
}

Test(model, tells_progress_and_stops_when_told)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err = {0};
	struct buf file = {.max = MIB(16)};

	cr_assert_eq(tiny_model_write(&tiny, &file, &err), STATUS_OK);
	for (enum packing packing = PACKING_AUTO; packing < PACKING_COUNT; packing++)
		check_progress(&file, packing);
	buf_free(&file);
}

Test(model, tells_what_it_is)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err = {0};
	struct model *model;
	struct buf file, names = {.max = KIB(1)};
	const struct plan *hp;
	uint64_t n_vocab;

	tiny.window = 7;
	tiny.rope_factor = 4;
	cr_assert_eq(try_open(tiny_model_writer(&tiny), NULL, &model, &file, &err), STATUS_OK);
	hp = model_plan(model);
	cr_assert(hp->n_embd == 16 && hp->n_layer == 2 && hp->n_ctx_train == 64);
	cr_assert(hp->layers[1].n_head == 4 && hp->layers[1].n_head_kv == 2 &&
	          hp->layers[1].n_ff == 32 && hp->layers[1].window == 7);
	cr_assert(hp->layers[1].head_dim_k == 4 && hp->layers[1].head_dim_v == 4 && hp->ropes[0].dim == 4);
	cr_assert_eq(hp->ropes[0].freq_scale, 0.25f);
	n_vocab = hp->n_vocab;
	cr_assert_eq(model_n_params(model), 2 * 16 * n_vocab + 16 +
	                                            2 * (16 + 2 * 256 + 2 * 128 + 16 + 3 * 512));
	/* Without the embedding, which is looked up in the file; matrices in units of 32 rows. */
	cr_assert_eq(model_weight_bytes(model), 4 * (16 * ((n_vocab + 31) / 32 * 32) + 16 +
	                                             2 * (16 + 4 * 512 + 16 + 2 * 512 + 1024)));
	cr_assert_eq(family_list(&names), STATUS_OK);
	cr_assert(strstr(buf_text(&names), "llama"));
	buf_free(&names);
	model_close(model);
	buf_free(&file);
}

Test(model, reads_patterns_of_windows)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *w;
	struct error err = {0};
	struct model *model;
	struct buf file;

	tiny.window = 5;
	tiny.n_layer = 7;
	w = tiny_model_writer(&tiny);
	gguf_writer_set_u32(w, "llama.attention.sliding_window_pattern", 3);
	cr_assert_eq(try_open(w, NULL, &model, &file, &err), STATUS_OK, "%s", err.text);
	for (size_t i = 0; i < 7; i++)
		cr_assert_eq(model_plan(model)->layers[i].window, i % 3 == 2 ? 0 : 5);
	model_close(model);
	buf_free(&file);
}

/* Each layer with its own number of heads, as some files of 2024 have it. */
Test(model, reads_hyper_parameters_by_layer)
{
	struct tiny_model tiny = tiny_model_default();
	static const int32_t heads[] = {4, 4}, heads_kv[] = {2, 2}, ff[] = {32, 32};
	static const int32_t wrong_ff[] = {32, 31};
	struct gguf_writer *w = tiny_model_writer(&tiny);
	struct error err = {0};
	struct model *model;
	struct buf file;

	gguf_writer_set_i32s(w, HEADS, heads, 2);
	gguf_writer_set_i32s(w, HEADS_KV, heads_kv, 2);
	gguf_writer_set_i32s(w, "llama.feed_forward_length", ff, 2);
	cr_assert_eq(try_open(w, NULL, &model, &file, &err), STATUS_OK, "%s", err.text);
	model_close(model);
	buf_free(&file);

	w = tiny_model_writer(&tiny);
	gguf_writer_set_i32s(w, "llama.feed_forward_length", wrong_ff, 2);
	cr_assert_eq(try_open(w, NULL, &model, &file, &err), STATUS_FORMAT);
	cr_assert(strstr(err.text, "'blk.1.ffn_gate.weight'"), "%s", err.text);
	buf_free(&file);
}

/* As llama.cpp resolves them (llama_context's constructor, rope_yarn of ggml), from the file's keys. */
Test(model, the_user_may_say_how_positions_are_rotated)
{
	static const struct {
		float file_factor; /* linear; 0: no key */
		struct rope_wish wish;
		float base, freq_scale, magnitude, yarn, low, high;
	} rows[] = {
		{0, {0}, 10000, 1, 1, 0, 0, 0},
		{0, {.base = 500000}, 500000, 1, 1, 0, 0, 0},
		{0, {.freq_scale = 0.25f}, 10000, 0.25f, 1, 0, 0, 0},
		{0, {.scaling = ROPE_SCALING_YARN, .freq_scale = 0.25f}, 10000, 0.25f, 1.1386294f, 1, 0, 1},
		{0, {.scaling = ROPE_SCALING_YARN, .freq_scale = 0.25f, .n_ctx_original = 32768}, 10000, 0.25f, 1.1386294f, 1, 1, 2},
		{0, {.scaling = ROPE_SCALING_YARN, .freq_scale = 0.25f, .has_extrapolation = true, .has_magnitude = true, .magnitude = 1.5f}, 10000, 0.25f, 1.5f, 0, 0, 1},
		{0, {.scaling = ROPE_SCALING_YARN, .freq_scale = 0.25f, .has_magnitude = true, .magnitude = 1.5f}, 10000, 0.25f, 1.1386294f, 1, 0, 1},
		{0, {.scaling = ROPE_SCALING_NONE, .freq_scale = 0.25f}, 10000, 1, 1, 0, 0, 0},
		{8, {0}, 10000, 0.125f, 1, 0, 0, 0},
		{8, {.scaling = ROPE_SCALING_NONE}, 10000, 1, 1, 0, 0, 0},
		{8, {.freq_scale = 0.5f}, 10000, 0.5f, 1, 0, 0, 0},
		{8, {.scaling = ROPE_SCALING_YARN}, 10000, 0.125f, 1.2079442f, 1, 0, 1},
		{8, {.scaling = ROPE_SCALING_YARN, .n_ctx_original = 32768, .has_beta_fast = true, .beta_fast = 4, .has_beta_slow = true, .beta_slow = 2}, 10000, 0.125f, 1.2079442f, 1, 1, 2},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct tiny_model tiny = tiny_model_smallest(TINY_SPM);
		struct gguf_writer *w = tiny_model_writer(&tiny);
		struct model_load load = {.rope = rows[i].wish};
		const struct rope_plan *rope;
		struct model *model;
		struct gguf *gguf;
		struct error err;
		struct buf file = {.max = MIB(4)};

		if (rows[i].file_factor > 0)
			gguf_writer_set_f32(w, "llama.rope.scaling.factor", rows[i].file_factor);
		cr_assert_eq(gguf_writer_write(w, &file, &err), STATUS_OK);
		gguf_writer_free(w);
		cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(model_open(&model, gguf, &load, &err), STATUS_OK, "%s", err.text);
		rope = &model_plan(model)->ropes[0];
		cr_expect_eq(rope->base, rows[i].base, "row %zu", i);
		cr_expect_float_eq(rope->freq_scale, rows[i].freq_scale, 1e-7, "row %zu: %g", i, (double)rope->freq_scale);
		cr_expect_float_eq(rope->magnitude, rows[i].magnitude, 1e-6, "row %zu: %g", i, (double)rope->magnitude);
		cr_expect_eq(rope->yarn, rows[i].yarn, "row %zu", i);
		cr_expect_eq(rope->low, rows[i].low, "row %zu: %g", i, (double)rope->low);
		cr_expect_eq(rope->high, rows[i].high, "row %zu: %g", i, (double)rope->high);
		model_close(model);
		buf_free(&file);
	}
}
