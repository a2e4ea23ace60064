/* What a command reads: standard input, files, the words of its command line. */
#ifndef SOTTO_CLI_INPUT_H
#define SOTTO_CLI_INPUT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/setup.h"

/* Each appends to `text` the bytes as they are, but for a byte order mark that they begin with.
 * STATUS_USAGE for a file that cannot be read: the command line is wrong, not the model. "-" and
 * /dev/stdin are standard input; pipes are waited for. */
enum status input_read_stdin(struct buf *text, struct error *err) MUST_CHECK;
enum status input_read_file(const char *path, struct buf *text, struct error *err) MUST_CHECK;
bool input_is_stdin(const char *path);
/* Makes text of what was read, as base/text_file.h does, and says how many bytes had to be replaced;
 * nothing stays nothing. STATUS_USAGE for what is no text. */
enum status input_as_text(struct buf *text, const char *name, struct error *err) MUST_CHECK;
/* The words, with a blank between them. */
void input_put_words(const struct cli_setup *setup, struct buf *text);

#endif
