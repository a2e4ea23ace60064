/* Templates made to take all there is, one a row. */
#ifndef SOTTO_TESTS_BOMBS_H
#define SOTTO_TESTS_BOMBS_H

#include <stddef.h>

struct bomb {
	const char *name;
	/* What is written between `before` and `after` so many times. */
	const char *before, *again, *after;
	size_t times;
};

extern const struct bomb bombs[];
extern const size_t n_bombs;

#endif
