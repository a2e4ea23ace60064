#include "gguf/writer.h"
#include "support/tiny_vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"

enum { MAX_TOKENS = 7000, MAX_NAME = 64 };

/* What is collected before it is written. */
struct list {
	char texts[MAX_TOKENS][MAX_NAME];
	const char *names[MAX_TOKENS];
	size_t lens[MAX_TOKENS];
	float scores[MAX_TOKENS];
	int32_t types[MAX_TOKENS];
	size_t n;
};

static void add(struct list *list, const char *name, size_t len, float score, int32_t type)
{
	if (list->n == MAX_TOKENS || len >= MAX_NAME)
		abort();
	memcpy(list->texts[list->n], name, len);
	list->names[list->n] = list->texts[list->n];
	list->lens[list->n] = len;
	list->scores[list->n] = score;
	list->types[list->n] = type ? type : 1;
	list->n++;
}

static void add_listed(struct list *list, const struct tiny_token *tokens)
{
	for (; tokens && tokens->name; tokens++)
		add(list, tokens->name, strlen(tokens->name), tokens->score, tokens->type);
}

static void add_spm(struct list *list)
{
	char name[8];

	add(list, "<unk>", 5, 0, 2);
	add(list, "<s>", 3, 0, 3);
	add(list, "</s>", 4, 0, 3);
	for (unsigned byte = 0; byte < 256; byte++) {
		snprintf(name, sizeof name, "<0x%02X>", byte);
		add(list, name, 6, 0, 6);
	}
}

/* GPT-2's alphabet, written down a second time on purpose: printable bytes of
 * Latin-1 are themselves, the others U+0100, U+0101 ... in order. */
static void add_letters(struct list *list)
{
	uint32_t other = 0x100;

	for (uint32_t byte = 0; byte < 256; byte++) {
		int printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
		char name[UTF8_MAX];
		size_t len = utf8_encode(printable ? byte : other++, name);

		add(list, name, len, 0, 1);
	}
}

static size_t add_merges(struct list *list, const char *const *merges)
{
	size_t n = 0;

	for (; merges && merges[n]; n++) {
		char joined[MAX_NAME];
		const char *gap = strchr(merges[n] + 1, ' ');
		size_t left = gap ? (size_t)(gap - merges[n]) : 0;

		if (!gap)
			continue; /* a defect on purpose */
		memcpy(joined, merges[n], left);
		memcpy(joined + left, gap + 1, strlen(gap + 1));
		add(list, joined, left + strlen(gap + 1), 0, 1);
	}
	return n;
}

struct gguf_writer *tiny_vocab_writer(const struct tiny_vocabulary *tiny)
{
	struct gguf_writer *w = gguf_writer_create();
	struct list *list = calloc(1, sizeof *list);
	size_t merge_lens[MAX_TOKENS], n_merges = 0;

	if (!w || !list)
		goto out;
	gguf_writer_set_string(w, "general.architecture", "llama", 5);
	gguf_writer_set_string(w, "tokenizer.ggml.model", tiny->model, strlen(tiny->model));
	if (tiny->pre)
		gguf_writer_set_string(w, "tokenizer.ggml.pre", tiny->pre, strlen(tiny->pre));
	if (strcmp(tiny->model, "gpt2") == 0) {
		add_letters(list);
		add(list, "<|endoftext|>", 13, 0, 3);
		n_merges = add_merges(list, tiny->merges);
	} else {
		add_spm(list);
	}
	add_listed(list, tiny->tokens);
	gguf_writer_set_strings(w, "tokenizer.ggml.tokens", list->names, list->lens, list->n);
	gguf_writer_set_i32s(w, "tokenizer.ggml.token_type", list->types, list->n);
	if (strcmp(tiny->model, "gpt2") == 0) {
		for (size_t i = 0; i < n_merges; i++)
			merge_lens[i] = strlen(tiny->merges[i]);
		gguf_writer_set_strings(w, "tokenizer.ggml.merges", tiny->merges, merge_lens, n_merges);
		gguf_writer_set_u32(w, "tokenizer.ggml.eos_token_id", 256);
		gguf_writer_set_u32(w, "tokenizer.ggml.bos_token_id", 256);
	} else {
		gguf_writer_set_f32s(w, "tokenizer.ggml.scores", list->scores, list->n);
	}
out:
	free(list);
	return w;
}

enum status tiny_vocab_write(const struct tiny_vocabulary *tiny, struct buf *out,
                             struct error *err)
{
	struct gguf_writer *w = tiny_vocab_writer(tiny);
	enum status status;

	if (!w)
		return error_set(err, STATUS_NOMEM, "no memory for a vocabulary");
	status = gguf_writer_write(w, out, err);
	gguf_writer_free(w);
	return status;
}
