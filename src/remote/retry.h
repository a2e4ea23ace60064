/* Whether, and when, a request that failed before its first token is repeated: what was busy, loading or broken is
 * asked again; what was refused is not. */
#ifndef SOTTO_REMOTE_RETRY_H
#define SOTTO_REMOTE_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "net/http.h"

enum {
	RETRY_MAX = 5,                   /* after 1, 2, 4, 8 and 16 s, a quarter more or less */
	RETRY_AFTER_MIN_MS = 1000,       /* "Retry-After: 0" is no leave to ask five times at once */
	RETRY_AFTER_MAX_MS = 120 * 1000, /* a server that wants more time is not waited for */
	RETRY_LOADING_MS = 1000,         /* a server that loads is asked each second, ... */
	RETRY_LOADING_MAX = 600,         /* for ten minutes */
};

struct retry {
	unsigned n, n_loading; /* repetitions so far */
};

/* Milliseconds to wait before the next try; -1: there is none. `chance`: any number. */
int64_t retry_wait(struct retry *retry, const struct http_answer *answer, bool is_loading, uint32_t chance);

uint32_t remote_chance(void); /* a number that nobody foresees */

/* For tests: time that passes as they say. */
struct remote_clock {
	uint64_t (*now_ms)(void);
	void (*sleep_ms)(uint64_t ms);
};
extern const struct remote_clock remote_real_clock;

#endif
