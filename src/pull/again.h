/* Whether and when a server is asked again: what broke, was too slow or busy is; what was refused is not.
 *
 * For tests $SOTTO_TEST_PULL_SECOND says how many milliseconds a second of these pauses has, and
 * $SOTTO_TEST_PULL_SILENCE after how many milliseconds a server counts as silent. */
#ifndef SOTTO_PULL_AGAIN_H
#define SOTTO_PULL_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "net/http.h"
#include "pull/web.h"

enum {
	AGAIN_MAX = 6,          /* after 1, 2, 4, 8, 16 and 32 s, or as long as the server says */
	AGAIN_LONGEST_S = 600,  /* a server that wants more time is not waited for */
};

/* Milliseconds to wait before the next try, which is counted in *n; -1: there is none. `has_begun`: the server was
 * there before, so that a network that is gone may come back. */
int64_t again_wait(unsigned *n, const struct http_answer *answer, bool has_begun);
/* Waits, and tells each second why and for how long: "box is busy: asked again in 8 s (2 of 6)", and "" at the end.
 * False: cancelled. */
bool again_pause(const struct web *web, const char *host, const struct http_answer *answer, int64_t ms, unsigned n);
/* The same with other words for why: "there is no place for it". */
bool again_pause_for(const struct web *web, const char *why, int64_t ms, unsigned n);
/* The error of a server that was asked often enough: "box is busy (429): try again later". Keeps that of a call. */
enum status again_give_up(const char *host, const struct http_answer *answer, enum status status, struct error *err);
/* How long a server may say nothing, ms: 30 s; $SOTTO_TEST_PULL_SILENCE. */
uint64_t again_silence_ms(void);
/* Codes that mean that it may go better next time: 408, 429, 5xx. */
bool again_is_passing(int code);

#endif
