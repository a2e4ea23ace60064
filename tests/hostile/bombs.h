/* Templates made to take all there is, one a row. */
#ifndef SOTTO_TESTS_BOMBS_H
#define SOTTO_TESTS_BOMBS_H

#include <stddef.h>

struct bomb {
	const char *name;
	/* What is written between `before` and `after` so many times; what closes it, if anything does, so many
	 * times behind that, and " }}". */
	const char *before, *again, *after;
	size_t times;
	const char *closing;
};

extern const struct bomb bombs[];
extern const size_t n_bombs;

#endif
