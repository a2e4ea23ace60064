/* tokenizer.json (huggingface/tokenizers), in one pass. Gemma 3's, 33 MB with 262,144 tokens and 514,906 merges, takes 0.15 s,
 * and 16 MB beside the file's own bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json_reader.h"
#include "base/limits.h"
#include "checkpoint/vocabulary.h"
#include "tokenizer/vocab.h"

#define FILE_NAME "tokenizer.json"

struct reading {
	struct json_reader json;
	struct json_item item;
	struct vocabulary *to;
	struct error *err;
	bool has_added;
};

static const char *kind_name(enum json_kind kind)
{
	static const char *const names[] = {
		[JSON_END] = "the end",   [JSON_NULL] = "null",       [JSON_FALSE] = "false",
		[JSON_TRUE] = "true",     [JSON_NUMBER] = "a number", [JSON_STRING] = "a text",
		[JSON_KEY] = "a key",     [JSON_OBJECT] = "an object", [JSON_OBJECT_END] = "the end of an object",
		[JSON_ARRAY] = "a list",  [JSON_ARRAY_END] = "the end of a list",
	};

	return names[kind];
}

/* As much of a token's text as an error shows. */
static int shown(size_t len)
{
	return len < 60 ? (int)len : 60;
}

static enum status step(struct reading *r)
{
	return json_next(&r->json, &r->item, r->err);
}

static enum status expect(struct reading *r, enum json_kind kind, const char *where)
{
	enum status status = step(r);

	if (status || r->item.kind == kind)
		return status;
	return error_set(r->err, STATUS_FORMAT, FILE_NAME ": %s: found %s, expected %s", where, kind_name(r->item.kind),
	                 kind_name(kind));
}

static enum status twice(struct reading *r, const char *where)
{
	return error_set(r->err, STATUS_FORMAT, FILE_NAME ": %s: is there twice, expected once", where);
}

/* What vocabulary_set and its kin say without a text. */
static enum status stored(struct reading *r, enum status status, const char *where)
{
	if (status == STATUS_LIMIT)
		return error_set(r->err, status, FILE_NAME ": %s: too much, expected at most %zu tokens and %zu MiB of text",
		                 where, LIMIT_VOCAB, LIMIT_CHECKPOINT_TOKENIZER >> 20);
	return status ? error_no_memory(r->err, "for the tokenizer") : STATUS_OK;
}

/* Behind the first item of a value: the rest of it. */
static enum status skip_rest(struct reading *r)
{
	size_t outside = r->json.depth - (r->item.kind == JSON_OBJECT || r->item.kind == JSON_ARRAY);
	enum status status = STATUS_OK;

	while (!status && r->json.depth > outside)
		status = step(r);
	return status;
}

static enum status skip(struct reading *r)
{
	enum status status = step(r);

	return status ? status : skip_rest(r);
}

/* Notes where a value stands. */
static enum status note_section(struct reading *r, struct json_section *section)
{
	section->at = r->json.at;
	if (skip(r))
		return r->err ? r->err->status : STATUS_FORMAT;
	section->len = r->json.at - section->at;
	return STATUS_OK;
}

/* The number in r->item as an id. `text`: whose. */
static enum status take_id(struct reading *r, const char *where, const char *text, size_t len, uint32_t *id)
{
	uint64_t value = 0;
	bool good = r->item.kind == JSON_NUMBER && r->item.len > 0;

	for (size_t i = 0; good && i < r->item.len; i++) {
		good = r->item.text[i] >= '0' && r->item.text[i] <= '9' && value < LIMIT_VOCAB;
		value = value * 10 + (uint64_t)(r->item.text[i] - '0');
	}
	*id = (uint32_t)value;
	if (good && value < LIMIT_VOCAB)
		return STATUS_OK;
	return error_set(r->err, STATUS_FORMAT, FILE_NAME ": %s: '%.*s' has the id %.40s, expected 0..%zu", where, shown(len), text,
	                 r->item.kind == JSON_NUMBER ? r->item.text : kind_name(r->item.kind), LIMIT_VOCAB - 1);
}

static enum status take_token(struct reading *r)
{
	struct vocabulary *to = r->to;
	size_t start = to->text.len, len = r->item.len;
	uint32_t id;
	enum status status = stored(r, buf_append(&to->text, r->item.text, len), "model.vocab");

	if (status || (status = step(r)))
		return status;
	status = take_id(r, "model.vocab", buf_text(&to->text) + start, len, &id);
	if (status)
		return status;
	if (id < to->n && to->tokens[id].type)
		return error_set(r->err, STATUS_FORMAT,
		                 FILE_NAME ": model.vocab: '%.*s' has the id %" PRIu32 ", which is '%.*s' already",
		                 shown(len), buf_text(&to->text) + start, id, shown(to->tokens[id].len),
		                 vocabulary_text(to, &to->tokens[id]));
	status = stored(r, vocabulary_set(to, id, "", 0, TOKEN_NORMAL, 0), "model.vocab");
	if (status)
		return status;
	to->tokens[id].start = (uint32_t)start;
	to->tokens[id].len = (uint32_t)len;
	to->tokens[id].is_in_model = true;
	to->n_in_model++;
	return STATUS_OK;
}

static enum status read_vocab(struct reading *r)
{
	enum status status = step(r);

	if (r->to->has_vocab)
		return twice(r, "model.vocab");
	r->to->has_vocab = true;
	if (!status && r->item.kind == JSON_ARRAY) {
		r->to->has_list = true;
		return skip_rest(r);
	}
	if (!status && r->item.kind != JSON_OBJECT)
		return error_set(r->err, STATUS_FORMAT, FILE_NAME ": model.vocab: found %s, expected an object",
		                 kind_name(r->item.kind));
	while (!status && !(status = step(r)) && r->item.kind == JSON_KEY)
		status = take_token(r);
	return status;
}

/* Part of a pair: a blank in it, which divides the two in GGUF, becomes U+0120, its letter in byte-level BPE. */
static void put_part(struct buf *out, const char *text, size_t len)
{
	const char *blank;

	while (len && (blank = memchr(text, ' ', len))) {
		buf_append(out, text, (size_t)(blank - text));
		buf_puts(out, "\xC4\xA0");
		len -= (size_t)(blank + 1 - text);
		text = blank + 1;
	}
	buf_append(out, text, len);
}

/* ["left", "right"], behind its '['. */
static enum status take_pair(struct reading *r)
{
	struct buf *out = &r->to->merges;

	for (int i = 0; i < 2; i++) {
		enum status status = expect(r, JSON_STRING, "model.merges, in a pair");

		if (status)
			return status;
		if (i)
			buf_putc(out, ' ');
		put_part(out, r->item.text, r->item.len);
	}
	return expect(r, JSON_ARRAY_END, "model.merges, behind a pair");
}

static enum status take_merge(struct reading *r)
{
	struct vocabulary *to = r->to;
	size_t start;
	enum status status = STATUS_OK;

	if (to->n_merges == LIMIT_MERGES)
		return error_set(r->err, STATUS_LIMIT, FILE_NAME ": model.merges: more than %zu, expected at most that",
		                 LIMIT_MERGES);
	start = vocabulary_begin_merge(to);
	if (r->item.kind == JSON_STRING)
		buf_append(&to->merges, r->item.text, r->item.len);
	else if (r->item.kind == JSON_ARRAY)
		status = take_pair(r);
	else
		return error_set(r->err, STATUS_FORMAT, FILE_NAME ": model.merges: found %s, expected a text or a pair",
		                 kind_name(r->item.kind));
	vocabulary_end_merge(to, start);
	return status ? status : stored(r, buf_status(&to->merges), "model.merges");
}

static enum status read_merges(struct reading *r)
{
	enum status status = step(r);

	if (r->to->has_merges)
		return twice(r, "model.merges");
	r->to->has_merges = true;
	if (!status && r->item.kind != JSON_ARRAY)
		return error_set(r->err, STATUS_FORMAT, FILE_NAME ": model.merges: found %s, expected a list",
		                 kind_name(r->item.kind));
	while (!status && !(status = step(r)) && r->item.kind != JSON_ARRAY_END)
		status = take_merge(r);
	return status;
}

static bool is_key(const struct json_item *item, const char *key)
{
	return item->len == strlen(key) && memcmp(item->text, key, item->len) == 0;
}

static enum status read_flag(struct reading *r, const char *where, bool *flag)
{
	enum status status = step(r);

	*flag = r->item.kind == JSON_TRUE;
	if (status || r->item.kind == JSON_TRUE || r->item.kind == JSON_FALSE || r->item.kind == JSON_NULL)
		return status;
	return error_set(r->err, STATUS_FORMAT, FILE_NAME ": %s: found %s, expected true or false", where,
	                 kind_name(r->item.kind));
}

static enum status read_type(struct reading *r)
{
	enum status status = expect(r, JSON_STRING, "model.type");

	if (!status)
		snprintf(r->to->type, sizeof r->to->type, "%s", r->item.text);
	return status;
}

static enum status read_model(struct reading *r)
{
	enum status status = r->to->has_model ? twice(r, "model") : expect(r, JSON_OBJECT, "model");

	r->to->has_model = true;
	while (!status && !(status = step(r)) && r->item.kind == JSON_KEY) {
		if (is_key(&r->item, "type"))
			status = read_type(r);
		else if (is_key(&r->item, "vocab"))
			status = read_vocab(r);
		else if (is_key(&r->item, "merges"))
			status = read_merges(r);
		else if (is_key(&r->item, "byte_fallback"))
			status = read_flag(r, "model.byte_fallback", &r->to->has_byte_fallback);
		else if (is_key(&r->item, "ignore_merges"))
			status = read_flag(r, "model.ignore_merges", &r->to->ignores_merges);
		else
			status = skip(r);
	}
	return status;
}

/* The fields of an added token, behind its '{'. */
static enum status take_added(struct reading *r)
{
	struct vocabulary *to = r->to;
	size_t start = to->text.len, len = 0;
	bool has_content = false, has_id = false, is_special = false;
	uint32_t id = 0;
	enum status status = STATUS_OK;

	while (!status && !(status = step(r)) && r->item.kind == JSON_KEY) {
		if (is_key(&r->item, "content") && !has_content) {
			status = expect(r, JSON_STRING, "added_tokens, content");
			len = r->item.len;
			has_content = true;
			status = status ? status : stored(r, buf_append(&to->text, r->item.text, len), "added_tokens");
		} else if (is_key(&r->item, "id")) {
			status = step(r);
			status = status ? status
			                : take_id(r, "added_tokens", buf_text(&to->text) + start, has_content ? len : 0, &id);
			has_id = true;
		} else if (is_key(&r->item, "special")) {
			status = read_flag(r, "added_tokens, special", &is_special);
		} else {
			status = skip(r);
		}
	}
	if (!status && (!has_content || !has_id))
		return error_set(r->err, STATUS_FORMAT, FILE_NAME ": added_tokens: token %zu has no %s, expected one", to->n_added,
		                 has_content ? "id" : "content");
	status = status ? status : stored(r, vocabulary_add(to, "", 0, id, is_special), "added_tokens");
	if (!status) {
		to->added[to->n_added - 1].start = (uint32_t)start;
		to->added[to->n_added - 1].len = (uint32_t)len;
	}
	return status;
}

static enum status read_added(struct reading *r)
{
	enum status status = step(r);

	if (r->has_added)
		return twice(r, "added_tokens");
	r->has_added = true;
	if (status || r->item.kind == JSON_NULL)
		return status;
	if (r->item.kind != JSON_ARRAY)
		return error_set(r->err, STATUS_FORMAT, FILE_NAME ": added_tokens: found %s, expected a list",
		                 kind_name(r->item.kind));
	while (!status && !(status = step(r)) && r->item.kind != JSON_ARRAY_END) {
		if (r->item.kind != JSON_OBJECT)
			return error_set(r->err, STATUS_FORMAT, FILE_NAME ": added_tokens: found %s, expected an object",
			                 kind_name(r->item.kind));
		status = take_added(r);
	}
	return status;
}

static enum status read_file(struct reading *r)
{
	struct vocabulary *to = r->to;
	enum status status = expect(r, JSON_OBJECT, "the file");

	while (!status && !(status = step(r)) && r->item.kind == JSON_KEY) {
		if (is_key(&r->item, "model"))
			status = read_model(r);
		else if (is_key(&r->item, "added_tokens"))
			status = read_added(r);
		else if (is_key(&r->item, "normalizer"))
			status = note_section(r, &to->normalizer);
		else if (is_key(&r->item, "pre_tokenizer"))
			status = note_section(r, &to->pre_tokenizer);
		else if (is_key(&r->item, "post_processor"))
			status = note_section(r, &to->post_processor);
		else if (is_key(&r->item, "decoder"))
			status = note_section(r, &to->decoder);
		else
			status = skip(r);
	}
	return status ? status : expect(r, JSON_END, "behind the file's object");
}

/* Files from before "type" was written have BPE's fields alone. */
enum status vocabulary_check_bpe(const struct vocabulary *v, struct error *err)
{
	const char *type = *v->type ? v->type : v->has_list ? "Unigram" : v->has_merges ? "BPE" : "WordPiece";

	if (!v->has_model || !v->has_vocab)
		return error_set(err, STATUS_FORMAT, FILE_NAME ": has no %s, expected one", v->has_model ? "model.vocab" : "model");
	if (strcmp(type, "BPE") != 0)
		return error_set(err, STATUS_UNSUPPORTED, FILE_NAME ": model.type is '%s', expected BPE: tokenizers of that "
		                 "kind are not converted; take a GGUF of the model", type);
	if (v->has_list)
		return error_set(err, STATUS_FORMAT, FILE_NAME ": model.vocab: found a list, expected an object");
	if (!v->n_in_model)
		return error_set(err, STATUS_FORMAT, FILE_NAME ": model.vocab has no tokens, expected some");
	return STATUS_OK;
}

enum status vocabulary_read_json(struct vocabulary *vocabulary, const char *json, size_t len, struct error *err)
{
	struct error local = {0};
	struct reading r = {.to = vocabulary, .err = err ? err : &local};
	enum status status;

	json_begin(&r.json, FILE_NAME, json, len);
	status = read_file(&r);
	json_end(&r.json);
	return status;
}
