/* How fast bytes come, over the last five seconds. Time is the caller's: milliseconds of any clock that goes on. */
#ifndef SOTTO_PULL_RATE_H
#define SOTTO_PULL_RATE_H

#include <stddef.h>
#include <stdint.h>

enum { RATE_WINDOW_MS = 5000, RATE_STEP_MS = 200, RATE_SAMPLES = 32 };

struct rate { /* {0} is one that knows nothing */
	struct rate_sample {
		uint64_t ms, n_bytes;
	} samples[RATE_SAMPLES]; /* a ring, RATE_STEP_MS apart or more */
	size_t n, next;
	uint64_t began; /* ms of the first sample */
};

/* `n_bytes`: how many have come until now; fewer than before begin anew. To be called several times a second, also when
 * none came. */
void rate_add(struct rate *rate, uint64_t now_ms, uint64_t n_bytes);
/* Bytes a second; 0: not known yet (less than a second), or it stands still. */
double rate_value(const struct rate *rate);
/* Seconds for so many bytes more at this rate; < 0: not known, as in the first three seconds. */
double rate_left(const struct rate *rate, uint64_t n_bytes);

#endif
