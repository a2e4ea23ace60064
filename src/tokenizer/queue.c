#include "tokenizer/queue.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { KEEP = 1024 }; /* entries a cleared bucket may keep room for */

void queue_deinit(struct queue *q)
{
	for (size_t i = 0; i < 65; i++)
		free(q->buckets[i].keys);
	free(q->below.keys);
	*q = (struct queue){0};
}

static void release(struct queue_items *items)
{
	items->n = 0;
	if (items->cap <= KEEP)
		return;
	free(items->keys);
	*items = (struct queue_items){0};
}

void queue_clear(struct queue *q)
{
	uint64_t used = q->used;

	for (; used; used &= used - 1)
		release(&q->buckets[__builtin_ctzll(used) + 1]);
	release(&q->buckets[0]);
	release(&q->below);
	q->used = 0;
	q->last = 0;
	q->failed = false;
}

static bool append(struct queue_items *items, uint64_t key)
{
	if (items->n == items->cap &&
	    !alloc_grow(&items->keys, &items->cap, items->n + 1, sizeof key, (size_t)1 << 40))
		return false;
	items->keys[items->n++] = key;
	return true;
}

static bool radix_push(struct queue *q, uint64_t key)
{
	size_t bucket = 0;

	if (key != q->last) {
		bucket = 64 - (size_t)__builtin_clzll(key ^ q->last);
		q->used |= (uint64_t)1 << (bucket - 1);
	}
	return append(&q->buckets[bucket], key);
}

static bool heap_push(struct queue_items *heap, uint64_t key)
{
	size_t i = heap->n;

	if (!append(heap, key))
		return false;
	for (; i && heap->keys[(i - 1) / 2] > key; i = (i - 1) / 2)
		heap->keys[i] = heap->keys[(i - 1) / 2];
	heap->keys[i] = key;
	return true;
}

static uint64_t heap_pop(struct queue_items *heap)
{
	uint64_t top = heap->keys[0], key = heap->keys[--heap->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < heap->n) {
		if (child + 1 < heap->n && heap->keys[child + 1] < heap->keys[child])
			child++;
		if (heap->keys[child] >= key)
			break;
		heap->keys[i] = heap->keys[child];
		i = child;
	}
	if (heap->n)
		heap->keys[i] = key;
	return top;
}

void queue_push(struct queue *q, uint64_t key)
{
	q->failed |= !(key < q->last ? heap_push(&q->below, key) : radix_push(q, key));
}

/* Spreads the lowest bucket that is not empty relative to its smallest key,
 * which thereby reaches bucket 0. Every key moves to a lower bucket, which is
 * why the whole takes O(64) moves a key at the most. */
static bool refill(struct queue *q)
{
	size_t from;
	struct queue_items items;

	if (!q->used)
		return false;
	from = (size_t)__builtin_ctzll(q->used) + 1;
	items = q->buckets[from];
	q->used &= q->used - 1;
	q->last = items.keys[0];
	for (size_t i = 1; i < items.n; i++)
		if (items.keys[i] < q->last)
			q->last = items.keys[i];
	q->buckets[from] = (struct queue_items){0};
	for (size_t i = 0; i < items.n; i++) {
		if (!radix_push(q, items.keys[i])) {
			free(items.keys);
			q->failed = true;
			return false;
		}
	}
	if (!q->buckets[from].keys && items.cap <= KEEP) {
		items.n = 0;
		q->buckets[from] = items;
	} else {
		free(items.keys);
	}
	return true;
}

bool queue_pop(struct queue *q, uint64_t *key)
{
	if (q->below.n) {
		*key = heap_pop(&q->below);
		return true;
	}
	if (!q->buckets[0].n && !refill(q))
		return false;
	*key = q->buckets[0].keys[--q->buckets[0].n];
	return true;
}
