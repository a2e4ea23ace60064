/* Dicts keep the order in which keys were added. Small dicts are searched entry by entry;
 * larger ones have a table of slots (open addressing, at most half full) with the entries'
 * indices. Nothing is taken out of a dict. */
#include <string.h>

#include "base/alloc.h"
#include "jinja/text.h"
#include "jinja/value.h"

enum { SMALL = 8, NO_ENTRY = 0 };

struct jinja_value value_dict(struct arena *arena)
{
	struct jinja_dict *dict = arena_alloc(arena, sizeof *dict);

	return dict ? (struct jinja_value){.kind = VALUE_DICT, .u.dict = dict}
	            : (struct jinja_value){0};
}

static bool matches(const struct dict_entry *entry, uint32_t hash, struct jinja_value key)
{
	return entry->hash == hash && value_same(entry->key, key);
}

static struct dict_entry *find(const struct jinja_dict *dict, uint32_t hash, struct jinja_value key)
{
	size_t mask = dict->n_slots - 1;

	if (!dict->n_slots) {
		for (size_t i = 0; i < dict->n; i++) {
			if (matches(&dict->entries[i], hash, key))
				return &dict->entries[i];
		}
		return NULL;
	}
	for (size_t at = hash & mask; dict->slots[at] != NO_ENTRY; at = (at + 1) & mask) {
		if (matches(&dict->entries[dict->slots[at] - 1], hash, key))
			return &dict->entries[dict->slots[at] - 1];
	}
	return NULL;
}

static void link_entry(struct jinja_dict *dict, size_t index)
{
	size_t mask = dict->n_slots - 1, at = dict->entries[index].hash & mask;

	if (!dict->n_slots)
		return;
	while (dict->slots[at] != NO_ENTRY)
		at = (at + 1) & mask;
	dict->slots[at] = (uint32_t)index + 1;
}

/* Twice the entries, and twice as many slots as entries. */
static bool grow(struct arena *arena, struct jinja_dict *dict)
{
	size_t cap = dict->cap ? dict->cap * 2 : SMALL / 2, size;
	struct dict_entry *entries;
	uint32_t *slots = NULL;

	if (cap > UINT32_MAX / 2 || mul_overflows(cap, sizeof *entries, &size))
		return false;
	entries = arena_grow(arena, dict->entries, dict->n * sizeof *entries, size);
	if (!entries)
		return false;
	dict->entries = entries;
	if (cap > SMALL) {
		slots = arena_array(arena, cap * 2, sizeof *slots);
		if (!slots)
			return false;
		dict->slots = slots;
		dict->n_slots = cap * 2;
	}
	dict->cap = cap;
	for (size_t i = 0; i < dict->n; i++)
		link_entry(dict, i);
	return true;
}

static bool add(struct arena *arena, struct jinja_dict *dict, uint32_t hash, struct jinja_value key,
                struct jinja_value item)
{
	if (dict->n == dict->cap && !grow(arena, dict))
		return false;
	dict->entries[dict->n] = (struct dict_entry){.key = key, .value = item, .hash = hash};
	link_entry(dict, dict->n++);
	return true;
}

bool dict_put(struct arena *arena, struct jinja_dict *dict, struct jinja_value key,
              struct jinja_value item)
{
	struct dict_entry *entry;
	uint32_t hash;

	if (!value_hash(key, &hash))
		return false;
	entry = find(dict, hash, key);
	if (!entry)
		return add(arena, dict, hash, key, item);
	entry->value = item;
	return true;
}

bool dict_put_text(struct arena *arena, struct jinja_dict *dict, const char *key,
                   struct jinja_value item)
{
	struct jinja_value text = value_text(arena, key, strlen(key), SOURCE_TEMPLATE);

	return text.kind == VALUE_STRING && dict_put(arena, dict, text, item);
}

struct jinja_value *dict_find(const struct jinja_dict *dict, struct jinja_value key)
{
	struct dict_entry *entry;
	uint32_t hash;

	if (!dict->n || !value_hash(key, &hash))
		return NULL;
	entry = find(dict, hash, key);
	return entry ? &entry->value : NULL;
}
