#include "gguf/writer.h"
#include "support/tiny_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "support/random.h"
#include "support/random_blocks.h"

enum {
	MAX_TOKENS = 512,
	TOKEN_TEXT = 20, /* bytes, with a NUL */
	POOL = 1 << 18,  /* weights that all tensors are parts of */
};

enum { NORMAL = 1, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE }; /* tokenizer.ggml.token_type */

struct vocab {
	char text[MAX_TOKENS][TOKEN_TEXT];
	float scores[MAX_TOKENS];
	int32_t types[MAX_TOKENS];
	size_t n;
};

struct tiny_model tiny_model_default(void)
{
	return (struct tiny_model){.vocab = TINY_SPM, .all_bytes = true, .n_embd = 16, .n_layer = 2,
	                           .n_head = 4, .n_head_kv = 2, .n_ff = 32, .n_ctx = 64, .seed = 1};
}

struct tiny_model tiny_model_smallest(enum tiny_vocab vocab)
{
	return (struct tiny_model){.vocab = vocab, .n_embd = 8, .n_layer = 1, .n_head = 2,
	                           .n_head_kv = 1, .n_ff = 8, .n_ctx = 16, .seed = 2};
}

static void add_token(struct vocab *vocab, const char *text, float score, int32_t type)
{
	snprintf(vocab->text[vocab->n], TOKEN_TEXT, "%s", text);
	vocab->scores[vocab->n] = score;
	vocab->types[vocab->n] = type;
	vocab->n++;
}

static void make_spm(struct vocab *vocab, bool all_bytes)
{
	/* Pieces in the order of their scores, as SentencePiece has them. */
	static const char *const pieces[] = {"▁t", "he", "▁the", "an", "in", "▁a", "nd", "▁and", "er", "on"};
	static const char *const small[] = {"▁", "a", "b", "h", "e", "n", "t"};
	char text[TOKEN_TEXT];

	add_token(vocab, "<unk>", 0, UNKNOWN);
	add_token(vocab, "<s>", 0, CONTROL);
	add_token(vocab, "</s>", 0, CONTROL);
	for (int byte = 0; byte < (all_bytes ? 256 : 4); byte++) {
		snprintf(text, sizeof text, "<0x%02X>", (unsigned)byte);
		add_token(vocab, text, 0, BYTE);
	}
	for (size_t i = 0; i < (all_bytes ? sizeof pieces / sizeof *pieces : 3); i++)
		add_token(vocab, pieces[i], -(float)i, NORMAL);
	if (!all_bytes) {
		for (size_t i = 0; i < sizeof small / sizeof *small; i++)
			add_token(vocab, small[i], -20 - (float)i, NORMAL);
		return;
	}
	add_token(vocab, "▁", -20, NORMAL);
	for (char letter = 'a'; letter <= 'z'; letter++)
		add_token(vocab, (char[]){letter, '\0'}, -21 - (float)(letter - 'a'), NORMAL);
	add_token(vocab, "é", -50, NORMAL);
	add_token(vocab, "日", -51, NORMAL);
	add_token(vocab, "<|user|>", 0, USER_DEFINED);
}

/* GPT-2's printable stand-in for a byte (the vocabulary's own alphabet). */
static uint32_t byte_letter(unsigned byte)
{
	uint32_t next = 256;

	for (unsigned b = 0; b <= byte; b++) {
		bool printable = (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;

		if (b == byte)
			return printable ? byte : next;
		next += !printable;
	}
	return next;
}

static const char *const merges[] = {"Ġ t", "h e", "Ġt he", "a n", "i n", "Ġ a", "n d", "Ġa nd"};
static const char *const merged[] = {"Ġt", "he", "Ġthe", "an", "in", "Ġa", "nd", "Ġand"};
enum { N_MERGES = 8, N_SMALL_MERGES = 3 };

static void make_bpe(struct vocab *vocab, bool all_bytes)
{
	static const char small[] = " abdehint";
	char text[TOKEN_TEXT] = {0};

	for (unsigned i = 0; i < (all_bytes ? 256u : sizeof small - 1); i++) {
		uint32_t letter = byte_letter(all_bytes ? i : (unsigned char)small[i]);
		size_t n = utf8_encode(letter, text);

		text[n] = '\0';
		add_token(vocab, text, 0, NORMAL);
	}
	for (size_t i = 0; i < (all_bytes ? N_MERGES : N_SMALL_MERGES); i++)
		add_token(vocab, merged[i], 0, NORMAL);
	add_token(vocab, "<|endoftext|>", 0, CONTROL);
	if (all_bytes)
		add_token(vocab, "<|user|>", 0, USER_DEFINED);
}

static void set_text(struct gguf_writer *w, const char *key, const char *value)
{
	gguf_writer_set_string(w, key, value, strlen(value));
}

/* Returns the number of tokens. */
static uint64_t set_vocab(struct gguf_writer *w, const struct tiny_model *tiny)
{
	const char *texts[MAX_TOKENS];
	size_t lens[MAX_TOKENS], n_merges = tiny->all_bytes ? N_MERGES : N_SMALL_MERGES;
	struct vocab vocab = {.n = 0};

	if (tiny->vocab == TINY_SPM)
		make_spm(&vocab, tiny->all_bytes);
	else
		make_bpe(&vocab, tiny->all_bytes);
	for (size_t i = 0; i < vocab.n; i++) {
		texts[i] = vocab.text[i];
		lens[i] = strlen(texts[i]);
	}
	set_text(w, "tokenizer.ggml.model", tiny->vocab == TINY_SPM ? "llama" : "gpt2");
	gguf_writer_set_strings(w, "tokenizer.ggml.tokens", texts, lens, vocab.n);
	gguf_writer_set_i32s(w, "tokenizer.ggml.token_type", vocab.types, vocab.n);
	if (tiny->vocab == TINY_SPM) {
		gguf_writer_set_f32s(w, "tokenizer.ggml.scores", vocab.scores, vocab.n);
		gguf_writer_set_u32(w, "tokenizer.ggml.unknown_token_id", 0);
		gguf_writer_set_u32(w, "tokenizer.ggml.bos_token_id", 1);
		gguf_writer_set_u32(w, "tokenizer.ggml.eos_token_id", 2);
		gguf_writer_set_bool(w, "tokenizer.ggml.add_bos_token", true);
		gguf_writer_set_bool(w, "tokenizer.ggml.add_space_prefix", true);
		return vocab.n;
	}
	for (size_t i = 0; i < n_merges; i++)
		lens[i] = strlen(merges[i]);
	set_text(w, "tokenizer.ggml.pre", "gpt-2");
	gguf_writer_set_strings(w, "tokenizer.ggml.merges", merges, lens, n_merges);
	gguf_writer_set_u32(w, "tokenizer.ggml.bos_token_id", (uint32_t)vocab.n - (tiny->all_bytes ? 2 : 1));
	gguf_writer_set_u32(w, "tokenizer.ggml.eos_token_id", (uint32_t)vocab.n - (tiny->all_bytes ? 2 : 1));
	return vocab.n;
}

uint64_t tiny_model_set_vocab(struct gguf_writer *w, enum tiny_vocab vocab, bool all_bytes)
{
	struct tiny_model tiny = {.vocab = vocab, .all_bytes = all_bytes};

	return set_vocab(w, &tiny);
}

/* Weights that every tensor is a part of, filled once: vectors take theirs
 * from `floats` (about 1), matrices from `blocks`, small enough to keep
 * activations tame. */
struct pool {
	float floats[POOL];
	unsigned char blocks[POOL * sizeof(float)];
	struct tiny_model filled_for; /* seed, type and n_embd count */
	bool filled;
};

static const struct pool *weight_pool(const struct tiny_model *tiny)
{
	static struct pool pool;
	struct test_random random = {tiny->seed};
	float amplitude = tiny->n_embd <= 16 ? 0.3f : 1.2f / sqrtf((float)tiny->n_embd);

	if (pool.filled && pool.filled_for.seed == tiny->seed &&
	    pool.filled_for.type == tiny->type && pool.filled_for.n_embd == tiny->n_embd)
		return &pool;
	pool.filled = true;
	pool.filled_for = *tiny;
	test_random_floats(&random, pool.floats, POOL, 0.1f);
	for (size_t i = 0; i < POOL; i++)
		pool.floats[i] += 1;
	random_blocks(&random, tiny->type, POOL, amplitude, pool.blocks);
	return &pool;
}

struct builder {
	struct gguf_writer *w;
	const struct pool *pool;
	enum block_type type;
	size_t n_tensors;
};

static size_t next_start(struct builder *b, uint64_t n)
{
	return b->n_tensors++ * 997 % (POOL - (size_t)n);
}

static void add_vector(struct builder *b, const char *name, uint64_t n)
{
	size_t start = next_start(b, n);

	gguf_writer_add_tensor(b->w, name, BLOCK_F32, 1, &n, b->pool->floats + start,
	                       (size_t)n * sizeof(float));
}

static void add_matrix(struct builder *b, const char *name, uint64_t columns, uint64_t rows)
{
	uint64_t ne[2] = {columns, rows};
	size_t n = (size_t)(columns * rows), start = next_start(b, n);

	start -= start % block_info(b->type)->n_elements;
	gguf_writer_add_tensor(b->w, name, b->type, 2, ne,
	                       b->pool->blocks + random_blocks_bytes(b->type, start),
	                       random_blocks_bytes(b->type, n));
}

static uint32_t key_length(const struct tiny_model *tiny)
{
	return tiny->key_length ? tiny->key_length : tiny->n_embd / tiny->n_head;
}

static uint32_t value_length(const struct tiny_model *tiny)
{
	return tiny->value_length ? tiny->value_length : tiny->n_embd / tiny->n_head;
}

static void add_block(struct builder *b, const struct tiny_model *tiny, uint32_t layer)
{
	uint64_t n_embd = tiny->n_embd;
	const struct {
		const char *name;
		uint64_t columns, rows;
	} rows[] = {
		{"attn_norm", n_embd, 0},
		{"attn_q", n_embd, (uint64_t)key_length(tiny) * tiny->n_head},
		{"attn_k", n_embd, (uint64_t)key_length(tiny) * tiny->n_head_kv},
		{"attn_v", n_embd, (uint64_t)value_length(tiny) * tiny->n_head_kv},
		{"attn_output", (uint64_t)value_length(tiny) * tiny->n_head, n_embd},
		{"ffn_norm", n_embd, 0},
		{"ffn_gate", n_embd, tiny->n_ff},
		{"ffn_up", n_embd, tiny->n_ff},
		{"ffn_down", tiny->n_ff, n_embd},
	};
	char name[64];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(name, sizeof name, "blk.%u.%s.weight", (unsigned)layer, rows[i].name);
		if (rows[i].rows == 0)
			add_vector(b, name, rows[i].columns);
		else
			add_matrix(b, name, rows[i].columns, rows[i].rows);
		snprintf(name, sizeof name, "blk.%u.%s.bias", (unsigned)layer, rows[i].name);
		if (rows[i].rows && tiny->biases)
			add_vector(b, name, rows[i].rows);
	}
}

struct gguf_writer *tiny_model_writer(const struct tiny_model *tiny)
{
	struct builder b = {gguf_writer_create(), weight_pool(tiny), tiny->type, 0};
	uint32_t rope_dim = tiny->rope_dim ? tiny->rope_dim : tiny->vocab_only ? 0 : key_length(tiny);
	uint64_t n_vocab;

	if (!b.w)
		return NULL;
	set_text(b.w, "general.architecture", "llama");
	set_text(b.w, "general.name", "tiny");
	if (tiny->guide)
		gguf_writer_set_bool(b.w, "sotto.guide", true);
	if (!tiny->vocab_only) {
		gguf_writer_set_u32(b.w, "llama.context_length", tiny->n_ctx);
		gguf_writer_set_u32(b.w, "llama.embedding_length", tiny->n_embd);
		gguf_writer_set_u32(b.w, "llama.block_count", tiny->n_layer);
		gguf_writer_set_u32(b.w, "llama.feed_forward_length", tiny->n_ff);
		gguf_writer_set_u32(b.w, "llama.attention.head_count", tiny->n_head);
		gguf_writer_set_u32(b.w, "llama.attention.head_count_kv", tiny->n_head_kv);
		gguf_writer_set_f32(b.w, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
		gguf_writer_set_u32(b.w, "llama.rope.dimension_count", rope_dim);
		gguf_writer_set_f32(b.w, "llama.rope.freq_base", 10000);
		if (tiny->key_length)
			gguf_writer_set_u32(b.w, "llama.attention.key_length", tiny->key_length);
		if (tiny->value_length)
			gguf_writer_set_u32(b.w, "llama.attention.value_length", tiny->value_length);
		if (tiny->window)
			gguf_writer_set_u32(b.w, "llama.attention.sliding_window", tiny->window);
		if (tiny->rope_factor > 0) {
			set_text(b.w, "llama.rope.scaling.type", "linear");
			gguf_writer_set_f32(b.w, "llama.rope.scaling.factor", tiny->rope_factor);
		}
	}
	n_vocab = set_vocab(b.w, tiny);
	if (tiny->vocab_only)
		return b.w;
	gguf_writer_set_u32(b.w, "llama.vocab_size", (uint32_t)n_vocab);
	add_matrix(&b, "token_embd.weight", tiny->n_embd, n_vocab);
	for (uint32_t layer = 0; layer < tiny->n_layer; layer++)
		add_block(&b, tiny, layer);
	add_vector(&b, "output_norm.weight", tiny->n_embd);
	if (!tiny->tied)
		add_matrix(&b, "output.weight", tiny->n_embd, n_vocab);
	if (tiny->rope_freqs)
		add_vector(&b, "rope_freqs.weight", rope_dim / 2);
	return b.w;
}

enum status tiny_model_write(const struct tiny_model *tiny, struct buf *out, struct error *err)
{
	struct gguf_writer *w = tiny_model_writer(tiny);
	enum status status;

	if (!w)
		return error_set(err, STATUS_NOMEM, "out of memory");
	status = gguf_writer_write(w, out, err);
	gguf_writer_free(w);
	return status;
}

enum status tiny_model_save(const struct tiny_model *tiny, const char *path, struct error *err)
{
	struct gguf_writer *w = tiny_model_writer(tiny);
	enum status status;

	if (!w)
		return error_set(err, STATUS_NOMEM, "out of memory");
	status = gguf_writer_save(w, path, err);
	gguf_writer_free(w);
	return status;
}
