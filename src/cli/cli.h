/* The command line: argv -> settings -> one file for each subcommand. Only
 * here and in main may the process exit. */
#ifndef SOTTO_CLI_CLI_H
#define SOTTO_CLI_CLI_H

#include "base/buf.h"
#include "base/error.h"

/* Runs the program; returns its exit status. */
int cli_main(int argc, char **argv);

/* A subcommand: argv[0] is its name. Returns the exit status, having printed
 * its own error to stderr. */
typedef int (*cli_command)(int argc, char **argv);

int cli_chat(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_tokenize(int argc, char **argv);
int cli_render(int argc, char **argv);
int cli_logits(int argc, char **argv);
int cli_trace(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_models(int argc, char **argv);
int cli_quantize(int argc, char **argv);
int cli_bench(int argc, char **argv);

/* The subcommands and what they do, a line each: for --help. Free the text. */
char *cli_subcommands_text(void);
/* The subcommand whose name is nearest to a mistyped one; NULL. */
const char *cli_nearest_subcommand(const char *word);

/* "sotto: text" on stderr, sanitised; returns the status' exit code. */
int cli_fail(const struct error *err);
/* The same for an error that is made here. */
int cli_fail_with(enum status status, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for the error of opening a model, where whatever is wrong with the
 * file is 3; what is wrong with the machine is 1. */
int cli_fail_model(const struct error *err);

/* Prints to stdout. 0, or 1 with a message when that fails (a full disk). */
int cli_print(const char *text, size_t len);
/* The same with a text that was put together, which is freed. `what` it is: "the list", for when
 * there was too little memory. */
int cli_print_buf(struct buf *text, const char *what);

/* "sotto: note: text" on stderr, sanitised. */
void cli_note(const char *text);
/* The same with "warning": something of what was asked for does not happen. */
void cli_warn(const char *text);

#endif
