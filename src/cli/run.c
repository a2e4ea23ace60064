/* sotto run: one reply, or the continuation of a text, on standard output. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/input.h"
#include "cli/print.h"
#include "cli/reply.h"
#include "cli/setup.h"
#include "cli/subcommands.h"

#define STDIN_NAME "standard input"

struct run_params {
	char *prompt, *file; /* owned */
	struct reply_options reply;
	bool json, stream;
};

#define ROW(field, more_flags) CLI_ROW(run_params, field, more_flags)

static const struct option run_options[] = {
	{"prompt", "p", OPTION_STRING, ROW(prompt, 0), .arg = "TEXT", .help = "the prompt"},
	{"file", "f", OPTION_STRING, ROW(file, OPTION_PATH), .arg = "FILE",
	 .help = "read the prompt from here; - is standard input"},
	{"raw", NULL, OPTION_BOOL, ROW(reply.raw, 0), .def = "no",
	 .help = "no chat template: continue the text"},
	{"show-reasoning", NULL, OPTION_BOOL, ROW(reply.show_reasoning, 0), .def = "no",
	 .help = "print what the model thinks on standard error"},
	{"json", NULL, OPTION_BOOL, ROW(json, 0), .def = "no",
	 .help = "print a JSON object: the reply and its statistics, or what went wrong"},
	{"stream", NULL, OPTION_BOOL, ROW(stream, 0), .def = "no",
	 .help = "with --json: a line of JSON for each piece of the reply as it comes"},
	{"context", NULL, OPTION_BOOL, ROW(reply.show_context, 0), .def = "no",
	 .help = "before the reply, print what fills the context to standard error"},
};

/* After a blank line, if there is text already. */
static void add_text(struct buf *prompt, const char *text, size_t len)
{
	if (prompt->len && len)
		buf_puts(prompt, prompt->data[prompt->len - 1] == '\n' ? "\n" : "\n\n");
	buf_append(prompt, text, len);
}

static const char *name_of(const struct run_params *params)
{
	return input_is_stdin(params->file) ? STDIN_NAME : params->file;
}

/* The text on the command line, or in the file that it names. */
static enum status read_question(const struct cli_setup *setup, const struct run_params *params,
                                 struct buf *question, struct error *err)
{
	if (params->file) {
		enum status status = input_read_file(params->file, question, err);

		return status || params->reply.raw ? status : input_as_text(question, name_of(params), err);
	}
	if (params->prompt)
		buf_puts(question, params->prompt);
	else
		input_put_words(setup, question);
	return STATUS_OK;
}

/* The question is about the text that is there: a file that comes with it. The prompt becomes both. */
static enum status attach(struct buf *prompt, const struct buf *question, struct attachments *files,
                          struct error *err)
{
	struct attached attached;
	enum status status;

	attached_init(&attached);
	status = attached_add(&attached, STDIN_NAME, buf_text(prompt), prompt->len, err);
	buf_clear(prompt);
	if (!status)
		status = attached_join(&attached, buf_text(question), question->len, prompt, files, err);
	if (status == STATUS_FORMAT || status == STATUS_LIMIT)
		status = err->status = STATUS_USAGE; /* the command line is wrong, not the model */
	attached_free(&attached);
	return status;
}

/* The question may be about something that is piped in, which then comes first:
 *     git diff | sotto run -m MODEL explain this
 * A terminal, /dev/null or a closed standard input adds nothing. */
static enum status read_prompt(const struct cli_setup *setup, struct run_params *params,
                               struct buf *prompt, struct error *err)
{
	int n_sources = (params->prompt != NULL) + (params->file != NULL) + (setup->n_words > 0);
	bool is_file_stdin = params->file && input_is_stdin(params->file);
	enum status status = STATUS_OK;
	struct buf question = {.max = prompt->max};

	if (n_sources > 1)
		return error_set(err, STATUS_USAGE,
		                 "one prompt only: give -p, -f or words, not several");
	if (n_sources == 0 && isatty(STDIN_FILENO))
		return error_set(err, STATUS_USAGE, "there is no prompt: give -p TEXT, -f FILE or words");
	if (fcntl(STDIN_FILENO, F_GETFD) >= 0 && !isatty(STDIN_FILENO) && !is_file_stdin)
		status = input_read_stdin(prompt, err);
	if (!status && !params->reply.raw) /* a text to continue may end anywhere */
		status = input_as_text(prompt, STDIN_NAME, err);
	if (!status)
		status = read_question(setup, params, &question, err);
	if (!status && prompt->len && question.len && !params->reply.raw)
		status = attach(prompt, &question, &params->reply.files, err);
	else if (!status)
		add_text(prompt, buf_text(&question), question.len);
	if (buf_status(&question))
		prompt->status = buf_status(&question);
	buf_free(&question);
	if (status)
		return status;
	if (prompt->len == 0 && (n_sources == 0 || !params->reply.raw))
		return error_set(err, STATUS_USAGE, n_sources ? "there is no prompt: the one given is empty"
		                                              : "there is no prompt: standard input is empty");
	if (buf_status(prompt))
		return error_set(err, STATUS_USAGE, "the prompt is longer than %zu bytes", prompt->max);
	return STATUS_OK;
}

/* Whether the words of the command line ask for JSON, also where another of them is wrong. */
static enum reply_json_mode json_mode(int argc, char **argv)
{
	bool json = false, stream = false;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		json |= strcmp(argv[i], "--json") == 0;
		stream |= strcmp(argv[i], "--stream") == 0;
	}
	return !json ? REPLY_JSON_OFF : stream ? REPLY_JSON_LINES : REPLY_JSON_ONE;
}

static void fail(int argc, char **argv, const struct error *err, int rc)
{
	reply_json_fail(json_mode(argc, argv), err, rc);
}

static int run(struct cli_setup *setup, void *own)
{
	struct run_params *params = own;
	struct buf prompt = {.max = LIMIT_MESSAGE};
	struct error err;
	int rc;

	if (params->json)
		params->reply.json = params->stream ? REPLY_JSON_LINES : REPLY_JSON_ONE;
	if (!params->json)
		cli_warn_unused(setup, "stream", "without --json");
	else
		cli_warn_unused(setup, "show-reasoning", "with --json, which has it anyway");
	if (read_prompt(setup, params, &prompt, &err))
		rc = reply_json_fail(params->reply.json, &err, cli_fail(&err));
	else
		rc = reply_print(setup, &prompt, &params->reply);
	attachments_free(&params->reply.files);
	buf_free(&prompt);
	return rc;
}

const struct cli_command cli_run = {
	.synopsis = "sotto run [-m MODEL] [OPTION]... [PROMPT]...",
	.text = "Answers one prompt or, with --raw, continues a text. The reply goes to standard\n"
	        "output, everything else to standard error. The prompt is given with -p, -f or as\n"
	        "words. Standard input, unless it is a terminal, is attached to it as a text file (with\n"
	        "--raw: put before it); without a prompt, standard input is the prompt. </dev/null or a\n"
	        "closed standard input adds nothing.\n"
	        "With -C or --resume the prompt and the reply become part of a saved chat.",
	CLI_OWN(run_options, run_params),
	.takes_words = true,
	.more = "Exit status: 0 done, 1 failure, 2 bad command line or configuration, 3 model\n"
	        "missing, unsupported or corrupt, 4 prompt exceeds the context, 130 interrupted.\n",
	.run = run,
	.fail = fail,
};
