/* Defects of the tensor list. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "hostile/defects.h"
#include "hostile/raw.h"

/* A file with one tensor of this shape and enough data for sane ones. */
static void one(struct defects *d, uint32_t n_dims, const uint64_t *ne, uint32_t type,
                uint64_t offset)
{
	raw_header(&d->file, 1, 0);
	raw_tensor(&d->file, "some.weight", n_dims, ne, type, offset);
	raw_pad(&d->file, 32);
	raw_zeros(&d->file, 4096);
}

#define TENSOR "tensor 'some.weight' at header offset 0x"

static void names(struct defects *d)
{
	static const uint64_t ne[1] = {4};
	char name[LIMIT_GGUF_TENSOR_NAME + 2];
	static const struct {
		const char *bytes;
		size_t len;
		const char *text;
	} rows[] = {
		{"", 0, "name is empty"},
		{"a\0b", 3, "name holds a NUL byte"},
		{"\0", 1, "name holds a NUL byte"},
		{"\xff", 1, "name is not UTF-8"},
		{"a\xc3", 2, "name is not UTF-8"},
		{"\xed\xa0\x80", 3, "name is not UTF-8"},
	};
	static const uint64_t lengths[] = {5000, 0x7fffffff, 0xffffffffu, 0x100000001u,
	                                   0x8000000000000000u, UINT64_MAX};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		raw_header(&d->file, 1, 0);
		raw_string(&d->file, rows[i].bytes, rows[i].len);
		raw_u32(&d->file, 1);
		raw_u64(&d->file, 4);
		raw_u32(&d->file, BLOCK_F32);
		raw_u64(&d->file, 0);
		raw_pad(&d->file, 32);
		raw_zeros(&d->file, 64);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, rows[i].text, "tensor name %zu", i);
	}
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		raw_header(&d->file, 1, 0);
		raw_u64(&d->file, lengths[i]);
		raw_zeros(&d->file, 4096);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "tensor 0 at header offset 0x18: name is",
		               "tensor name of %" PRIu64 " bytes", lengths[i]);
	}
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	for (size_t skip = 0; skip < 2; skip++) {
		raw_header(&d->file, 1, 0);
		raw_tensor(&d->file, name + skip, 1, ne, BLOCK_F32, 0);
		raw_pad(&d->file, 32);
		raw_zeros(&d->file, 16);
		if (skip)
			defects_expect_good(d, STAGE_GGUF, "tensor name of the greatest length");
		else
			defects_expect(d, STAGE_GGUF, STATUS_LIMIT, "name is 128 bytes long, the limit is 127",
			               "tensor name one byte too long");
	}
	raw_header(&d->file, 2, 0);
	raw_tensor(&d->file, "twice", 1, ne, BLOCK_F32, 0);
	raw_tensor(&d->file, "twice", 1, ne, BLOCK_F32, 32);
	raw_pad(&d->file, 32);
	raw_zeros(&d->file, 64);
	defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "tensor 'twice' at header offset 0x3d: duplicate name, first at 0x18",
	               "tensor twice");
}

static void shapes(struct defects *d)
{
	static const uint32_t n_dims[] = {0, 5, 6, 8, 9, 16, 255, 0x7fffffff, 0x80000000u, 0xffffffffu};
	static const uint64_t bad[] = {0, LIMIT_GGUF_DIM + 1, 0x7fffffffffffffffu, 0x8000000000000000u,
	                               0x8000000000000001u, UINT64_MAX};
	static const uint64_t ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

	for (size_t i = 0; i < sizeof n_dims / sizeof *n_dims; i++) {
		one(d, n_dims[i], ones, BLOCK_F32, 0);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "dimensions, expected 1..4", "%" PRIu32 " dimensions",
		               n_dims[i]);
	}
	for (uint32_t n = 1; n <= 4; n++) {
		for (uint32_t at = 0; at < n; at++) {
			for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
				uint64_t ne[4] = {1, 1, 1, 1};
				char text[80];

				ne[at] = bad[i];
				one(d, n, ne, BLOCK_F32, 0);
				snprintf(text, sizeof text, "dimension %" PRIu32 " is %" PRIu64
				         ", expected 1..1099511627776", at, bad[i]);
				defects_expect(d, STAGE_GGUF, STATUS_FORMAT, text,
				               "dimension %" PRIu32 " of %" PRIu32 " is %" PRIu64, at, n, bad[i]);
			}
		}
	}
}

/* Products of powers of two about 2^64, where wrapping gives 0 or little. */
static void products(struct defects *d)
{
	for (unsigned a = 10; a <= 40; a += 5) {
		for (unsigned b = 8; b <= 40; b += 8) {
			for (unsigned sum = 62; sum <= 66; sum++) {
				unsigned rest = sum - a - b > sum ? 99 : sum - a - b;
				uint64_t ne[4] = {(uint64_t)1 << a, (uint64_t)1 << b, 1, 1};

				if (rest > 80)
					continue;
				ne[2] = (uint64_t)1 << (rest > 40 ? 40 : rest);
				ne[3] = (uint64_t)1 << (rest > 40 ? rest - 40 : 0);
				one(d, 4, ne, BLOCK_F16, 0);
				defects_expect(d, STAGE_GGUF, STATUS_FORMAT,
				               sum >= 64   ? "the number of elements overflows"
				               : sum == 63 ? "the size in bytes overflows"
				                           : "the file holds 4096 bytes of tensor data",
				               "shape 2^%u 2^%u 2^%u in 3 or 4 factors", a, b, rest);
			}
		}
	}
}

static void types(struct defects *d)
{
	static const uint64_t ne[2] = {256, 1};
	char text[80];

	for (uint32_t type = 0; type < 258; type++) {
		uint32_t id = type == 256 ? 0x80000000u : type == 257 ? 0xffffffffu : type;
		const struct block_info *info = block_info(id);

		one(d, 2, ne, id, 0);
		if (info) {
			defects_expect_good(d, STAGE_GGUF, "type %s", info->name);
			continue;
		}
		snprintf(text, sizeof text, "block type %" PRIu32 " is unknown", id);
		defects_expect(d, STAGE_GGUF, STATUS_UNSUPPORTED, text, "block type %" PRIu32, id);
	}
	for (uint32_t type = 0; type < BLOCK_TYPE_MAX; type++) {
		const struct block_info *info = block_info(type);

		if (!info || info->n_elements == 1)
			continue;
		for (uint64_t rest = 1; rest < info->n_elements; rest += info->n_elements / 2 - 1) {
			one(d, 2, (uint64_t[]){info->n_elements + rest, info->n_elements}, type, 0);
			defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "expected a multiple of",
			               "%s, %" PRIu64 " elements over", info->name, rest);
		}
	}
}

/* One byte, or one row, more than the file has, for every type. */
static void ends(struct defects *d)
{
	static const uint64_t offsets[] = {4096, 8192, 0x7fffffffffffffe0u, 0x8000000000000000u,
	                                   0xffffffffffffffe0u, 0xffffffffffffffc0u, 0xfffffffffffff000u};
	static const uint64_t ne[1] = {8};

	for (uint32_t type = 0; type < BLOCK_TYPE_MAX; type++) {
		const struct block_info *info = block_info(type);
		uint64_t shape[2];

		if (!info)
			continue;
		shape[0] = info->n_elements;
		shape[1] = 4096 / info->n_bytes;
		one(d, 2, shape, type, 0);
		buf_remove(&d->file, d->file.len - (4096 - (size_t)shape[1] * info->n_bytes), 4096);
		defects_expect_good(d, STAGE_GGUF, "%s to the end", info->name);
		buf_remove(&d->file, d->file.len - 1, 1);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, TENSOR, "%s, one byte short", info->name);
		shape[1]++;
		one(d, 2, shape, type, 0);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "but the file holds 4096 bytes of tensor data",
		               "%s, a row too many", info->name);
	}
	for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
		one(d, 1, ne, BLOCK_F32, offsets[i]);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "but the file holds 4096 bytes of tensor data",
		               "data at %" PRIu64, offsets[i]);
	}
	for (uint64_t offset = 1; offset < 32; offset++) {
		one(d, 1, ne, BLOCK_F32, offset);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "expected a multiple of 32",
		               "data at %" PRIu64, offset);
	}
	raw_header(&d->file, 1, 0);
	raw_tensor(&d->file, "some.weight", 1, ne, BLOCK_F32, 0);
	defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "tensor data at header offset 0x43: would begin at 0x60",
	               "no data section");
	for (size_t at = 24; at < 0x43; at++) {
		raw_header(&d->file, 1, 0);
		raw_tensor(&d->file, "some.weight", 1, ne, BLOCK_F32, 0);
		buf_remove(&d->file, at, 100);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "header offset 0x", "entry cut at 0x%zx", at);
	}
}

static void overlaps(struct defects *d)
{
	static const struct {
		uint64_t first_at, first_n, second_at, second_n; /* elements of F32 */
		int good;
	} rows[] = {
		{0, 8, 32, 8, 1},   {0, 9, 32, 8, 0},  {32, 8, 0, 8, 1},   {32, 8, 0, 9, 0},
		{0, 8, 0, 8, 0},    {0, 64, 96, 1, 0}, {96, 1, 0, 64, 0},  {0, 1, 0, 1, 0},
		{64, 8, 32, 16, 0}, {0, 1, 1024, 1, 1}, {0, 257, 1024, 1, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		raw_header(&d->file, 2, 0);
		raw_tensor(&d->file, "first", 1, &rows[i].first_n, BLOCK_F32, rows[i].first_at);
		raw_tensor(&d->file, "second", 1, &rows[i].second_n, BLOCK_F32, rows[i].second_at);
		raw_pad(&d->file, 32);
		raw_zeros(&d->file, 4096);
		if (rows[i].good)
			defects_expect_good(d, STAGE_GGUF, "overlap %zu", i);
		else
			defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "overlaps tensor", "overlap %zu", i);
	}
}

/* Of 2,048 weights, Q2_0 in blocks of 64 has 576 bytes, in its older blocks of 128 544. */
static void older_q2_0(struct defects *d)
{
	static const uint64_t ne[2] = {1024, 2}, floats[1] = {64};
	static const struct {
		uint32_t second_type;
		uint64_t second_at;
		size_t n_bytes;
		enum status status;
		const char *text;
	} rows[] = {
		{BLOCK_Q2_0, 576, 1152, STATUS_OK, ""},
		{BLOCK_Q2_0, 544, 1088, STATUS_UNSUPPORTED, "Q2_0 in its older layout"},
		{BLOCK_F32, 544, 800, STATUS_UNSUPPORTED, "Q2_0 in its older layout"},
		{BLOCK_F32, 512, 800, STATUS_FORMAT, "overlaps tensor"},
		{BLOCK_Q2_0, 576, 1088, STATUS_FORMAT, "but the file holds 1088 bytes"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool q2_0 = rows[i].second_type == BLOCK_Q2_0;

		raw_header(&d->file, 2, 0);
		raw_tensor(&d->file, "first", 2, ne, BLOCK_Q2_0, 0);
		raw_tensor(&d->file, "second", q2_0 ? 2 : 1, q2_0 ? ne : floats, rows[i].second_type,
		           rows[i].second_at);
		raw_pad(&d->file, 32);
		raw_zeros(&d->file, rows[i].n_bytes);
		if (rows[i].status == STATUS_OK)
			defects_expect_good(d, STAGE_GGUF, "Q2_0 %zu", i);
		else
			defects_expect(d, STAGE_GGUF, rows[i].status, rows[i].text, "Q2_0 %zu", i);
	}
}

void defects_tensors(struct defects *d)
{
	names(d);
	shapes(d);
	products(d);
	types(d);
	ends(d);
	overlaps(d);
	older_q2_0(d);
}
