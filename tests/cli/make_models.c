/* Writes the model files of tests/cli/test_cli.sh into a directory: one that
 * works and several that must be refused.
 * usage: make_models DIRECTORY */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "support/harmony_model.h"
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

static int save_architecture(const char *dir, const char *name, const char *architecture,
                             const struct tiny_model *tiny)
{
	struct gguf_writer *writer = tiny_model_writer(tiny);
	char path[1024];
	int failed;

	if (!writer)
		return 1;
	snprintf(path, sizeof path, "%s/%s", dir, name);
	gguf_writer_set_string(writer, "general.architecture", architecture, strlen(architecture));
	failed = gguf_writer_save(writer, path, NULL) != STATUS_OK;
	gguf_writer_free(writer);
	return failed;
}

/* A model that could see and hear. */
static int save_modalities(const char *dir, const struct tiny_model *tiny)
{
	static const float values[16];
	const uint64_t ne[] = {16};
	struct gguf_writer *writer = tiny_model_writer(tiny);
	char path[1024];
	int failed;

	if (!writer)
		return 1;
	snprintf(path, sizeof path, "%s/modalities.gguf", dir);
	gguf_writer_add_tensor(writer, "v.patch_embd.weight", BLOCK_F32, 1, ne, values, sizeof values);
	gguf_writer_add_tensor(writer, "mm.0.weight", BLOCK_F32, 1, ne, values, sizeof values);
	gguf_writer_add_tensor(writer, "a.blk.0.ln1.weight", BLOCK_F32, 1, ne, values, sizeof values);
	failed = gguf_writer_save(writer, path, NULL) != STATUS_OK;
	gguf_writer_free(writer);
	return failed;
}

/* A model that replies in channels. */
static int save_harmony(const char *dir)
{
	char path[1024];

	snprintf(path, sizeof path, "%s/harmony.gguf", dir);
	return harmony_model_save(path, NULL) != STATUS_OK;
}

static int save_tiny(const char *dir, const char *name, const struct tiny_model *tiny)
{
	char path[1024];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return tiny_model_save(tiny, path, NULL) != STATUS_OK;
}

/* A tensor of a million rows of a million weights, none of which takes room on
 * the disk. Not every file system has files of that size. */
static int save_hole(const char *dir)
{
	const uint64_t ne[2] = {1 << 20, 1 << 20}, n_bytes = (uint64_t)2 << 40;
	struct gguf_writer *writer = gguf_writer_create();
	char path[1024];
	struct buf header = {.max = MIB(1)};
	int failed;

	if (!writer)
		return 1;
	gguf_writer_set_string(writer, "general.architecture", "llama", 5);
	gguf_writer_add_tensor(writer, "output.weight", BLOCK_F16, 2, ne, NULL, (size_t)n_bytes);
	failed = gguf_writer_header(writer, &header, NULL) ||
	         save_bytes(dir, "hole.gguf", header.data, header.len);
	snprintf(path, sizeof path, "%s/hole.gguf", dir);
	if (!failed && truncate(path, (off_t)(header.len + n_bytes)) != 0)
		failed = unlink(path);
	gguf_writer_free(writer);
	buf_free(&header);
	return failed;
}

int main(int argc, char **argv)
{
	struct tiny_model tiny = tiny_model_default();
	struct buf good = {.max = MIB(1)};
	int failed;

	if (argc != 2)
		return 2;
	tiny.n_ctx = 512;
	if (tiny_model_write(&tiny, &good, NULL))
		return 1;
	failed = save_bytes(argv[1], "good.gguf", good.data, good.len) ||
	         save_bytes(argv[1], "truncated.gguf", good.data, good.len - 5000) ||
	         save_bytes(argv[1], "cut-header.gguf", good.data, 100) ||
	         save_bytes(argv[1], "empty.gguf", "", 0) ||
	         save_bytes(argv[1], "text.gguf", "This is a text.\n", 16) ||
	         save_unknown_type(argv[1], &good) ||
	         save_architecture(argv[1], "unknown-arch.gguf", "warble", &tiny) ||
	         save_architecture(argv[1], "ollama-gpt-oss.gguf", "gptoss", &tiny) ||
	         save_modalities(argv[1], &tiny) || save_harmony(argv[1]);
	tiny.n_ctx = 1 << 20;
	tiny.n_layer = 8;
	buf_clear(&good);
	failed = failed || tiny_model_write(&tiny, &good, NULL) ||
	         save_bytes(argv[1], "long.gguf", good.data, good.len);
	/* Rows that blocks of 256 divide. */
	tiny = tiny_model_default();
	tiny.n_embd = 256;
	tiny.n_ff = 512;
	failed = failed || save_tiny(argv[1], "wide.gguf", &tiny);
	tiny.type = BLOCK_Q8_0;
	failed = failed || save_tiny(argv[1], "q8.gguf", &tiny) || save_hole(argv[1]);
	buf_free(&good);
	return failed;
}
