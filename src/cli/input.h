/* What a command reads: standard input, files, the words of its command line. */
#ifndef SOTTO_CLI_INPUT_H
#define SOTTO_CLI_INPUT_H

#include "base/buf.h"
#include "base/error.h"
#include "cli/setup.h"

/* Each appends to `text`. STATUS_USAGE for a file that cannot be read: the command line is wrong,
 * not the model. "-" is standard input. */
enum status input_read_stdin(struct buf *text, struct error *err) MUST_CHECK;
enum status input_read_file(const char *path, struct buf *text, struct error *err) MUST_CHECK;
/* The words, with a blank between them. */
void input_put_words(const struct cli_setup *setup, struct buf *text);

#endif
