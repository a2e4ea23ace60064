/* Equality and hashes: equal values have equal hashes. */
#include <math.h>
#include <string.h>

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
		*hash = string_hash(value.u.string);
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

bool value_equal_within(struct jinja_value a, struct jinja_value b, uint64_t *steps)
{
	return equal_at(a, b, 0, steps);
}

bool value_equal(struct jinja_value a, struct jinja_value b)
{
	uint64_t steps = EQUAL_STEPS;

	return equal_at(a, b, 0, &steps);
}

bool value_same_within(struct jinja_value a, struct jinja_value b, uint64_t *steps)
{
	return identical(a, b) || equal_at(a, b, 0, steps);
}

bool value_same(struct jinja_value a, struct jinja_value b)
{
	return identical(a, b) || value_equal(a, b);
}
