#include "engine/breakers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/words.h"

enum {
	N_BREAKERS_MAX = 64,
	BREAKER_MAX = 40, /* bytes, as in llama.cpp */
};

struct breaker {
	char text[BREAKER_MAX];
	size_t len;
};

struct breaker_list {
	struct breaker items[N_BREAKERS_MAX];
	size_t n;
};

static enum status read_word(struct breaker_list *list, const struct buf *word, struct error *err)
{
	struct breaker *b = &list->items[list->n];

	if (word->len == 0)
		return error_set(err, STATUS_USAGE, "dry-sequence-breaker: the text is empty");
	if (buf_status(word) == STATUS_LIMIT)
		return error_set(err, STATUS_USAGE, "dry-sequence-breaker: '%.*s...' has more than %d bytes",
		                 BREAKER_MAX, buf_text(word), BREAKER_MAX);
	if (buf_status(word))
		return error_no_memory(err, "for the sampler");
	if (list->n == N_BREAKERS_MAX)
		return error_set(err, STATUS_LIMIT, "dry-sequence-breaker: more than %d of them", N_BREAKERS_MAX);
	memcpy(b->text, word->data, word->len);
	b->len = word->len;
	list->n++;
	return STATUS_OK;
}

static enum status read_words(struct breaker_list *list, const char *words, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf word = {.max = BREAKER_MAX};

	while (!status && words_next_escaped(&words, &word)) {
		if (strcmp(buf_text(&word), "none") == 0)
			list->n = 0;
		else
			status = read_word(list, &word, err);
	}
	buf_free(&word);
	return status;
}

/* Where the breaker begins in a text, which may end inside it; the text's length: nowhere. */
static size_t find_begin(const char *text, size_t len, size_t from, const struct breaker *b)
{
	for (; from < len; from++) {
		size_t n = len - from < b->len ? len - from : b->len;

		if (memcmp(text + from, b->text, n) == 0)
			break;
	}
	return from;
}

/* Adds a token that holds the breaker, or a beginning of it whose rest other tokens may be. */
static enum status add_token(struct dry_breakers *out, const struct tokenizer *tokenizer, int32_t id,
                             const struct breaker *b, struct token_list *tail, struct error *err)
{
	enum status status = STATUS_OK;
	const char *text;
	size_t len, first, at;

	text = tokenizer_is_control(tokenizer, id) ? tokenizer_name(tokenizer, id, &len)
	                                           : tokenizer_bytes(tokenizer, id, &len);
	first = find_begin(text, len, 0, b);
	for (at = first; at < len; at = find_begin(text, len, at + 1, b))
		if (len - at >= b->len)
			return dry_breakers_add(out, id, NULL, 0, err);
	for (at = first; at < len && !status; at = find_begin(text, len, at + 1, b)) {
		tail->n = 0;
		status = tokenizer_encode(tokenizer, b->text + (len - at), b->len - (len - at),
		                          ENCODE_CONTINUE, tail, err);
		if (!status)
			status = dry_breakers_add(out, id, tail->ids,
			                          tail->n < DRY_TAIL_MAX ? tail->n : DRY_TAIL_MAX, err);
	}
	return status;
}

static enum status make(struct dry_breakers **out, const struct tokenizer *tokenizer, size_t n_vocab,
                        const char *words, struct error *err)
{
	struct breaker_list list = {.n = 0};
	struct token_list tail = {0};
	enum status status = read_words(&list, words ? words : "'\\n' ':' '\"' '*'", err);

	*out = NULL;
	if (!status)
		status = dry_breakers_create(out, n_vocab, err);
	for (size_t id = 0; id < n_vocab && !status; id++)
		for (size_t i = 0; i < list.n && !status; i++)
			status = add_token(*out, tokenizer, (int32_t)id, &list.items[i], &tail, err);
	token_list_free(&tail);
	return status;
}

enum status breakers_use(struct engine *engine, const char *words, struct error *err)
{
	const char *old = engine->breaker_words;
	struct dry_breakers *made;
	char *copy = NULL;
	enum status status;

	if (engine->has_breakers && (words && old ? strcmp(words, old) == 0 : words == old))
		return STATUS_OK;
	if (words && !(copy = alloc_strndup(words, strlen(words))))
		return error_no_memory(err, "for the sampler");
	status = make(&made, engine->tokenizer, sampler_n_vocab(engine->sampler), words, err);
	if (status) {
		dry_breakers_free(made);
		free(copy);
		return status;
	}
	sampler_set_breakers(engine->sampler, made);
	free(engine->breaker_words);
	engine->breaker_words = copy;
	engine->has_breakers = true;
	return STATUS_OK;
}
