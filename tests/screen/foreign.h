/* Text that nobody should send to a terminal as it is: every escape sequence of a list, bytes that
 * are no UTF-8, and code points, in pieces of a given size. */
#ifndef SOTTO_SCREEN_FOREIGN_H
#define SOTTO_SCREEN_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct foreign {
	size_t most;     /* bytes of a piece */
	bool all;        /* every code point; otherwise those with something about them, and samples ... */
	uint32_t every;  /* ... and of these only each so many; 0: each */
	bool has_lines;  /* line breaks are welcome */
	size_t next_escape;
	uint32_t next_cp, n_passed;
	size_t n_cps;    /* given so far */
};

/* The next piece into `out`, without NUL, FOREIGN_MARK at both ends; false: that was all. */
bool foreign_next(struct foreign *foreign, struct buf *out);

#define FOREIGN_MARK "qzqz" /* by which a piece is found on the screen */

#endif
