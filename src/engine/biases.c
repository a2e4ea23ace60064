#include "engine/biases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/words.h"

static const double bias_max = 1e6;

/* A word taken apart; `key` points into it. */
struct bias {
	const char *key;
	size_t len;
	float value;
	int64_t id; /* -1: the key is a text */
};

static bool parse_number(const char *text, double *value)
{
	if (strcmp(text, "inf") == 0) {
		*value = INFINITY;
		return true;
	}
	return *text >= '0' && *text <= '9' ? number_parse_double(text, value) && *value <= bias_max
	                                    : *text == '.' && number_parse_double(text, value);
}

static bool is_number(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return len > 0 && len <= 9;
}

/* The sign is the last one that a number follows. */
static enum status read_word(const char *word, struct bias *out, struct error *err)
{
	const char *sign = word + strlen(word);
	double value;

	while (sign > word + 1) {
		sign--;
		if ((*sign != '+' && *sign != '-') || !parse_number(sign + 1, &value))
			continue;
		if (*sign == '+' && isinf(value))
			break;
		*out = (struct bias){.key = word, .len = (size_t)(sign - word),
		                     .value = (float)(*sign == '-' ? -value : value), .id = -1};
		if (is_number(out->key, out->len))
			out->id = strtoll(out->key, NULL, 10);
		return STATUS_OK;
	}
	return error_set(err, STATUS_USAGE, "'%.60s' is not TEXT+N, TEXT-N, ID+N or ID-N", word);
}

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

static enum status no_token(const struct tokenizer *tokenizer, const struct bias *bias,
                            struct error *err)
{
	struct token_list list = {0};
	int shown = bias->len < 60 ? (int)bias->len : 60;
	size_t n = tokenizer_encode(tokenizer, bias->key, bias->len, ENCODE_CONTINUE, &list, NULL)
	                   ? 0 : list.n;

	token_list_free(&list);
	return error_set(err, STATUS_USAGE, "logit-bias: '%.*s' is not one token of this model but %zu: give "
	                 "the id of one", shown, bias->key, n);
}

static enum status add_key(struct engine *engine, const struct bias *bias, struct sampler_biases *out,
                           struct error *err)
{
	size_t n = sampler_n_vocab(engine->sampler), found = 0;
	enum status status = STATUS_OK;

	if (bias->id >= 0 && (uint64_t)bias->id >= n)
		return error_set(err, STATUS_USAGE, "logit-bias: there is no token %lld: the last is %zu",
		                 (long long)bias->id, n - 1);
	if (bias->id >= 0)
		return sampler_biases_add(out, (int32_t)bias->id, bias->value, err);
	for (size_t id = 0; id < n && !status; id++)
		if (is_token_of(engine->tokenizer, (int32_t)id, bias->key, bias->len)) {
			status = sampler_biases_add(out, (int32_t)id, bias->value, err);
			found++;
		}
	return status || found ? status : no_token(engine->tokenizer, bias, err);
}

/* `engine` NULL: they are only checked. */
static enum status read_words(struct engine *engine, const char *words, struct sampler_biases *out,
                              struct error *err)
{
	size_t len = strlen(words);
	enum status status = STATUS_OK;
	struct buf word = {.max = LIMIT_MESSAGE};
	struct bias bias = {.id = -1};
	bool found;

	while (!status && !(status = words_next(&words, &len, &word, &found, err)) && found) {
		status = read_word(buf_text(&word), &bias, err);
		if (status && engine)
			error_prefix(err, "logit-bias");
		else if (engine)
			status = add_key(engine, &bias, out, err);
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
