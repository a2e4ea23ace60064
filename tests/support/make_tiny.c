/* Writes a tiny model for tests that drive the program from outside.
 * usage: make_tiny [--smallest] [--bpe] [--vocab-only] [--tied] [--guide] [--ctx N]
 *                  [--template FILE] FILE
 *        make_tiny --split N PREFIX: PREFIX-00001-of-0000N.gguf and so on */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "support/split_model.h"
#include "support/tiny_model.h"

static enum status save(const struct tiny_model *tiny, const char *template, const char *path,
                        struct error *err)
{
	struct gguf_writer *w = tiny_model_writer(tiny);
	enum status status = STATUS_OK;
	char *text = NULL;
	size_t len;

	if (!w)
		return error_set(err, STATUS_NOMEM, "no memory for a model");
	if (template)
		status = sys_read_file(template, LIMIT_JINJA_TEMPLATE, &text, &len, err);
	if (!status && template)
		gguf_writer_set_string(w, "tokenizer.chat_template", text, len);
	if (!status)
		status = gguf_writer_save(w, path, err);
	gguf_writer_free(w);
	free(text);
	return status;
}

int main(int argc, char **argv)
{
	struct tiny_model tiny = tiny_model_default();
	const char *template = NULL;
	struct error err = {0};
	uint32_t n_parts = 0;
	enum status status;
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--smallest") == 0) /* first: it chooses all else */
			tiny = tiny_model_smallest(tiny.vocab);
		else if (strcmp(argv[i], "--bpe") == 0)
			tiny.vocab = TINY_BPE;
		else if (strcmp(argv[i], "--vocab-only") == 0)
			tiny.vocab_only = true;
		else if (strcmp(argv[i], "--tied") == 0)
			tiny.tied = true;
		else if (strcmp(argv[i], "--guide") == 0)
			tiny.guide = true;
		else if (strcmp(argv[i], "--ctx") == 0 && i + 1 < argc)
			tiny.n_ctx = (uint32_t)strtoul(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--split") == 0 && i + 1 < argc)
			n_parts = (uint32_t)strtoul(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--template") == 0 && i + 1 < argc)
			template = argv[++i];
		else
			break;
	}
	if (i != argc - 1) {
		fprintf(stderr, "usage: make_tiny [--smallest] [--bpe] [--vocab-only] [--tied] [--guide] "
		                "[--ctx N] [--template FILE] FILE | --split N PREFIX\n");
		return 2;
	}
	status = n_parts ? split_model_save(&tiny, argv[i], n_parts, NULL, NULL, &err)
	                 : save(&tiny, template, argv[i], &err);
	if (status) {
		fprintf(stderr, "make_tiny: %s\n", err.text);
		return 1;
	}
	return 0;
}
