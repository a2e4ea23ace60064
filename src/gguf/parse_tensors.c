/* The tensor list: shapes, sizes, places in the file. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "gguf/foreign.h"
#include "gguf/internal.h"

/* Elements and bytes from the shape. Every factor is checked; no check depends
 * on a product that may have wrapped. */
static void measure_tensor(struct cursor *cursor, struct gguf_tensor *tensor, size_t at)
{
	const struct block_info *block = block_info(tensor->type);
	uint64_t n = 1;

	for (uint32_t i = 0; i < tensor->n_dims; i++)
		if (__builtin_mul_overflow(n, tensor->ne[i], &n))
			cursor_fail(cursor, STATUS_FORMAT, at, "the number of elements overflows");
	if (tensor->ne[0] % block->n_elements)
		cursor_fail(cursor, STATUS_FORMAT, at,
		            "rows of %" PRIu64 " elements, expected a multiple of %" PRIu32
		            " for %s", tensor->ne[0], block->n_elements, block->name);
	if (__builtin_mul_overflow(n / block->n_elements, (uint64_t)block->n_bytes, &tensor->n_bytes))
		cursor_fail(cursor, STATUS_FORMAT, at, "the size in bytes overflows");
}

static enum status parse_tensor(struct cursor *cursor, const struct gguf *gguf,
                                struct gguf_tensor *tensor)
{
	size_t at, dims_at;

	tensor->name = cursor_name(cursor, LIMIT_GGUF_TENSOR_NAME, "name");
	cursor_subject(cursor, "tensor '%.*s'", SHOWN(tensor->name));
	dims_at = cursor->off;
	tensor->n_dims = cursor_u32(cursor, "number of dimensions");
	if (tensor->n_dims < 1 || tensor->n_dims > 4)
		return cursor_fail(cursor, STATUS_FORMAT, dims_at, "%" PRIu32 " dimensions, expected 1..4",
		                   tensor->n_dims);
	for (uint32_t i = 0; i < 4; i++)
		tensor->ne[i] = 1;
	for (uint32_t i = 0; i < tensor->n_dims; i++) {
		tensor->ne[i] = cursor_u64(cursor, "dimension");
		if (tensor->ne[i] < 1 || tensor->ne[i] > LIMIT_GGUF_DIM)
			return cursor_fail(cursor, STATUS_FORMAT, cursor->off - 8,
			                   "dimension %" PRIu32 " is %" PRIu64 ", expected 1..%" PRIu64, i,
			                   tensor->ne[i], LIMIT_GGUF_DIM);
	}
	at = cursor->off;
	tensor->type = cursor_u32(cursor, "type");
	if (!block_info(tensor->type))
		return cursor_fail(cursor, STATUS_UNSUPPORTED, at,
		                   "block type %" PRIu32 " is unknown%s%s", tensor->type,
		                   foreign_block_type(tensor->type) ? ": " : "",
		                   foreign_block_type(tensor->type) ? foreign_block_type(tensor->type) : "");
	measure_tensor(cursor, tensor, dims_at);
	at = cursor->off;
	tensor->offset = cursor_u64(cursor, "offset");
	if (tensor->offset % gguf->alignment)
		return cursor_fail(cursor, STATUS_FORMAT, at,
		                   "data offset %" PRIu64 ", expected a multiple of %" PRIu32,
		                   tensor->offset, gguf->alignment);
	return cursor->status;
}

int gguf_compare_names(const void *a, const void *b)
{
	const struct gguf_tensor *x = *(const struct gguf_tensor *const *)a;
	const struct gguf_tensor *y = *(const struct gguf_tensor *const *)b;
	int order = gguf_string_compare(x->name, y->name);

	return order ? order : (x > y) - (x < y);
}

static int compare_offsets(const void *a, const void *b)
{
	const struct gguf_tensor *x = *(const struct gguf_tensor *const *)a;
	const struct gguf_tensor *y = *(const struct gguf_tensor *const *)b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Where a tensor's entry begins: its name's length field. */
static size_t entry_of(const struct cursor *cursor, const struct gguf_tensor *tensor)
{
	return (size_t)((const unsigned char *)tensor->name.data - cursor->base) - GGUF_LENGTH_FIELD;
}

/* Before blocks of 64 weights, Q2_0 had blocks of 128 and the same id: 34 bytes. The space
 * before the next tensor, or the end of the data, is too small for new blocks and fits the
 * old ones. */
static bool has_older_q2_0(const struct gguf *gguf, const struct gguf_tensor *tensor, uint64_t end)
{
	uint64_t older = tensor->n_bytes / 36 * 34, room;

	if (tensor->type != BLOCK_Q2_0 || tensor->ne[0] % 128)
		return false;
	for (size_t i = 0; i < gguf->n_tensors; i++)
		if (gguf->tensors[i].offset > tensor->offset && gguf->tensors[i].offset < end)
			end = gguf->tensors[i].offset;
	room = end > tensor->offset ? end - tensor->offset : 0;
	return room >= older && room - older < gguf->alignment;
}

static enum status fail_older_q2_0(struct cursor *cursor, const struct gguf_tensor *tensor)
{
	cursor_subject(cursor, "tensor '%.*s'", SHOWN(tensor->name));
	return cursor_fail(cursor, STATUS_UNSUPPORTED, entry_of(cursor, tensor),
	                   "Q2_0 in its older layout, blocks of 128 weights, is not supported: "
	                   "expected blocks of 64");
}

static enum status index_tensors(struct cursor *cursor, struct gguf *gguf)
{
	const struct gguf_tensor **sorted, *first, *second;

	sorted = alloc_array(gguf->n_tensors, sizeof(*sorted));
	gguf->tensors_by_name = sorted;
	if (!sorted)
		return cursor_no_memory(cursor);
	for (size_t i = 0; i < gguf->n_tensors; i++)
		sorted[i] = &gguf->tensors[i];

	qsort(sorted, gguf->n_tensors, sizeof(*sorted), compare_offsets);
	for (size_t i = 1; i < gguf->n_tensors; i++) {
		first = sorted[i - 1];
		second = sorted[i];
		if (second->offset - first->offset < first->n_bytes) {
			if (has_older_q2_0(gguf, first, gguf->size))
				return fail_older_q2_0(cursor, first);
			cursor_subject(cursor, "tensor '%.*s'", SHOWN(second->name));
			return cursor_fail(cursor, STATUS_FORMAT, entry_of(cursor, second),
			                   "its data at 0x%" PRIx64 " overlaps tensor '%.*s' (%" PRIu64
			                   " bytes at 0x%" PRIx64 ")", second->offset, SHOWN(first->name),
			                   first->n_bytes, first->offset);
		}
	}

	qsort(sorted, gguf->n_tensors, sizeof(*sorted), gguf_compare_names);
	for (size_t i = 1; i < gguf->n_tensors; i++) {
		first = sorted[i - 1];
		second = sorted[i];
		if (gguf_string_compare(first->name, second->name) == 0) {
			cursor_subject(cursor, "tensor '%.*s'", SHOWN(second->name));
			return cursor_fail(cursor, STATUS_FORMAT, entry_of(cursor, second),
			                   "duplicate name, first at 0x%zx", entry_of(cursor, first));
		}
	}
	return STATUS_OK;
}

/* How long the file would have to be for all of its tensors. */
static uint64_t needed_size(const struct gguf *gguf, size_t start)
{
	uint64_t needed = start;

	for (size_t i = 0; i < gguf->n_tensors; i++) {
		const struct gguf_tensor *tensor = &gguf->tensors[i];
		uint64_t end;

		if (__builtin_add_overflow(tensor->offset, tensor->n_bytes, &end) ||
		    __builtin_add_overflow(end, (uint64_t)start, &end))
			return UINT64_MAX;
		needed = end > needed ? end : needed;
	}
	return needed;
}

/* Turns offsets in the data section into offsets in the file. */
static enum status place_tensors(struct cursor *cursor, struct gguf *gguf)
{
	size_t start = cursor->off, room;
	uint64_t needed;

	if (gguf->n_tensors == 0) /* a vocabulary only: no data section */
		return STATUS_OK;
	cursor_subject(cursor, "tensor data");
	if (add_overflows(start, gguf->alignment - 1, &start))
		return cursor_fail(cursor, STATUS_FORMAT, cursor->off, "the offset overflows");
	start -= start % gguf->alignment;
	if (start > gguf->size)
		return cursor_fail(cursor, STATUS_FORMAT, cursor->off,
		                   "would begin at 0x%zx, but the file ends at 0x%zx" GGUF_CUT_SHORT, start,
		                   gguf->size);
	room = gguf->size - start;
	needed = needed_size(gguf, start);
	for (size_t i = 0; i < gguf->n_tensors; i++) {
		const struct gguf_tensor *tensor = &gguf->tensors[i];

		if (tensor->offset > room || tensor->n_bytes > room - tensor->offset) {
			if (has_older_q2_0(gguf, tensor, room))
				return fail_older_q2_0(cursor, tensor);
			cursor_subject(cursor, "tensor '%.*s'", SHOWN(tensor->name));
			return cursor_fail(cursor, STATUS_FORMAT, entry_of(cursor, tensor),
			                   "%" PRIu64 " bytes at data offset %" PRIu64
			                   ", but the file holds %zu bytes of tensor data" GGUF_CUT_SHORT
			                   " %zu bytes are here, %" PRIu64 " are needed",
			                   tensor->n_bytes, tensor->offset, room, gguf->size, needed);
		}
	}
	for (size_t i = 0; i < gguf->n_tensors; i++) {
		gguf->tensors[i].offset += start;
		gguf->tensors[i].data = gguf->data + gguf->tensors[i].offset;
	}
	return STATUS_OK;
}

enum status gguf_parse_tensors(struct cursor *cursor, struct gguf *gguf, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		cursor_subject(cursor, "tensor %" PRIu64, i);
		if (!alloc_grow(&gguf->tensors, &gguf->cap_tensors, gguf->n_tensors + 1,
		                sizeof *gguf->tensors, LIMIT_GGUF_TENSORS))
			return cursor_no_memory(cursor);
		gguf->tensors[i] = (struct gguf_tensor){.n_dims = 1};
		gguf->n_tensors++;
		if (parse_tensor(cursor, gguf, &gguf->tensors[i]))
			return cursor->status;
	}
	return place_tensors(cursor, gguf) ? cursor->status : index_tensors(cursor, gguf);
}
