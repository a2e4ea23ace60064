/* Replies that look as if something were wrong with the model or the engine: the same words again and again at their end,
 * or characters that nobody knows. */
#ifndef SOTTO_CHAT_LOOKS_WRONG_H
#define SOTTO_CHAT_LOOKS_WRONG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wrong_look {
	LOOKS_WELL,
	LOOKS_LIKE_ONE_TOKEN, /* the same token is repeated */
	LOOKS_LIKE_A_LOOP,    /* so is a longer part */
	LOOKS_UNKNOWN,        /* bytes that are no characters */
};

struct wrong {
	enum wrong_look look;
	size_t start, len; /* of a repeated part, its last time */
	size_t n;          /* how often it comes one after the other, or how many characters are unknown */
};

/* Looks at a text, and where they are known at the ids of its tokens. `firmly`: only what could not be meant to be like that
 * even in the middle of a list or a table. Rules, rows of dots and other marks that texts repeat are no loop. Takes
 * microseconds for each kilobyte that is looked at, of which there are four at most. */
struct wrong looks_wrong(const char *text, size_t len, const int32_t *ids, size_t n_ids, bool firmly);

#endif
