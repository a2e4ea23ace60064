/* Tokens that are listed beside a vocabulary: added_tokens.json, and added_tokens_decoder in tokenizer_config.json. */
#include <inttypes.h>
#include <string.h>

#include "base/json_reader.h"
#include "base/limits.h"
#include "checkpoint/vocabulary.h"

struct reading {
	struct json_reader json;
	struct json_item item;
	struct vocabulary *to;
	const char *name; /* of the file */
	struct error *err;
};

static enum status step(struct reading *r)
{
	return json_next(&r->json, &r->item, r->err);
}

static enum status skip(struct reading *r)
{
	enum status status = step(r);
	size_t outside = r->json.depth - (r->item.kind == JSON_OBJECT || r->item.kind == JSON_ARRAY);

	while (!status && r->json.depth > outside)
		status = step(r);
	return status;
}

static enum status wrong(const struct reading *r, const char *what)
{
	return error_set(r->err, STATUS_FORMAT, "%s: %s", r->name, what);
}

static enum status stored(const struct reading *r, enum status status)
{
	if (status == STATUS_LIMIT)
		return error_set(r->err, status, "%s: more than %zu added tokens, expected at most that", r->name, LIMIT_VOCAB);
	return status ? error_no_memory(r->err, "for the tokenizer") : STATUS_OK;
}

/* Digits as an id. One beyond every vocabulary is kept as LIMIT_VOCAB: whoever uses it passes it over. */
static enum status take_id(const struct reading *r, uint32_t *id)
{
	uint64_t value = 0;

	for (size_t i = 0; i < r->item.len; i++) {
		if (r->item.text[i] < '0' || r->item.text[i] > '9')
			return error_set(r->err, STATUS_FORMAT, "%s: a token has the id '%.40s', expected a whole number from 0 on",
			                 r->name, r->item.text);
		value = value < LIMIT_VOCAB ? value * 10 + (uint64_t)(r->item.text[i] - '0') : value;
	}
	*id = (uint32_t)(value < LIMIT_VOCAB ? value : LIMIT_VOCAB);
	return r->item.len ? STATUS_OK : wrong(r, "a token's id is empty, expected a number");
}

static enum status take_entry(struct reading *r)
{
	struct vocabulary *to = r->to;
	size_t start = to->text.len, len = r->item.len;
	uint32_t id;
	enum status status = stored(r, buf_append(&to->text, r->item.text, len));

	if (status || (status = step(r)))
		return status;
	if (r->item.kind != JSON_NUMBER)
		return wrong(r, "a token's id is no number");
	status = take_id(r, &id);
	status = status ? status : stored(r, vocabulary_add(to, "", 0, id, false));
	if (!status) {
		to->added[to->n_added - 1].start = (uint32_t)start;
		to->added[to->n_added - 1].len = (uint32_t)len;
	}
	return status;
}

enum status vocabulary_read_added(struct vocabulary *vocabulary, const char *json, size_t len, struct error *err)
{
	struct reading r = {.to = vocabulary, .name = "added_tokens.json", .err = err};
	enum status status;

	json_begin(&r.json, r.name, json, len);
	status = step(&r);
	if (!status && r.item.kind != JSON_OBJECT)
		status = wrong(&r, "expected an object of tokens and ids");
	while (!status && !(status = step(&r)) && r.item.kind == JSON_KEY)
		status = take_entry(&r);
	json_end(&r.json);
	return status;
}

/* {"content": ..., "special": ...}; the id was the key. */
static enum status take_description(struct reading *r)
{
	struct vocabulary *to = r->to;
	size_t start = to->text.len, len = 0;
	bool has_content = false, is_special = false;
	uint32_t id;
	enum status status = take_id(r, &id);

	if (status || (status = step(r)))
		return status;
	if (r->item.kind != JSON_OBJECT)
		return wrong(r, "added_tokens_decoder: a token is no object");
	while (!status && !(status = step(r)) && r->item.kind == JSON_KEY) {
		bool is_content = r->item.len == 7 && memcmp(r->item.text, "content", 7) == 0 && !has_content;
		bool is_flag = r->item.len == 7 && memcmp(r->item.text, "special", 7) == 0;

		if (!is_content && !is_flag) {
			status = skip(r);
			continue;
		}
		status = step(r);
		if (status)
			break;
		if (is_flag && (r->item.kind == JSON_OBJECT || r->item.kind == JSON_ARRAY))
			return wrong(r, "added_tokens_decoder: special is neither true nor false");
		if (is_flag) {
			is_special = r->item.kind == JSON_TRUE;
			continue;
		}
		if (r->item.kind != JSON_STRING)
			return wrong(r, "added_tokens_decoder: content is no text");
		len = r->item.len;
		has_content = true;
		status = stored(r, buf_append(&to->text, r->item.text, len));
	}
	if (!status && !has_content)
		return wrong(r, "added_tokens_decoder: a token has no content");
	status = status ? status : stored(r, vocabulary_add(to, "", 0, id, is_special));
	if (!status) {
		to->added[to->n_added - 1].start = (uint32_t)start;
		to->added[to->n_added - 1].len = (uint32_t)len;
	}
	return status;
}

static enum status read_decoder(struct reading *r)
{
	enum status status = step(r);

	if (status || r->item.kind == JSON_NULL)
		return status;
	if (r->item.kind != JSON_OBJECT)
		return wrong(r, "added_tokens_decoder is no object");
	while (!status && !(status = step(r)) && r->item.kind == JSON_KEY)
		status = take_description(r);
	return status;
}

enum status vocabulary_read_decoder(struct vocabulary *vocabulary, const char *json, size_t len, struct error *err)
{
	static const char key[] = "added_tokens_decoder";
	struct reading r = {.to = vocabulary, .name = "tokenizer_config.json", .err = err};
	enum status status;

	json_begin(&r.json, r.name, json, len);
	status = step(&r);
	if (!status && r.item.kind != JSON_OBJECT)
		status = wrong(&r, "expected an object");
	while (!status && !(status = step(&r)) && r.item.kind == JSON_KEY) {
		if (r.item.len == sizeof key - 1 && memcmp(r.item.text, key, sizeof key - 1) == 0)
			status = read_decoder(&r);
		else
			status = skip(&r);
	}
	json_end(&r.json);
	return status;
}
