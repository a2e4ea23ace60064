/* Takes a reply apart, token by token: what is thought (and its markers, and the blanks around
 * them, which lose their bytes) from what is answered, up to a stop string. What is said beside
 * the answer, in a channel for that, counts as reasoning; parts of it are told apart by a blank
 * line that is no token's.
 *
 * Tokens are held back, in one queue, while what they say may become a marker or a stop string,
 * wherever the tokens' borders fall: no part of one is ever shown. */
#ifndef SOTTO_PROMPT_SPLITTER_H
#define SOTTO_PROMPT_SPLITTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "engine/turn.h"
#include "prompt/reasoning.h"

enum { SPLITTER_RECIPIENT_MAX = 63 };

struct held_token;

struct splitter {
	const struct reasoning_markers *markers; /* NULL: everything is answer */
	const char *const *stops;                /* NULL-terminated; borrowed */
	enum splitter_state {
		SPLITTER_START,     /* a header may come */
		SPLITTER_REASONING,
		SPLITTER_CLOSED,    /* blanks after the closing marker */
		SPLITTER_ANSWER,
	} state;
	struct held_token *tokens; /* owned: those not yet let through, oldest first */
	size_t n, cap;
	struct buf text;  /* what they say; of control tokens, their names */
	size_t n_left;    /* bytes of it whose token has been let through already */
	bool opened;      /* by the prompt: what comes is reasoning, but some models open it again */
	bool thought;     /* there was some reasoning */
	bool said;        /* of this part of the reasoning, something beside blanks */
	bool said_before; /* of an earlier one */
	bool aside;       /* this part is beside the answer, as the tokens say */
	bool skip_blanks; /* the answer has not begun, and will not with blanks */
	bool stopped;     /* at a stop string: what follows is dropped */
	char recipient[SPLITTER_RECIPIENT_MAX + 1]; /* whom this part is to; "": the user */
};

/* Takes what was let through; a failure ends everything. */
typedef enum status (*splitter_sink)(void *ctx, const struct token *token, struct error *err);

/* `thinking`: the prompt has opened the reasoning already. `trim`: blanks that the answer begins
 * with lose their bytes. */
void splitter_init(struct splitter *splitter, const struct reasoning_markers *markers,
                   bool thinking, const char *const *stops, bool trim);
void splitter_deinit(struct splitter *splitter);

/* A token with the bytes that became complete with it. `name`: its text in the vocabulary if it
 * is a control token (which has no bytes), else NULL. Lets through what is known by now;
 * token.reasoning says what it is. Where a stop string is found, splitter->stopped, tokens that
 * belong to it alone are dropped, and the one that it begins in is cut. */
enum status splitter_push(struct splitter *splitter, const struct token *token,
                          const char *name, size_t name_len, splitter_sink sink, void *ctx,
                          struct error *err) MUST_CHECK;
/* The end of the reply: lets the rest through. */
enum status splitter_flush(struct splitter *splitter, splitter_sink sink, void *ctx,
                           struct error *err) MUST_CHECK;

#endif
