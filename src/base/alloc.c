#include "base/alloc.h"

#include <string.h>

void *alloc_array(size_t n, size_t size)
{
	size_t bytes;

	if (mul_overflows(n, size, &bytes))
		return NULL;
	return calloc(1, bytes ? bytes : 1);
}

void *alloc_aligned(size_t align, size_t size)
{
	size_t padded;

	if (add_overflows(size ? size : 1, align - 1, &padded))
		return NULL;
	return aligned_alloc(align, padded & ~(align - 1));
}

bool alloc_grow(void *items, size_t *cap, size_t need, size_t size, size_t max)
{
	void *old, *grown;
	size_t want = *cap, bytes;

	if (need <= *cap)
		return true;
	if (need > max)
		return false;
	if (want < 16)
		want = 16;
	while (want < need)
		want = want > max / 2 ? max : want * 2;
	if (want > max)
		want = max;
	if (mul_overflows(want, size, &bytes))
		return false;
	/* `items` is a T **: go through memcpy so that no type is punned. */
	memcpy(&old, items, sizeof old);
	grown = realloc(old, bytes);
	if (!grown)
		return false;
	memcpy(items, &grown, sizeof grown);
	*cap = want;
	return true;
}

char *alloc_strndup(const char *text, size_t n)
{
	char *copy;
	size_t bytes;

	if (add_overflows(n, 1, &bytes))
		return NULL;
	copy = malloc(bytes);
	if (!copy)
		return NULL;
	if (n)
		memcpy(copy, text, n);
	copy[n] = '\0';
	return copy;
}
