#include "hostile/patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "hostile/raw.h"

static void finish(struct gguf_writer *w, struct buf *out)
{
	struct error err;

	if (!w || gguf_writer_write(w, out, &err))
		abort();
	gguf_writer_free(w);
}

static struct gguf_writer *begin(enum tiny_vocab vocab)
{
	struct tiny_model tiny = tiny_model_smallest(vocab);

	return tiny_model_writer(&tiny);
}

void patch_key(struct buf *out, enum tiny_vocab vocab, const char *key, uint32_t type,
               const void *value, size_t n_bytes)
{
	struct gguf_writer *w = begin(vocab);

	gguf_writer_set_raw(w, key, type, value, n_bytes);
	finish(w, out);
}

void patch_u32(struct buf *out, enum tiny_vocab vocab, const char *key, uint32_t value)
{
	patch_key(out, vocab, key, GGUF_U32, &value, sizeof value);
}

void patch_string(struct buf *out, enum tiny_vocab vocab, const char *key, const char *value)
{
	struct gguf_writer *w = begin(vocab);

	gguf_writer_set_string(w, key, value, strlen(value));
	finish(w, out);
}

void patch_none(struct buf *out, enum tiny_vocab vocab)
{
	finish(begin(vocab), out);
}

void patch_remove(struct buf *out, enum tiny_vocab vocab, const char *key)
{
	patch_none(out, vocab);
	memcpy(out->data + patch_find(out, key) - strlen(key), "gone.", 5); /* its name now */
}

size_t patch_find(const struct buf *file, const char *name)
{
	size_t len = strlen(name);
	uint64_t found;

	for (size_t at = 8; at + len <= file->len; at++) {
		memcpy(&found, file->data + at - 8, 8);
		if (found == len && memcmp(file->data + at, name, len) == 0)
			return at + len;
	}
	fprintf(stderr, "no '%s' in the file\n", name);
	abort();
}
