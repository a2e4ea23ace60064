/* Keys that the user sets in the place of the file's, as llama.cpp's --override-kv has them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/words.h"
#include "gguf/internal.h"

#define EXPECTED "expected KEY=int:N, KEY=float:X, KEY=bool:true|false or KEY=str:TEXT"
enum { OVERRIDES_MAX = 256 };

static const struct {
	const char *mark;
	enum gguf_type type;
} types[] = {{"=int:", GGUF_I64}, {"=float:", GGUF_F64}, {"=bool:", GGUF_BOOL}, {"=str:", GGUF_STRING}};

/* Whether a text begins with KEY=TYPE: and where its value begins. */
static bool is_override(const char *text, size_t *value, enum gguf_type *type)
{
	size_t len = strcspn(text, "=,");

	for (size_t i = 0; len && i < sizeof types / sizeof types[0]; i++)
		if (strncmp(text + len, types[i].mark, strlen(types[i].mark)) == 0) {
			*value = len + strlen(types[i].mark);
			*type = types[i].type;
			return true;
		}
	return false;
}

/* The length of the first override of a list: up to a comma that another one follows. */
static size_t item_len(const char *text)
{
	enum gguf_type type;
	size_t value;

	for (size_t i = 0; text[i]; i++)
		if (text[i] == ',' && is_override(text + i + 1, &value, &type))
			return i;
	return strlen(text);
}

static bool read_value(struct gguf_kv *kv, const char *text, void *room)
{
	int64_t integer;
	double number;

	switch (kv->type) {
	case GGUF_I64:
		if (!number_parse_int(text, &integer))
			return false;
		memcpy(room, &integer, sizeof integer);
		return true;
	case GGUF_F64:
		if (!number_parse_double(text, &number) || !isfinite(number))
			return false;
		memcpy(room, &number, sizeof number);
		return true;
	case GGUF_BOOL:
		*(unsigned char *)room = strcmp(text, "true") == 0;
		return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
	default:
		kv->n = strlen(text);
		return true;
	}
}

static enum status add(struct gguf *gguf, const char *item, size_t len, struct error *err)
{
	struct gguf_override *o;
	size_t value;

	if (!alloc_grow(&gguf->overrides, &gguf->cap_overrides, gguf->n_overrides + 1, sizeof *o, OVERRIDES_MAX))
		return error_set(err, STATUS_NOMEM, "more than %d keys, or not enough memory", OVERRIDES_MAX);
	o = &gguf->overrides[gguf->n_overrides];
	memset(o, 0, sizeof *o);
	o->text = alloc_strndup(item, len);
	if (!o->text)
		return error_no_memory(err, NULL);
	gguf->n_overrides++;
	if (!is_override(o->text, &value, &o->kv.type))
		return error_set(err, STATUS_USAGE, "'%.100s': " EXPECTED, o->text);
	o->kv.key = (struct gguf_string){o->text, strcspn(o->text, "=")};
	o->kv.data = (const unsigned char *)o->text + value; /* of a string */
	if (!read_value(&o->kv, o->text + value, o->value))
		return error_set(err, STATUS_USAGE, "'%.100s': " EXPECTED, o->text);
	for (size_t i = 0; i + 1 < gguf->n_overrides; i++)
		if (gguf_string_compare(gguf->overrides[i].kv.key, o->kv.key) == 0)
			return error_set(err, STATUS_USAGE, "'%.*s' is given twice", SHOWN(o->kv.key));
	return STATUS_OK;
}

enum status gguf_override(struct gguf *gguf, const char *words, struct error *err)
{
	size_t len = words ? strlen(words) : 0;
	enum status status = STATUS_OK;
	bool found = true;
	struct buf word = {.max = LIMIT_MESSAGE};

	while (!status && !(status = words_next(&words, &len, &word, &found, err)) && found) {
		const char *at = buf_text(&word);

		for (size_t n; !status && *at; at += n + (at[n] == ',')) {
			n = item_len(at);
			status = add(gguf, at, n, err);
		}
	}
	buf_free(&word);
	for (size_t i = 0; i < gguf->n_overrides; i++) /* the array moves no more */
		if (gguf->overrides[i].kv.type != GGUF_STRING)
			gguf->overrides[i].kv.data = gguf->overrides[i].value;
	return status;
}

enum status gguf_override_check(const char *words, struct error *err)
{
	struct gguf none = {0};
	enum status status = gguf_override(&none, words, err);

	gguf_free_overrides(&none);
	return status;
}

const struct gguf_kv *gguf_find_override(const struct gguf *gguf, const char *key)
{
	for (size_t i = 0; i < gguf->n_overrides; i++)
		if (gguf_string_is(gguf->overrides[i].kv.key, key)) {
			atomic_store(&gguf->overrides[i].is_read, true);
			return &gguf->overrides[i].kv;
		}
	return NULL;
}

const char *gguf_override_at(const struct gguf *gguf, size_t i)
{
	return i < gguf->n_overrides ? gguf->overrides[i].text : NULL;
}

bool gguf_unread_override(const struct gguf *gguf, struct gguf_string *key)
{
	for (size_t i = 0; i < gguf->n_overrides; i++)
		if (!atomic_load(&gguf->overrides[i].is_read)) {
			*key = gguf->overrides[i].kv.key;
			return true;
		}
	return false;
}

void gguf_free_overrides(struct gguf *gguf)
{
	for (size_t i = 0; i < gguf->n_overrides; i++)
		free(gguf->overrides[i].text);
	free(gguf->overrides);
}
