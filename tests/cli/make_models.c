/* Writes the model files of tests/cli/test_cli.sh into a directory: one that
 * works and several that must be refused.
 * usage: make_models DIRECTORY */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "support/tiny_model.h"

static int save_bytes(const char *dir, const char *name, const char *bytes, size_t n)
{
	char path[1024];
	FILE *file;
	size_t written;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	file = fopen(path, "wb");
	if (!file)
		return 1;
	written = fwrite(bytes, 1, n, file);
	return (fclose(file) != 0) | (written != n);
}

/* The good file with one tensor's type changed to a number that is no type. */
static int save_unknown_type(const char *dir, const struct buf *good)
{
	static const char name[] = "output_norm.weight";
	/* name, n_dims = 1 (4 bytes), one dimension (8 bytes), type (4 bytes) */
	char *at = memmem(good->data, good->len, name, strlen(name));
	char copy[4];
	int failed;

	if (!at)
		return 1;
	at += strlen(name) + 4 + 8;
	memcpy(copy, at, 4);
	memcpy(at, "\x3e\0\0\0", 4);
	failed = save_bytes(dir, "unknown-type.gguf", good->data, good->len);
	memcpy(at, copy, 4);
	return failed;
}

static int save_unknown_architecture(const char *dir, const struct tiny_model *tiny)
{
	struct gguf_writer *writer = tiny_model_writer(tiny);
	char path[1024];
	int failed;

	if (!writer)
		return 1;
	snprintf(path, sizeof path, "%s/unknown-arch.gguf", dir);
	gguf_writer_set_string(writer, "general.architecture", "warble", 6);
	failed = gguf_writer_save(writer, path, NULL) != STATUS_OK;
	gguf_writer_free(writer);
	return failed;
}

int main(int argc, char **argv)
{
	struct tiny_model tiny = tiny_model_default();
	struct buf good;
	int failed;

	if (argc != 2)
		return 2;
	tiny.n_ctx = 512;
	buf_init(&good, MIB(1));
	if (tiny_model_write(&tiny, &good, NULL))
		return 1;
	failed = save_bytes(argv[1], "good.gguf", good.data, good.len) ||
	         save_bytes(argv[1], "truncated.gguf", good.data, good.len - 5000) ||
	         save_bytes(argv[1], "cut-header.gguf", good.data, 100) ||
	         save_bytes(argv[1], "empty.gguf", "", 0) ||
	         save_bytes(argv[1], "text.gguf", "This is a text.\n", 16) ||
	         save_unknown_type(argv[1], &good) || save_unknown_architecture(argv[1], &tiny);
	tiny.n_ctx = 1 << 20;
	tiny.n_layer = 8;
	buf_clear(&good);
	failed = failed || tiny_model_write(&tiny, &good, NULL) ||
	         save_bytes(argv[1], "long.gguf", good.data, good.len);
	buf_free(&good);
	return failed;
}
