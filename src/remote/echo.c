#include "remote/echo.h"

#include <string.h>

enum status echo_take(struct echo *echo, const char *bytes, size_t n, struct buf *out)
{
	size_t left = echo->len - echo->at, same = n < left ? n : left;

	if (!same || memcmp(bytes, echo->text + echo->at, same) == 0) {
		echo->at += same;
		return buf_append(out, bytes + same, n - same);
	}
	buf_append(out, echo->text, echo->at);
	echo->at = echo->len = 0;
	return buf_append(out, bytes, n);
}
