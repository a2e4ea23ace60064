/* Logit biases by ids: a server would bias every token of a text, and knows no control tokens in one. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/words.h"
#include "remote/llama_server.h"
#include "turn/bias_word.h"

/* Adds the id of a text if that is one token. */
static enum status add_single(const struct tokenizer *tokenizer, const char *text, size_t len, struct token_list *out,
                              struct error *err)
{
	struct token_list ids = {0};
	enum status status = tokenizer_encode(tokenizer, text, len, ENCODE_CONTINUE, &ids, err);

	if (!status && ids.n == 1 && token_list_push(out, ids.ids[0]))
		status = error_no_memory(err, "for the sampler");
	token_list_free(&ids);
	return status;
}

/* The tokens that are a text, alone or after a blank, and the control token of that name. */
static enum status find_tokens(const struct tokenizer *tokenizer, const char *text, size_t len, struct token_list *out,
                               struct error *err)
{
	struct buf spaced = {.max = LIMIT_MESSAGE};
	int32_t control = tokenizer_find(tokenizer, text, len);
	enum status status = STATUS_OK;

	buf_putc(&spaced, ' ');
	buf_append(&spaced, text, len);
	if (buf_status(&spaced) ||
	    (control != TOKEN_NONE && tokenizer_is_control(tokenizer, control) && token_list_push(out, control)))
		status = error_no_memory(err, "for the sampler");
	if (!status)
		status = add_single(tokenizer, text, len, out, err);
	if (!status)
		status = add_single(tokenizer, buf_text(&spaced), spaced.len, out, err);
	buf_free(&spaced);
	if (!status && !out->n)
		return error_set(err, STATUS_USAGE, "logit-bias: '%.*s' is not one token of this model: give the id of one",
		                 len < 60 ? (int)len : 60, text);
	return status;
}

static enum status put_word(const struct tokenizer *tokenizer, const char *word, struct buf *out, struct error *err)
{
	struct token_list ids = {0};
	struct bias_word bias;
	enum status status = bias_word_read(word, &bias, err);

	if (status) {
		error_prefix(err, "logit-bias");
		return status;
	}
	if (bias.id >= 0) {
		buf_printf(out, " %s", word);
		return STATUS_OK;
	}
	status = find_tokens(tokenizer, word, bias.key_len, &ids, err);
	for (size_t i = 0; i < ids.n && !status; i++)
		buf_printf(out, " %d%s", (int)ids.ids[i], bias.number);
	token_list_free(&ids);
	return status;
}

enum status llama_biases(const struct tokenizer *tokenizer, const char *words, struct buf *out, struct error *err)
{
	size_t len = strlen(words);
	struct buf word = {.max = LIMIT_MESSAGE};
	enum status status = STATUS_OK;
	bool found;

	while (!status && !(status = words_next(&words, &len, &word, &found, err)) && found)
		status = put_word(tokenizer, buf_text(&word), out, err);
	buf_free(&word);
	if (!status && buf_status(out))
		return error_no_memory(err, "for the sampler");
	return status;
}
