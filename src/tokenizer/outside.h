/* A tokenizer whose vocabulary is elsewhere, at a server: whoever opens it says how texts are
 * tokenised there. It is used like any other, but
 * - it belongs to one thread, that of its ops, because it asks while it encodes and remembers what it was
 *   told, behind functions that take it as const;
 * - a call may take as long as an answer does, and fails with what the op says (STATUS_CANCELLED);
 * - of a token that it was never told of it knows nothing (no bytes): tokenizer_prepare asks for such
 *   ids first, many at once;
 * - which tokens are control tokens it finds out by asking for their text with and without ENCODE_SPECIAL.
 *   Of the tokens that end a turn it knows EOS alone.
 *
 * Only text between two control tokens is asked for, without ENCODE_SPECIAL: what a person writes never
 * becomes one. The ids are those of the same vocabulary opened here (tests/unit/tokenizer/test_outside.c),
 * except where a person's text has the name of a user-defined token that looks like a control token: a
 * server always matches those, so the text is cut within the name. */
#ifndef SOTTO_TOKENIZER_OUTSIDE_H
#define SOTTO_TOKENIZER_OUTSIDE_H

#include "tokenizer/tokenizer.h"

struct outside; /* what is known of the vocabulary */

/* A text, and its ids, which the op appends. */
struct outside_ask {
	const char *text; /* UTF-8, not NUL-terminated */
	size_t len;
	struct token_list ids;
};

struct outside_ops {
	/* Tokenises each of the texts by itself. `flags`: ENCODE_SPECIAL, control tokens are matched;
	 * ENCODE_BOS, with whatever the vocabulary adds to a text. Tells the piece of each id by
	 * outside_put_piece, at least of those that it has not told before, if the server does. */
	enum status (*tokenise)(void *ctx, struct outside_ask *asks, size_t n, unsigned flags,
	                        struct outside *known, struct error *err);
	/* Tells the pieces of these ids: the bytes that a token stands for, a control token's name. */
	enum status (*name)(void *ctx, const int32_t *ids, size_t n, struct outside *known, struct error *err);
};

/* STATUS_FORMAT for an id that no vocabulary has. */
enum status outside_put_piece(struct outside *known, int32_t id, const char *piece, size_t len,
                              struct error *err) MUST_CHECK;
/* NULL: not told yet. */
const char *outside_piece(const struct outside *known, int32_t id, size_t *len);

struct outside_names {
	const char *bos, *eos; /* texts of these tokens; NULL or "": not known */
	size_t n_vocab;        /* 0: not known */
};

/* Asks a few times. STATUS_UNSUPPORTED if nobody tells what tokens stand for. `ops` and `ctx` are borrowed for as long as the tokenizer is open. */
enum status tokenizer_open_outside(struct tokenizer **out, const struct outside_ops *ops, void *ctx,
                                   const struct outside_names *names, struct error *err) MUST_CHECK;
/* The same for whoever learns it elsewhere, as from a reply's tokens: it is no control token. */
enum status tokenizer_put_piece(const struct tokenizer *tokenizer, int32_t id, const char *piece, size_t len,
                                struct error *err) MUST_CHECK;

#endif
