#include "rendering.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

/* What Python 3.11 and Jinja2 3.1 answer, recorded. */

static struct rendering r;

static void set_up(void)
{
	rendering_begin(&r);
}

static void tear_down(void)
{
	rendering_end(&r);
}

TestSuite(print, .init = set_up, .fini = tear_down);

Test(print, floats_as_python_writes_them)
{
	static const char *const rows[][2] = {
		{"0.0", "0.0"},
		{"-0.0", "-0.0"},
		{"1.0", "1.0"},
		{"-1.5", "-1.5"},
		{"0.1", "0.1"},
		{"0.3333333333333333", "0.3333333333333333"},
		{"1000000000000000.0", "1000000000000000.0"},
		{"1e+16", "1e+16"},
		{"1.5e+16", "1.5e+16"},
		{"1.2345678901234568e+17", "1.2345678901234568e+17"},
		{"1e+22", "1e+22"},
		{"0.0001", "0.0001"},
		{"1e-05", "1e-05"},
		{"1.5e-07", "1.5e-07"},
		{"1e+100", "1e+100"},
		{"1e-100", "1e-100"},
		{"5e-324", "5e-324"},
		{"5.075883674631299e-116", "5.075883674631299e-116"},
		{"1.7976931348623157e+308", "1.7976931348623157e+308"},
		{"inf", "inf"},
		{"-inf", "-inf"},
		{"nan", "nan"},
		{"9007199254740992.0", "9007199254740992.0"},
		{"100.0", "100.0"},
		{"12345.678", "12345.678"},
	};
	char text[FLOAT_TEXT_MAX];
	size_t n;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		n = float_text(strtod(rows[i][0], NULL), text);
		cr_expect_eq(n, strlen(rows[i][1]));
		cr_expect_arr_eq(text, rows[i][1], n, "%s: %.*s", rows[i][1], (int)n, text);
	}
}

/* The shortest text is one that reads back. */
Test(print, floats_read_back)
{
	uint64_t bits = 88172645463325252;
	char text[FLOAT_TEXT_MAX + 1];
	double f;

	for (int i = 0; i < 20000; i++) {
		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		memcpy(&f, &bits, sizeof f);
		if (f != f)
			continue;
		text[float_text(f, text)] = '\0';
		cr_assert_eq(strtod(text, NULL), f, "%s", text);
	}
}

Test(print, repr)
{
	static const char *const rows[][2] = {
		{"''", "''"},
		{"'abc'", "'abc'"},
		{"\"it's\"", "\"it's\""},
		{"'\"q\"'", "'\"q\"'"},
		{"'both \\' and \"'", "'both \\' and \"'"},
		{"'a\\\\b'", "'a\\\\b'"},
		{"'\\n\\r\\t'", "'\\n\\r\\t'"},
		{"'\\x00\\x1b\\x7f'", "'\\x00\\x1b\\x7f'"},
		{"'\\x80\\xa0\\xad'", "'\\x80\\xa0\\xad'"},
		{"'ß€'", "'ß€'"},
		{"'\\u200b\\u2028\\u3000'", "'\\u200b\\u2028\\u3000'"},
		{"'\\ue000\\ufeff'", "'\\ue000\\ufeff'"},
		{"'😀'", "'😀'"},
		{"'\\U000e0001'", "'\\U000e0001'"},
		{"[]", "[]"},
		{"[1,'a']", "[1, 'a']"},
		{"()", "()"},
		{"(1,)", "(1,)"},
		{"(1,2,)", "(1, 2)"},
		{"{}", "{}"},
		{"{'a':[1],2:None}", "{'a': [1], 2: None}"},
		{"[[],[[]],({},)]", "[[], [[]], ({},)]"},
		{"True", "True"},
		{"None", "None"},
		{"Undefined", "Undefined"},
		{"[Undefined]", "[Undefined]"},
		{"range(0, 3, 1)", "range(0, 3)"},
		{"range(1, 3, 1)", "range(1, 3)"},
		{"range(0, 10, 3)", "range(0, 10, 3)"},
		{"keys ['a']", "dict_keys(['a'])"},
		{"values [1]", "dict_values([1])"},
		{"items [('a',1,)]", "dict_items([('a', 1)])"},
		{"-9223372036854775808", "-9223372036854775808"},
		{"9223372036854775807", "9223372036854775807"},
		{"{(1,2,):'x'}", "{(1, 2): 'x'}"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect_str_eq(shown(&r, literal(&r, rows[i][0])), rows[i][1]);
}

static const char *printed(struct jinja_value value)
{
	const struct jinja_string *string = value_to_string(&r.render, value);

	return r.render.failed ? shown(&r, value) : string->data;
}

Test(print, str_shows_strings_bare_and_nothing_for_undefined)
{
	cr_assert_str_eq(printed(literal(&r, "\"it's\"")), "it's");
	cr_assert_str_eq(printed(literal(&r, "Undefined")), "");
	cr_assert_str_eq(printed(literal(&r, "[Undefined, 'a']")), "[Undefined, 'a']");
	cr_assert_str_eq(printed(literal(&r, "None")), "None");
	cr_assert_str_eq(printed(literal(&r, "iter [1]")), "<generator object>");
}

Test(print, what_holds_itself_is_shown_once)
{
	struct jinja_value list = literal(&r, "[1]"), dict = literal(&r, "{}");

	cr_assert(list_push(&r.arena, list.u.list, list));
	cr_assert(dict_put_text(&r.arena, dict.u.dict, "d", dict));
	cr_assert(dict_put_text(&r.arena, dict.u.dict, "l", list));
	cr_assert(list_push(&r.arena, list.u.list, dict));
	cr_assert_str_eq(printed(list), "[1, [...], {'d': {...}, 'l': [...]}]");
	cr_assert_str_eq(printed(dict), "{'d': {...}, 'l': [1, [...], {...}]}");
}

Test(print, depth_is_bounded)
{
	struct jinja_value list = literal(&r, "[]"), outer;

	for (int i = 1; i < LIMIT_JINJA_NESTING; i++) {
		outer = literal(&r, "[]");
		cr_assert(list_push(&r.arena, outer.u.list, list));
		list = outer;
	}
	cr_assert_eq(strlen(printed(list)), 2 * LIMIT_JINJA_NESTING);
	outer = literal(&r, "[]");
	cr_assert(list_push(&r.arena, outer.u.list, list));
	cr_assert_str_eq(printed(outer), "the template takes too much: lists in lists");
}

Test(print, shared_lists_run_out_of_steps)
{
	struct jinja_value list = literal(&r, "[]"), outer;

	for (int i = 0; i < 60; i++) {
		outer = literal(&r, "[]");
		cr_assert(list_push(&r.arena, outer.u.list, list));
		cr_assert(list_push(&r.arena, outer.u.list, list));
		list = outer;
	}
	cr_assert(strstr(printed(list), "the template takes too much"));
}

/* Quotes are the template's; an escape is from where its character is from. */
Test(print, repr_keeps_sources)
{
	static const struct source_run expected[] = {
		{2, 0}, {10, 7}, {14, 0}, {20, 3}, {22, 0},
	};
	struct jinja_value list = value_list(&r.arena, LIST_LIST);
	struct text text;

	cr_assert(list_push(&r.arena, list.u.list, value_text(&r.arena, "a\n\x01z", 4, 7)));
	cr_assert(list_push(&r.arena, list.u.list, value_text(&r.arena, "b\\'\"", 4, 3)));
	text_init(&text, &r.arena, SIZE_MAX - 1);
	value_repr(&r.render, &text, list);
	cr_assert_not(r.render.failed);
	cr_assert_str_eq(text.data, "['a\\n\\x01z', 'b\\\\\\'\"']");
	cr_assert_eq(text.n_runs, 5);
	for (size_t i = 0; i < 5; i++) {
		cr_assert_eq(text.runs[i].source, expected[i].source);
		cr_assert_eq(text.runs[i].end, expected[i].end, "run %zu: %zu", i,
		             text.runs[i].end);
	}
}
