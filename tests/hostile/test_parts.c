/* Mutated parts of a model in several files: each is opened or refused with a
 * word that begins with its path, and what is open is whole.
 * 3,000 of them, 100,000 with SOTTO_TEST_LONG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "gguf/reader.h"
#include "hostile/mutate.h"
#include "support/folder.h"
#include "support/split_model.h"

enum { N_PARTS = 3, N_FILES = 3000, N_FILES_LONG = 100000 };

static char dir[] = "/tmp/sotto-hostile-parts-XXXXXX", prefix[64];
static int n_failed;

static const char *part(uint32_t index)
{
	return split_model_path(prefix, index, N_PARTS);
}

static void fail(size_t run, const char *what, const char *text)
{
	printf("FAIL: run %zu: %s: %s\n", run, what, text);
	n_failed++;
}

static void read_part(struct buf *out, uint32_t index)
{
	struct error err = {0};
	char *text;
	size_t len;

	buf_init(out, MIB(4));
	if (sys_read_file(part(index), MIB(1), &text, &len, &err) || buf_append(out, text, len)) {
		fail(0, "a part that was written", err.text);
		exit(1);
	}
	free(text);
}

static void write_part(const struct buf *file, uint32_t index)
{
	unlink(part(index)); /* some file systems sync what is written over */
	write_bytes(part(index), file->data, file->len);
}

/* What the reader promises of a model that is open. */
static void check_tensors(const struct gguf *gguf, size_t run)
{
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);
		const unsigned char *data = tensor->data;
		char name[LIMIT_GGUF_TENSOR_NAME + 1] = {0};
		volatile int bytes = data[0] + data[tensor->n_bytes - 1]; /* a sanitizer sees them */

		(void)bytes;
		memcpy(name, tensor->name.data, tensor->name.len);
		if (gguf_find_tensor(gguf, name) != tensor)
			fail(run, "a tensor that is not found", name);
	}
}

static int one_run(size_t run, const struct buf *parts, const struct fields *fields)
{
	struct test_random random = {run * 0x51ed27f5 + 3};
	uint32_t changed = (uint32_t)test_random_below(&random, N_PARTS);
	uint32_t opened = (uint32_t)test_random_below(&random, N_PARTS);
	struct error err = {0};
	struct gguf *gguf = NULL;
	struct buf file = {.max = MIB(4)};
	int is_open;

	if (buf_append(&file, parts[changed].data, parts[changed].len))
		abort();
	mutate(&file, &fields[changed], &random);
	write_part(&file, changed);
	is_open = gguf_open(&gguf, part(opened), &err) == STATUS_OK;
	if (is_open)
		check_tensors(gguf, run);
	else if (gguf || strncmp(err.text, part(opened), strlen(part(opened))) != 0)
		fail(run, "an error without its path", err.text);
	gguf_close(gguf);
	buf_free(&file);
	write_part(&parts[changed], changed);
	return is_open;
}

int main(void)
{
	struct tiny_model tiny = tiny_model_smallest(TINY_SPM);
	size_t n = getenv("SOTTO_TEST_LONG") ? N_FILES_LONG : N_FILES, n_open = 0;
	struct fields fields[N_PARTS] = {0};
	struct buf parts[N_PARTS];
	struct error err = {0};

	if (!mkdtemp(dir)) {
		perror(dir);
		return 1;
	}
	snprintf(prefix, sizeof prefix, "%s/m", dir);
	if (split_model_save(&tiny, prefix, N_PARTS, NULL, NULL, &err)) {
		printf("FAIL: %s\n", err.text);
		return 1;
	}
	for (uint32_t i = 0; i < N_PARTS; i++) {
		read_part(&parts[i], i);
		if (fields_find(&fields[i], &parts[i]))
			return 1;
	}
	for (size_t run = 0; run < n; run++)
		n_open += (size_t)one_run(run, parts, fields);
	for (uint32_t i = 0; i < N_PARTS; i++) {
		unlink(part(i));
		fields_free(&fields[i]);
		buf_free(&parts[i]);
	}
	rmdir(dir);
	if (n_open == 0 || n_open == n)
		fail(n, "mutants of both kinds", n_open ? "all were opened" : "none was opened");
	printf("%zu mutants, %zu opened, %d failed checks\n", n, n_open, n_failed);
	return n_failed ? 1 : 0;
}
