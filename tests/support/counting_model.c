#include "gguf/writer.h"
#include "support/counting_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/float16.h"
#include "support/random.h"
#include "support/save_gguf.h"
#include "support/tiny_vocab.h"

enum { N_EMBD = 256, N_HEAD = 4, HEAD = N_EMBD / N_HEAD, N_FF = 768, QUICK_LAYERS = 12, SLOW_LAYERS = 60, NAME = 24 };
enum { NORMAL = 1, CONTROL = 3, USER_DEFINED = 4 };
/* The logit of what follows; those of all others are small beside it, but that of "cold 0" where "warm 0" follows. */
enum { CERTAIN = 60, SECOND = 40 };

#define MESSAGES "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
#define PROMPT "{% if add_generation_prompt %}<|assistant|>{% endif %}"
#define THINKING                                                                                             \
	"{% if add_generation_prompt %}<|assistant|>{% if enable_thinking is defined and not enable_thinking %}" \
	"<think></think>{% else %}<think>{% endif %}{% endif %}"

/* Tokens behind those of bytes. */
enum { END = TINY_BPE_FIRST_MERGE, SYSTEM, USER, ASSISTANT, THINK, ANSWER, FIRST_COLD };

static const struct tiny_token marks[] = {
	{"<|end|>", 0, CONTROL}, {"<|system|>", 0, CONTROL}, {"<|user|>", 0, CONTROL}, {"<|assistant|>", 0, CONTROL},
	{"<think>", 0, USER_DEFINED}, {"</think>", 0, USER_DEFINED},
};
enum { N_MARKS = sizeof marks / sizeof marks[0] };

struct builder {
	struct gguf_writer *w;
	struct tiny_token *tokens;
	char (*names)[NAME];
	size_t n; /* of tokens */
	uint32_t n_words, n_thoughts;
	bool endless;
	uint32_t n_layers;
	uint16_t *zeros; /* of all layers */
	void *kept[160]; /* data of tensors, until the file is written */
	size_t n_kept;
};

static void *keep(struct builder *b, size_t bytes)
{
	void *data = calloc(1, bytes);

	if (!data || b->n_kept == sizeof b->kept / sizeof b->kept[0])
		abort();
	b->kept[b->n_kept++] = data;
	return data;
}

static void add_word(struct builder *b, const char *word, uint32_t number, bool first)
{
	snprintf(b->names[b->n], NAME, "%s%s %u", first ? "" : " ", word, number);
	b->tokens[b->n] = (struct tiny_token){b->names[b->n], 0, USER_DEFINED};
	b->n++;
}

/* Cold words, then thoughts, then warm words, then " warm 0", which follows the last where it has no end. */
static void list_tokens(struct builder *b)
{
	size_t n = N_MARKS + b->n_thoughts + 2 * b->n_words + 2;

	b->tokens = calloc(n, sizeof *b->tokens);
	b->names = calloc(n, sizeof *b->names);
	if (!b->tokens || !b->names)
		abort();
	memcpy(b->tokens, marks, sizeof marks);
	b->n = N_MARKS;
	for (uint32_t i = 0; i < b->n_words; i++)
		add_word(b, "cold", i, i == 0);
	for (uint32_t i = 0; i < b->n_thoughts; i++)
		add_word(b, "thought", i, i == 0);
	for (uint32_t i = 0; i < b->n_words; i++)
		add_word(b, "warm", i, i == 0);
	add_word(b, "warm", 0, false);
}

static size_t first_thought(const struct builder *b)
{
	return FIRST_COLD + b->n_words;
}

static size_t first_word(const struct builder *b)
{
	return first_thought(b) + b->n_thoughts;
}

static size_t n_vocab(const struct builder *b)
{
	return TINY_BPE_FIRST_MERGE + b->n;
}

static size_t again(const struct builder *b)
{
	return n_vocab(b) - 1;
}

/* Tokens after which a reply begins are the same to the model: it begins after any letter, too. */
static size_t meaning(const struct builder *b, size_t token)
{
	if (token == again(b))
		return first_word(b);
	return token < FIRST_COLD && token != THINK ? ASSISTANT : token;
}

static size_t next(const struct builder *b, size_t token)
{
	size_t word = first_word(b);

	if (token == ASSISTANT)
		return word;
	if (token == THINK)
		return b->n_thoughts ? first_thought(b) : ANSWER;
	if (token + 1 == first_thought(b))
		return END;
	if (token + 1 == word)
		return ANSWER;
	if (token + 1 == word + b->n_words)
		return b->endless ? again(b) : END;
	return token + 1;
}

static void direction(size_t token, float out[N_EMBD])
{
	struct test_random random = {token * 7919 + 1};

	test_random_floats(&random, out, N_EMBD, 1);
	for (size_t i = 0; i < N_EMBD; i++)
		out[i] = out[i] < 0 ? -1 : 1;
}

static void add_tensor(struct builder *b, const char *name, uint64_t columns, uint64_t rows, const uint16_t *data)
{
	const uint64_t ne[2] = {columns, rows};
	size_t bytes = (size_t)(columns * rows) * sizeof *data;

	gguf_writer_add_tensor(b->w, name, BLOCK_F16, 2, ne, data ? data : b->zeros, bytes);
}

static void add_ones(struct builder *b, const char *name)
{
	const uint64_t ne[1] = {N_EMBD};
	float *x = keep(b, N_EMBD * sizeof *x);

	for (size_t i = 0; i < N_EMBD; i++)
		x[i] = 1;
	gguf_writer_add_tensor(b->w, name, BLOCK_F32, 1, ne, x, N_EMBD * sizeof *x);
}

static void add_ends(struct builder *b)
{
	size_t n = n_vocab(b);
	const uint64_t ne[2] = {N_EMBD, n};
	uint16_t *embd = keep(b, n * N_EMBD * sizeof *embd);
	float *output = keep(b, n * N_EMBD * sizeof *output), x[N_EMBD];

	for (size_t token = 0; token < n; token++) {
		direction(meaning(b, token), x);
		for (size_t i = 0; i < N_EMBD; i++)
			embd[token * N_EMBD + i] = f16_from_f32(x[i]);
		if (meaning(b, token) != token)
			continue;
		for (size_t i = 0; i < N_EMBD; i++)
			output[next(b, token) * N_EMBD + i] += x[i] * CERTAIN / N_EMBD;
		for (size_t i = 0; token == ASSISTANT && i < N_EMBD; i++)
			output[FIRST_COLD * N_EMBD + i] += x[i] * SECOND / N_EMBD;
	}
	add_tensor(b, "token_embd.weight", N_EMBD, n, embd);
	add_ones(b, "output_norm.weight");
	gguf_writer_add_tensor(b->w, "output.weight", BLOCK_F32, 2, ne, output, n * N_EMBD * sizeof *output);
}

static void add_layer(struct builder *b, unsigned layer)
{
	static const struct {
		const char *name;
		uint64_t columns, rows;
	} rows[] = {
		{"attn_q", N_EMBD, N_EMBD}, {"attn_k", N_EMBD, HEAD}, {"attn_v", N_EMBD, HEAD},
		{"attn_output", N_EMBD, N_EMBD}, {"ffn_gate", N_EMBD, N_FF}, {"ffn_up", N_EMBD, N_FF},
		{"ffn_down", N_FF, N_EMBD},
	};
	char name[64];

	snprintf(name, sizeof name, "blk.%u.attn_norm.weight", layer);
	add_ones(b, name);
	snprintf(name, sizeof name, "blk.%u.ffn_norm.weight", layer);
	add_ones(b, name);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snprintf(name, sizeof name, "blk.%u.%s.weight", layer, rows[i].name);
		add_tensor(b, name, rows[i].columns, rows[i].rows, NULL);
	}
}

static void set_keys(struct builder *b, uint32_t n_ctx)
{
	const struct {
		const char *name;
		uint32_t value;
	} numbers[] = {
		{"llama.context_length", n_ctx ? n_ctx : 4096}, {"llama.embedding_length", N_EMBD}, {"llama.block_count", b->n_layers},
		{"llama.feed_forward_length", N_FF}, {"llama.attention.head_count", N_HEAD},
		{"llama.attention.head_count_kv", 1}, {"llama.rope.dimension_count", HEAD},
		{"llama.vocab_size", (uint32_t)n_vocab(b)}, {"tokenizer.ggml.eos_token_id", END},
	};
	const char *text = b->n_thoughts ? MESSAGES THINKING : MESSAGES PROMPT;

	gguf_writer_set_string(b->w, "general.name", "counting", 8);
	gguf_writer_set_string(b->w, "tokenizer.chat_template", text, strlen(text));
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		gguf_writer_set_u32(b->w, numbers[i].name, numbers[i].value);
	gguf_writer_set_f32(b->w, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
	gguf_writer_set_f32(b->w, "llama.rope.freq_base", 10000);
}

static void free_builder(struct builder *b)
{
	gguf_writer_free(b->w);
	while (b->n_kept > 0)
		free(b->kept[--b->n_kept]);
	free(b->tokens);
	free(b->names);
}

enum status counting_model_save(const struct counting_model *model, const char *path, struct error *err)
{
	struct builder b = {.n_thoughts = model->n_thoughts < COUNTING_MAX ? model->n_thoughts : COUNTING_MAX,
	                    .n_words = model->n_words < COUNTING_MAX ? model->n_words : COUNTING_MAX,
	                    .endless = model->n_words > COUNTING_MAX, .n_layers = model->slow ? SLOW_LAYERS : QUICK_LAYERS};
	enum status status;

	list_tokens(&b);
	b.w = tiny_vocab_writer(&(struct tiny_vocabulary){.model = "gpt2", .pre = "gpt-2", .tokens = b.tokens});
	if (!b.w)
		abort();
	set_keys(&b, model->n_ctx);
	add_ends(&b);
	b.zeros = keep(&b, N_EMBD * N_FF * sizeof *b.zeros);
	for (unsigned layer = 0; layer < b.n_layers; layer++)
		add_layer(&b, layer);
	status = gguf_writer_save(b.w, path, err);
	free_builder(&b);
	return status;
}
