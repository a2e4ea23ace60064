/* The conversation of a reply without a screen: a new one, which is not saved, or a chat that
 * is continued (-C, --resume), which is. */
#ifndef SOTTO_CLI_CONVERSATION_H
#define SOTTO_CLI_CONVERSATION_H

#include <stdbool.h>

#include "chat/turn.h"
#include "cli/setup.h"
#include "engine/backend.h"
#include "journal/journal.h"
#include "prompts/prompt_template.h"

struct conversation {
	struct tree *tree;
	struct journal *journal; /* NULL: nothing is written */
	size_t n_stored;         /* messages of the tree that are in the journal */
	bool raw;                /* the prompt is a text to continue */
	struct prompt_library *library; /* NULL: no template */
	const struct prompt_template *tmpl;
	struct prompt_values values;
	bool adds_template;      /* it is new to the chat */
	struct chat_turn turn;   /* what is sent */
	const char *model;       /* who replies; borrowed from conversation_say's argument */
	uint32_t reply;          /* its node; 0: none yet, or it is not saved */
	struct reply_run run;    /* how it is made, until the node has it */
};

/* Finds the chat and the template, checks that its variables have values and applies its
 * options to the settings, all before a model is loaded. Warns of options without effect.
 * STATUS_USAGE if there is no such chat or template. conversation_close in every case. */
enum status conversation_open(struct conversation *c, struct cli_setup *setup, bool raw,
                              struct error *err) MUST_CHECK;
/* Adds the prompt, on the disk too if the chat is saved, and fills c->turn. Notes go to stderr. `files`
 * are parts of the prompt.
 * `model` must outlive the conversation. */
enum status conversation_say(struct conversation *c, const struct cli_setup *setup,
                             const struct model_info *model, const struct buf *prompt,
                             const struct attachments *files, struct error *err) MUST_CHECK;
/* The reply begins. */
void conversation_begin(struct conversation *c, const struct turn_begin *begin);
/* A token of the reply. */
enum status conversation_token(struct conversation *c, const struct sampler_params *sampler,
                               const struct token *token, struct error *err) MUST_CHECK;
/* The reply has ended; not `whole`: it was interrupted. */
enum status conversation_end(struct conversation *c, bool whole, enum done_reason reason,
                             struct error *err) MUST_CHECK;
/* The prompt was too long for the context: the chat continues without it, though it stays in
 * the file. */
enum status conversation_take_back(struct conversation *c, struct error *err) MUST_CHECK;
void conversation_close(struct conversation *c);

#endif
