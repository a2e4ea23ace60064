/* A conversation as token ids: rendered, tokenised, and cut to what fits. */
#ifndef SOTTO_ENGINE_ENCODE_H
#define SOTTO_ENGINE_ENCODE_H

#include "base/error.h"
#include "engine/worker.h"
#include "tokenizer/tokenizer.h"

struct encoded {
	struct token_list ids;    /* owned: of the messages that are kept */
	uint32_t *message_tokens; /* owned: of every message, kept or not */
	uint32_t n_dropped;
};

/* Leaves out the oldest whole turns so that the rest takes at most `room`
 * tokens. Every message is tokenised by itself, so that a conversation's ids
 * are a prefix of the same conversation continued; replies take the ids that
 * they were sampled as, as far as these spell their text.
 * STATUS_CONTEXT (out->message_tokens is filled then) when the last turn alone
 * is too long. encoded_free in every case. */
enum status encode_turn(struct encoded *out, const struct tokenizer *tokenizer,
                        const struct worker_turn *turn, size_t room,
                        struct error *err) MUST_CHECK;
void encoded_free(struct encoded *encoded);

#endif
