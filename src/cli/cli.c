#include "cli/cli.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/nearest.h"
#include "base/sanitize.h"
#include "cli/completions.h"
#include "cli/setup.h"

static const struct {
	const char *name;
	cli_command run;
	const char *help;
} subcommands[] = {
	{"run", cli_run, "answer a prompt or continue a text, on standard output"},
	{"logits", cli_logits, "write the logits of every position of a list of token ids"},
	{"trace", cli_trace, "print what passes through the layers for a list of token ids"},
	{"tokenize", cli_tokenize, "print the token ids of a text"},
	{"render", cli_render, "print what a chat template makes of a conversation"},
	{"chats", cli_chats, "list the saved chats, find one, print one in another format"},
	{"replay", cli_replay, "print how each reply of a chat was made, or make it again and compare"},
	{"models", cli_models, "list the model files on this machine, or what to download"},
	{"info", cli_info, "print the metadata, tensors and memory needs of a model file"},
	{"quantize", cli_quantize, "write a model file whose weights take fewer bits"},
	{"bench", cli_bench, "measure how fast a model is, and how fast the machine could be"},
};
enum { N_SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

char *cli_subcommands_text(void)
{
	struct buf out;

	buf_init(&out, KIB(64));
	buf_puts(&out, "Commands (sotto COMMAND --help tells more):\n");
	for (size_t i = 0; i < N_SUBCOMMANDS; i++)
		buf_printf(&out, "  %-12s %s\n", subcommands[i].name, subcommands[i].help);
	return buf_take(&out, NULL);
}

bool cli_subcommand(size_t index, const char **name, const char **help)
{
	if (index >= N_SUBCOMMANDS)
		return false;
	*name = subcommands[index].name;
	*help = subcommands[index].help;
	return true;
}

const char *cli_nearest_subcommand(const char *word)
{
	struct nearest nearest;

	nearest_init(&nearest, word, strlen(word));
	for (size_t i = 0; i < N_SUBCOMMANDS; i++)
		nearest_offer(&nearest, subcommands[i].name);
	return nearest_best(&nearest);
}

static void print_message(const char *before, const char *text)
{
	struct buf line;

	buf_init(&line, KIB(64));
	if (sanitize_line(&line, text, strlen(text)) == STATUS_OK)
		fprintf(stderr, "sotto: %s%s\n", before, buf_text(&line));
	else
		fputs("sotto: not enough memory\n", stderr);
	buf_free(&line);
}

int cli_fail(const struct error *err)
{
	print_message("", err->text);
	return status_exit_code(err->status);
}

int cli_fail_with(enum status status, const char *format, ...)
{
	struct error err;
	va_list args;

	va_start(args, format);
	error_vset(&err, status, format, args);
	va_end(args);
	return cli_fail(&err);
}

int cli_print(const char *text, size_t len)
{
	struct error err;

	if (fwrite(text, 1, len, stdout) == len && fflush(stdout) == 0)
		return 0;
	error_errno(&err, errno, "cannot write to standard output");
	return cli_fail(&err);
}

int cli_print_buf(struct buf *text, const char *what)
{
	int rc = buf_status(text) ? cli_fail_with(buf_status(text), "not enough memory for %s", what)
	                          : cli_print(buf_text(text), text->len);

	buf_free(text);
	return rc;
}

int cli_print_safe(struct buf *text, const char *what)
{
	struct buf safe;

	if (!isatty(STDOUT_FILENO) || buf_status(text))
		return cli_print_buf(text, what);
	buf_init(&safe, LIMIT_TRANSCRIPT);
	if (sanitize_text(&safe, buf_text(text), text->len))
		safe.status = STATUS_NOMEM;
	buf_free(text);
	return cli_print_buf(&safe, what);
}

void cli_note(const char *text)
{
	print_message("note: ", text);
}

void cli_warn(const char *text)
{
	print_message("warning: ", text);
}

int cli_fail_model(const struct error *err)
{
	int code = cli_fail(err);

	return err->status == STATUS_IO ? status_exit_code(STATUS_NOTFOUND) : code;
}

/* The width and class of characters need a UTF-8 locale, even if none is set. */
static void set_locale(void)
{
	if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		if (!setlocale(LC_CTYPE, "C.UTF-8"))
			setlocale(LC_CTYPE, "en_US.UTF-8");
}

/* A subcommand's options may also come before its name. */
static int run_subcommand(cli_command run, int argc, char **argv, int at)
{
	char *name = argv[at];

	memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof *argv);
	argv[1] = name;
	return run(argc - 1, argv + 1);
}

/* `sotto --complete chats --ex`: as if the command stood before the flag. The last word is the one
 * to complete, and no command yet. */
static int find_completed(int argc, char **argv)
{
	int at = argc > 3 ? cli_find_word(argc - 2, argv + 1) : 0;

	return at ? at + 1 : 0;
}

int cli_main(int argc, char **argv)
{
	int at;

	set_locale();
	if (argc > 1 && strcmp(argv[1], CLI_COMPLETE) == 0)
		at = find_completed(argc, argv);
	else
		at = cli_find_word(argc, argv);
	for (size_t i = 0; at && i < N_SUBCOMMANDS; i++)
		if (strcmp(argv[at], subcommands[i].name) == 0)
			return run_subcommand(subcommands[i].run, argc, argv, at);
	return cli_chat(argc, argv);
}
