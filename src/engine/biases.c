#include "engine/biases.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/words.h"
#include "turn/bias_word.h"

/* Whether a token is the text, alone or after a blank. */
static bool is_token_of(const struct tokenizer *tokenizer, int32_t id, const char *text, size_t len)
{
	size_t n;
	const char *bytes = tokenizer_is_control(tokenizer, id) ? tokenizer_name(tokenizer, id, &n)
	                                                        : tokenizer_bytes(tokenizer, id, &n);

	if (n == len + 1 && bytes[0] == ' ') {
		bytes++;
		n--;
	}
	return n == len && memcmp(bytes, text, len) == 0;
}

static enum status no_token(const struct tokenizer *tokenizer, const char *key, size_t len,
                            struct error *err)
{
	struct token_list list = {0};
	int shown = len < 60 ? (int)len : 60;
	size_t n = tokenizer_encode(tokenizer, key, len, ENCODE_CONTINUE, &list, NULL)
	                   ? 0 : list.n;

	token_list_free(&list);
	return error_set(err, STATUS_USAGE, "logit-bias: '%.*s' is not one token of this model but %zu: give "
	                 "the id of one", shown, key, n);
}

static enum status add_key(struct engine *engine, const char *key, const struct bias_word *bias, struct sampler_biases *out,
                           struct error *err)
{
	size_t n = sampler_n_vocab(engine->sampler), found = 0;
	enum status status = STATUS_OK;

	if (bias->id >= 0 && (uint64_t)bias->id >= n)
		return error_set(err, STATUS_USAGE, "logit-bias: there is no token %.*s: the last is %zu",
		                 bias->key_len < 60 ? (int)bias->key_len : 60, key, n - 1);
	if (bias->id >= 0)
		return sampler_biases_add(out, (int32_t)bias->id, (float)bias->value, err);
	for (size_t id = 0; id < n && !status; id++)
		if (is_token_of(engine->tokenizer, (int32_t)id, key, bias->key_len)) {
			status = sampler_biases_add(out, (int32_t)id, (float)bias->value, err);
			found++;
		}
	return status || found ? status : no_token(engine->tokenizer, key, bias->key_len, err);
}

/* `engine` NULL: they are only checked. */
static enum status read_words(struct engine *engine, const char *words, struct sampler_biases *out,
                              struct error *err)
{
	size_t len = strlen(words);
	enum status status = STATUS_OK;
	struct buf word = {.max = LIMIT_MESSAGE};
	struct bias_word bias;
	bool found;

	while (!status && !(status = words_next(&words, &len, &word, &found, err)) && found) {
		status = bias_word_read(buf_text(&word), &bias, err);
		if (status && engine)
			error_prefix(err, "logit-bias");
		else if (engine)
			status = add_key(engine, buf_text(&word), &bias, out, err);
	}
	buf_free(&word);
	return status;
}

enum status biases_check(const char *words, struct error *err)
{
	return read_words(NULL, words, NULL, err);
}

enum status biases_use(struct engine *engine, const char *words, struct error *err)
{
	const char *old = engine->bias_words;
	struct sampler_biases made = {0};
	char *copy = NULL;
	enum status status = STATUS_OK;

	if (words && old ? strcmp(words, old) == 0 : words == old)
		return STATUS_OK;
	if (words && !(copy = alloc_strndup(words, strlen(words))))
		status = error_no_memory(err, "for the sampler");
	if (!status && words)
		status = read_words(engine, words, &made, err);
	if (status) {
		sampler_biases_free(&made);
		free(copy);
		return status;
	}
	sampler_set_biases(engine->sampler, &made);
	free(engine->bias_words);
	engine->bias_words = copy;
	return STATUS_OK;
}
