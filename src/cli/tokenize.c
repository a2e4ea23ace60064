/* sotto tokenize: the ids of a text. */
#include <unistd.h>

#include "base/limits.h"
#include "cli/input.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/subcommands.h"
#include "engine/engine.h"
#include "tokenizer/tokenizer.h"

struct tokenize_params {
	char *file; /* owned */
	bool bos, parse_special;
};

#define ROW(field, more_flags) CLI_ROW(tokenize_params, field, more_flags)

static const struct option tokenize_options[] = {
	{"file", "f", OPTION_STRING, ROW(file, OPTION_PATH), .arg = "FILE",
	 .help = "read the text from here; - is standard input"},
	{"bos", NULL, OPTION_BOOL, ROW(bos, 0), .def = "yes",
	 .help = "begin with the BOS token if the vocabulary asks for one",
	 .no_help = "leave the BOS token out, even if the vocabulary asks for one"},
	{"parse-special", NULL, OPTION_BOOL, ROW(parse_special, 0), .def = "no",
	 .help = "read names of control tokens in the text as these tokens"},
};

static enum status read_text(const struct cli_setup *setup, const struct tokenize_params *params,
                             struct buf *text, struct error *err)
{
	if (params->file && setup->n_words)
		return error_set(err, STATUS_USAGE, "give a text or -f FILE, not both");
	if (params->file)
		return input_read_file(params->file, text, err);
	if (!setup->n_words && isatty(STDIN_FILENO))
		return error_set(err, STATUS_USAGE, "there is no text: give -f FILE or the text");
	if (!setup->n_words)
		return input_read_stdin(text, err);
	input_put_words(setup, text);
	return buf_status(text) ? error_set(err, STATUS_USAGE, "the text is too long") : STATUS_OK;
}

static int print_ids(const struct token_list *ids)
{
	struct buf line = {.max = SIZE_MAX / 2};

	for (size_t i = 0; i < ids->n; i++)
		buf_printf(&line, "%s%d", i ? " " : "", (int)ids->ids[i]);
	buf_putc(&line, '\n');
	return cli_print_buf(&line, "the ids");
}

static int tokenize(const struct engine_params *engine, const struct tokenize_params *params,
                    const struct buf *text)
{
	struct gguf *gguf = NULL;
	struct tokenizer *tokenizer = NULL;
	struct token_list ids = {0};
	struct error err;
	unsigned flags = (params->bos ? ENCODE_BOS : 0) | (params->parse_special ? ENCODE_SPECIAL : 0);
	int rc;

	if (engine_open_file(&gguf, engine->model, engine, &err) || tokenizer_open(&tokenizer, gguf, &err)) {
		rc = cli_fail_model(&err);
	} else {
		if (tokenizer_warning(tokenizer))
			cli_fail_with(STATUS_FORMAT, "%s: %s", engine->model, tokenizer_warning(tokenizer));
		rc = tokenizer_encode(tokenizer, buf_text(text), text->len, flags, &ids, &err)
		             ? cli_fail(&err)
		             : print_ids(&ids);
	}
	token_list_free(&ids);
	tokenizer_close(tokenizer);
	gguf_close(gguf);
	return rc;
}

static int run(struct cli_setup *setup, void *own)
{
	const struct tokenize_params *params = own;
	struct buf text = {.max = LIMIT_TOKENIZE_INPUT};
	struct error err;
	int rc;

	if (!setup->engine.model)
		return cli_fail_with(STATUS_USAGE, "there is no model: give -m FILE");
	rc = read_text(setup, params, &text, &err) ? cli_fail(&err)
	                                           : tokenize(&setup->engine, params, &text);
	buf_free(&text);
	return rc;
}

const struct cli_command cli_tokenize = {
	.synopsis = "sotto tokenize [-m MODEL] [OPTION]... [-f FILE | TEXT]",
	.text = "Prints the token ids of a text, separated by blanks. Without a text or a file,\n"
	        "standard input is read. MODEL may be of any architecture, or just a vocabulary.",
	CLI_OWN(tokenize_options, tokenize_params),
	.takes_words = true,
	.more = "Exit status: 0 done, 1 failure, 2 bad command line or configuration, 3 model\n"
	        "missing, unsupported or corrupt.\n",
	.acts = "model override-kv",
	.run = run,
};
