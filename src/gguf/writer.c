#include "gguf/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "gguf/internal.h"

enum { WRITTEN_VERSION = 3, DEFAULT_ALIGNMENT = 32, ALIGNMENT_MAX = 65536 };

struct written_kv {
	char *key;
	size_t value, n_bytes; /* type and value: a part of `values` */
	bool replaced;         /* an earlier one has the same key, and now this value */
};

struct written_tensor {
	char *name;
	uint32_t type, n_dims;
	uint64_t ne[4];
	const void *data; /* borrowed */
	size_t n_bytes;
};

struct gguf_writer {
	struct written_kv *kvs;
	size_t n_kvs, cap_kvs;
	struct buf values;
	struct written_tensor *tensors;
	size_t n_tensors, cap_tensors;
	uint32_t alignment;
	struct error err; /* the first one */
};

struct gguf_writer *gguf_writer_create(void)
{
	struct gguf_writer *w = alloc_array(1, sizeof *w);

	if (!w)
		return NULL;
	buf_init(&w->values, LIMIT_GGUF_METADATA);
	w->alignment = DEFAULT_ALIGNMENT;
	return w;
}

void gguf_writer_free(struct gguf_writer *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->n_kvs; i++)
		free(w->kvs[i].key);
	for (size_t i = 0; i < w->n_tensors; i++)
		free(w->tensors[i].name);
	free(w->kvs);
	free(w->tensors);
	buf_free(&w->values);
	free(w);
}

/* Remembers the first error. */
static struct error *sticky(struct gguf_writer *w)
{
	return w->err.status ? NULL : &w->err;
}

static void put_u32(struct buf *out, uint32_t value)
{
	buf_append(out, &value, sizeof value); /* little-endian, as configure makes sure */
}

static void put_u64(struct buf *out, uint64_t value)
{
	buf_append(out, &value, sizeof value);
}

static void put_string(struct buf *out, const char *text, size_t len)
{
	put_u64(out, len);
	buf_append(out, text, len);
}

/* Begins a value; the caller appends it to w->values and calls end_value. */
static bool begin_value(struct gguf_writer *w, const char *key, uint32_t type)
{
	struct written_kv *kv;

	if (w->err.status)
		return false;
	if (!*key || strlen(key) > LIMIT_GGUF_KEY) {
		error_set(sticky(w), STATUS_LIMIT, "key '%s': %zu bytes, expected 1..%d", key,
		          strlen(key), LIMIT_GGUF_KEY);
		return false;
	}
	if (!alloc_grow(&w->kvs, &w->cap_kvs, w->n_kvs + 1, sizeof *kv, 2 * LIMIT_GGUF_KV)) {
		error_set(sticky(w), STATUS_NOMEM, "key '%s': too many keys", key);
		return false;
	}
	kv = &w->kvs[w->n_kvs];
	*kv = (struct written_kv){.key = alloc_strndup(key, strlen(key)), .value = w->values.len};
	if (!kv->key) {
		error_no_memory(sticky(w), NULL);
		return false;
	}
	w->n_kvs++;
	put_u32(&w->values, type);
	return true;
}

static void end_value(struct gguf_writer *w)
{
	struct written_kv *kv = &w->kvs[w->n_kvs - 1];

	kv->n_bytes = w->values.len - kv->value;
	if (buf_status(&w->values))
		error_set(sticky(w), buf_status(&w->values), "key '%s': the metadata is too large", kv->key);
}

void gguf_writer_set_raw(struct gguf_writer *w, const char *key, uint32_t type, const void *value,
                         size_t n_bytes)
{
	if (!begin_value(w, key, type))
		return;
	buf_append(&w->values, value, n_bytes);
	end_value(w);
}

void gguf_writer_set_u32(struct gguf_writer *w, const char *key, uint32_t value)
{
	if (strcmp(key, "general.alignment") == 0) {
		w->alignment = value;
		if (value < 8 || value > ALIGNMENT_MAX || (value & (value - 1)) != 0)
			error_set(sticky(w), STATUS_USAGE,
			          "alignment %" PRIu32 ", expected a power of two in 8..%d", value,
			          ALIGNMENT_MAX);
	}
	gguf_writer_set_raw(w, key, GGUF_U32, &value, sizeof value);
}

void gguf_writer_set_string(struct gguf_writer *w, const char *key, const char *value, size_t len)
{
	if (!begin_value(w, key, GGUF_STRING))
		return;
	put_string(&w->values, value, len);
	end_value(w);
}

void gguf_writer_set_u64(struct gguf_writer *w, const char *key, uint64_t value)
{
	gguf_writer_set_raw(w, key, GGUF_U64, &value, sizeof value);
}

void gguf_writer_set_i32(struct gguf_writer *w, const char *key, int32_t value)
{
	gguf_writer_set_raw(w, key, GGUF_I32, &value, sizeof value);
}

void gguf_writer_set_f32(struct gguf_writer *w, const char *key, float value)
{
	gguf_writer_set_raw(w, key, GGUF_F32, &value, sizeof value);
}

void gguf_writer_set_bool(struct gguf_writer *w, const char *key, bool value)
{
	unsigned char byte = value;

	gguf_writer_set_raw(w, key, GGUF_BOOL, &byte, sizeof byte);
}

static bool begin_array(struct gguf_writer *w, const char *key, enum gguf_type type, size_t n)
{
	if (!begin_value(w, key, GGUF_ARRAY))
		return false;
	put_u32(&w->values, (uint32_t)type);
	put_u64(&w->values, n);
	return true;
}

void gguf_writer_set_strings(struct gguf_writer *w, const char *key, const char *const *values, const size_t *lens,
                             size_t n)
{
	if (!begin_array(w, key, GGUF_STRING, n))
		return;
	for (size_t i = 0; i < n; i++)
		put_string(&w->values, values[i], lens[i]);
	end_value(w);
}

static void set_array(struct gguf_writer *w, const char *key, enum gguf_type type, const void *values, size_t n)
{
	if (!begin_array(w, key, type, n))
		return;
	buf_append(&w->values, values, n * gguf_type_size((uint32_t)type));
	end_value(w);
}

void gguf_writer_set_u32s(struct gguf_writer *w, const char *key, const uint32_t *values, size_t n)
{
	set_array(w, key, GGUF_U32, values, n);
}

void gguf_writer_set_i32s(struct gguf_writer *w, const char *key, const int32_t *values, size_t n)
{
	set_array(w, key, GGUF_I32, values, n);
}

void gguf_writer_set_f32s(struct gguf_writer *w, const char *key, const float *values, size_t n)
{
	set_array(w, key, GGUF_F32, values, n);
}

void gguf_writer_set_bools(struct gguf_writer *w, const char *key, const bool *values, size_t n)
{
	if (!begin_array(w, key, GGUF_BOOL, n))
		return;
	for (size_t i = 0; i < n; i++)
		buf_putc(&w->values, (char)values[i]);
	end_value(w);
}

/* Lengths and number come from the parsed file, never from its bytes. */
static void copy_array(struct gguf_writer *w, const char *key, const struct gguf_kv *kv)
{
	struct gguf_array array = {kv->item_type, kv->n, kv->data, kv->starts};

	if (!begin_value(w, key, GGUF_ARRAY))
		return;
	put_u32(&w->values, kv->item_type);
	put_u64(&w->values, kv->n);
	for (size_t i = 0; i < kv->n && kv->item_type == GGUF_STRING; i++) {
		struct gguf_string item = gguf_array_string(&array, i);

		put_string(&w->values, item.data, item.len);
	}
	buf_append(&w->values, kv->data, kv->n * gguf_type_size(kv->item_type)); /* 0 of strings */
	end_value(w);
}

void gguf_writer_copy(struct gguf_writer *w, const struct gguf *from, size_t index)
{
	const struct gguf_kv *kv = &from->kvs[index];
	char key[LIMIT_GGUF_KEY + 1];

	memcpy(key, kv->key.data, kv->key.len);
	key[kv->key.len] = '\0';
	if (strcmp(key, "general.alignment") == 0)
		gguf_writer_set_u32(w, key, from->alignment);
	else if (kv->type == GGUF_STRING)
		gguf_writer_set_string(w, key, (const char *)kv->data, kv->n);
	else if (kv->type == GGUF_ARRAY)
		copy_array(w, key, kv);
	else
		gguf_writer_set_raw(w, key, kv->type, kv->data, gguf_type_size(kv->type));
}

void gguf_writer_append(struct gguf_writer *w, const struct gguf_writer *from)
{
	if (from->err.status && sticky(w))
		w->err = from->err;
	for (size_t i = 0; i < from->n_kvs; i++) {
		const struct written_kv *kv = &from->kvs[i];
		uint32_t type;

		memcpy(&type, from->values.data + kv->value, sizeof type);
		gguf_writer_set_raw(w, kv->key, type, from->values.data + kv->value + sizeof type, kv->n_bytes - sizeof type);
	}
}

void gguf_writer_add_tensor(struct gguf_writer *w, const char *name, enum block_type type,
                            uint32_t n_dims, const uint64_t ne[], const void *data, size_t n_bytes)
{
	const struct block_info *block = block_info((uint32_t)type);
	struct written_tensor tensor = {.type = (uint32_t)type, .n_dims = n_dims, .data = data,
	                                .n_bytes = n_bytes, .ne = {1, 1, 1, 1}};
	uint64_t n = 1;

	if (w->err.status)
		return;
	if (!*name || strlen(name) > LIMIT_GGUF_TENSOR_NAME || n_dims < 1 || n_dims > 4 || !block) {
		error_set(sticky(w), STATUS_USAGE, "tensor '%s': bad name, dimensions or type", name);
		return;
	}
	for (uint32_t i = 0; i < n_dims; i++) {
		tensor.ne[i] = ne[i];
		if (ne[i] < 1 || ne[i] > LIMIT_GGUF_DIM || __builtin_mul_overflow(n, ne[i], &n)) {
			error_set(sticky(w), STATUS_USAGE, "tensor '%s': bad dimension %" PRIu64, name, ne[i]);
			return;
		}
	}
	if (ne[0] % block->n_elements ||
	    __builtin_mul_overflow(n / block->n_elements, (uint64_t)block->n_bytes, &n) || n != n_bytes) {
		error_set(sticky(w), STATUS_USAGE, "tensor '%s': %zu bytes do not fit its shape", name,
		          n_bytes);
		return;
	}
	if (!alloc_grow(&w->tensors, &w->cap_tensors, w->n_tensors + 1, sizeof tensor,
	                LIMIT_GGUF_TENSORS) ||
	    !(tensor.name = alloc_strndup(name, strlen(name)))) {
		error_set(sticky(w), STATUS_NOMEM, "tensor '%s': too many tensors", name);
		return;
	}
	w->tensors[w->n_tensors++] = tensor;
}

static int compare_kvs(const void *a, const void *b)
{
	const struct written_kv *x = *(struct written_kv *const *)a;
	const struct written_kv *y = *(struct written_kv *const *)b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x > y) - (x < y);
}

/* Of equal keys the first keeps its place and takes the last one's value. */
static enum status resolve_keys(struct gguf_writer *w, uint64_t *n_unique, struct error *err)
{
	struct written_kv **sorted = alloc_array(w->n_kvs, sizeof(*sorted));

	if (!sorted)
		return error_no_memory(err, NULL);
	for (size_t i = 0; i < w->n_kvs; i++) {
		sorted[i] = &w->kvs[i];
		sorted[i]->replaced = false;
	}
	qsort(sorted, w->n_kvs, sizeof(*sorted), compare_kvs);
	*n_unique = w->n_kvs;
	for (size_t i = 1, first = 0; i < w->n_kvs; i++) {
		if (strcmp(sorted[first]->key, sorted[i]->key) != 0) {
			first = i;
			continue;
		}
		sorted[first]->value = sorted[i]->value;
		sorted[first]->n_bytes = sorted[i]->n_bytes;
		sorted[i]->replaced = true;
		--*n_unique;
	}
	free(sorted);
	return STATUS_OK;
}

/* Zeros up to the next multiple of the alignment. */
static void put_padding(struct buf *out, uint32_t alignment, size_t at)
{
	static const char zeros[64];
	size_t n = (alignment - at % alignment) % alignment;

	for (; n > sizeof zeros; n -= sizeof zeros)
		buf_append(out, zeros, sizeof zeros);
	buf_append(out, zeros, n);
}

enum status gguf_writer_header(struct gguf_writer *w, struct buf *out, struct error *err)
{
	uint64_t n_unique = 0, offset = 0;
	enum status status;

	if (w->err.status) {
		if (err)
			*err = w->err;
		return w->err.status;
	}
	if ((status = resolve_keys(w, &n_unique, err)))
		return status;
	buf_append(out, "GGUF", 4);
	put_u32(out, WRITTEN_VERSION);
	put_u64(out, w->n_tensors);
	put_u64(out, n_unique);
	for (size_t i = 0; i < w->n_kvs; i++) {
		const struct written_kv *kv = &w->kvs[i];

		if (kv->replaced)
			continue;
		put_string(out, kv->key, strlen(kv->key));
		buf_append(out, w->values.data + kv->value, kv->n_bytes);
	}
	for (size_t i = 0; i < w->n_tensors; i++) {
		const struct written_tensor *tensor = &w->tensors[i];

		put_string(out, tensor->name, strlen(tensor->name));
		put_u32(out, tensor->n_dims);
		for (uint32_t d = 0; d < tensor->n_dims; d++)
			put_u64(out, tensor->ne[d]);
		put_u32(out, tensor->type);
		put_u64(out, offset);
		if (__builtin_add_overflow(offset, tensor->n_bytes, &offset) ||
		    __builtin_add_overflow(offset, w->alignment - 1, &offset))
			return error_set(err, STATUS_LIMIT, "the tensors are too large");
		offset -= offset % w->alignment;
	}
	if (w->n_tensors)
		put_padding(out, w->alignment, out->len);
	if (buf_status(out))
		return error_set(err, buf_status(out), "the metadata does not fit");
	return STATUS_OK;
}

uint32_t gguf_writer_alignment(const struct gguf_writer *w)
{
	return w->alignment;
}

/* Before a file is written whole. */
static enum status check_data(const struct gguf_writer *w, struct error *err)
{
	for (size_t i = 0; i < w->n_tensors; i++)
		if (!w->tensors[i].data)
			return error_set(err, STATUS_USAGE, "tensor '%s' has no data",
			                 w->tensors[i].name);
	return STATUS_OK;
}

enum status gguf_writer_write(struct gguf_writer *w, struct buf *out, struct error *err)
{
	enum status status;

	buf_clear(out);
	if ((status = check_data(w, err)) || (status = gguf_writer_header(w, out, err)))
		return status;
	for (size_t i = 0; i < w->n_tensors; i++) {
		buf_append(out, w->tensors[i].data, w->tensors[i].n_bytes);
		put_padding(out, w->alignment, out->len);
	}
	if (buf_status(out))
		return error_set(err, buf_status(out), "the file does not fit in memory");
	return STATUS_OK;
}
