/* One reply on standard output, for `sotto run` and for a chat without a terminal. */
#ifndef SOTTO_CLI_REPLY_H
#define SOTTO_CLI_REPLY_H

#include <stdbool.h>

#include "base/buf.h"
#include "chat/attachment.h"
#include "cli/reply_json.h"
#include "cli/setup.h"

struct reply_options {
	bool raw;            /* the prompt is a text to be continued */
	bool show_reasoning; /* on stderr; otherwise it is not shown */
	enum reply_json_mode json; /* instead of the text; it has what the model thinks */
	bool show_context;   /* on stderr: what fills the context */
	struct attachments files; /* parts of the prompt */
};

/* Loads the model, streams the reply to `prompt` to stdout and returns the exit
 * status. Continues the chat that the settings name; a new conversation begins with
 * their system prompt unless raw. Notes about the chat template go to stderr. */
int reply_print(struct cli_setup *setup, const struct buf *prompt,
                const struct reply_options *options);

#endif
