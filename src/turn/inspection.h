/* A conversation counted in tokens, without a reply: plain types. */
#ifndef SOTTO_TURN_INSPECTION_H
#define SOTTO_TURN_INSPECTION_H

#include <stddef.h>
#include <stdint.h>

#include "turn/difference.h"
#include "turn/turn.h"

/* Why a conversation is counted. */
enum inspect_purpose {
	INSPECT_GAUGE,  /* how full the context is */
	INSPECT_COUNTS, /* how much of it each message takes */
	INSPECT_FILE,   /* how long a file is that waits to be sent: a raw turn of its block */
	INSPECT_TOKENS, /* the prompt token by token; only then are tokens returned */
};

struct inspection {
	enum inspect_purpose purpose; /* given by the caller */
	struct message_count *messages; /* [n_messages]: room given by the caller */
	size_t n_messages; /* set by the worker: how many messages were counted */
	uint32_t total; /* the tokens of all, and of the help */
	uint32_t cached, n_ctx, n_dropped;
	uint32_t reserve;  /* tokens kept free for the reply, as far as there is room */
	/* The system message that the backend uses instead of the turn's own, which then count 0. */
	struct message_count help;
	/* For an answered turn: how many messages would be left out if the next message were as long
	 * as the last one, or a sixteenth of the context; otherwise n_dropped. */
	uint32_t n_next_dropped;
	uint32_t n_past; /* tokens in the cache now; those beyond `cached` will be dropped, ... */
	/* ... because of this. INSPECT_TOKENS only; room given by the caller, NULL: none. */
	struct cache_difference *difference;
	/* INSPECT_TOKENS: the `total` tokens of the prompt, and their text. The caller frees both.
	 * Not sanitised; a token may end inside a character. */
	struct prompt_token *tokens;
	char *text;
	bool estimated; /* all numbers of tokens are estimates, */
	bool is_total_known; /* but for the total: the server has counted it */
	/* INSPECT_TOKENS of a model without CAPABILITY_IDS, whose tokens are not known: what will be sent, as JSON.
	 * The caller frees it; not sanitised. */
	char *request;
};

#endif
