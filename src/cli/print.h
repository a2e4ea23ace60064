/* What a subcommand prints: results on stdout, messages on stderr. */
#ifndef SOTTO_CLI_PRINT_H
#define SOTTO_CLI_PRINT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* "sotto: text" on stderr, sanitised; returns the status' exit code. */
int cli_fail(const struct error *err);
/* The same, with a text of its own. */
int cli_fail_with(enum status status, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for what is missing, or is not what it should be, and is no model: the command line is
 * wrong. */
int cli_fail_usage(struct error *err);
/* The same for a model that could not be opened: 3 if the file or the server is at fault, 1 if the
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
void cli_note(const char *format, ...) PRINTF_LIKE(1, 2);
/* The same for each line of a text; NULL has none. */
void cli_notes(const char *lines);
/* The same with "warning": something that was asked for will not happen. */
void cli_warn(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
