/* The conversation of a reply without a screen, as the command line chooses it: a new one, which is not saved,
 * or a chat that is continued (-C, --resume), which is. */
#ifndef SOTTO_CLI_CONVERSATION_H
#define SOTTO_CLI_CONVERSATION_H

#include <stdbool.h>

#include "cli/setup.h"
#include "dialog/dialog.h"
#include "engine/backend.h"

struct conversation {
	struct dialog dialog;
	bool raw; /* the prompt is a text to continue */
	/* A template that is new to the chat; NULL: none. */
	struct prompt_library *library;
	const struct prompt_template *tmpl;
	struct prompt_values values;
};

/* Finds the chat and the template, checks that its variables have values and applies its
 * options to the settings, all before a model is loaded. Warns of options without effect.
 * STATUS_USAGE if there is no such chat or template. conversation_close in every case. */
enum status conversation_open(struct conversation *c, struct cli_setup *setup, bool raw,
                              struct error *err) MUST_CHECK;
/* Adds the prompt, on the disk too if the chat is saved. Notes go to stderr. `files` are parts of the
 * prompt. `model` must outlive the conversation. */
enum status conversation_say(struct conversation *c, struct cli_setup *setup,
                             const struct model_info *model, const struct buf *prompt,
                             const struct attachments *files, struct error *err) MUST_CHECK;
/* Prints what fills the context of the turn, which is made of the conversation, as a table on
 * standard error. Nothing is evaluated. */
enum status conversation_show_context(const struct conversation *c, struct backend *backend,
                                      const struct backend_host *host, const struct turn *turn,
                                      struct error *err) MUST_CHECK;
void conversation_close(struct conversation *c);

#endif
