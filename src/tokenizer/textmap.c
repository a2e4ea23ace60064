#include "tokenizer/textmap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"

struct textmap_slot {
	uint32_t tag; /* upper half of the hash: spares most comparisons */
	int32_t id;   /* -1: free */
};

enum status texts_init(struct texts *texts, size_t n, size_t bytes, struct error *err)
{
	texts->bytes = alloc_array(bytes, 1);
	texts->starts = alloc_array(n + 1, sizeof *texts->starts);
	if (!texts->bytes || !texts->starts)
		return error_no_memory(err, "for a vocabulary of %zu tokens", n);
	return STATUS_OK;
}

void texts_deinit(struct texts *texts)
{
	free(texts->bytes);
	free(texts->starts);
}

static uint64_t hash(const struct textmap *map, const char *text, size_t len)
{
	uint64_t h = map->seed ^ len, chunk;

	for (; len >= 8; text += 8, len -= 8) {
		memcpy(&chunk, text, 8);
		h = (h ^ chunk) * map->seed;
		h ^= h >> 29;
	}
	if (len) {
		chunk = 0;
		memcpy(&chunk, text, len);
		h = (h ^ chunk) * map->seed;
		h ^= h >> 29;
	}
	h *= 0x9E3779B97F4A7C15u;
	return h ^ h >> 32;
}

enum status textmap_init(struct textmap *map, const struct texts *texts, size_t n,
                         struct error *err)
{
	size_t n_slots = 16;

	while (n_slots < n * 2)
		n_slots *= 2;
	*map = (struct textmap){.texts = texts, .mask = n_slots - 1};
	if (getrandom(&map->seed, sizeof map->seed, GRND_NONBLOCK) != (ssize_t)sizeof map->seed)
		map->seed = 0xD6E8FEB86659FD93u;
	map->seed |= 1;
	map->slots = alloc_array(n_slots, sizeof *map->slots);
	if (!map->slots)
		return error_no_memory(err, "for a vocabulary of %zu tokens", n);
	for (size_t i = 0; i < n_slots; i++)
		map->slots[i].id = -1;
	return STATUS_OK;
}

void textmap_deinit(struct textmap *map)
{
	free(map->slots);
	map->slots = NULL;
}

/* The slot that holds the text, or the free one where it belongs. */
static struct textmap_slot *locate(const struct textmap *map, const char *text, size_t len,
                                   uint32_t *tag)
{
	uint64_t h = hash(map, text, len);
	const char *other;
	size_t other_len;

	*tag = (uint32_t)(h >> 32);
	for (size_t i = (size_t)h & map->mask;; i = (i + 1) & map->mask) {
		struct textmap_slot *slot = &map->slots[i];

		if (slot->id < 0)
			return slot;
		if (slot->tag != *tag)
			continue;
		other = texts_at(map->texts, (size_t)slot->id, &other_len);
		if (other_len == len && memcmp(other, text, len) == 0)
			return slot;
	}
}

bool textmap_add(struct textmap *map, int32_t id)
{
	size_t len;
	const char *text = texts_at(map->texts, (size_t)id, &len);
	uint32_t tag;
	struct textmap_slot *slot = locate(map, text, len, &tag);

	if (slot->id >= 0)
		return false;
	*slot = (struct textmap_slot){.tag = tag, .id = id};
	return true;
}

int32_t textmap_find(const struct textmap *map, const char *text, size_t len)
{
	uint32_t tag;

	return locate(map, text, len, &tag)->id;
}
