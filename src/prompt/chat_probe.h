/* Finds out what a chat template can take by rendering small conversations:
 * the sources of the output's bytes tell what came through. */
#ifndef SOTTO_PROMPT_CHAT_PROBE_H
#define SOTTO_PROMPT_CHAT_PROBE_H

#include "base/error.h"
#include "prompt/chat_template.h"

/* Fills in `can`, `lead`, `asked`, `end_marker` and `end_id`. Fails with the template's
 * own error when not even one message of a user can be rendered. `tokenizer`
 * may be NULL. */
enum status chat_probe(struct chat_template *tmpl, const struct tokenizer *tokenizer,
                       struct error *err) MUST_CHECK;

#endif
