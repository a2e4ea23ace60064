#include "checkpoint/safetensors_header.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json_reader.h"
#include "base/limits.h"
#include "base/utf8.h"

static const struct {
	const char *name;
	enum dtype dtype;
	uint32_t bits;
} dtypes[] = {
	{"F64", DTYPE_F64, 64}, {"F32", DTYPE_F32, 32}, {"F16", DTYPE_F16, 16}, {"BF16", DTYPE_BF16, 16},
	{"F8_E4M3", DTYPE_F8_E4M3, 8}, {"F8_E5M2", DTYPE_F8_E5M2, 8}, {"U8", DTYPE_U8, 8}, {"I8", DTYPE_I8, 8},
	{"BOOL", DTYPE_OTHER, 8}, {"F8_E8M0", DTYPE_OTHER, 8}, {"F8_E4M3FNUZ", DTYPE_OTHER, 8},
	{"F8_E5M2FNUZ", DTYPE_OTHER, 8}, {"I16", DTYPE_OTHER, 16}, {"U16", DTYPE_OTHER, 16}, {"I32", DTYPE_OTHER, 32},
	{"U32", DTYPE_OTHER, 32}, {"I64", DTYPE_OTHER, 64}, {"U64", DTYPE_OTHER, 64}, {"C64", DTYPE_OTHER, 64},
	{"F4", DTYPE_OTHER, 4}, {"F6_E2M3", DTYPE_OTHER, 6}, {"F6_E3M2", DTYPE_OTHER, 6},
};

static int compare_names(const void *a, const void *b)
{
	const struct safetensor *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->file > y->file) - (x->file < y->file);
}

void safetensor_list_sort(struct safetensor_list *list)
{
	if (list->n)
		qsort(list->items, list->n, sizeof *list->items, compare_names);
}

void safetensor_list_free(struct safetensor_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free((char *)list->items[i].name);
	free(list->items);
	*list = (struct safetensor_list){0};
}

enum status safetensors_header_len(const unsigned char head[SAFETENSORS_LENGTH], uint64_t size, size_t *len,
                                   struct error *err)
{
	uint64_t n = 0;

	if (size < SAFETENSORS_LENGTH)
		return error_set(err, STATUS_FORMAT, "%" PRIu64 " bytes, expected %d or more: an incomplete download?", size,
		                 SAFETENSORS_LENGTH);
	if (memcmp(head, "version ", SAFETENSORS_LENGTH) == 0)
		return error_set(err, STATUS_FORMAT, "only what Git LFS keeps in the file's place, expected the file: get it with"
		                 " `git lfs pull`, or download it");
	for (int i = SAFETENSORS_LENGTH; i-- > 0;)
		n = n << 8 | head[i];
	if (n > LIMIT_SAFETENSORS_HEADER)
		return error_set(err, STATUS_FORMAT, "the header has %" PRIu64 " bytes, expected %zu at the most: not a"
		                 " safetensors file?", n, LIMIT_SAFETENSORS_HEADER);
	if (n > size - SAFETENSORS_LENGTH)
		return error_set(err, STATUS_FORMAT, "the header has %" PRIu64 " bytes, the file %" PRIu64
		                 ": an incomplete download?", n, size);
	if (n < 2)
		return error_set(err, STATUS_FORMAT, "the header has %" PRIu64 " bytes, expected 2 or more", n);
	*len = (size_t)n;
	return STATUS_OK;
}

/* A header that is being read. */
struct header {
	struct json_reader reader;
	uint64_t n_data; /* bytes behind the header */
	char name[LIMIT_CHECKPOINT_NAME + 1]; /* of the tensor at hand */
};

static enum status wrong(const struct header *h, struct error *err, const char *field, const char *expected)
{
	return error_set(err, STATUS_FORMAT, "tensor '%s': %s is not %s", h->name, field, expected);
}

static enum status next_is(struct header *h, enum json_kind kind, struct json_item *item, const char *field,
                           const char *expected, struct error *err)
{
	enum status status = json_next(&h->reader, item, err);

	return status ? status : item->kind == kind ? STATUS_OK : wrong(h, err, field, expected);
}

/* The rest of a value that begins with `item`. */
static enum status skip(struct header *h, struct json_item *item, struct error *err)
{
	enum status status = STATUS_OK;
	size_t depth = 0;

	for (;;) {
		depth += item->kind == JSON_OBJECT || item->kind == JSON_ARRAY;
		depth -= item->kind == JSON_OBJECT_END || item->kind == JSON_ARRAY_END;
		if (depth == 0 && item->kind != JSON_KEY)
			return STATUS_OK;
		if ((status = json_next(&h->reader, item, err)))
			return status;
	}
}

/* A count as the format writes it: digits alone. */
static bool read_count(const struct json_item *item, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < item->len; i++)
		if (item->text[i] < '0' || item->text[i] > '9' || __builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, (uint64_t)(item->text[i] - '0'), out))
			return false;
	return item->kind == JSON_NUMBER && item->len > 0;
}

/* A list of counts, `most` at the most. */
static enum status take_counts(struct header *h, const char *field, uint64_t *out, uint32_t most, uint32_t *n,
                               struct error *err)
{
	struct json_item item;
	enum status status = next_is(h, JSON_ARRAY, &item, field, "a list", err);

	for (*n = 0; !status; (*n)++) {
		if ((status = json_next(&h->reader, &item, err)) || item.kind == JSON_ARRAY_END)
			return status;
		if (*n == most)
			return error_set(err, STATUS_FORMAT, "tensor '%s': %s has more than %u items", h->name, field, most);
		if (!read_count(&item, &out[*n]))
			return wrong(h, err, field, "a list of whole numbers below 2^64");
	}
	return status;
}

struct entry { /* what stands in the header of one tensor */
	uint32_t bits, n_offsets;
	bool has_shape;
	uint64_t offsets[2];
};

static enum status take_dtype(struct header *h, struct safetensor *tensor, struct entry *entry, struct error *err)
{
	struct json_item item;
	enum status status = next_is(h, JSON_STRING, &item, "dtype", "a text", err);

	if (status)
		return status;
	for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
		if (strcmp(item.text, dtypes[i].name) != 0 || item.len != strlen(dtypes[i].name))
			continue;
		tensor->dtype = dtypes[i].dtype;
		tensor->dtype_name = dtypes[i].name;
		entry->bits = dtypes[i].bits;
		return STATUS_OK;
	}
	return error_set(err, STATUS_FORMAT, "tensor '%s': dtype is '%.40s', expected F32, F16, BF16, F8_E4M3 or another"
	                 " of the format's", h->name, item.text);
}

static enum status take_fields(struct header *h, struct safetensor *tensor, struct entry *entry, struct error *err)
{
	struct json_item item;
	enum status status = next_is(h, JSON_OBJECT, &item, "its entry", "an object", err);

	while (!status && !(status = json_next(&h->reader, &item, err)) && item.kind != JSON_OBJECT_END) {
		bool twice = false;

		if (strcmp(item.text, "dtype") == 0) {
			twice = tensor->dtype_name;
			status = take_dtype(h, tensor, entry, err);
		} else if (strcmp(item.text, "shape") == 0) {
			twice = entry->has_shape;
			status = take_counts(h, "shape", tensor->shape, SAFETENSORS_DIMS, &tensor->n_dims, err);
			entry->has_shape = true;
		} else if (strcmp(item.text, "data_offsets") == 0) {
			twice = entry->n_offsets;
			status = take_counts(h, "data_offsets", entry->offsets, 2, &entry->n_offsets, err);
		} else if (!(status = json_next(&h->reader, &item, err))) {
			status = skip(h, &item, err);
		}
		if (!status && twice)
			status = error_set(err, STATUS_FORMAT, "tensor '%s': a field is there twice", h->name);
	}
	if (!status && (!tensor->dtype_name || !entry->has_shape || entry->n_offsets != 2))
		status = error_set(err, STATUS_FORMAT, "tensor '%s': expected dtype, shape and two data_offsets", h->name);
	return status;
}

/* n_rows, n_cols, and whether the bytes are as many as the shape says. */
static enum status check_shape(const struct header *h, struct safetensor *tensor, const struct entry *entry,
                               struct error *err)
{
	uint64_t n, bits, begin = entry->offsets[0], end = entry->offsets[1];
	bool is_zero = false, fits = true;

	tensor->n_rows = tensor->n_cols = 1;
	for (uint32_t i = 0; i < tensor->n_dims; i++)
		is_zero = is_zero || tensor->shape[i] == 0;
	for (uint32_t i = 0; i < tensor->n_dims && !is_zero; i++) {
		if (i + 1 == tensor->n_dims)
			tensor->n_cols = tensor->shape[i];
		else
			fits = fits && !__builtin_mul_overflow(tensor->n_rows, tensor->shape[i], &tensor->n_rows);
	}
	if (is_zero)
		tensor->n_rows = tensor->n_cols = 0;
	if (!fits || __builtin_mul_overflow(tensor->n_rows, tensor->n_cols, &n) ||
	    __builtin_mul_overflow(n, (uint64_t)entry->bits, &bits))
		return error_set(err, STATUS_FORMAT, "tensor '%s': the shape has more elements than a file can hold", h->name);
	if (begin > end || end > h->n_data)
		return error_set(err, STATUS_FORMAT, "tensor '%s': bytes %" PRIu64 " to %" PRIu64 ", expected a part of the %"
		                 PRIu64 " bytes behind the header: an incomplete download?", h->name, begin, end, h->n_data);
	if (bits % 8 || end - begin != bits / 8)
		return error_set(err, STATUS_FORMAT, "tensor '%s': %" PRIu64 " bytes, expected %" PRIu64 " bits for its shape and"
		                 " %s", h->name, end - begin, bits, tensor->dtype_name);
	tensor->offset = begin;
	tensor->n_bytes = end - begin;
	return STATUS_OK;
}

/* Names are no paths, and never used as such; one that looks like it was made for another purpose. */
static enum status check_name(struct header *h, const struct json_item *item, struct error *err)
{
	const char *what = NULL;

	snprintf(h->name, sizeof h->name, "%s", item->text);
	if (item->len == 0 || item->len > LIMIT_CHECKPOINT_NAME)
		return error_set(err, STATUS_FORMAT, "a tensor's name has %zu bytes, expected 1..%d", item->len,
		                 LIMIT_CHECKPOINT_NAME);
	if (strlen(item->text) != item->len)
		what = "a NUL";
	else if (strstr(item->text, ".."))
		what = "'..'";
	else if (strpbrk(item->text, "/\\"))
		what = "a slash";
	for (size_t i = 0; i < item->len; i++)
		if ((unsigned char)item->text[i] < 0x20 && !what)
			what = "a control character";
	if (what)
		return error_set(err, STATUS_FORMAT, "tensor '%s': the name has %s in it", h->name, what);
	return STATUS_OK;
}

static enum status take_tensor(struct header *h, struct safetensor_list *list, uint32_t file, struct error *err)
{
	struct safetensor tensor = {.file = file};
	struct entry entry = {0};
	enum status status = take_fields(h, &tensor, &entry, err);

	if (!status)
		status = check_shape(h, &tensor, &entry, err);
	if (status)
		return status;
	if (list->n >= LIMIT_CHECKPOINT_TENSORS)
		return error_set(err, STATUS_LIMIT, "more than %d tensors", LIMIT_CHECKPOINT_TENSORS);
	tensor.name = alloc_strndup(h->name, strlen(h->name));
	if (!tensor.name || !alloc_grow(&list->items, &list->cap, list->n + 1, sizeof tensor, LIMIT_CHECKPOINT_TENSORS)) {
		free((char *)tensor.name);
		return error_no_memory(err, "for the list of tensors");
	}
	list->items[list->n++] = tensor;
	return STATUS_OK;
}

/* "__metadata__": texts by name, of which none is needed. */
static enum status take_metadata(struct header *h, struct error *err)
{
	struct json_item item;
	enum status status;

	snprintf(h->name, sizeof h->name, "__metadata__");
	status = next_is(h, JSON_OBJECT, &item, "it", "an object", err);
	while (!status && !(status = json_next(&h->reader, &item, err)) && item.kind != JSON_OBJECT_END)
		status = next_is(h, JSON_STRING, &item, "a value", "a text", err);
	return status;
}

static int compare_offsets(const void *a, const void *b)
{
	const struct safetensor *x = a, *y = b;

	return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
	                              : (x->n_bytes > y->n_bytes) - (x->n_bytes < y->n_bytes);
}

/* The tensors fill all that is behind the header, without holes and overlaps. */
static enum status check_offsets(const struct header *h, struct safetensor *tensors, size_t n, struct error *err)
{
	uint64_t at = 0;

	if (n)
		qsort(tensors, n, sizeof *tensors, compare_offsets);
	for (size_t i = 0; i < n; i++) {
		if (tensors[i].offset != at)
			return error_set(err, STATUS_FORMAT, "tensor '%s': begins at byte %" PRIu64 " behind the header, expected %"
			                 PRIu64 ": %s", tensors[i].name, tensors[i].offset, at,
			                 tensors[i].offset < at ? "it overlaps another one" : "there is a hole");
		at += tensors[i].n_bytes;
	}
	if (at != h->n_data)
		return error_set(err, STATUS_FORMAT, "the tensors end at byte %" PRIu64 " behind the header, the file at %"
		                 PRIu64, at, h->n_data);
	return STATUS_OK;
}

static enum status take_all(struct header *h, struct safetensor_list *list, uint32_t file, struct error *err)
{
	struct json_item item;
	enum status status = json_next(&h->reader, &item, err);

	if (!status && item.kind != JSON_OBJECT)
		return error_set(err, STATUS_FORMAT, "the header is not a JSON object");
	while (!status && !(status = json_next(&h->reader, &item, err)) && item.kind != JSON_OBJECT_END) {
		if (strcmp(item.text, "__metadata__") == 0)
			status = take_metadata(h, err);
		else if (!(status = check_name(h, &item, err)))
			status = take_tensor(h, list, file, err);
	}
	if (!status && !(status = json_next(&h->reader, &item, err)) && item.kind != JSON_END)
		status = error_set(err, STATUS_FORMAT, "something follows the header's JSON object");
	return status;
}

enum status safetensors_header_parse(struct safetensor_list *list, const char *json, size_t len, uint64_t size,
                                     uint32_t file, struct error *err)
{
	struct header h = {.n_data = size - SAFETENSORS_LENGTH - len};
	size_t before = list->n;
	enum status status;

	if (json[0] != '{')
		return error_set(err, STATUS_FORMAT, "the header does not begin with {: not a safetensors file?");
	if (!utf8_valid(json, len))
		return error_set(err, STATUS_FORMAT, "the header is not UTF-8");
	json_begin(&h.reader, "header", json, len);
	status = take_all(&h, list, file, err);
	json_end(&h.reader);
	if (!status)
		status = check_offsets(&h, list->items ? list->items + before : NULL, list->n - before, err);
	for (size_t i = before; i < list->n; i++)
		list->items[i].offset += SAFETENSORS_LENGTH + len;
	return status;
}
