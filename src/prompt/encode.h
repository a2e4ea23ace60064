/* A conversation as token ids: rendered, tokenised, and cut to what fits. */
#ifndef SOTTO_PROMPT_ENCODE_H
#define SOTTO_PROMPT_ENCODE_H

#include "base/error.h"
#include "engine/turn.h"
#include "prompt/chat_template.h"
#include "tokenizer/tokenizer.h"

/* Where a token comes from. */
struct token_origin {
	uint32_t message; /* whose text or markup it is */
	bool is_input;    /* some of its bytes are the message's own */
};

struct encoded {
	struct token_list ids;        /* owned: of the messages that are kept */
	struct token_origin *origins; /* owned: ids.n of them */
	size_t origins_cap;
	uint32_t *message_tokens;     /* owned: of every message; of those left out 0 */
	uint32_t *whole_tokens;       /* owned: the same if none were left out */
	bool *keep;                   /* owned: which are not left out */
	size_t n_asked;               /* of the ids: those that stay when a reply and more follow */
	uint32_t n_dropped;           /* replies and messages of the user's that are */
	unsigned changes; /* of the conversation, see prompt.h */
	bool thinking;    /* the reply begins with reasoning */
};

/* Leaves out the oldest whole turns so that the rest takes at most `room`
 * tokens. The text between two control tokens is tokenised as one string, but
 * that replies take the ids that they were sampled as, as far as these spell
 * what is rendered of them: a conversation's ids are then a prefix of those of
 * the same conversation continued, wherever the template lets them be.
 * STATUS_CONTEXT (out->message_tokens is filled then) when the last turn alone
 * is too long; other errors are prompt_render's. encoded_free in every case.
 * `tmpl` may be NULL for raw turns. */
enum status encode_turn(struct encoded *out, const struct tokenizer *tokenizer,
                        const struct chat_template *tmpl, const struct turn *turn,
                        size_t room, struct error *err) MUST_CHECK;
/* An answered turn: of the messages before the reply what has room, as when they were sent, and
 * the reply, however long it is. */
enum status encode_answered(struct encoded *out, const struct tokenizer *tokenizer,
                            const struct chat_template *tmpl, const struct turn *turn,
                            size_t room, struct error *err) MUST_CHECK;
/* Either, with room for a reply in a context of n_ctx tokens; without it if there is no other way. */
enum status encode_for_context(struct encoded *out, const struct tokenizer *tokenizer,
                               const struct chat_template *tmpl, const struct turn *turn,
                               size_t n_ctx, struct error *err) MUST_CHECK;
/* How many messages a next one of so many tokens would have left out. */
uint32_t encode_dropped_next(const struct encoded *encoded, const struct turn *turn,
                             size_t room, uint32_t n_tokens);

/* What those are made of: an encoding with no ids and nothing kept, and the ids of the messages
 * that out->keep names. */
enum status encoded_init(struct encoded *out, const struct turn *turn, struct error *err) MUST_CHECK;
enum status encode_kept(struct encoded *out, const struct tokenizer *tokenizer,
                        const struct chat_template *tmpl, const struct turn *turn,
                        struct error *err) MUST_CHECK;
void encoded_free(struct encoded *encoded);

#endif
