/* One reply on standard output: what `sotto run` and a chat without a
 * terminal do. */
#ifndef SOTTO_CLI_REPLY_H
#define SOTTO_CLI_REPLY_H

#include <stdbool.h>

#include "base/buf.h"
#include "cli/setup.h"

/* Loads the model, streams the reply to `prompt` to stdout and returns the exit
 * status. `raw`: the prompt is a text to be continued. The settings' system
 * prompt goes first unless raw. */
int reply_print(const struct cli_setup *setup, const struct buf *prompt, bool raw);

/* Appends all of standard input to `prompt`. */
enum status reply_read_stdin(struct buf *prompt, struct error *err) MUST_CHECK;

#endif
