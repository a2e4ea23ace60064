/* What went wrong, by a server's own words. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json_walk.h"
#include "base/utf8.h"
#include "remote/chunk.h"

/* What an error says, wherever. */
struct said {
	char message[ERROR_TEXT_MAX], raw[ERROR_TEXT_MAX / 2];
	char type[64], code[64], field[64];
	char weak[ERROR_TEXT_MAX / 2]; /* a "message" that may be no error's */
	uint32_t n_prompt, n_ctx;
	bool is_error;
};

#define PLACE(pattern, field) {pattern, JSON_PLACE_TEXT, offsetof(struct said, field), sizeof ((struct said *)0)->field}
#define OF_ERROR(where)                                                                                           \
	PLACE(where ".message", message), PLACE(where ".type", type), PLACE(where ".code", code),                     \
		PLACE(where ".param", field), PLACE(where ".metadata.raw", raw)

/* Places that a later row with the same field overwrites are no trouble: an error has one shape. */
static const struct json_place places[] = {
	OF_ERROR("error"),
	OF_ERROR("x_groq.error"),
	OF_ERROR("choices.*.error"),
	PLACE("error", message),
	PLACE("x_groq.error", message),
	PLACE("error.error", message),
	PLACE("error.msg", message),
	PLACE("error_message", message),
	PLACE("error_type", type),
	PLACE("detail", message),
	PLACE("detail.msg", message),
	PLACE("detail.message", message),
	PLACE("detail.*.msg", message),
	PLACE("detail.*.loc.*", field), /* the last part is the field's name */
	PLACE("errors.*.message", message),
	PLACE("message", weak),
	PLACE("type", type),
	PLACE("code", code),
	PLACE("param", field),
	{"error.n_prompt_tokens", JSON_PLACE_U32, offsetof(struct said, n_prompt), 0},
	{"error.n_ctx", JSON_PLACE_U32, offsetof(struct said, n_ctx), 0},
};

/* Where an object, or a list, alone says that something went wrong. */
static const char *const errors[] = {"error", "x_groq.error", "choices.*.error", "error_type", "error_message",
                                     "detail", "errors"};

static bool is_place_of_error(const char *path)
{
	for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
		if (json_path_is(path, errors[i]))
			return true;
	return false;
}

static enum status take(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct said *said = ctx;

	(void)err;
	if (json_put_place(places, sizeof places / sizeof places[0], said, path, item) && is_place_of_error(path))
		said->is_error |= item->len > 0;
	if ((item->kind == JSON_OBJECT || item->kind == JSON_ARRAY) && is_place_of_error(path))
		said->is_error = true;
	if (item->kind == JSON_STRING && strcmp(path, "object") == 0 && strcmp(item->text, "error") == 0)
		said->is_error = true;
	return STATUS_OK;
}

static bool is_too_long(const struct said *said)
{
	static const char *const signs[] = {
		"context_length_exceeded", "exceed_context_size", "maximum context length", "context size has been exceeded",
		"exceeds the available context", "input length exceeds", "too many tokens", "prompt is too long",
		"out_of_context", "exceeds the context", "longer than the context"};

	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (strcasestr(said->message, signs[i]) || strcasestr(said->code, signs[i]) ||
		    strcasestr(said->type, signs[i]) || strcasestr(said->raw, signs[i]))
			return true;
	return false;
}

/* The numbers in "maximum context length is 8192 tokens. However, ... 9000 tokens", "of 8192 tokens": the first, and the largest of the
 * others. */
static void read_numbers(struct said *said)
{
	const char *at = strcasestr(said->message, "context length");

	for (; at && *at; at++) {
		unsigned long n;
		char *end;

		if (!isdigit((unsigned char)*at))
			continue;
		n = strtoul(at, &end, 10);
		n = n < UINT32_MAX ? n : UINT32_MAX;
		if (!said->n_ctx)
			said->n_ctx = (uint32_t)n;
		else if (n > said->n_prompt)
			said->n_prompt = (uint32_t)n;
		at = end - 1;
	}
}

static void set_error(struct chunk *out, struct said *said)
{
	enum status status;
	const char *what;

	if (!said->message[0])
		memcpy(said->message, said->weak, sizeof said->weak);
	status = is_too_long(said) ? STATUS_CONTEXT : STATUS_IO;
	what = said->message[0] ? said->message
	       : said->type[0]  ? said->type : "the server reports an error without saying which";
	if (status == STATUS_CONTEXT && !said->n_ctx && !said->n_prompt)
		read_numbers(said);
	out->n_prompt = said->n_prompt;
	out->n_ctx = said->n_ctx;
	snprintf(out->refused, sizeof out->refused, "%s", said->field);
	error_set(&out->error, status, "%.*s%s%.*s", (int)utf8_cut(what, strlen(what), 290), what,
	          said->raw[0] ? ": " : "", (int)utf8_cut(said->raw, strlen(said->raw), 200), said->raw);
}

void chunk_read_error(struct chunk *out, const char *json, size_t len, bool is_refusal)
{
	struct said said = {.message = ""};

	/* Nearly no event has one. */
	if (!is_refusal && !memmem(json, len, "error", 5) && !memmem(json, len, "\"detail\"", 8))
		return;
	if (json_walk(json, len, take, &said, NULL))
		return;
	if (said.is_error || (is_refusal && said.weak[0]))
		set_error(out, &said);
}
