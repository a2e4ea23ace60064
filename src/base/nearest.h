/* "Did you mean ...?": the name nearest to a mistyped one. Offer every
 * candidate, then ask. */
#ifndef SOTTO_BASE_NEAREST_H
#define SOTTO_BASE_NEAREST_H

#include <stddef.h>

enum { NEAREST_WORD_MAX = 48 };

struct nearest {
	const char *word; /* borrowed */
	size_t len;
	const char *best; /* borrowed from the caller; NULL so far */
	size_t distance;
	char hint[256]; /* nearest_hint's text */
};

void nearest_init(struct nearest *nearest, const char *word, size_t len);
void nearest_offer(struct nearest *nearest, const char *candidate);
/* Other words for `candidate`, separated by blanks; NULL for none. Single letters are
 * passed over: any is near any other. */
void nearest_offer_aliases(struct nearest *nearest, const char *aliases, const char *candidate);
/* NULL when nothing is near enough to be what was meant. */
const char *nearest_best(const struct nearest *nearest);
/* ", did you mean 'x'?"; "" when nothing is near enough. Borrowed from *nearest. */
const char *nearest_hint(struct nearest *nearest);

#endif
