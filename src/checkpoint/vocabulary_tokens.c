#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "checkpoint/vocabulary.h"
#include "tokenizer/vocab.h"

void vocabulary_init(struct vocabulary *vocabulary)
{
	*vocabulary = (struct vocabulary){0};
	buf_init(&vocabulary->text, LIMIT_CHECKPOINT_TOKENIZER);
	buf_init(&vocabulary->merges, 2 * LIMIT_CHECKPOINT_TOKENIZER);
}

void vocabulary_deinit(struct vocabulary *vocabulary)
{
	buf_free(&vocabulary->text);
	buf_free(&vocabulary->merges);
	free(vocabulary->tokens);
	free(vocabulary->added);
	*vocabulary = (struct vocabulary){0};
}

const char *vocabulary_text(const struct vocabulary *vocabulary, const struct vocabulary_token *token)
{
	return buf_text(&vocabulary->text) + token->start;
}

static enum status reach(struct vocabulary *vocabulary, size_t n)
{
	if (n > LIMIT_VOCAB)
		return STATUS_LIMIT;
	if (n <= vocabulary->n)
		return STATUS_OK;
	if (!alloc_grow(&vocabulary->tokens, &vocabulary->cap, n, sizeof *vocabulary->tokens, LIMIT_VOCAB))
		return STATUS_NOMEM;
	memset(vocabulary->tokens + vocabulary->n, 0, (n - vocabulary->n) * sizeof *vocabulary->tokens);
	vocabulary->n = n;
	return STATUS_OK;
}

enum status vocabulary_set(struct vocabulary *vocabulary, size_t id, const char *text, size_t len, uint8_t type,
                           float score)
{
	struct vocabulary_token *token;
	enum status status = id < LIMIT_VOCAB ? reach(vocabulary, id + 1) : STATUS_LIMIT;

	if (status)
		return status;
	token = &vocabulary->tokens[id];
	token->start = (uint32_t)vocabulary->text.len;
	token->len = (uint32_t)len;
	token->type = type;
	token->score = score;
	return buf_append(&vocabulary->text, text, len);
}

enum status vocabulary_pad(struct vocabulary *vocabulary, size_t n, float score)
{
	enum status status = reach(vocabulary, n);

	for (size_t id = 0; !status && id < vocabulary->n; id++) {
		char name[32];

		if (vocabulary->tokens[id].type)
			continue;
		snprintf(name, sizeof name, "[PAD%zu]", id);
		status = vocabulary_set(vocabulary, id, name, strlen(name), TOKEN_UNUSED, score);
	}
	return status;
}

enum status vocabulary_add(struct vocabulary *vocabulary, const char *text, size_t len, uint32_t id, bool is_special)
{
	if (vocabulary->n_added == LIMIT_VOCAB)
		return STATUS_LIMIT;
	if (!alloc_grow(&vocabulary->added, &vocabulary->cap_added, vocabulary->n_added + 1, sizeof *vocabulary->added,
	                LIMIT_VOCAB))
		return STATUS_NOMEM;
	vocabulary->added[vocabulary->n_added++] =
		(struct added_token){(uint32_t)vocabulary->text.len, (uint32_t)len, id, is_special};
	return buf_append(&vocabulary->text, text, len);
}

static bool is_framed(const char *text, size_t len, const char *open, const char *close)
{
	size_t n_open = strlen(open), n_close = strlen(close);

	return len >= n_open && len >= n_close && memcmp(text, open, n_open) == 0 &&
	       memcmp(text + len - n_close, close, n_close) == 0;
}

/* Names that files do not mark as special although they are (llama.cpp's converter has the same list). */
bool vocabulary_looks_special(const char *text, size_t len)
{
	static const char *const names[] = {"<pad>", "<mask>", "<2mass>", "[@BOS@]"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i]) == len && memcmp(text, names[i], len) == 0)
			return true;
	return is_framed(text, len, "<|", "|>") || is_framed(text, len, "<unused", ">") ||
	       is_framed(text, len, "<\xEF\xBD\x9C", "\xEF\xBD\x9C>");
}
