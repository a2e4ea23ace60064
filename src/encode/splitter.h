/* Divides a reply, token by token, into reasoning and answer, up to a stop string. Markers of
 * reasoning and the blanks around them count as reasoning and lose their bytes. Messages besides
 * the answer, in a channel of their own, count as reasoning too. Between parts of the reasoning
 * a blank line is added, which belongs to no token. Where the first closing marker has no opening
 * one, what came before it was reasoning (token.recants), unless the prompt has closed the reasoning
 * or the marker is quoted.
 *
 * Tokens are held back in a queue as long as their text may turn out to be a marker or a stop
 * string, wherever the borders between tokens are, so no part of one is ever shown. What a reply is
 * divided into depends on its text alone: a token that belongs to two parts is passed on in two
 * pieces (token.rest). */
#ifndef SOTTO_ENCODE_SPLITTER_H
#define SOTTO_ENCODE_SPLITTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "encode/held.h"
#include "encode/reasoning.h"
#include "turn/turn.h"

enum { SPLITTER_RECIPIENT_MAX = 63 };

struct splitter {
	const struct reasoning_markers *markers; /* NULL: all of the reply is answer */
	const char *const *stops;                /* NULL-terminated, borrowed */
	enum splitter_state {
		SPLITTER_START,     /* there may be a header */
		SPLITTER_REASONING,
		SPLITTER_CLOSED,    /* blanks after the closing marker */
		SPLITTER_ANSWER,
	} state;
	struct held held; /* tokens that cannot be passed on yet */
	bool opened;      /* the prompt has opened the reasoning; some models open it again */
	bool has_reasoned; /* there was some reasoning */
	bool said;        /* this part of the reasoning has more than blanks */
	bool said_before; /* an earlier part had */
	bool aside;       /* this part is a message besides the answer */
	bool stopped;     /* a stop string was found: the rest is dropped */
	char recipient[SPLITTER_RECIPIENT_MAX + 1]; /* whom this part is for; "": the user */
	struct buf bytes;   /* of one token */
	struct token token; /* the last one that was pushed, without bytes and candidates */
};

/* `start`: what the prompt has done already. `trim`: blanks before the answer lose
 * their bytes. `stops` is borrowed. `sink` gets the tokens. */
void splitter_init(struct splitter *splitter, const struct reasoning_markers *markers,
                   enum reasoning_start start, const char *const *stops, bool trim,
                   held_sink sink, void *ctx);
void splitter_deinit(struct splitter *splitter);

/* Takes a token with the bytes completed by it. `name`: its name in the vocabulary if it is a
 * control token (which has no bytes), otherwise NULL. Passes on the tokens whose part is
 * known, with token.reasoning set. At a stop string it sets splitter->stopped; tokens that belong
 * only to that string are dropped, and the one that it begins in is cut. */
enum status splitter_push(struct splitter *splitter, const struct token *token,
                          const char *name, size_t name_len, struct error *err) MUST_CHECK;
/* The same for a sampled token: its bytes are those that the detokenizer completes. A character that
 * a control token cuts off becomes U+FFFD, of the token before. */
enum status splitter_push_id(struct splitter *splitter, struct detokenizer *detokenizer,
                             struct token *token, struct error *err) MUST_CHECK;
/* What is left of a character at the end of a reply, as U+FFFD: before the flush. */
enum status splitter_end_text(struct splitter *splitter, struct detokenizer *detokenizer,
                              struct error *err) MUST_CHECK;
/* Passes on the rest at the end of the reply. */
enum status splitter_flush(struct splitter *splitter, struct error *err) MUST_CHECK;

#endif
