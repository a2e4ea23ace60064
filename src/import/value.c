#include "import/value.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/words.h"

enum { CHUNK_BYTES = 65536, REPEATED_AMONG = 64 };

struct values_chunk {
	struct values_chunk *before;
	size_t len, cap;
	max_align_t bytes[];
};

void values_free(struct values *values)
{
	while (values->chunks) {
		struct values_chunk *before = values->chunks->before;

		free(values->chunks);
		values->chunks = before;
	}
	*values = (struct values){.n = 0};
}

/* NULL without memory. */
static void *take(struct values *values, size_t n)
{
	struct values_chunk *chunk = values->chunks;
	size_t cap = n > CHUNK_BYTES ? n : CHUNK_BYTES;
	char *at;

	n = (n + _Alignof(struct value) - 1) / _Alignof(struct value) * _Alignof(struct value);
	if (!chunk || chunk->cap - chunk->len < n) {
		cap += _Alignof(struct value);
		chunk = malloc(sizeof *chunk + cap);
		if (!chunk)
			return NULL;
		*chunk = (struct values_chunk){.before = values->chunks, .cap = cap};
		values->chunks = chunk;
	}
	at = (char *)chunk->bytes + chunk->len;
	chunk->len += n;
	return at;
}

static const char *copy(struct values *values, const char *text, size_t len)
{
	char *to = len ? take(values, len + 1) : NULL;

	if (!len)
		return "";
	if (to) {
		memcpy(to, text, len);
		to[len] = '\0';
	}
	return to;
}

static struct value *add(struct values *values, const struct json_item *item, const char *key)
{
	bool has_text = item->kind == JSON_STRING || item->kind == JSON_NUMBER;
	const char *text = has_text ? copy(values, item->text, item->len) : "";
	struct value *value = text ? take(values, sizeof *value) : NULL;

	if (value)
		*value = (struct value){.kind = item->kind, .len = has_text ? (uint32_t)item->len : 0, .key = key,
		                        .text = text};
	return value;
}

bool json_same(const struct value *a, const struct value *b)
{
	return a && b && a->kind == b->kind && a->len == b->len && !a->first &&
	       memcmp(a->text, b->text, a->len) == 0;
}

/* What an object has under this key; NULL: nothing, or there are too many to look. */
static struct value *find_repeated(const struct value *object, const char *key)
{
	struct value *found = object->len <= REPEATED_AMONG ? object->first : NULL;

	while (found && strcmp(found->key, key) != 0)
		found = found->next;
	return found;
}

/* A list that comes again goes on; of other values the first that says anything counts. */
static void join_repeated(struct values *values, struct value *old, struct value *value)
{
	if (old->kind == JSON_ARRAY && value->kind == JSON_ARRAY) {
		*(old->last ? &old->last->next : &old->first) = value->first;
		old->last = value->last ? value->last : old->last;
		old->len += value->len;
	} else if (old->kind == JSON_NULL) {
		struct value *next = old->next;

		*old = *value;
		old->next = next;
	} else {
		values->n_repeated += !json_same(old, value) && value->kind != JSON_NULL;
	}
}

/* Puts a whole value into the one around it. */
static void put_into(struct values *values, struct value *outer, struct value *value)
{
	struct value *old = outer->kind == JSON_OBJECT ? find_repeated(outer, value->key) : NULL;

	if (old) {
		join_repeated(values, old, value);
		return;
	}
	*(outer->last ? &outer->last->next : &outer->first) = value;
	outer->last = value;
	outer->len++;
}

/* Says how far it is, and asks whether to go on: at every object, which is often enough. */
static enum status look(const struct json_reader *reader, struct job *job, struct error *err)
{
	if (!job)
		return STATUS_OK;
	atomic_store_explicit(&job->done, reader->at, memory_order_relaxed);
	if (job_is_stopped(job))
		return error_set(err, STATUS_CANCELLED, "stopped");
	return STATUS_OK;
}

enum status values_load(struct values *values, struct json_reader *reader, const struct json_item *first,
                        struct job *job, const struct value **out, struct error *err)
{
	struct json_item item = *first;
	struct value *open[JSON_DEPTH + 1];
	size_t depth = 0;
	const char *key = "";

	for (;;) {
		struct value *value;
		enum status status = item.kind == JSON_OBJECT ? look(reader, job, err) : STATUS_OK;

		if (status)
			return status;
		if (item.kind == JSON_KEY) {
			key = copy(values, item.text, item.len);
			value = NULL;
		} else if (item.kind == JSON_OBJECT_END || item.kind == JSON_ARRAY_END) {
			value = open[--depth];
		} else {
			if (++values->n > LIMIT_IMPORT_VALUES)
				return error_set(err, STATUS_LIMIT, "%s: more than %zu values in one chat", reader->name,
				                 (size_t)LIMIT_IMPORT_VALUES);
			value = add(values, &item, key);
			key = value ? "" : NULL;
			if (value && (item.kind == JSON_OBJECT || item.kind == JSON_ARRAY)) {
				open[depth++] = value;
				value = NULL;
			}
		}
		if (!key)
			return error_no_memory(err, "to import");
		if (value && !depth) {
			*out = value;
			return STATUS_OK;
		}
		if (value)
			put_into(values, open[depth - 1], value);
		status = json_next(reader, &item, err);
		if (status)
			return status;
	}
}

static const struct value *find(const struct value *object, const char *name, size_t len)
{
	const struct value *member = object && object->kind == JSON_OBJECT ? object->first : NULL;

	while (member && (strncmp(member->key, name, len) != 0 || member->key[len] != '\0'))
		member = member->next;
	return member;
}

const struct value *member_named(const struct value *object, const char *name, size_t len)
{
	const struct value *member = find(object, name, len);

	return member && member->kind != JSON_NULL ? member : NULL;
}

const struct value *member_get(const struct value *object, const char *names)
{
	for (size_t len; words_list_next(&names, &len); names += len) {
		const struct value *member = member_named(object, names, len);

		if (member)
			return member;
	}
	return NULL;
}

bool member_has(const struct value *object, const char *names)
{
	for (size_t len; words_list_next(&names, &len); names += len)
		if (find(object, names, len))
			return true;
	return false;
}

const char *member_text(const struct value *object, const char *names)
{
	for (size_t len; words_list_next(&names, &len); names += len) {
		const struct value *member = find(object, names, len);

		if (member && member->text[0])
			return member->text;
	}
	return NULL;
}

bool json_is(const struct value *value, const char *text)
{
	return value && value->kind == JSON_STRING && strcmp(value->text, text) == 0;
}

bool json_is_list(const struct value *value)
{
	return value && value->kind == JSON_ARRAY;
}

bool json_is_true(const struct value *value)
{
	return value && value->kind == JSON_TRUE;
}
