/* Equality and hashes (equal values have equal hashes), and dicts, which need them.
 *
 * Dicts keep the order in which keys were added. Small dicts are searched entry by entry;
 * larger ones have a table of slots (open addressing, at most half full) with the entries'
 * indices. Nothing is taken out of a dict. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "jinja/hash.h"
#include "jinja/object.h"
#include "jinja/text.h"
#include "jinja/value.h"

/* Lists may hold one another many times over, so that depth alone bounds
 * nothing: the number of values looked at is bounded, too. */
enum { HASH_STEPS = 4096, EQUAL_STEPS = 1 << 20, STRING_STEP = 64 };

static const double int64_end = 9223372036854775808.0; /* 2^63 */

static int order_int_float(int64_t i, double f)
{
	int64_t whole;

	if (isnan(f))
		return NUMBERS_UNORDERED;
	if (f >= int64_end)
		return -1;
	if (f < -int64_end)
		return 1;
	whole = (int64_t)f;
	if (i != whole)
		return i < whole ? -1 : 1;
	return (f < (double)whole) - (f > (double)whole);
}

int value_number_order(struct jinja_value a, struct jinja_value b)
{
	double f, g;
	int order;

	if (a.kind != VALUE_FLOAT && b.kind != VALUE_FLOAT)
		return (value_as_int(a) > value_as_int(b)) - (value_as_int(a) < value_as_int(b));
	if (a.kind != VALUE_FLOAT)
		return order_int_float(value_as_int(a), b.u.number);
	if (b.kind != VALUE_FLOAT) {
		order = order_int_float(value_as_int(b), a.u.number);
		return order == NUMBERS_UNORDERED ? order : -order;
	}
	f = a.u.number;
	g = b.u.number;
	return isnan(f) || isnan(g) ? NUMBERS_UNORDERED : (f > g) - (f < g);
}

/* ---- hashes ---- */

static uint32_t hash_int(int64_t i)
{
	return hash_bytes(&i, sizeof i);
}

static uint32_t hash_float(double f)
{
	if (f >= -int64_end && f < int64_end && f == trunc(f))
		return hash_int((int64_t)f);
	return isnan(f) ? 1 : hash_bytes(&f, sizeof f);
}

static bool hash_at(struct jinja_value value, uint32_t *hash, unsigned depth, uint32_t *steps);

static bool hash_list(const struct jinja_list *list, uint32_t *hash, unsigned depth,
                      uint32_t *steps)
{
	uint32_t pair[2] = {(uint32_t)list->n, 0};

	if (!list_is_tuple(list))
		return false;
	for (size_t i = 0; i < list->n; i++) {
		if (!hash_at(list->items[i], &pair[1], depth + 1, steps))
			return false;
		pair[0] = hash_bytes(pair, sizeof pair);
	}
	*hash = hash_bytes(pair, sizeof pair[0]);
	return true;
}

static bool hash_at(struct jinja_value value, uint32_t *hash, unsigned depth, uint32_t *steps)
{
	if (depth > LIMIT_JINJA_NESTING || !*steps)
		return false;
	--*steps;
	switch (value.kind) {
	case VALUE_UNDEFINED:
	case VALUE_NONE:
		*hash = hash_bytes(&value.kind, sizeof value.kind);
		return true;
	case VALUE_BOOL:
	case VALUE_INT:
		*hash = hash_int(value_as_int(value));
		return true;
	case VALUE_FLOAT:
		*hash = hash_float(value.u.number);
		return true;
	case VALUE_LONG:
	case VALUE_STRING:
		*hash = hash_bytes(value.u.string->data, value.u.string->len);
		return true;
	case VALUE_LIST:
		return hash_list(value.u.list, hash, depth, steps);
	case VALUE_DICT:
	case VALUE_RANGE:
		return false;
	case VALUE_OBJECT:
		*hash = hash_bytes(&value.u.object, sizeof value.u.object);
		return true;
	}
	return false;
}

bool value_hash(struct jinja_value value, uint32_t *hash)
{
	uint32_t steps = HASH_STEPS;

	return hash_at(value, hash, 0, &steps);
}

/* ---- equality ---- */

static bool strings_equal(const struct jinja_string *a, const struct jinja_string *b,
                          uint64_t *steps)
{
	uint64_t cost = a->len / STRING_STEP;

	if (a == b)
		return true;
	if (a->len != b->len)
		return false;
	*steps -= cost < *steps ? cost : *steps;
	return !memcmp(a->data, b->data, a->len);
}

/* Python's `is`: items of containers that are the same object are equal without a comparison.
 * All NaNs count as the same object. */
static bool identical(struct jinja_value a, struct jinja_value b)
{
	if (a.kind != b.kind)
		return false;
	switch (a.kind) {
	case VALUE_FLOAT:
		return isnan(a.u.number) && isnan(b.u.number);
	case VALUE_LIST:
		return a.u.list == b.u.list;
	case VALUE_DICT:
		return a.u.dict == b.u.dict;
	case VALUE_OBJECT:
		return a.u.object == b.u.object;
	default:
		return false;
	}
}

static bool equal_at(struct jinja_value a, struct jinja_value b, unsigned depth, uint64_t *steps);

static bool items_equal(struct jinja_value a, struct jinja_value b, unsigned depth, uint64_t *steps)
{
	return identical(a, b) || equal_at(a, b, depth + 1, steps);
}

static bool sequences_equal(const struct jinja_list *a, const struct jinja_list *b, unsigned depth,
                            uint64_t *steps)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (!items_equal(a->items[i], b->items[i], depth, steps))
			return false;
	}
	return true;
}

static bool lists_equal(const struct jinja_list *a, const struct jinja_list *b, unsigned depth,
                        uint64_t *steps)
{
	if (a == b)
		return true;
	return a->kind == b->kind && a->kind != LIST_ITERATOR &&
	       sequences_equal(a, b, depth, steps);
}

static bool dicts_equal(const struct jinja_dict *a, const struct jinja_dict *b, unsigned depth,
                        uint64_t *steps)
{
	const struct dict_entry *entry;
	const struct jinja_value *other;

	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		entry = &a->entries[i];
		other = dict_find(b, entry->key);
		if (!other || !items_equal(entry->value, *other, depth, steps))
			return false;
	}
	return true;
}

static bool ranges_equal(const struct jinja_range *a, const struct jinja_range *b)
{
	return a->n == b->n && (!a->n || a->start == b->start) && (a->n < 2 || a->step == b->step);
}

static bool equal_at(struct jinja_value a, struct jinja_value b, unsigned depth, uint64_t *steps)
{
	if (depth > LIMIT_JINJA_NESTING || !*steps)
		return false;
	--*steps;
	if (value_is_number(a) && value_is_number(b))
		return value_number_order(a, b) == 0;
	if (a.kind != b.kind)
		return false;
	switch (a.kind) {
	case VALUE_LONG:
	case VALUE_STRING:
		return strings_equal(a.u.string, b.u.string, steps);
	case VALUE_LIST:
		return lists_equal(a.u.list, b.u.list, depth, steps);
	case VALUE_DICT:
		return a.u.dict == b.u.dict || dicts_equal(a.u.dict, b.u.dict, depth, steps);
	case VALUE_RANGE:
		return ranges_equal(a.u.range, b.u.range);
	case VALUE_OBJECT:
		return a.u.object == b.u.object;
	default: /* None, undefined: there is one of each */
		return true;
	}
}

bool value_equal_within(struct jinja_value a, struct jinja_value b, bool items, uint64_t *steps)
{
	return (items && identical(a, b)) || equal_at(a, b, 0, steps);
}

bool value_equal(struct jinja_value a, struct jinja_value b)
{
	uint64_t steps = EQUAL_STEPS;

	return value_equal_within(a, b, false, &steps);
}

/* ---- dicts ---- */

enum { SMALL = 8, NO_ENTRY = 0 };

struct jinja_value value_dict(struct arena *arena)
{
	struct jinja_dict *dict = arena_alloc(arena, sizeof *dict);

	return dict ? (struct jinja_value){.kind = VALUE_DICT, .u.dict = dict}
	            : (struct jinja_value){0};
}

static bool matches(const struct dict_entry *entry, uint32_t hash, struct jinja_value key)
{
	uint64_t steps = EQUAL_STEPS;

	return entry->hash == hash && value_equal_within(entry->key, key, true, &steps);
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
