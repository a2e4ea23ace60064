/* What a conversation without a screen begins with: the prompt template of -T
 * and -V, or the system prompt, and then the prompt itself. */
#ifndef SOTTO_CLI_OPENING_H
#define SOTTO_CLI_OPENING_H

#include <stdbool.h>

#include "chat/prompt_template.h"
#include "cli/setup.h"
#include "engine/worker.h"

struct opening {
	struct prompt_library *library; /* owned; NULL: no template */
	const struct prompt_template *tmpl;
	struct prompt_values values;
	struct prompt_rendered rendered;
	struct worker_message *messages; /* owned */
	struct buf help;                 /* the guide's system message */
};

/* Finds the template, checks its variables and sets its options in the
 * settings. STATUS_USAGE for a variable without a value. `raw`: none is used.
 * opening_close in every case. */
enum status opening_open(struct opening *opening, const struct cli_setup *setup, bool raw,
                         struct error *err) MUST_CHECK;
/* Fills turn->messages and stops: borrowed from the opening and `prompt`. */
enum status opening_messages(struct opening *opening, const struct cli_setup *setup,
                             const char *model, const struct buf *prompt,
                             struct worker_turn *turn, struct error *err) MUST_CHECK;
/* For the guide: help that fits the prompt joins the system message. Without the help
 * entries `note` says why, and the guide answers without. */
enum status opening_add_help(struct opening *opening, struct worker_turn *turn,
                             struct error *note, struct error *err) MUST_CHECK;
void opening_close(struct opening *opening);

#endif
