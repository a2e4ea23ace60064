/* A conversation that is being held: the chat with its journal, the template in use, the turn that runs,
 * what waits to be sent. The operations on it are in the headers beside this one, by subject. None knows a
 * screen, and none runs a turn: they build it (reply.h), and take its events. What they do besides their
 * answer they leave as facts (facts.h). One thread. */
#ifndef SOTTO_DIALOG_H
#define SOTTO_DIALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "chat/tree.h"
#include "config/settings.h"
#include "dialog/draft.h"
#include "dialog/edit.h"
#include "dialog/examine.h"
#include "dialog/facts.h"
#include "dialog/files.h"
#include "dialog/queue.h"
#include "dialog/reply.h"
#include "dialog/store.h"
#include "dialog/summary.h"
#include "dialog/template.h"
#include "journal/journal.h"
#include "sampler/params.h"
#include "turn/engine_params.h"
#include "turn/turn.h"

/* Everything is borrowed. */
struct dialog_config {
	struct settings *settings;
	const struct sampler_params *sampler; /* as they fill them */
	const struct engine_params *engine;
	const double *weight_rate; /* of this machine, as of struct turn; NULL: it is never known */
	const char *prompt_dir;    /* of templates, looked in first; NULL: none */
	const char *system_prompt; /* of new chats; "": none; NULL: the one that comes with the model */
	bool is_raw;               /* nor that one */
	bool saves;                /* chats are written to the disk */
	const bool *keeps_candidates; /* of replies (kept.h); NULL: none */
	bool sums_up;              /* turns that want a summary can be run again with one */
};

struct dialog {
	struct dialog_config config;
	const struct model_info *model; /* that replies; borrowed, NULL: not known yet */
	struct tree *tree;
	struct journal *journal; /* NULL: not saved */
	struct dialog_store store;
	struct facts facts;
	struct dialog_template template;
	uint32_t opening_leaf;   /* where a template's opening of the chat ends; 0: none */
	struct dialog_turn turn;
	struct dialog_examine examine;
	struct dialog_summary summary;
	struct kept *kept;
	struct dialog_queue queue;  /* to be sent when the reply is done */
	struct dialog_files files;  /* that go with the message in the line */
	struct dialog_edit edit;    /* which message that is */
	struct dialog_draft draft;
};

/* It holds no chat yet. */
void dialog_init(struct dialog *dialog, const struct dialog_config *config);
void dialog_deinit(struct dialog *dialog);

/* The system message in force: of an empty chat, what it will be; NULL or "": none. */
const char *dialog_system_message(const struct dialog *dialog);
/* The one that new chats begin with: the option's, or, where nobody has set it, that of
 * model_info. NULL or "": none. */
const char *dialog_first_system(const struct dialog *dialog);

#endif
