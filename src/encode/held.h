/* The tokens of a reply that the splitter holds back, with their text, oldest first. They leave in
 * order, whole or cut. */
#ifndef SOTTO_ENCODE_HELD_H
#define SOTTO_ENCODE_HELD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "turn/turn.h"

struct held_token {
	struct token token; /* without bytes and candidates, which are in the text and below; `rest`: its
	                     * first bytes have been reported */
	size_t n_bytes;     /* how many bytes of the text are its own */
	bool is_control;    /* they are its name, which is not shown */
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX];
};

/* Receives a token; a failure ends the reply. */
typedef enum status (*held_sink)(void *ctx, const struct token *token, struct error *err);

struct held {
	struct held_token *tokens; /* owned, [n] */
	size_t n, cap;
	struct buf text;  /* owned: their bytes; the names of control tokens */
	bool trims;       /* blanks before the answer lose their bytes: */
	bool skip_blanks; /* it has not begun */
	bool reported;    /* some of the answer was ... */
	bool quoted;      /* ... and ends within `code` ... */
	char last;        /* ... and with this byte */
	bool unsure;      /* what is reported as answer may be recanted */
	bool recant;      /* the next report recants it */
	held_sink sink;
	void *ctx;
};

/* Appends a token; `name` as in splitter_push. */
enum status held_push(struct held *held, const struct token *token, const char *name,
                      size_t name_len, struct error *err) MUST_CHECK;

/* What bytes are reported as. */
enum held_part { PART_MARKER, PART_REASONING, PART_ASIDE, PART_ANSWER };

/* What happens to a token that extends beyond the bytes that are released. */
enum held_border {
	BORDER_HOLD, /* it is held back whole */
	BORDER_CUT,  /* its first bytes are reported, if they are not a marker's, and dropped; the rest
	              * is held back */
	BORDER_END,  /* as HOLD, but tokens without bytes that follow are released too */
	BORDER_STOP, /* it is reported with its first bytes, and all else is dropped */
};

/* Reports the tokens that end within the first `n` bytes, and drops them from the queue. */
enum status held_release(struct held *held, size_t n, enum held_part part, enum held_border border,
                         struct error *err) MUST_CHECK;
/* Puts a blank line first; its bytes become those of the first token, which there must be. */
enum status held_put_gap(struct held *held, struct error *err) MUST_CHECK;
/* Removes the names of the control tokens among the first n: they are not part of the answer. Returns
 * how many bytes they had. */
size_t held_drop_names(struct held *held, size_t n);

#endif
