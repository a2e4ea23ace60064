/* Holds the end of a reply back while it could be the beginning of a stop
 * string, so that no part of one is ever shown, wherever the tokens' borders
 * fall. */
#ifndef SOTTO_PROMPT_STOP_H
#define SOTTO_PROMPT_STOP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "engine/turn.h"

struct held_token {
	int32_t id;
	float probability;
	uint32_t n_ctx_used;
	size_t n_bytes; /* of the text that is held back */
	bool is_control; /* those are its name; it has none to show */
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX];
	size_t n_candidates;
};

void held_token_init(struct held_token *held, const struct token *token);
/* The token again, with such bytes. Borrows from both. */
struct token held_token_show(const struct held_token *held, const char *bytes, size_t n);

/* White space, where a reply's beginning loses it. */
static inline bool stop_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

struct stop_filter {
	const char *const *stops; /* NULL-terminated; borrowed */
	struct held_token *tokens; /* owned: those not yet let through, oldest first */
	size_t n, cap;
	struct buf text; /* their bytes */
	bool skip_blanks; /* nothing was let through yet, and blanks will not be */
};

/* Takes what was let through; a failure ends everything. */
typedef enum status (*stop_sink)(void *ctx, const struct token *token, struct error *err);

void stop_init(struct stop_filter *filter, const char *const *stops, bool skip_blanks);
void stop_deinit(struct stop_filter *filter);

/* A token with the bytes that became complete with it. Lets through what can
 * no longer be part of a stop string, which *stopped says was found; tokens
 * that belong to it alone are dropped, the one it begins in is cut. */
enum status stop_push(struct stop_filter *filter, const struct token *token,
                      stop_sink sink, void *ctx, bool *stopped, struct error *err) MUST_CHECK;

/* The end of the reply: lets the rest through. */
enum status stop_flush(struct stop_filter *filter, stop_sink sink, void *ctx,
                       struct error *err) MUST_CHECK;

#endif
