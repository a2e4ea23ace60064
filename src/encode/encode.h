/* A conversation as token ids: rendered, tokenised, and cut to fit. */
#ifndef SOTTO_ENCODE_ENCODE_H
#define SOTTO_ENCODE_ENCODE_H

#include "base/error.h"
#include "encode/chat_template.h"
#include "tokenizer/tokenizer.h"
#include "turn/turn.h"

/* Where a token comes from. */
struct token_origin {
	uint32_t message; /* the message whose text or markup it is */
	bool is_input;    /* some of its bytes are the message's text */
};

struct encoded {
	struct token_list ids;        /* owned: of the messages that are kept */
	struct token_origin *origins; /* owned, [ids.n] */
	size_t origins_cap;
	/* These have room for a message more, a reply: */
	struct message_count *counts; /* owned, [messages]: 0 for those left out */
	uint32_t *whole_tokens;       /* owned, [messages]: the counts if none were left out */
	bool *keep;                   /* owned, [messages]: false for those left out */
	size_t n_asked;               /* how many ids stay the same when a reply and more follow */
	uint32_t n_dropped;           /* messages left out, system messages aside */
	bool refused;                 /* the policy leaves nothing out: `keep` is what would have been kept,
	                               * the ids are those of all messages */
	unsigned changes; /* to the conversation: enum prompt_change */
	enum reasoning_start start; /* of the reply's reasoning */
};

/* Leaves out whole turns, as the policy says, so that the rest takes at most `room` tokens.
 *
 * The text between two control tokens is tokenised as one string, but replies get
 * the ids they were sampled as, wherever those spell the rendered text. So the ids
 * of a conversation are a prefix of those of its continuation, as far as the
 * template allows.
 *
 * STATUS_CONTEXT if the last turn alone is too long, or the policy refuses
 * (out->counts is filled in); other errors are those of prompt_render. encoded_free in every case. `tmpl`
 * may be NULL for raw turns. */
enum status encode_turn(struct encoded *out, const struct tokenizer *tokenizer,
                        const struct chat_template *tmpl, const struct turn *turn,
                        size_t room, struct error *err) MUST_CHECK;
/* The same, or what an answered or a continued turn asks for, leaving room for a reply in a context of
 * n_ctx tokens; if the prompt does not fit otherwise, without that room; behind a branch of a reply (has_first), as much
 * as there is. STATUS_USAGE for a reply that
 * cannot be continued. */
enum status encode_for_context(struct encoded *out, const struct tokenizer *tokenizer,
                               const struct chat_template *tmpl, const struct turn *turn,
                               size_t n_ctx, struct error *err) MUST_CHECK;

/* The steps of those: encoded_init keeps no message and has no ids, encode_kept replaces the ids by
 * those of the messages with out->keep[i]. */
enum status encoded_init(struct encoded *out, const struct turn *turn, struct error *err) MUST_CHECK;
enum status encode_kept(struct encoded *out, const struct tokenizer *tokenizer,
                        const struct chat_template *tmpl, const struct turn *turn,
                        struct error *err) MUST_CHECK;
void encoded_free(struct encoded *encoded);

#endif
