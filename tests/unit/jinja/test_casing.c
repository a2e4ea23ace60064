#include "jinja/casing.h"

#include <criterion/criterion.h>
#include <string.h>

#include "rendering.h"

static struct rendering r;

static void set_up(void)
{
	rendering_begin(&r);
}

static void tear_down(void)
{
	rendering_end(&r);
}

TestSuite(casing, .init = set_up, .fini = tear_down);

Test(casing, letters_change_as_in_python)
{
	static const struct {
		enum letter_case want;
		const char *text, *shows;
	} rows[] = {
		{CASE_UPPER, "straße ŉ ﬁ", "STRASSE ʼN FI"},
		{CASE_LOWER, "ÀÉÎ İ", "àéî i̇"},
		{CASE_TITLE, "they're ǆ x1y 日a", "They'Re ǅ X1Y 日A"},
		{CASE_CAPITALIZE, "ßETA ÉA", "Sseta éa"},
		{CASE_CAPITALIZE, "", ""},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct jinja_string *string =
			string_new(&r.arena, rows[i].text, strlen(rows[i].text), 0);
		const struct jinja_string *out =
			string_to_case(&r.render, string, rows[i].want).u.string;

		cr_assert_not(r.render.failed);
		cr_expect(string_equals(out, rows[i].shows), "%s: %.*s", rows[i].text,
		          (int)out->len, out->data);
	}
}

Test(casing, what_comes_of_a_character_keeps_its_source)
{
	const struct jinja_string *a = string_new(&r.arena, "aß", 3, 1),
	                    *b = string_new(&r.arena, "ŉ1", 3, 2),
	                    *string = string_concat(&r.arena, a, b),
	                    *out = string_to_case(&r.render, string, CASE_UPPER).u.string;
	static const char sources[] = "1112222";

	cr_assert(string_equals(out, "ASSʼN1"));
	for (size_t i = 0; i < out->len; i++)
		cr_expect_eq(string_source_at(out, i), (uint32_t)(sources[i] - '0'), "%zu", i);
}

Test(casing, kinds_of_strings)
{
	static const struct {
		const char *text;
		bool upper, lower, word, space; /* the last two: of its first character */
	} rows[] = {
		{"abc", 0, 1, 1, 0},     {"ABC 1", 1, 0, 1, 0}, {"Abc Def", 0, 0, 1, 0},
		{"²", 0, 0, 1, 0},       {"½", 0, 0, 1, 0},     {"日本", 0, 0, 1, 0},
		{"\u00a0", 0, 0, 0, 1},  {"\u2003", 0, 0, 0, 1}, {"\x1c", 0, 0, 0, 1},
		{"ǅ", 0, 0, 1, 0},       {"ª", 0, 1, 1, 0},     {"-", 0, 0, 0, 0},
	};
	size_t len;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct jinja_string s = {.data = rows[i].text, .len = strlen(rows[i].text)};
		uint32_t c = string_char(&s, 0, &len);

		cr_expect_eq(string_is_upper(&s), rows[i].upper, "%s", rows[i].text);
		cr_expect_eq(string_is_lower(&s), rows[i].lower, "%s", rows[i].text);
		cr_expect_eq(char_is_word(c), rows[i].word, "%s", rows[i].text);
		cr_expect_eq(char_is_space(c), rows[i].space, "%s", rows[i].text);
	}
	cr_expect_not(string_is_upper(&string_empty));
	cr_expect_not(string_is_lower(&string_empty));
}
