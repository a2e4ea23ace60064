#include "kept/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

enum { SLOTS_MIN = 256, TEXTS_MAX = 1 << 22 };

void kept_texts_free(struct kept_texts *texts)
{
	free(texts->items);
	free(texts->slots);
	*texts = (struct kept_texts){0};
}

/* The slot of an id, or a free one for it. */
static size_t slot_of(const struct kept_texts *texts, int32_t id)
{
	size_t at = (uint32_t)id * 2654435769u >> 8 & (texts->n_slots - 1); /* 2^32 over the golden ratio: spreads ids */

	while (texts->slots[at] && texts->items[texts->slots[at] - 1].id != id)
		at = (at + 1) & (texts->n_slots - 1);
	return at;
}

struct kept_text *kept_texts_find(const struct kept_texts *texts, int32_t id)
{
	uint32_t item = texts->n_slots ? texts->slots[slot_of(texts, id)] : 0;

	return item ? &texts->items[item - 1] : NULL;
}

void kept_texts_forget_saved(struct kept_texts *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		texts->items[i].is_saved = false;
}

/* At least half of the slots stay free. */
static bool grow(struct kept_texts *texts)
{
	size_t n_slots = texts->n_slots ? texts->n_slots * 2 : SLOTS_MIN;
	uint32_t *slots;

	if (texts->n < texts->n_slots / 2)
		return true;
	slots = alloc_array(n_slots, sizeof *slots);
	if (!slots)
		return false;
	free(texts->slots);
	texts->slots = slots;
	texts->n_slots = n_slots;
	for (size_t i = 0; i < texts->n; i++)
		slots[slot_of(texts, texts->items[i].id)] = (uint32_t)i + 1;
	return true;
}

bool kept_texts_add(struct kept_texts *texts, int32_t id, const char *text, size_t len)
{
	struct kept_text *item;

	if (kept_texts_find(texts, id))
		return true;
	if (!grow(texts) || !alloc_grow(&texts->items, &texts->cap, texts->n + 1, sizeof *texts->items, TEXTS_MAX))
		return false;
	item = &texts->items[texts->n];
	*item = (struct kept_text){.id = id, .len = (uint8_t)(len < sizeof item->text ? len : sizeof item->text)};
	memcpy(item->text, text, item->len);
	texts->slots[slot_of(texts, id)] = (uint32_t)++texts->n;
	return true;
}

bool kept_texts_name(struct kept_texts *texts, const char *text, size_t len, int32_t *id)
{
	const struct kept_text *there;

	if (len > sizeof there->text)
		len = sizeof there->text;
	*id = -2 - (int32_t)(hash_fold(hash_more(HASH_BEGIN, text, len)) & 0x3FFFFFFF);
	while ((there = kept_texts_find(texts, *id)) && (there->len != len || memcmp(there->text, text, len) != 0))
		(*id)--;
	return kept_texts_add(texts, *id, text, len);
}
