/* Defects of the first 24 bytes. */
#include <inttypes.h>
#include <string.h>

#include "base/limits.h"
#include "hostile/defects.h"
#include "hostile/raw.h"

static void cut(struct defects *d)
{
	for (size_t len = 0; len < 24; len++) {
		raw_header(&d->file, 0, 0);
		buf_remove(&d->file, len, 24);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT,
		               len == 0  ? "the file is empty"
		               : len < 4 ? "not a GGUF file"
		                         : "within its header of 24; incomplete download?",
		               "header cut after %zu bytes", len);
	}
	raw_header(&d->file, 0, 0);
	defects_expect_good(d, STAGE_GGUF, "header alone");
}

static void magic(struct defects *d)
{
	static const char words[][5] = {"GGML", "FUGG", "gguf", "GGUG", "lmgg", "PK\3\4", "\177ELF",
	                                "{\"a\"", "<!DO", "GGUE"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		raw_header(&d->file, 0, 0);
		memcpy(d->file.data, words[i], 4);
		defects_expect(d, STAGE_GGUF, STATUS_FORMAT, "not a GGUF file", "magic %s", words[i]);
	}
}

static void version(struct defects *d)
{
	static const struct {
		uint32_t version;
		const char *text;
	} rows[] = {
		{0, "version 0, expected 2 or 3"},
		{1, "version 1, expected 2 or 3 (version 1 has long been replaced"},
		{4, "version 4, expected 2 or 3"},
		{5, "version 5,"},
		{99, "version 99,"},
		{0x10000, "version 65536,"},
		{0x10003, "version 65539,"},
		{0x01000000, "a big-endian file"},
		{0x02000000, "a big-endian file"},
		{0x03000000, "a big-endian file"},
		{0x04000000, "a big-endian file"},
		{0x80000003, "version 2147483651,"},
		{0xffffffff, "version 4294967295,"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		raw_header(&d->file, 0, 0);
		memcpy(d->file.data + 4, &rows[i].version, 4);
		defects_expect(d, STAGE_GGUF, STATUS_UNSUPPORTED, rows[i].text, "version 0x%" PRIx32,
		               rows[i].version);
		defects_expect(d, STAGE_GGUF, STATUS_UNSUPPORTED, "header at header offset 0x4:",
		               "version 0x%" PRIx32 ", place", rows[i].version);
	}
	raw_header(&d->file, 0, 0);
	memcpy(d->file.data + 4, "\2", 1);
	defects_expect_good(d, STAGE_GGUF, "version 2");
}

/* Counts that the bytes which follow cannot hold: nothing may be allocated. */
static void counts(struct defects *d)
{
	static const uint64_t odd[] = {0x1D1D1D1D1D1D1D1Du, 0xffffffff, 0x7fffffff, 0xfffffffffffffff0u,
	                               UINT64_MAX / 33, UINT64_MAX / 14, UINT64_MAX / 48 + 1};

	for (int field = 0; field < 2; field++) {
		const char *text = field ? "header offset 0x10: key/value count"
		                         : "header offset 0x8: tensor count";

		for (unsigned bit = 4; bit < 65; bit += 2) {
			uint64_t count = bit == 64 ? UINT64_MAX : (uint64_t)1 << bit;

			raw_header(&d->file, field ? 0 : count, field ? count : 0);
			raw_zeros(&d->file, 64);
			defects_expect(d, STAGE_GGUF, STATUS_FORMAT, text, "count 2^%u", bit);
		}
		for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
			raw_header(&d->file, field ? 0 : odd[i], field ? odd[i] : 0);
			defects_expect(d, STAGE_GGUF, STATUS_FORMAT, text, "count %" PRIu64, odd[i]);
		}
		raw_header(&d->file, field ? 0 : LIMIT_GGUF_TENSORS + 1, field ? LIMIT_GGUF_KV + 1 : 0);
		raw_zeros(&d->file, (size_t)(LIMIT_GGUF_TENSORS + 1) * 33);
		defects_expect(d, STAGE_GGUF, STATUS_LIMIT, text, "count past its limit");
	}
}

void defects_header(struct defects *d)
{
	cut(d);
	magic(d);
	version(d);
	counts(d);
}
