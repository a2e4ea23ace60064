#include "jinja/value.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "jinja/text.h"

static struct arena arena;

static void set_up(void)
{
	arena_init(&arena, MIB(64));
}

static void tear_down(void)
{
	arena_free(&arena);
}

TestSuite(value, .init = set_up, .fini = tear_down);

static struct jinja_value text(const char *bytes)
{
	return value_text(&arena, bytes, strlen(bytes), SOURCE_TEMPLATE);
}

static struct jinja_value pair(enum list_kind kind, struct jinja_value a, struct jinja_value b)
{
	struct jinja_value list = value_list(&arena, kind);

	cr_assert(list_push(&arena, list.u.list, a));
	cr_assert(list_push(&arena, list.u.list, b));
	return list;
}

Test(value, numbers_are_ordered_exactly)
{
	const int64_t big = ((int64_t)1 << 53) + 1;
	const struct {
		struct jinja_value a, b;
		int order;
	} rows[] = {
		{value_int(1), value_int(2), -1},
		{value_bool(true), value_int(1), 0},
		{value_int(1), value_float(1), 0},
		{value_int(big), value_float((double)big), 1},
		{value_float((double)big), value_int(big), -1},
		{value_int(INT64_MAX), value_float(9223372036854775808.0), -1},
		{value_int(INT64_MIN), value_float(-9223372036854775808.0), 0},
		{value_int(INT64_MIN), value_float(-INFINITY), 1},
		{value_int(-1), value_float(-1.5), 1},
		{value_int(1), value_float(1.5), -1},
		{value_int(0), value_float(-0.0), 0},
		{value_float(NAN), value_int(1), NUMBERS_UNORDERED},
		{value_int(1), value_float(NAN), NUMBERS_UNORDERED},
		{value_float(NAN), value_float(NAN), NUMBERS_UNORDERED},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_assert_eq(value_number_order(rows[i].a, rows[i].b), rows[i].order, "row %zu", i);
}

Test(value, equal_values_have_equal_hashes)
{
	const struct jinja_value same[][2] = {
		{value_int(1), value_float(1)},
		{value_bool(true), value_int(1)},
		{value_float(-0.0), value_int(0)},
		{text("häuser"), value_text(&arena, "häuser", 7, 5)},
		{pair(LIST_TUPLE, value_int(1), text("a")),
	         pair(LIST_TUPLE, value_bool(true), text("a"))},
		{value_none(), value_none()},
	};
	uint32_t a, b;

	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		cr_assert(value_equal(same[i][0], same[i][1]), "row %zu", i);
		cr_assert(value_hash(same[i][0], &a));
		cr_assert(value_hash(same[i][1], &b));
		cr_assert_eq(a, b, "row %zu", i);
	}
}

Test(value, what_differs_is_not_equal)
{
	const struct jinja_value differ[][2] = {
		{value_int(1), text("1")},
		{value_none(), value_bool(false)},
		{text("a"), text("b")},
		{text(""), value_none()},
		{value_float(NAN), value_float(NAN)},
		{pair(LIST_TUPLE, value_int(1), value_int(2)),
	         pair(LIST_LIST, value_int(1), value_int(2))},
		{value_range(&arena, 0, 3, 1), value_range(&arena, 0, 5, 2)},
	};

	for (size_t i = 0; i < sizeof differ / sizeof *differ; i++)
		cr_assert_not(value_equal(differ[i][0], differ[i][1]), "row %zu", i);
	cr_assert(value_equal_within(value_float(NAN), value_float(NAN), true, &(uint64_t){9}));
	cr_assert(value_equal(pair(LIST_LIST, value_float(NAN), value_int(1)),
	                      pair(LIST_LIST, value_float(NAN), value_int(1))));
}

Test(value, ranges_count_their_numbers)
{
	const struct {
		int64_t start, stop, step;
		size_t n;
	} rows[] = {
		{0, 10, 3, 4},
		{0, 9, 3, 3},
		{10, 0, -3, 4},
		{0, -1, 1, 0},
		{0, 1, -1, 0},
		{INT64_MIN, INT64_MAX, 1, SIZE_MAX},
		{INT64_MAX, INT64_MIN, INT64_MIN, 2},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_assert_eq(value_range(&arena, rows[i].start, rows[i].stop, rows[i].step)
		                     .u.range->n,
		             rows[i].n, "row %zu", i);
}

Test(value, views_of_dicts_compare_item_by_item)
{
	struct jinja_value a = pair(LIST_KEYS, text("a"), text("b"));

	cr_assert(value_equal(a, pair(LIST_KEYS, text("a"), text("b"))));
	cr_assert_not(value_equal(a, pair(LIST_KEYS, text("a"), text("c"))));
	cr_assert_not(value_equal(a, pair(LIST_LIST, text("a"), text("b"))));
}

Test(value, lists_and_dicts_are_not_hashable)
{
	uint32_t hash;

	cr_assert_not(value_hash(value_list(&arena, LIST_LIST), &hash));
	cr_assert_not(value_hash(value_dict(&arena), &hash));
	cr_assert_not(value_hash(pair(LIST_TUPLE, value_int(1), value_dict(&arena)), &hash));
	cr_assert_not(value_hash(value_list(&arena, LIST_KEYS), &hash));
}

/* a = [[...[], []...], [...]]: 2^100 leaves in a hundred lists. */
Test(value, lists_shared_many_times_end)
{
	struct jinja_value a = value_int(1), b = value_int(1), t = value_int(1);
	uint32_t hash;

	for (int i = 0; i < 100; i++) {
		a = pair(LIST_LIST, a, a);
		b = pair(LIST_LIST, b, b);
		t = pair(LIST_TUPLE, t, t);
	}
	cr_assert_not(value_equal(a, b));
	cr_assert(value_equal(a, a));
	cr_assert_not(value_hash(t, &hash));
}

Test(value, lists_within_themselves_end)
{
	struct jinja_value a = value_list(&arena, LIST_LIST), b = value_list(&arena, LIST_LIST);

	cr_assert(list_push(&arena, a.u.list, b));
	cr_assert(list_push(&arena, b.u.list, a));
	cr_assert_not(value_equal(a, b));
}

Test(value, truth_is_pythons)
{
	struct jinja_value iterator = value_list(&arena, LIST_ITERATOR);

	cr_assert_not(value_truth((struct jinja_value){0}));
	cr_assert_not(value_truth(value_none()));
	cr_assert_not(value_truth(value_float(-0.0)));
	cr_assert(value_truth(value_float(NAN)));
	cr_assert_not(value_truth(text("")));
	cr_assert(value_truth(text("0")));
	cr_assert_not(value_truth(value_list(&arena, LIST_TUPLE)));
	cr_assert(value_truth(iterator));
	cr_assert_not(value_truth(value_range(&arena, 1, 1, 1)));
	cr_assert_str_eq(value_type_name(iterator), "generator");
	cr_assert_str_eq(value_type_name(value_none()), "NoneType");
}

Test(value, without_memory_everything_is_undefined)
{
	struct arena small;
	struct jinja_value list, dict;

	arena_init(&small, 20 << 10);
	list = value_list(&small, LIST_LIST);
	dict = value_dict(&small);
	for (int64_t i = 0; list_push(&small, list.u.list, value_int(i)); i++)
		cr_assert(i < 2000);
	cr_assert_eq(small.status, STATUS_LIMIT);
	cr_assert_eq(value_list(&small, LIST_LIST).kind, VALUE_UNDEFINED);
	cr_assert_eq(value_dict(&small).kind, VALUE_UNDEFINED);
	cr_assert_eq(value_range(&small, 0, 1, 1).kind, VALUE_UNDEFINED);
	cr_assert_eq(value_text(&small, "abc", 3, 0).kind, VALUE_UNDEFINED);
	cr_assert_eq(value_text(&small, "a\xff", 2, 0).kind, VALUE_UNDEFINED);
	cr_assert_not(dict_put_text(&small, dict.u.dict, "a", value_int(1)));
	arena_free(&small);
}

Test(value, text_is_repaired)
{
	struct jinja_value v = value_text(&arena, "a\xff\xe2\x82zü\xe2\x82", 9, 3);

	cr_assert(string_equals(v.u.string, "a\xEF\xBF\xBD\xEF\xBF\xBDzü\xEF\xBF\xBD"));
	cr_assert_eq(v.u.string->n_chars, 6);
	cr_assert_eq(v.u.string->n_runs, 0);
	cr_assert_eq(v.u.string->source, 3);
}

TestSuite(dict, .init = set_up, .fini = tear_down);

Test(dict, keys_keep_their_order_and_are_found)
{
	struct jinja_dict *dict = value_dict(&arena).u.dict;
	char key[16];

	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof key, "k%d", i * 7919 % 1000);
		cr_assert(dict_put_text(&arena, dict, key, value_int(i)));
	}
	cr_assert_eq(dict->n, 1000);
	for (int i = 0; i < 1000; i++) {
		int length = snprintf(key, sizeof key, "k%d", i * 7919 % 1000);
		struct jinja_value text = value_text(&arena, key, (size_t)length, SOURCE_TEMPLATE);

		cr_assert(string_equals(dict->entries[i].key.u.string, key));
		cr_assert_eq(dict_find(dict, text)->u.integer, i);
	}
	cr_assert_null(dict_find(dict, value_text(&arena, "k1000", 5, SOURCE_TEMPLATE)));
	cr_assert_null(dict_find(dict, value_list(&arena, LIST_LIST)));
}

Test(dict, equal_keys_are_one_and_the_first_stays)
{
	struct jinja_dict *dict = value_dict(&arena).u.dict;

	cr_assert(dict_put(&arena, dict, value_int(1), text("a")));
	cr_assert(dict_put(&arena, dict, value_float(1), text("b")));
	cr_assert(dict_put(&arena, dict, value_bool(true), text("c")));
	cr_assert(dict_put(&arena, dict, value_float(NAN), text("d")));
	cr_assert(dict_put(&arena, dict, value_float(NAN), text("e")));
	cr_assert_eq(dict->n, 2);
	cr_assert_eq(dict->entries[0].key.kind, VALUE_INT);
	cr_assert(string_equals(dict->entries[0].value.u.string, "c"));
	cr_assert_not(dict_put(&arena, dict, value_dict(&arena), text("f")));
}

Test(dict, equality_ignores_order)
{
	struct jinja_value a = value_dict(&arena), b = value_dict(&arena);

	for (int64_t i = 0; i < 20; i++) {
		cr_assert(dict_put(&arena, a.u.dict, value_int(i), value_int(-i)));
		cr_assert(dict_put(&arena, b.u.dict, value_int(19 - i), value_int(i - 19)));
	}
	cr_assert(value_equal(a, b));
	cr_assert(dict_put(&arena, b.u.dict, value_int(3), value_int(3)));
	cr_assert_not(value_equal(a, b));
}
