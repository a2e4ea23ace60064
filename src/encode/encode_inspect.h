/* What a conversation takes of a context, and its prompt token by token, without running it. */
#ifndef SOTTO_ENCODE_ENCODE_INSPECT_H
#define SOTTO_ENCODE_ENCODE_INSPECT_H

#include "encode/encode.h"
#include "turn/inspection.h"

/* Fills in `out`, apart from what is cached: counts, what is left out, and for INSPECT_TOKENS tokens and
 * text. A conversation that is too long is none of the errors (those of encode_for_context): the numbers
 * show it. encoded_free in every case: its ids tell what of them a cache has. */
enum status encode_inspect(struct encoded *encoded, const struct tokenizer *tokenizer,
                           const struct chat_template *tmpl, const struct turn *turn, size_t n_ctx,
                           struct inspection *out, struct error *err) MUST_CHECK;

#endif
