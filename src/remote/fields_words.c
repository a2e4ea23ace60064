#include "remote/fields_words.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/words.h"
#include "encode/template_kwargs.h"
#include "turn/bias_word.h"

void words_put_stops(struct json_writer *json, const char *key, const struct turn *turn, size_t max)
{
	size_t n = 0;

	json_put_begin(json, key, '[');
	for (size_t i = 0; i < turn->n_stops && (!max || n < max); i++)
		if (turn->stops[i][0]) {
			json_put_string(json, NULL, turn->stops[i]);
			n++;
		}
	json_put_end(json, ']');
}

static enum status put_bias(struct json_writer *json, char *word, bool takes_texts, struct error *err)
{
	char number[NUMBER_TEXT_MAX];
	struct bias_word bias;
	enum status status = bias_word_read(word, &bias, err);

	if (status) {
		error_prefix(err, "logit-bias");
		return status;
	}
	word[bias.key_len] = '\0';
	if (bias.id < 0 && !takes_texts)
		return error_set(err, STATUS_USAGE, "logit-bias: '%.60s': this server takes ids of tokens only", word);
	if (isinf(bias.value) && takes_texts)
		json_put_bool(json, word, false);
	else
		json_put_number(json, word, "%s", isinf(bias.value) ? "-100" : number_format_double(bias.value, number));
	return STATUS_OK;
}

enum status words_put_biases(struct json_writer *json, const char *key, const char *words, bool takes_texts,
                             struct error *err)
{
	struct buf word = {.max = LIMIT_MESSAGE};
	size_t len = strlen(words);
	enum status status = STATUS_OK;
	bool found;

	json_put_begin(json, key, '{');
	while (!status && !(status = words_next(&words, &len, &word, &found, err)) && found)
		status = word.len ? put_bias(json, word.data, takes_texts, err) : STATUS_OK;
	json_put_end(json, '}');
	buf_free(&word);
	return status;
}

void words_put_order(struct json_writer *json, const char *key, const char *order)
{
	const char *at = order ? order : "penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature";

	json_put_begin(json, key, '[');
	while (*at) {
		size_t len = strcspn(at, ";"), n = 0;
		char name[32];

		for (size_t i = 0; i < len && n < sizeof name; i++)
			if (at[i] != ' ')
				name[n++] = at[i] == '-' ? '_' : (char)tolower((unsigned char)at[i]);
		if (n)
			json_put_text(json, NULL, name, n);
		at += len + (at[len] == ';');
	}
	json_put_end(json, ']');
}

enum status words_put_breakers(struct json_writer *json, const char *key, const char *words, struct error *err)
{
	struct buf word = {.max = LIMIT_MESSAGE};
	enum status status;

	json_put_begin(json, key, '[');
	words = words ? words : "\\n : \\\" *";
	while (words_next_escaped(&words, &word))
		/* An empty list is an error to llama-server: a character that no text has breaks nothing. */
		json_put_string(json, NULL, strcmp(buf_text(&word), "none") == 0 ? "\x1f" : buf_text(&word));
	json_put_end(json, ']');
	status = buf_status(&word);
	buf_free(&word);
	return status ? error_no_memory(err, NULL) : STATUS_OK;
}

enum status words_put_kwargs(struct json_writer *json, const char *object, struct error *err)
{
	enum status status = template_kwargs_check(object, err);
	const char *from, *end;

	if (status) {
		error_prefix(err, "chat-template-kwargs");
		return status;
	}
	from = strchr(object, '{') + 1;
	end = strrchr(object, '}');
	while (from < end && isspace((unsigned char)*from))
		from++;
	if (from < end)
		json_put_raw(json, NULL, from, (size_t)(end - from));
	return STATUS_OK;
}
