/* The command line: argv to settings to a subcommand, each in a file of its own.
 * Only here and in main may the process exit. */
#ifndef SOTTO_CLI_CLI_H
#define SOTTO_CLI_CLI_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"

/* Runs the program; returns its exit status. */
int cli_main(int argc, char **argv);

/* A subcommand: argv[0] is its name. Prints its own errors to stderr and returns the
 * exit status. */
typedef int (*cli_command)(int argc, char **argv);

int cli_chat(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_tokenize(int argc, char **argv);
int cli_render(int argc, char **argv);
int cli_logits(int argc, char **argv);
int cli_trace(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_chats(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_models(int argc, char **argv);
int cli_quantize(int argc, char **argv);
int cli_bench(int argc, char **argv);

/* The subcommands and what they do, a line each, for --help. Free the text. */
char *cli_subcommands_text(void);
/* The subcommands one by one; false: there are no more. */
bool cli_subcommand(size_t index, const char **name, const char **help);
/* The subcommand that a mistyped word most likely means; NULL for none. */
const char *cli_nearest_subcommand(const char *word);

/* "sotto: text" on stderr, sanitised; returns the status' exit code. */
int cli_fail(const struct error *err);
/* The same, with a text of its own. */
int cli_fail_with(enum status status, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for a model that could not be opened: 3 if the file is at fault, 1 if the
 * machine is. */
int cli_fail_model(const struct error *err);

/* Prints to stdout. 0, or 1 with a message when that fails (a full disk). */
int cli_print(const char *text, size_t len);
/* The same for a buffer, which is freed. `what` it holds, such as "the list", is for the error
 * when there was too little memory. */
int cli_print_buf(struct buf *text, const char *what);

/* The same, sanitised where standard output is a terminal. */
int cli_print_safe(struct buf *text, const char *what);

/* "sotto: note: text" on stderr, sanitised. */
void cli_note(const char *text);
/* The same with "warning": something that was asked for will not happen. */
void cli_warn(const char *text);

#endif
