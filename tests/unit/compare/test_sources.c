#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "compare/run.h"
#include "compare/source_file.h"

enum { N_VOCAB = 5, WINDOW = 8, N_WINDOWS = 2, N_EACH = 3, ROW = 10 /* uint16: 4, and 5 tokens and one to be even */ };

static char path[] = "/tmp/sotto-source-XXXXXX";
static struct source_file file;
static struct logits_source source;
static struct compared_text text;
static struct error err;

static void setup(void)
{
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	close(fd);
	file = (struct source_file){0};
	text = (struct compared_text){0};
	err = (struct error){0};
}

static void teardown(void)
{
	source_file_close(&file);
	text_free(&text);
	unlink(path);
}

TestSuite(sources, .init = setup, .fini = teardown);

static void save(const void *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");

	cr_assert(out && fwrite(bytes, 1, n, out) == n);
	cr_assert_eq(fclose(out), 0);
}

Test(sources, rows)
{
	float rows[6][N_VOCAB], got[2][N_VOCAB];
	const int32_t ids[6] = {0, 1, 2, 3, 4, 0};

	for (size_t i = 0; i < 6; i++)
		for (size_t k = 0; k < N_VOCAB; k++)
			rows[i][k] = (float)(i * N_VOCAB + k);
	save(rows, sizeof rows);
	cr_assert_eq(text_add(&text, ids, NULL, 6, NULL), STATUS_OK);
	cr_assert_eq(source_file_open_rows(&file, path, N_VOCAB, 6, &source, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(source.eval(source.ctx, &text, text.windows, 3, 2, got[0], &err), STATUS_OK);
	cr_assert_eq(memcmp(got, rows[3], sizeof got), 0);
	cr_assert_eq(source.eval(source.ctx, &text, text.windows, 5, 1, NULL, &err), STATUS_OK);
	cr_assert_eq(source.eval(source.ctx, &text, text.windows, 0, 1, got[0], &err), STATUS_OK);
	cr_assert_eq(memcmp(got[0], rows[0], sizeof got[0]), 0);
}

Test(sources, rows_of_another_text)
{
	save("12345678", 8);
	cr_assert_eq(source_file_open_rows(&file, path, N_VOCAB, 2, &source, &err), STATUS_USAGE);
	cr_assert(strstr(err.text, "found 8 bytes, expected 40: a row of 5 float32 for each of 2 tokens"), "%s", err.text);
}

/* ---- llama-perplexity's ---- */

struct llama_file {
	char magic[8];
	uint32_t window, n_vocab, n_windows;
	int32_t ids[N_WINDOWS * WINDOW];
	uint16_t rows[N_WINDOWS * N_EACH][ROW];
};

static struct llama_file make(void)
{
	struct llama_file out = {.window = WINDOW, .n_vocab = N_VOCAB, .n_windows = N_WINDOWS};

	memcpy(out.magic, "_logits_", sizeof out.magic);
	for (size_t i = 0; i < N_WINDOWS * WINDOW; i++)
		out.ids[i] = (int32_t)(i % N_VOCAB);
	for (size_t i = 0; i < N_WINDOWS * N_EACH; i++) {
		const float head[2] = {0.5f, -4.0f - (float)i};

		memcpy(out.rows[i], head, sizeof head);
		for (size_t k = 0; k < N_VOCAB; k++)
			out.rows[i][4 + k] = (uint16_t)(i + 2 * k);
	}
	return out;
}

Test(sources, llama)
{
	struct llama_file whole = make();
	float got[2][N_VOCAB];

	save(&whole, sizeof whole);
	cr_assert(source_file_is_llama(path));
	cr_assert_eq(source_file_open_llama(&file, path, N_VOCAB, 4, &text, &source, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(text.n_windows, N_WINDOWS);
	cr_assert_eq(text.ids[0], 4);
	cr_assert_eq(text.ids[WINDOW], 4);
	cr_assert_eq(text.ids[WINDOW + 1], (WINDOW + 1) % N_VOCAB);
	cr_assert_eq(text_n_counted(&text), N_WINDOWS * N_EACH);
	cr_assert(source.is_log_p);
	/* Rows 5 and 6 of the second window are the file's 4 and 5. */
	cr_assert_eq(source.eval(source.ctx, &text, &text.windows[1], 5, 2, got[0], &err), STATUS_OK);
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < N_VOCAB; k++)
			cr_assert_eq(got[i][k], 0.5f * (float)(4 + i + 2 * k) - 4 - (float)(4 + i));
}

/* Cut anywhere, or with a head that says too much: never more than an error. */
Test(sources, llama_damaged)
{
	struct llama_file whole = make();

	for (size_t n = 0; n < sizeof whole; n++) {
		save(&whole, n);
		cr_assert_eq(source_file_is_llama(path), n >= sizeof whole.magic);
		cr_assert_eq(source_file_open_llama(&file, path, N_VOCAB, -1, &text, &source, &err), STATUS_USAGE, "%zu", n);
		source_file_close(&file);
		text_free(&text);
	}
	for (uint32_t value = 3; value; value *= 7) {
		uint32_t *const fields[] = {&whole.window, &whole.n_windows};

		for (size_t i = 0; i < 2; i++) {
			whole = make();
			*fields[i] = value + 8;
			save(&whole, sizeof whole);
			cr_assert_eq(source_file_open_llama(&file, path, N_VOCAB, -1, &text, &source, &err), STATUS_USAGE);
			source_file_close(&file);
			text_free(&text);
		}
		if (value > UINT32_MAX / 7)
			break;
	}
	whole = make();
	whole.window = 0;
	save(&whole, sizeof whole);
	cr_assert_eq(source_file_open_llama(&file, path, N_VOCAB, -1, &text, &source, &err), STATUS_USAGE);
}

Test(sources, llama_of_another_vocabulary)
{
	struct llama_file whole = make();

	save(&whole, sizeof whole);
	cr_assert_eq(source_file_open_llama(&file, path, 6, -1, &text, &source, &err), STATUS_USAGE);
	cr_assert(strstr(err.text, "it is about 5 tokens of a vocabulary, the model has 6"), "%s", err.text);
}
