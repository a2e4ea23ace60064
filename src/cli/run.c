/* sotto run: one reply, or the continuation of a text, on standard output. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/cli.h"
#include "cli/reply.h"
#include "cli/setup.h"

struct run_params {
	char *prompt, *file; /* owned */
	struct reply_options reply;
};

#define ROW(field) .offset = offsetof(struct run_params, field)

static const struct option run_options[] = {
	{"prompt", "p", OPTION_STRING, ROW(prompt), .arg = "TEXT", .help = "the prompt",
	 .flags = OPTION_CLI_ONLY},
	{"file", "f", OPTION_STRING, ROW(file), .arg = "FILE",
	 .help = "read the prompt from here; - is standard input", .flags = OPTION_CLI_ONLY},
	{"raw", NULL, OPTION_BOOL, ROW(reply.raw), .def = "no",
	 .help = "no chat template: continue the text", .flags = OPTION_CLI_ONLY},
	{"show-reasoning", NULL, OPTION_BOOL, ROW(reply.show_reasoning), .def = "no",
	 .help = "print what the model thinks on standard error", .flags = OPTION_CLI_ONLY},
};

/* Words are a question about what is piped in, which then comes first:
 *     git diff | sotto run -m MODEL explain this
 * A terminal, /dev/null or a closed standard input add nothing. */
static enum status read_words(const struct cli_setup *setup, struct buf *prompt, struct error *err)
{
	enum status status;

	if (fcntl(STDIN_FILENO, F_GETFD) >= 0 && !isatty(STDIN_FILENO)) {
		status = reply_read_stdin(prompt, err);
		if (status)
			return status;
		if (prompt->len > 0)
			buf_puts(prompt, prompt->data[prompt->len - 1] == '\n' ? "\n" : "\n\n");
	}
	for (int i = 0; i < setup->n_words; i++) {
		if (i)
			buf_putc(prompt, ' ');
		buf_puts(prompt, setup->words[i]);
	}
	if (buf_status(prompt))
		return error_set(err, STATUS_USAGE, "the prompt is longer than %zu bytes", prompt->max);
	return STATUS_OK;
}

/* From one source; with -p and -f standard input is not even waited for. */
static enum status read_prompt(const struct cli_setup *setup, const struct run_params *params,
                               struct buf *prompt, struct error *err)
{
	int n_sources = (params->prompt != NULL) + (params->file != NULL) + (setup->n_words > 0);
	enum status status;

	if (n_sources > 1)
		return error_set(err, STATUS_USAGE,
		                 "one prompt at a time: give -p, -f or words, not several");
	if (params->prompt) {
		buf_puts(prompt, params->prompt);
		return buf_status(prompt) ? error_set(err, STATUS_USAGE, "the prompt is too long")
		                          : STATUS_OK;
	}
	if (params->file)
		return reply_read_file(params->file, prompt, err);
	if (setup->n_words > 0)
		return read_words(setup, prompt, err);
	if (isatty(STDIN_FILENO))
		return error_set(err, STATUS_USAGE, "there is no prompt: give -p TEXT, -f FILE or words");
	status = reply_read_stdin(prompt, err);
	if (!status && prompt->len == 0)
		return error_set(err, STATUS_USAGE, "there is no prompt: standard input is empty");
	return status;
}

int cli_run(int argc, char **argv)
{
	struct run_params params;
	struct option_table own = {run_options, sizeof run_options / sizeof run_options[0], &params};
	const struct cli_usage usage = {
		.synopsis = "sotto run [-m MODEL] [OPTION]... [PROMPT]...",
		.text = "Answers one prompt, or with --raw continues a text. The reply goes to standard\n"
		        "output, everything else to standard error. The prompt comes from -p, -f or the\n"
		        "words, before which standard input is put when it is no terminal; without any of\n"
		        "them standard input is the prompt. With -p and -f it is not read.",
		.own = &own,
		.more = "Exit status: 0 done, 1 failure, 2 bad command line or configuration, 3 model\n"
		        "missing, unsupported or corrupt, 4 prompt exceeds the context, 130 interrupted.\n",
	};
	struct cli_setup setup;
	struct buf prompt;
	struct error err;
	int rc = cli_setup(&setup, &usage, argc, argv);

	buf_init(&prompt, LIMIT_MESSAGE);
	if (rc == CLI_GO_ON)
		rc = read_prompt(&setup, &params, &prompt, &err) ? cli_fail(&err)
		                                                 : reply_print(&setup, &prompt, &params.reply);
	buf_free(&prompt);
	cli_setup_free(&setup);
	return rc;
}
