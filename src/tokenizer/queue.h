/* A priority queue of 64-bit keys, smallest first.
 *
 * Keys that are not below the last one taken go to a radix heap, which moves
 * memory in streams where a binary heap of 16 million entries would miss the
 * cache at every step; the few others go to a binary heap.
 * Radix heap: Ahuja, Mehlhorn, Orlin, Tarjan, "Faster Algorithms for the
 * Shortest Path Problem", 1990. */
#ifndef SOTTO_TOKENIZER_QUEUE_H
#define SOTTO_TOKENIZER_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue_items {
	uint64_t *keys;
	size_t n, cap;
};

/* Empty at first: {0}. */
struct queue {
	/* buckets[0]: keys equal to `last`; buckets[i]: the highest bit in which
	 * a key differs from it is bit i - 1. */
	struct queue_items buckets[65];
	struct queue_items below; /* binary heap of the keys below `last` */
	uint64_t last;
	uint64_t used; /* bit i: buckets[i + 1] is not empty */
	bool failed;   /* memory ran out: queue_pop's results are invalid */
};

void queue_deinit(struct queue *q);
void queue_clear(struct queue *q); /* keeps some memory */

void queue_push(struct queue *q, uint64_t key);
bool queue_pop(struct queue *q, uint64_t *key); /* false when empty, or failed */

#endif
