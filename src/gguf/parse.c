/* The structure of a GGUF file: header and key/value pairs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "gguf/cursor.h"
#include "gguf/foreign.h"
#include "gguf/internal.h"

enum {
	HEADER_SIZE = 24,    /* magic, version, tensor count, key/value count */
	MIN_KV_SIZE = 14,    /* length, one-byte key, type, one-byte value */
	MIN_TENSOR_SIZE = 33 /* length, one-byte name, n_dims, one dim, type, offset */
};

/* Header */

static enum status parse_header(struct cursor *cursor, struct gguf *gguf, uint64_t *n_kvs,
                                uint64_t *n_tensors)
{
	static const unsigned char magic[4] = {'G', 'G', 'U', 'F'};
	const unsigned char *found = cursor->base;
	uint32_t version;

	cursor_subject(cursor, "header");
	if (cursor->size == 0)
		return error_set(cursor->err, STATUS_FORMAT, "the file is empty");
	if (cursor->size < sizeof magic || memcmp(found, magic, sizeof magic) != 0) {
		uint32_t first = 0;

		if (foreign_file(found, cursor->size))
			return error_set(cursor->err, STATUS_FORMAT, "not a GGUF file: %s",
			                 foreign_file(found, cursor->size));
		memcpy(&first, found, cursor->size < 4 ? cursor->size : 4);
		return error_set(cursor->err, STATUS_FORMAT,
		                 "not a GGUF file: its first bytes are 0x%08" PRIx32
		                 ", expected 0x46554747 (\"GGUF\")", first);
	}
	if (cursor->size < HEADER_SIZE)
		return error_set(cursor->err, STATUS_FORMAT,
		                 "the file ends after %zu bytes, within its header of %d" GGUF_CUT_SHORT,
		                 cursor->size, HEADER_SIZE);
	cursor->off = sizeof magic;
	version = cursor_u32(cursor, "version");
	if (version && __builtin_bswap32(version) <= 0xff)
		return cursor_fail(cursor, STATUS_UNSUPPORTED, 4,
		                   "version 0x%08" PRIx32 ": a big-endian file, expected little-endian",
		                   version);
	if (version < 2 || version > 3)
		return cursor_fail(cursor, STATUS_UNSUPPORTED, 4,
		                   "version %" PRIu32 ", expected 2 or 3%s", version,
		                   version == 1 ? " (version 1 has long been replaced: convert the model again)"
		                                : "");
	gguf->version = version;
	*n_tensors = cursor_u64(cursor, "tensor count");
	*n_kvs = cursor_u64(cursor, "key/value count");
	/* A count allocates nothing, and an impossible one is refused at once. */
	if (*n_tensors > cursor_left(cursor) / MIN_TENSOR_SIZE)
		return cursor_fail(cursor, STATUS_FORMAT, 8,
		                   "tensor count %" PRIu64 ", but the %zu bytes that follow hold %zu at most"
		                   GGUF_CUT_SHORT,
		                   *n_tensors, cursor_left(cursor), cursor_left(cursor) / MIN_TENSOR_SIZE);
	if (*n_kvs > cursor_left(cursor) / MIN_KV_SIZE)
		return cursor_fail(cursor, STATUS_FORMAT, 16,
		                   "key/value count %" PRIu64 ", but the %zu bytes that follow hold %zu at most"
		                   GGUF_CUT_SHORT,
		                   *n_kvs, cursor_left(cursor), cursor_left(cursor) / MIN_KV_SIZE);
	if (*n_tensors > LIMIT_GGUF_TENSORS)
		return cursor_fail(cursor, STATUS_LIMIT, 8, "tensor count %" PRIu64 ", the limit is %d",
		                   *n_tensors, LIMIT_GGUF_TENSORS);
	if (*n_kvs > LIMIT_GGUF_KV)
		return cursor_fail(cursor, STATUS_LIMIT, 16, "key/value count %" PRIu64 ", the limit is %d",
		                   *n_kvs, LIMIT_GGUF_KV);
	return STATUS_OK;
}

/* Metadata */

static enum status check_bools(struct cursor *cursor, const unsigned char *data, size_t n)
{
	for (size_t i = 0; i < n && !cursor->status; i++)
		if (data[i] > 1)
			cursor_fail(cursor, STATUS_FORMAT, (size_t)(data - cursor->base) + i,
			            "bool value %d, expected 0 or 1", data[i]);
	return cursor->status;
}

/* Vocabularies may hold any bytes; all else must be UTF-8. */
static bool may_hold_bytes(struct gguf_string key)
{
	return gguf_string_begins(key, "tokenizer.");
}

static enum status parse_strings(struct cursor *cursor, struct gguf_kv *kv)
{
	bool any_bytes = may_hold_bytes(kv->key);
	size_t cap = 0, base = cursor->off;

	kv->data = cursor->base + base;
	for (size_t i = 0; i < kv->n && !cursor->status; i++) {
		struct gguf_string item;

		/* Grown as items are read: the count alone allocates nothing. */
		if (!alloc_grow(&kv->starts, &cap, i + 2, sizeof *kv->starts, LIMIT_MERGES + 1))
			return cursor_no_memory(cursor);
		item = cursor_string(cursor, LIMIT_GGUF_METADATA, "string in array");
		if (!any_bytes && !utf8_valid(item.data, item.len))
			return cursor_fail(cursor, STATUS_FORMAT, cursor->off - item.len,
			                   "string %zu of the array is not UTF-8", i);
		kv->starts[i] = cursor->off - item.len - base;
	}
	/* as if another string followed: gives the last one's length */
	if (kv->n && !cursor->status)
		kv->starts[kv->n] = cursor->off - base + GGUF_LENGTH_FIELD;
	return cursor->status;
}

static enum status parse_array(struct cursor *cursor, struct gguf_kv *kv)
{
	size_t at = cursor->off, item_size;
	uint32_t type = cursor_u32(cursor, "type of the array's items");
	uint64_t n;

	if (type == GGUF_ARRAY)
		return cursor_fail(cursor, STATUS_UNSUPPORTED, at, "an array of arrays");
	if (type >= GGUF_TYPE_COUNT)
		return cursor_fail(cursor, STATUS_FORMAT, at,
		                   "array of values of type %" PRIu32 ", expected 0..12 except 9", type);
	kv->item_type = (enum gguf_type)type;
	at = cursor->off;
	n = cursor_u64(cursor, "number of the array's items");
	item_size = type == GGUF_STRING ? GGUF_LENGTH_FIELD : gguf_type_size(type);
	if (n > (cursor->size - cursor->off) / item_size)
		return cursor_fail(cursor, STATUS_FORMAT, at,
		                   "array of %" PRIu64 " %s, but the file ends after %zu more bytes" GGUF_CUT_SHORT, n,
		                   gguf_type_name(type), cursor->size - cursor->off);
	if (type == GGUF_STRING && n > LIMIT_MERGES)
		return cursor_fail(cursor, STATUS_LIMIT, at,
		                   "array of %" PRIu64 " strings, the limit is %zu", n, LIMIT_MERGES);
	kv->n = (size_t)n;
	if (type == GGUF_STRING)
		return parse_strings(cursor, kv);
	kv->data = cursor_take(cursor, kv->n * item_size, "array");
	return type == GGUF_BOOL ? check_bools(cursor, kv->data, kv->n) : cursor->status;
}

static enum status parse_value(struct cursor *cursor, struct gguf_kv *kv)
{
	size_t at = cursor->off;
	uint32_t type = cursor_u32(cursor, "value type");

	if (type >= GGUF_TYPE_COUNT)
		return cursor_fail(cursor, STATUS_FORMAT, at,
		                   "value of type %" PRIu32 ", expected 0..12", type);
	kv->type = (enum gguf_type)type;
	at = cursor->off;
	if (type == GGUF_ARRAY)
		return parse_array(cursor, kv);
	if (type == GGUF_STRING) {
		struct gguf_string string = cursor_string(cursor, LIMIT_GGUF_METADATA, "string");

		if (!utf8_valid(string.data, string.len))
			return cursor_fail(cursor, STATUS_FORMAT, at, "the string is not UTF-8");
		kv->data = (const unsigned char *)string.data;
		kv->n = string.len;
		return cursor->status;
	}
	kv->data = cursor_take(cursor, gguf_type_size(type), "value");
	kv->n = 1;
	return type == GGUF_BOOL ? check_bools(cursor, kv->data, 1) : cursor->status;
}

static int compare_kvs(const void *a, const void *b)
{
	const struct gguf_kv *x = *(const struct gguf_kv *const *)a;
	const struct gguf_kv *y = *(const struct gguf_kv *const *)b;
	int order = gguf_string_compare(x->key, y->key);

	return order ? order : (x > y) - (x < y);
}

/* Sorted, not hashed: no choice of names can make this slow. */
static enum status index_kvs(struct cursor *cursor, struct gguf *gguf)
{
	gguf->kvs_by_key = alloc_array(gguf->n_kvs, sizeof(*gguf->kvs_by_key));
	if (!gguf->kvs_by_key)
		return cursor_no_memory(cursor);
	for (size_t i = 0; i < gguf->n_kvs; i++)
		gguf->kvs_by_key[i] = &gguf->kvs[i];
	qsort(gguf->kvs_by_key, gguf->n_kvs, sizeof(*gguf->kvs_by_key), compare_kvs);
	for (size_t i = 1; i < gguf->n_kvs; i++) {
		const struct gguf_kv *first = gguf->kvs_by_key[i - 1], *second = gguf->kvs_by_key[i];

		if (gguf_string_compare(first->key, second->key) == 0) {
			cursor_subject(cursor, "key '%.*s'", SHOWN(second->key));
			return cursor_fail(cursor, STATUS_FORMAT, second->at,
			                   "duplicate key, first at 0x%zx", first->at);
		}
	}
	return STATUS_OK;
}

static enum status parse_kvs(struct cursor *cursor, struct gguf *gguf, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		struct gguf_kv *kv;

		cursor_subject(cursor, "key/value pair %" PRIu64, i);
		if (!alloc_grow(&gguf->kvs, &gguf->cap_kvs, gguf->n_kvs + 1, sizeof *kv, LIMIT_GGUF_KV))
			return cursor_no_memory(cursor);
		kv = &gguf->kvs[gguf->n_kvs++];
		*kv = (struct gguf_kv){.at = cursor->off};
		kv->key = cursor_name(cursor, LIMIT_GGUF_KEY, "key");
		cursor_subject(cursor, "key '%.*s'", SHOWN(kv->key));
		if (parse_value(cursor, kv))
			return cursor->status;
	}
	return index_kvs(cursor, gguf);
}

static enum status find_alignment(struct cursor *cursor, struct gguf *gguf)
{
	const struct gguf_kv *kv = gguf_find_kv(gguf, "general.alignment");
	uint32_t value;

	gguf->alignment = 32;
	if (!kv)
		return STATUS_OK;
	cursor_subject(cursor, "key 'general.alignment'");
	if (kv->type != GGUF_U32)
		return cursor_fail(cursor, STATUS_FORMAT, kv->at, "found %s, expected u32",
		                   gguf_type_name(kv->type));
	memcpy(&value, kv->data, sizeof value);
	if (value < 8 || value > 65536 || (value & (value - 1)) != 0)
		return cursor_fail(cursor, STATUS_FORMAT, kv->at,
		                   "alignment %" PRIu32 ", expected a power of two in 8..65536", value);
	gguf->alignment = value;
	return STATUS_OK;
}

enum status gguf_parse(struct gguf *gguf, struct error *err)
{
	size_t there = gguf->n_head ? gguf->n_head : gguf->size;
	struct cursor cursor = {.base = gguf->data, .size = gguf->size, .err = err};
	uint64_t n_kvs = 0, n_tensors = 0;
	enum status status;

	cursor.end = there < LIMIT_GGUF_METADATA ? there : LIMIT_GGUF_METADATA;
	if ((status = parse_header(&cursor, gguf, &n_kvs, &n_tensors)) ||
	    (status = parse_kvs(&cursor, gguf, n_kvs)) ||
	    (status = find_alignment(&cursor, gguf)))
		return status;
	return gguf_parse_tensors(&cursor, gguf, n_tensors);
}
