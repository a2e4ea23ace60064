/* Some servers begin the rest of a continued reply with what it already is: that is not told again. */
#ifndef SOTTO_REMOTE_ECHO_H
#define SOTTO_REMOTE_ECHO_H

#include <stddef.h>

#include "base/buf.h"

struct echo {
	const char *text; /* [len]: what may be repeated; borrowed */
	size_t len, at;   /* so much of it was */
};

/* Appends what is new of the next bytes. A text that turns out to be no echo is new from its beginning. */
enum status echo_take(struct echo *echo, const char *bytes, size_t n, struct buf *out);

#endif
