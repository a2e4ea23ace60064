/* FNV-1a (Fowler, Noll, Vo): short, and good enough for tables that are seeded or whose keys
 * no attacker chooses. */
#ifndef SOTTO_BASE_HASH_H
#define SOTTO_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_BEGIN 0xCBF29CE484222325u

/* `hash` with n more bytes: HASH_BEGIN at first. */
static inline uint64_t hash_more(uint64_t hash, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
	return hash;
}

static inline uint32_t hash_fold(uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32);
}

#endif
