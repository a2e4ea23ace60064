/* The conversation that a reply without a screen belongs to: a new one, which is not kept, or
 * a chat gone on with (-C, --resume), which keeps what is added. */
#ifndef SOTTO_CLI_CONVERSATION_H
#define SOTTO_CLI_CONVERSATION_H

#include <stdbool.h>

#include "chat/journal.h"
#include "chat/prompt_template.h"
#include "chat/turn.h"
#include "cli/setup.h"
#include "engine/backend.h"

struct conversation {
	struct tree *tree;
	struct journal *journal; /* NULL: nothing is written */
	size_t n_stored;         /* messages of the tree that the journal has */
	bool raw;                /* the prompt is a text to be continued */
	struct prompt_library *library; /* NULL: no template */
	const struct prompt_template *tmpl;
	struct prompt_values values;
	bool adds_template;      /* it is not the chat's already */
	struct chat_turn turn;   /* what is sent */
	const char *model;       /* who replies; borrowed from what conversation_say was given */
	uint32_t reply;          /* its node; 0: none yet, or it is not kept */
};

/* Finds the chat, the template and what its variables need, and sets its options in the
 * settings, all before a model is loaded. Warns of options that mean nothing here.
 * STATUS_USAGE for a chat or template that is not there. conversation_close in every case. */
enum status conversation_open(struct conversation *c, struct cli_setup *setup, bool raw,
                              struct error *err) MUST_CHECK;
/* Adds the prompt, on the disk where the chat is kept, and fills c->turn. Notes go to stderr.
 * `model` stays until the end. */
enum status conversation_say(struct conversation *c, const struct cli_setup *setup,
                             const struct model_info *model, const struct buf *prompt,
                             struct error *err) MUST_CHECK;
/* A token of the reply. */
enum status conversation_token(struct conversation *c, const struct sampler_params *sampler,
                               const struct token *token, struct error *err) MUST_CHECK;
/* The reply has ended; not `whole`: it was interrupted. */
enum status conversation_end(struct conversation *c, bool whole, struct error *err) MUST_CHECK;
/* The prompt is too long for the context: the chat goes on without it, though its file has it. */
enum status conversation_take_back(struct conversation *c, struct error *err) MUST_CHECK;
void conversation_close(struct conversation *c);

#endif
