/* A valid file cut short at every offset, and files at the limits of counts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "hostile/raw.h"
#include "support/cpu_time.h"
#include "support/gguf_memory.h"
#include "support/tiny_model.h"

enum { EVERY = 64 << 10, SAMPLE = 11, SMALL = 1024 };
#ifdef SOTTO_SANITIZER
enum { LIMIT_MS = 20000 };
#else
enum { LIMIT_MS = 2000 };
#endif

static size_t n_failed;

static void check_cut(const struct buf *file, size_t len, size_t data_end)
{
	unsigned char *exact = malloc(len ? len : 1);
	struct gguf *gguf = NULL;
	struct error err = {0};
	enum status status;

	if (!exact)
		abort();
	memcpy(exact, file->data, len);
	status = gguf_open_memory(&gguf, exact, len, &err);
	if (len >= data_end ? status != STATUS_OK : status != STATUS_FORMAT || !err.text[0]) {
		printf("FAIL: cut after %zu of %zu bytes: %d: %s\n", len, file->len, (int)status,
		       err.text);
		n_failed++;
	}
	gguf_close(gguf);
	free(exact);
}

/* Where the last tensor's data ends; padding may follow. */
static size_t find_data_end(const struct buf *file)
{
	struct gguf *gguf;
	struct error err = {0};
	uint64_t end = 0;

	if (gguf_open_memory(&gguf, file->data, file->len, &err)) {
		printf("FAIL: the whole file: %s\n", err.text);
		abort();
	}
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		if (tensor->offset + tensor->n_bytes > end)
			end = tensor->offset + tensor->n_bytes;
	}
	gguf_close(gguf);
	return (size_t)end;
}

static void cut_everywhere(void)
{
	struct tiny_model tiny = tiny_model_default();
	size_t step = getenv("SOTTO_TEST_LONG") ? 1 : SAMPLE, data_end, n = 0;
	struct error err = {0};
	struct buf file = {.max = MIB(16)};

	tiny.n_embd = 32; /* more than 64 KiB */
	if (tiny_model_write(&tiny, &file, &err) || file.len < EVERY)
		abort();
	data_end = find_data_end(&file);
	for (size_t len = 0; len < EVERY; len += len < SMALL ? 1 : step, n++)
		check_cut(&file, len, data_end);
	for (size_t i = 0; i < 2000; i += step, n++)
		check_cut(&file, EVERY + (file.len - EVERY) * i / 2000, data_end);
	for (size_t len = data_end - 40; len <= file.len; len++, n++)
		check_cut(&file, len, data_end);
	printf("%zu cuts of a file of %zu bytes\n", n, file.len);
	buf_free(&file);
}

/* As many keys and tensors as are allowed, with names that differ late. */
static void at_the_limits(void)
{
	static const uint64_t ne[1] = {1};
	struct gguf *gguf = NULL;
	struct error err = {0};
	uint64_t started, took;
	struct buf file = {.max = MIB(64)};
	char name[128];

	raw_header(&file, LIMIT_GGUF_TENSORS, LIMIT_GGUF_KV);
	for (uint32_t i = 0; i < LIMIT_GGUF_KV; i++) {
		snprintf(name, sizeof name, "%0100" PRIu32, i * 40503 % LIMIT_GGUF_KV);
		raw_key(&file, name, GGUF_U8);
		raw_zeros(&file, 1);
	}
	for (uint32_t i = 0; i < LIMIT_GGUF_TENSORS; i++) {
		snprintf(name, sizeof name, "%0100" PRIu32, i * 40503 % LIMIT_GGUF_TENSORS);
		raw_tensor(&file, name, 1, ne, BLOCK_F32, (uint64_t)i * 32);
	}
	raw_pad(&file, 32);
	raw_zeros(&file, (size_t)LIMIT_GGUF_TENSORS * 32);
	started = test_cpu_ms();
	if (gguf_open_memory(&gguf, file.data, file.len, &err)) {
		printf("FAIL: all keys and tensors: %s\n", err.text);
		n_failed++;
	}
	took = test_cpu_ms() - started;
	printf("%d keys and %d tensors: %" PRIu64 " ms\n", LIMIT_GGUF_KV, LIMIT_GGUF_TENSORS, took);
	if (took > LIMIT_MS) {
		printf("FAIL: more than %d ms\n", LIMIT_MS);
		n_failed++;
	}
	gguf_close(gguf);
	buf_free(&file);
}

int main(void)
{
	cut_everywhere();
	at_the_limits();
	return n_failed ? 1 : 0;
}
