#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "support/gguf_memory.h"
#include "support/tiny_model.h"

static uint64_t fingerprint(const struct buf *file)
{
	struct gguf *gguf;
	struct error err;
	uint64_t hash;
	void *aligned = aligned_alloc(64, (file->len + 63) / 64 * 64);

	memcpy(aligned, file->data, file->len);
	cr_assert_eq(gguf_open_memory(&gguf, aligned, file->len, &err), STATUS_OK, "%s", err.text);
	hash = gguf_fingerprint(gguf);
	gguf_close(gguf);
	free(aligned);
	return hash;
}

/* A file that is read whole: each byte of its header, names and weights counts. */
Test(fingerprint, tells_small_files_apart_by_any_byte)
{
	struct tiny_model tiny = tiny_model_default();
	uint64_t hash;
	struct buf file;

	buf_init(&file, MIB(64));
	cr_assert_eq(tiny_model_write(&tiny, &file, NULL), STATUS_OK);
	hash = fingerprint(&file);
	cr_assert_eq(fingerprint(&file), hash);
	for (size_t at = file.len / 2; at < file.len; at += file.len / 101) {
		file.data[at] ^= 1;
		cr_expect_neq(fingerprint(&file), hash, "byte %zu", at);
		file.data[at] ^= 1;
	}
	buf_free(&file);
	buf_init(&file, MIB(64));
	tiny.seed++;
	cr_assert_eq(tiny_model_write(&tiny, &file, NULL), STATUS_OK);
	cr_expect_neq(fingerprint(&file), hash);
	buf_free(&file);
}

/* A larger one: other weights all over, another type, a byte more. */
Test(fingerprint, tells_large_files_apart_by_samples)
{
	struct tiny_model tiny = tiny_model_default(), other;
	uint64_t hash, hashes[3];
	struct buf file;

	tiny.n_embd = 128;
	tiny.n_ff = 512;
	tiny.n_layer = 4;
	buf_init(&file, MIB(64));
	cr_assert_eq(tiny_model_write(&tiny, &file, NULL), STATUS_OK);
	cr_assert_gt(file.len, 64 * 4096 + 65536, "large enough to be sampled");
	hash = fingerprint(&file);
	cr_assert_eq(fingerprint(&file), hash);
	file.data[file.len - 1] ^= 1; /* the last page is one of them */
	cr_expect_neq(fingerprint(&file), hash);
	buf_free(&file);
	for (size_t i = 0; i < 3; i++) {
		other = tiny;
		other.seed += i == 0;
		other.type = i == 1 ? BLOCK_Q8_0 : tiny.type;
		other.n_ctx += i == 2; /* only a number in the header */
		buf_init(&file, MIB(64));
		cr_assert_eq(tiny_model_write(&other, &file, NULL), STATUS_OK);
		hashes[i] = fingerprint(&file);
		cr_expect_neq(hashes[i], hash, "%zu", i);
		buf_free(&file);
	}
}
