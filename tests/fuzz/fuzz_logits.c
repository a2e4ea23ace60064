/* Files of logits that llama-perplexity writes (compare/source_llama.c): whatever the bytes, an error or a text whose
 * rows can all be read. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/source_file.h"
#include "fuzz/fuzz.h"

enum { N_VOCAB = 5 };

static char path[] = "/tmp/sotto-fuzz-logits-XXXXXX";

static void remove_file(void)
{
	unlink(path);
}

static void save(const uint8_t *data, size_t size)
{
	static bool made;
	FILE *file;

	if (!made) {
		int fd = mkstemp(path);

		FUZZ_CHECK(fd >= 0 && close(fd) == 0 && atexit(remove_file) == 0);
		made = true;
	}
	FUZZ_CHECK((file = fopen(path, "wb")) && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static void read_rows(const struct logits_source *source, const struct compared_text *text)
{
	float row[N_VOCAB];

	FUZZ_CHECK(text->n > 0 && text_n_counted(text) > 0);
	for (size_t i = 0; i < text->n_windows; i++)
		for (size_t pos = 0; pos < text->windows[i].n; pos++)
			FUZZ_CHECK(!text->counts[text->windows[i].at + pos] ||
			           source->eval(source->ctx, text, &text->windows[i], pos, 1, row, NULL) == STATUS_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source_file file = {0};
	struct compared_text text = {0};
	struct logits_source source;

	save(data, size);
	FUZZ_CHECK(source_file_is_llama(path) == (size >= 8 && memcmp(data, "_logits_", 8) == 0));
	if (source_file_open_llama(&file, path, N_VOCAB, 1, &text, &source, NULL) == STATUS_OK)
		read_rows(&source, &text);
	source_file_close(&file);
	text_free(&text);
	return 0;
}
