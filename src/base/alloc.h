/* Allocation with checked sizes. Every function returns NULL on failure or
 * overflow; the caller turns that into STATUS_NOMEM. Free with free(). */
#ifndef SOTTO_BASE_ALLOC_H
#define SOTTO_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Zeroed array of n items; NULL when n * size overflows. n = 0 gives a
 * pointer that may be freed. */
void *alloc_array(size_t n, size_t size);

/* Memory aligned to `align` (a power of two), not zeroed. Free with free(). */
void *alloc_aligned(size_t align, size_t size);

/* Grows *items (capacity *cap, in items) so that `need` items fit, doubling;
 * never past `max` items. False on overflow, limit or no memory: *items is
 * then unchanged and still owned by the caller. New items are not zeroed. */
bool alloc_grow(void *items, size_t *cap, size_t need, size_t size, size_t max);

/* Copies n bytes and adds a NUL. */
char *alloc_strndup(const char *text, size_t n);

static inline bool mul_overflows(size_t a, size_t b, size_t *out)
{
	return __builtin_mul_overflow(a, b, out);
}

static inline bool add_overflows(size_t a, size_t b, size_t *out)
{
	return __builtin_add_overflow(a, b, out);
}

#endif
