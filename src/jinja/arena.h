/* Memory that is given back all at once: a template's nodes, a rendering's
 * values. Bounded; the first failure is remembered. */
#ifndef SOTTO_JINJA_ARENA_H
#define SOTTO_JINJA_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	char *at, *end;             /* what is left of the newest */
	size_t used, max;           /* bytes taken from the system, and their bound */
	enum status status;         /* STATUS_LIMIT or STATUS_NOMEM once an allocation has failed */
};

void arena_init(struct arena *arena, size_t max);
void arena_free(struct arena *arena);
/* Aligned to 16, zeroed; NULL past the bound (and ever after). */
void *arena_alloc(struct arena *arena, size_t size);
/* n items of a size, checked. */
void *arena_array(struct arena *arena, size_t n, size_t size);
/* Makes the newest allocation longer in place where it can, else copies it:
 * what a growing list calls. `old` bytes are kept. */
void *arena_grow(struct arena *arena, void *p, size_t old, size_t size);

/* Makes room for one more behind n items (a T **, with its capacity), doubling it. */
bool arena_extend(struct arena *arena, void *items, size_t n, size_t *cap, size_t size);

#endif
