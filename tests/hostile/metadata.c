/* Defects of keys and values. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "hostile/defects.h"
#include "hostile/raw.h"

static const uint64_t too_long[] = {100, 0xffff, 0x7fffffff, 0x80000000u, 0xffffffffu,
                                    0x100000000u, 0x40000000u, 0x7fffffffffffffffu,
                                    0x8000000000000000u, 0xfffffffffffffff0u, UINT64_MAX - 1,
                                    UINT64_MAX};
enum { N_TOO_LONG = sizeof too_long / sizeof *too_long };

static const struct {
	const char *bytes;
	size_t len;
} not_utf8[] = {
	{"\xff", 1}, {"\x80", 1}, {"a\xc3", 2}, {"\xc0\x80", 2}, {"\xed\xa0\x80", 3},
	{"\xf4\x90\x80\x80", 4}, {"\xe2\x82", 2}, {"\xf8\x88\x80\x80\x80", 5},
};
enum { N_NOT_UTF8 = sizeof not_utf8 / sizeof *not_utf8 };

static void put_value(struct buf *out, uint32_t type)
{
	if (type == GGUF_STRING) {
		raw_string(out, "text", 4);
	} else if (type == GGUF_ARRAY) {
		raw_u32(out, GGUF_U16);
		raw_u64(out, 2);
		raw_zeros(out, 4);
	} else {
		raw_zeros(out, gguf_type_size(type));
	}
}

static void keys(struct defects *d)
{
	char key[LIMIT_GGUF_KEY + 2];

	for (size_t i = 0; i < N_TOO_LONG; i++) {
		raw_header(&d->file, 0, 1);
		raw_u64(&d->file, too_long[i]);
		raw_zeros(&d->file, 60);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "key/value pair 0 at header offset 0x18: key is",
		               "key of %" PRIu64 " bytes", too_long[i]);
	}
	for (size_t i = 0; i < N_NOT_UTF8; i++) {
		raw_header(&d->file, 0, 1);
		raw_string(&d->file, not_utf8[i].bytes, not_utf8[i].len);
		raw_u32(&d->file, GGUF_U8);
		raw_zeros(&d->file, 1);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "key is not UTF-8", "key %zu is not UTF-8", i);
	}
	raw_one_key(&d->file, "", GGUF_U8);
	raw_zeros(&d->file, 9);
	defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "key is empty", "empty key");
	raw_header(&d->file, 0, 1);
	raw_string(&d->file, "a\0b", 3);
	raw_u32(&d->file, GGUF_U8);
	raw_zeros(&d->file, 9);
	defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "key holds a NUL byte", "NUL in a key");
	memset(key, 'k', sizeof key - 1);
	key[sizeof key - 1] = '\0';
	for (size_t skip = 0; skip < 2; skip++) {
		raw_one_key(&d->file, key + skip, GGUF_U8);
		raw_zeros(&d->file, 1);
		if (skip)
			defects_expect_good(d, STAGE_GGUF, "key of the greatest length");
		else
			defects_expect(d, STAGE_GGUF, STATUS_LIMIT, "key is 65536 bytes long, the limit is 65535",
			               "key one byte too long");
	}
}

static void twice(struct defects *d)
{
	for (uint32_t type = 0; type < GGUF_TYPE_COUNT; type++) {
		raw_header(&d->file, 0, 3);
		raw_key(&d->file, "b.twice", type);
		put_value(&d->file, type);
		raw_key(&d->file, "a.once", GGUF_U8);
		raw_zeros(&d->file, 1);
		raw_key(&d->file, "b.twice", type);
		put_value(&d->file, type);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "duplicate key, first at 0x18",
		               "key twice, %s", gguf_type_name(type));
	}
}

/* A value of every type, cut at every byte; and types that do not exist. */
static void values(struct defects *d)
{
	static const uint32_t types[] = {13, 14, 15, 16, 32, 64, 255, 256, 0x7fffffff, 0x80000000u,
	                                 0xfffffff7u, 0xffffffffu};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		raw_one_key(&d->file, "some.key", types[i]);
		raw_zeros(&d->file, 64);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "key 'some.key' at header offset 0x28: value of type",
		               "value of type %" PRIu32, types[i]);
		raw_one_key(&d->file, "some.key", GGUF_ARRAY);
		raw_u32(&d->file, types[i]);
		raw_zeros(&d->file, 64);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "key 'some.key' at header offset 0x2c: array of values of type",
		               "array of type %" PRIu32, types[i]);
	}
	for (uint32_t type = 0; type < GGUF_TYPE_COUNT; type++) {
		size_t start, end;

		raw_one_key(&d->file, "some.key", type);
		start = d->file.len - 4;
		put_value(&d->file, type);
		end = d->file.len;
		defects_expect_good(d, STAGE_GGUF, "%s", gguf_type_name(type));
		for (size_t at = start; at < end; at++) {
			raw_one_key(&d->file, "some.key", type);
			put_value(&d->file, type);
			buf_remove(&d->file, at, end);
			if (at - 24 < 14) /* so short that the count already is wrong */
				continue;
			defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "key 'some.key' at header offset",
			               "%s cut at 0x%zx", gguf_type_name(type), at);
		}
	}
	for (unsigned value = 2; value < 256; value += value < 8 ? 1 : 31) {
		raw_one_key(&d->file, "some.key", GGUF_BOOL);
		buf_putc(&d->file, (char)value);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "expected 0 or 1", "bool %u", value);
		raw_one_key(&d->file, "some.key", GGUF_ARRAY);
		raw_u32(&d->file, GGUF_BOOL);
		raw_u64(&d->file, 3);
		raw_zeros(&d->file, 2);
		buf_putc(&d->file, (char)value);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "header offset 0x3a: bool value", "bool %u in array",
		               value);
	}
}

static void strings(struct defects *d)
{
	for (size_t i = 0; i < N_TOO_LONG; i++) {
		raw_one_key(&d->file, "general.name", GGUF_STRING);
		raw_u64(&d->file, too_long[i]);
		raw_zeros(&d->file, 80);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "key 'general.name' at header offset 0x30: string is",
		               "string of %" PRIu64 " bytes", too_long[i]);
		raw_one_key(&d->file, "tokenizer.ggml.tokens", GGUF_ARRAY);
		raw_u32(&d->file, GGUF_STRING);
		raw_u64(&d->file, 2);
		raw_string(&d->file, "one", 3);
		raw_u64(&d->file, too_long[i]);
		raw_zeros(&d->file, 80);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "string in array is",
		               "string of %" PRIu64 " bytes in array", too_long[i]);
	}
	for (size_t i = 0; i < N_NOT_UTF8; i++) {
		raw_one_key(&d->file, "general.name", GGUF_STRING);
		raw_string(&d->file, not_utf8[i].bytes, not_utf8[i].len);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "the string is not UTF-8", "string %zu", i);
		for (int of_vocab = 0; of_vocab < 2; of_vocab++) {
			raw_one_key(&d->file, of_vocab ? "tokenizer.ggml.tokens" : "general.tags", GGUF_ARRAY);
			raw_u32(&d->file, GGUF_STRING);
			raw_u64(&d->file, 2);
			raw_string(&d->file, "fine", 4);
			raw_string(&d->file, not_utf8[i].bytes, not_utf8[i].len);
			if (of_vocab)
				defects_expect_good(d, STAGE_GGUF, "token %zu", i);
			else
				defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "string 1 of the array is not UTF-8",
				               "string %zu in array", i);
		}
	}
	raw_one_key(&d->file, "general.description", GGUF_STRING);
	raw_u64(&d->file, MIB(16) + 1);
	raw_zeros(&d->file, MIB(16) + 1);
	defects_expect_good(d, STAGE_GGUF, "a long string");
	raw_one_key(&d->file, "tokenizer.ggml.merges", GGUF_ARRAY);
	raw_u32(&d->file, GGUF_STRING);
	raw_u64(&d->file, LIMIT_MERGES + 1);
	raw_zeros(&d->file, (LIMIT_MERGES + 1) * 8);
	defects_expect(d, STAGE_GGUF, STATUS_LIMIT, "array of 4000001 strings", "one string too many");
}

/* Item types by counts that the file cannot hold. */
static void arrays(struct defects *d)
{
	static const uint64_t counts[] = {0, 0x7fffffff, 0x80000000u, 0x100000000u, 0x2000000000000001u,
	                                  0x4000000000000001u, 0x8000000000000000u, UINT64_MAX};

	for (uint32_t type = 0; type < GGUF_TYPE_COUNT; type++) {
		size_t size = type == GGUF_STRING ? 8 : gguf_type_size(type);

		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			uint64_t count = i ? counts[i] : size ? 64 / size + 1 : 1;

			raw_one_key(&d->file, "some.key", GGUF_ARRAY);
			raw_u32(&d->file, type);
			raw_u64(&d->file, count);
			raw_zeros(&d->file, 64);
			if (type == GGUF_ARRAY)
				defects_expect(d, STAGE_GGUF, STATUS_UNSUPPORTED, "an array of arrays",
				               "array of %" PRIu64 " arrays", count);
			else
				defects_expect(d, STAGE_GGUF, STATUS_FORMAT,
				               "key 'some.key' at header offset 0x30: array of",
				               "array of %" PRIu64 " %s", count, gguf_type_name(type));
		}
	}
}

static void alignment(struct defects *d)
{
	static const uint32_t bad[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 24, 31, 33, 48, 63, 100, 65535, 65537,
	                               98304, 131072, 1u << 30, 1u << 31, (1u << 31) + 8, UINT32_MAX};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		raw_one_key(&d->file, "general.alignment", GGUF_U32);
		raw_u32(&d->file, bad[i]);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "expected a power of two in 8..65536",
		               "alignment %" PRIu32, bad[i]);
	}
	for (uint32_t value = 8; value <= 65536; value *= 2) {
		raw_one_key(&d->file, "general.alignment", GGUF_U32);
		raw_u32(&d->file, value);
		defects_expect_good(d, STAGE_GGUF, "alignment %" PRIu32, value);
	}
	for (uint32_t type = 0; type < GGUF_TYPE_COUNT; type++) {
		if (type == GGUF_U32)
			continue;
		raw_one_key(&d->file, "general.alignment", type);
		put_value(&d->file, type);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "key 'general.alignment' at header offset 0x18: found",
		               "alignment as %s", gguf_type_name(type));
	}
}

void defects_metadata(struct defects *d)
{
	keys(d);
	twice(d);
	values(d);
	strings(d);
	arrays(d);
	alignment(d);
}
