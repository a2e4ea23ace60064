/* Where the prompt of a turn first differed from what was in the cache, and what it was there: plain types, and
 * words. */
#ifndef SOTTO_TURN_DIFFERENCE_H
#define SOTTO_TURN_DIFFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/role.h"

enum cache_difference_kind {
	CACHE_SAME,      /* one begins with the other, nothing was in the cache, or it is not known */
	CACHE_TEXT,      /* another message, */
	CACHE_CHAT,      /* ... and so are all after it */
	CACHE_MARKUP,    /* the template writes something else around a message */
	CACHE_REASONING, /* the template does not repeat what a reply was thought with */
	CACHE_TOKENS,    /* the same text in other tokens */
	CACHE_LEFT_OUT,  /* a message is left out to make room, */
	CACHE_BACK,      /* ... or is not any more */
	CACHE_REMOVED,   /* a message is no longer part of what is sent */
	CACHE_ADDED,     /* a message is new before those that were there */
};

enum { CACHE_LINE_MAX = 96 };

struct cache_difference {
	enum cache_difference_kind kind;
	uint32_t at;     /* so many tokens before it are the same */
	enum role role;  /* of the message, ... */
	uint32_t number; /* ... and which of those of its role it is, from 1 */
	/* The line around that place as the cache has it and as it is now, control tokens by their names; UTF-8, cut, not
	 * sanitised. "": not known. */
	char was[CACHE_LINE_MAX], is[CACHE_LINE_MAX];
};

/* Appends a clause, "your message 2 is another one", with `lines` also how the place reads: it is the user's or the
 * model's text. Nothing for CACHE_SAME. */
enum status cache_difference_put(const struct cache_difference *difference, bool lines, struct buf *out);

#endif
