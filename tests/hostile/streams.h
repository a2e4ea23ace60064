/* Streams of servers, as they should be and mutated, for test_streams.c. */
#ifndef SOTTO_HOSTILE_STREAMS_H
#define SOTTO_HOSTILE_STREAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "support/random.h"

enum { SEEDS_MAX = 64 };

struct stream_seed {
	const char *dialect; /* whose `read` it is for: "openai", "ollama", "llama-server", "vllm" */
	struct buf bytes;
};

struct stream_seeds {
	struct stream_seed items[SEEDS_MAX];
	size_t n;
};

void stream_seeds_make(struct stream_seeds *seeds);
void stream_seeds_free(struct stream_seeds *seeds);
/* Makes the index-th mutation of a seed; returns at which byte the first change is: what comes before is the seed's. */
size_t stream_mutate(const struct stream_seeds *seeds, struct test_random *random, size_t *seed, struct buf *out);

#endif
