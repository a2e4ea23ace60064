#include "jinja/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { ALIGN = 16, BLOCK_MIN = 16 << 10, BLOCK_MAX = 1 << 20 };

struct arena_block {
	struct arena_block *next;
	size_t size;
	_Alignas(ALIGN) char bytes[];
};

void arena_init(struct arena *arena, size_t max)
{
	*arena = (struct arena){.max = max};
}

void arena_free(struct arena *arena)
{
	struct arena_block *next;

	for (struct arena_block *block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	arena_init(arena, arena->max);
}

static void *fail(struct arena *arena, enum status status)
{
	if (!arena->status)
		arena->status = status;
	return NULL;
}

/* Blocks double, so that a small template costs little and a large one few calls. */
static bool add_block(struct arena *arena, size_t size)
{
	size_t want = arena->blocks ? arena->blocks->size * 2 : BLOCK_MIN, total;
	struct arena_block *block;

	if (want > BLOCK_MAX)
		want = BLOCK_MAX;
	if (want < size)
		want = size;
	if (add_overflows(want, sizeof *block, &total) || total > arena->max - arena->used) {
		/* The last block may be smaller. */
		want = size;
		if (add_overflows(want, sizeof *block, &total) || total > arena->max - arena->used) {
			fail(arena, STATUS_LIMIT);
			return false;
		}
	}
	block = malloc(total);
	if (!block) {
		fail(arena, STATUS_NOMEM);
		return false;
	}
	*block = (struct arena_block){.next = arena->blocks, .size = want};
	arena->blocks = block;
	arena->used += total;
	arena->at = block->bytes;
	arena->end = block->bytes + want;
	return true;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	char *p;

	if (arena->status || size > SIZE_MAX - ALIGN)
		return fail(arena, STATUS_LIMIT);
	/* 0 bytes have an address, too: NULL means failure. */
	size = ((size ? size : 1) + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if ((size_t)(arena->end - arena->at) < size && !add_block(arena, size))
		return NULL;
	p = arena->at;
	arena->at += size;
	memset(p, 0, size);
	return p;
}

void *arena_array(struct arena *arena, size_t n, size_t size)
{
	size_t total;

	return mul_overflows(n, size, &total) ? fail(arena, STATUS_LIMIT)
	                                      : arena_alloc(arena, total);
}

void *arena_grow(struct arena *arena, void *p, size_t old, size_t size)
{
	size_t aligned = (old + ALIGN - 1) & ~(size_t)(ALIGN - 1), more;
	char *grown;

	/* It is the newest allocation, and there is room. */
	if (p && size >= old && size <= SIZE_MAX - ALIGN && (char *)p + aligned == arena->at) {
		more = ((size + ALIGN - 1) & ~(size_t)(ALIGN - 1)) - aligned;
		if (more <= (size_t)(arena->end - arena->at)) {
			memset(arena->at, 0, more);
			arena->at += more;
			return p;
		}
	}
	grown = arena_alloc(arena, size);
	if (grown && old)
		memcpy(grown, p, old < size ? old : size);
	return grown;
}

bool arena_extend(struct arena *arena, void *items, size_t n, size_t *cap, size_t size)
{
	size_t want = *cap ? *cap : 2, bytes;
	void *old, *grown = NULL;

	if (n < *cap)
		return true;
	/* `items` is a T **: go through memcpy so that no type is punned. */
	memcpy(&old, items, sizeof old);
	if (!mul_overflows(want, 2, &want) && !mul_overflows(want, size, &bytes))
		grown = arena_grow(arena, old, n * size, bytes);
	if (!grown)
		return false;
	memcpy(items, &grown, sizeof grown);
	*cap = want;
	return true;
}
