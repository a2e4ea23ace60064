/* The head of an answer: its lines, as libcurl hands them over one by one, and what of them is wanted. */
#ifndef SOTTO_NET_HEAD_H
#define SOTTO_NET_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "net/http.h"

struct head {
	size_t n_bytes;    /* of all lines of a call, those of answers before the last too */
	char date[64];     /* when the server says that it is now */
	char retry[64];    /* Retry-After */
	char retry_ms[32];
};

/* One line with its end, which may be a status line, with which a new head begins, or the empty one behind the
 * last. False: the head is too long. */
bool head_take(struct head *head, struct http_answer *answer, const char *line, size_t n) MUST_CHECK;
/* When to ask again, in milliseconds from now; -1: the head does not say. `parse_date` is curl_getdate. Dates
 * count from the server's own clock, where it tells it. */
int64_t head_retry(const struct head *head, time_t (*parse_date)(const char *text, const time_t *unused));

#endif
