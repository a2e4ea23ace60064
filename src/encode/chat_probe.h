/* Finds out what a chat template supports by rendering small conversations: the
 * sources of the output's bytes show which messages came through. */
#ifndef SOTTO_ENCODE_CHAT_PROBE_H
#define SOTTO_ENCODE_CHAT_PROBE_H

#include "base/error.h"
#include "encode/chat_template.h"

/* Fills in `can`, `lead`, `asked`, `end_marker` and `end_id`. Fails with the template's
 * own error if not even a single user message can be rendered. `tokenizer` may
 * be NULL. */
enum status chat_probe(struct chat_template *tmpl, const struct tokenizer *tokenizer,
                       struct error *err) MUST_CHECK;

#endif
