#include "gguf/writer.h"
#include "support/harmony_model.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/float16.h"
#include "support/save_gguf.h"
#include "support/tiny_vocab.h"

/* The first half of the residual stream is the token, the second how often each
 * token stands before it, as a part of all. */
enum { HALF = 384, N_EMBD = 2 * HALF, HEAD = 64, N_HEAD = HALF / HEAD, N_FF = 32, N_EXPERT = 4 };

enum { NORMAL = 1, CONTROL = 3 };

static const struct tiny_token tokens[] = {
	{"<|start|>", 0, CONTROL}, {"<|end|>", 0, CONTROL}, {"<|message|>", 0, CONTROL},
	{"<|channel|>", 0, CONTROL}, {"<|constrain|>", 0, CONTROL}, {"<|return|>", 0, CONTROL},
	{"<|call|>", 0, CONTROL}, {"assistant", 0, NORMAL}, {"analysis", 0, NORMAL},
	{"final", 0, NORMAL}, {"commentary", 0, NORMAL}, {"We", 0, NORMAL},
	{"\xC4\xA0should", 0, NORMAL}, {"\xC4\xA0greet", 0, NORMAL}, {"\xC4\xA0them", 0, NORMAL},
	{"\xC4\xA0think", 0, NORMAL}, {"\xC4\xA0more", 0, NORMAL}, {"Hello", 0, NORMAL},
	{"\xC4\xA0there", 0, NORMAL}, {"Look", 0, NORMAL}, {"\xC4\xA0here", 0, NORMAL},
	{"\xC4\xA0to=", 0, NORMAL}, {"functions.day", 0, NORMAL},
	{"json", 0, NORMAL}, {"{}", 0, NORMAL}, {NULL, 0, 0},
};

/* What follows a token, or is likelier once it was said; the weights are those of
 * all that could follow. Anything in between follows from no sum. */
struct rule {
	const char *token, *next;
	float weight;
};

static const struct rule follows[] = {
	{"t", "<|channel|>", 1}, {"assistant", "<|channel|>", 1}, /* the prompt's ends in letters */
	{"<|channel|>", "analysis", 1}, {"<|channel|>", "final", 0.9f},
	{"<|channel|>", "commentary", 0.9f}, {"analysis", "<|message|>", 1},
	{"final", "<|message|>", 1}, {"<|message|>", "We", 1}, {"<|message|>", "Hello", 0.9f},
	{"<|message|>", "Look", 0.9f}, {"<|message|>", "{}", 0.9f},
	{"We", "\xC4\xA0should", 1}, {"We", "\xC4\xA0think", 0.9f},
	{"\xC4\xA0should", "\xC4\xA0greet", 1}, {"\xC4\xA0greet", "\xC4\xA0them", 1},
	{"\xC4\xA0them", "<|end|>", 1}, {"<|end|>", "<|start|>", 1}, {"<|start|>", "assistant", 1},
	{"Hello", "\xC4\xA0there", 1}, {"\xC4\xA0there", ".", 1}, {".", "<|return|>", 1},
	{"commentary", "\xC4\xA0to=", 1}, {"commentary", "<|message|>", 0.9f},
	{"\xC4\xA0to=", "functions.day", 1}, {"functions.day", " ", 1},
	{" ", "<|constrain|>", 1}, {"<|constrain|>", "json", 1}, {"json", "<|message|>", 1},
	{"{}", "<|call|>", 1}, {"Look", "\xC4\xA0here", 1}, {"\xC4\xA0here", "<|end|>", 1},
	{"\xC4\xA0think", "\xC4\xA0more", 1}, {"\xC4\xA0more", "\xC4\xA0more", 1},
};
static const struct rule once_said[] = {
	{"\xC4\xA0them", "final", 1}, {"\xC4\xA0them", "Hello", 1}, {"?", "commentary", 1},
	{"json", "{}", 1}, {"!", "commentary", 1}, {"!", "<|message|>", 1}, {"!", "Look", 1},
	{"\xC4\xA0here", "final", 2}, {"\xC4\xA0here", "Hello", 2}, {"@", "\xC4\xA0think", 1},
};

/* Logits of what follows; what was said once among SHORTEST tokens adds 0.4 of it. */
enum { CERTAIN = 400, SHORTEST = 300 };

static size_t id_of(const char *name)
{
	size_t n = 0;

	if (!name[1])
		return (unsigned char)name[0];
	while (strcmp(tokens[n].name, name) != 0)
		n++;
	return TINY_BPE_FIRST_MERGE + n;
}

static size_t n_vocab(void)
{
	return TINY_BPE_FIRST_MERGE + sizeof tokens / sizeof tokens[0] - 1;
}

/* Tensors' data, until the file is written. */
static void *kept[32];
static size_t n_kept;

static void *keep(void *data)
{
	if (!data || n_kept == sizeof kept / sizeof kept[0])
		abort();
	kept[n_kept++] = data;
	return data;
}

/* Zeros in half precision; the process keeps them. Ends it without memory. */
static uint16_t *zeros(size_t n)
{
	uint16_t *out = calloc(n, sizeof *out);

	return keep(out);
}

static void add(struct gguf_writer *w, const char *name, const uint16_t *data, size_t n_dims,
                const uint64_t *ne)
{
	size_t n = 1;

	for (size_t i = 0; i < n_dims; i++)
		n *= (size_t)ne[i];
	gguf_writer_add_tensor(w, name, BLOCK_F16, (uint32_t)n_dims, ne, data ? data : zeros(n),
	                       n * sizeof *data);
}

static void add_vector(struct gguf_writer *w, const char *name, size_t n, float value)
{
	uint64_t ne[1] = {n};
	float *x = keep(malloc(n * sizeof *x));

	for (size_t i = 0; i < n; i++)
		x[i] = value;
	gguf_writer_add_tensor(w, name, BLOCK_F32, 1, ne, x, n * sizeof *x);
}

/* A one at [at(i), i] for each i. */
static void add_identity(struct gguf_writer *w, const char *name, size_t cols, size_t rows,
                         size_t first_col, size_t first_row, size_t n, float value)
{
	uint64_t ne[2] = {cols, rows};
	uint16_t *data = zeros(cols * rows);

	for (size_t i = 0; i < n; i++)
		data[(first_row + i) * cols + first_col + i] = f16_from_f32(value);
	add(w, name, data, 2, ne);
}

static void add_output(struct gguf_writer *w, float size)
{
	uint64_t ne[2] = {N_EMBD, n_vocab()};
	uint16_t *data = zeros(N_EMBD * n_vocab());

	for (size_t i = 0; i < sizeof follows / sizeof follows[0]; i++)
		data[id_of(follows[i].next) * N_EMBD + id_of(follows[i].token)] =
			f16_from_f32(follows[i].weight * CERTAIN / size);
	for (size_t i = 0; i < sizeof once_said / sizeof once_said[0]; i++)
		data[id_of(once_said[i].next) * N_EMBD + HALF + id_of(once_said[i].token)] =
			f16_from_f32(once_said[i].weight * 0.4f * CERTAIN / size * SHORTEST);
	add(w, "output.weight", data, 2, ne);
}

static void add_layer(struct gguf_writer *w, float size)
{
	static const uint64_t keys[2] = {N_EMBD, HALF}, up[3] = {N_EMBD, N_FF, N_EXPERT},
	                      down[3] = {N_FF, N_EMBD, N_EXPERT};
	static const float router[N_EMBD * N_EXPERT], biases[N_EMBD * N_EXPERT];
	static const uint64_t router_ne[2] = {N_EMBD, N_EXPERT}, up_bias[2] = {N_FF, N_EXPERT},
	                      down_bias[2] = {N_EMBD, N_EXPERT};

	add_vector(w, "blk.0.attn_norm.weight", N_EMBD, 1);
	add_vector(w, "blk.0.post_attention_norm.weight", N_EMBD, 1);
	add(w, "blk.0.attn_q.weight", NULL, 2, keys);
	add(w, "blk.0.attn_k.weight", NULL, 2, keys);
	add_vector(w, "blk.0.attn_q.bias", HALF, 0);
	add_vector(w, "blk.0.attn_k.bias", HALF, 0);
	add_vector(w, "blk.0.attn_v.bias", HALF, 0);
	add_vector(w, "blk.0.attn_output.bias", N_EMBD, 0);
	add_vector(w, "blk.0.attn_sinks.weight", N_HEAD, -30);
	/* Of the norm's large numbers it makes parts of one. */
	add_identity(w, "blk.0.attn_v.weight", N_EMBD, HALF, 0, 0, HALF, 1);
	add_identity(w, "blk.0.attn_output.weight", HALF, N_EMBD, 0, HALF, HALF, 1 / size);
	gguf_writer_add_tensor(w, "blk.0.ffn_gate_inp.weight", BLOCK_F32, 2, router_ne, router,
	                       sizeof router);
	add_vector(w, "blk.0.ffn_gate_inp.bias", N_EXPERT, 0);
	add(w, "blk.0.ffn_gate_exps.weight", NULL, 3, up);
	add(w, "blk.0.ffn_up_exps.weight", NULL, 3, up);
	add(w, "blk.0.ffn_down_exps.weight", NULL, 3, down);
	gguf_writer_add_tensor(w, "blk.0.ffn_gate_exps.bias", BLOCK_F32, 2, up_bias, biases,
	                       N_FF * N_EXPERT * sizeof *biases);
	gguf_writer_add_tensor(w, "blk.0.ffn_up_exps.bias", BLOCK_F32, 2, up_bias, biases,
	                       N_FF * N_EXPERT * sizeof *biases);
	gguf_writer_add_tensor(w, "blk.0.ffn_down_exps.bias", BLOCK_F32, 2, down_bias, biases,
	                       N_EMBD * N_EXPERT * sizeof *biases);
}

static struct gguf_writer *harmony_model_writer(void)
{
	static const struct {
		const char *name;
		uint32_t value;
	} numbers[] = {
		{"gpt-oss.context_length", 4096}, {"gpt-oss.embedding_length", N_EMBD},
		{"gpt-oss.block_count", 1}, {"gpt-oss.feed_forward_length", N_FF},
		{"gpt-oss.attention.head_count", N_HEAD}, {"gpt-oss.attention.head_count_kv", N_HEAD},
		{"gpt-oss.attention.key_length", HEAD}, {"gpt-oss.attention.value_length", HEAD},
		{"gpt-oss.attention.sliding_window", 4096}, {"gpt-oss.expert_count", N_EXPERT},
		{"gpt-oss.expert_used_count", 2}, {"gpt-oss.expert_feed_forward_length", N_FF},
		{"tokenizer.ggml.eos_token_id", TINY_BPE_FIRST_MERGE + 5}, /* <|return|> */
	};
	static const struct tiny_vocabulary vocabulary = {
		.model = "gpt2", .pre = "gpt-4o", .tokens = tokens};
	const float size = 27.712813f; /* of the one that a norm makes: the root of N_EMBD */
	struct gguf_writer *w = tiny_vocab_writer(&vocabulary);

	if (!w)
		return NULL;
	gguf_writer_set_string(w, "general.architecture", "gpt-oss", 7);
	gguf_writer_set_string(w, "general.name", "harmony by script", 17);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		gguf_writer_set_u32(w, numbers[i].name, numbers[i].value);
	gguf_writer_set_f32(w, "gpt-oss.rope.freq_base", 150000);
	gguf_writer_set_f32(w, "gpt-oss.attention.layer_norm_rms_epsilon", 1e-5f);
	add_identity(w, "token_embd.weight", N_EMBD, n_vocab(), 0, 0, n_vocab(), 1);
	add_vector(w, "output_norm.weight", N_EMBD, 1);
	add_output(w, size);
	add_layer(w, size);
	return w;
}

enum status harmony_model_save(const char *path, struct error *err)
{
	struct gguf_writer *w = harmony_model_writer();
	enum status status;

	if (!w)
		return error_set(err, STATUS_NOMEM, "not enough memory for a model");
	status = gguf_writer_save(w, path, err);
	gguf_writer_free(w);
	while (n_kept > 0)
		free(kept[--n_kept]);
	return status;
}
