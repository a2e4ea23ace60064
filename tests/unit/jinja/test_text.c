#include "jinja/text.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"

static struct arena arena;

static void set_up(void)
{
	arena_init(&arena, MIB(64));
}

static void tear_down(void)
{
	arena_free(&arena);
}

TestSuite(text, .init = set_up, .fini = tear_down);

/* "ä" and "€" and letters, each character its own source by its place. */
static const struct jinja_string *mixed(size_t n)
{
	static const char *const chars[] = {"a", "ä", "€", "😀", "z"};
	struct text text;

	text_init(&text, &arena, SIZE_MAX - 1);
	for (size_t i = 0; i < n; i++)
		text_append(&text, chars[i % 5], strlen(chars[i % 5]), (uint32_t)(i / 3));
	return text_finish(&text);
}

/* What every string must be. */
static void check(const struct jinja_string *string)
{
	size_t begin = 0, chars = 0;

	cr_assert_not_null(string);
	cr_assert_neq(string->n_runs, 1);
	for (size_t i = 0; i < string->n_runs; i++) {
		cr_assert(string->runs[i].end > begin);
		if (i)
			cr_assert_neq(string->runs[i].source, string->runs[i - 1].source);
		begin = string->runs[i].end;
	}
	if (string->n_runs)
		cr_assert_eq(begin, string->len);
	for (size_t i = 0; i < string->len; i++)
		chars += (string->data[i] & 0xC0) != 0x80;
	cr_assert_eq(chars, string->n_chars);
	cr_assert_eq(string->data[string->len], '\0');
}

Test(text, neighbours_of_one_source_are_one_run)
{
	struct text text;
	const struct jinja_string *string;

	text_init(&text, &arena, SIZE_MAX - 1);
	text_append(&text, "ab", 2, 1);
	text_append(&text, "", 0, 7);
	text_append(&text, "c", 1, 1);
	text_puts(&text, "d");
	string = text_finish(&text);
	check(string);
	cr_assert_eq(string->n_runs, 2);
	cr_assert_eq(string->runs[0].end, 3);
	cr_assert_eq(string_source_at(string, 2), 1);
	cr_assert_eq(string_source_at(string, 3), 0);
}

Test(text, every_part_keeps_its_sources)
{
	const struct jinja_string *string = mixed(40), *part, *joined;
	size_t from, to;

	check(string);
	for (size_t i = 0; i <= 40; i++) {
		for (size_t j = i; j <= 40; j++) {
			from = string_offset(string, i);
			to = string_offset(string, j);
			part = string_part(&arena, string, from, to);
			check(part);
			cr_assert_eq(part->len, to - from);
			cr_assert_arr_eq(part->data, string->data + from, part->len);
			for (size_t k = 0; k < part->len; k++)
				cr_assert_eq(string_source_at(part, k),
				             string_source_at(string, from + k));
		}
		part = string_part(&arena, string, 0, from);
		joined = string_concat(&arena, part,
		                       string_part(&arena, string, from, string->len));
		check(joined);
		cr_assert_eq(string_compare(joined, string), 0);
		cr_assert_eq(joined->n_runs, string->n_runs);
		for (size_t k = 0; k < string->n_runs; k++) {
			cr_assert_eq(joined->runs[k].end, string->runs[k].end);
			cr_assert_eq(joined->runs[k].source, string->runs[k].source);
		}
	}
}

Test(text, offsets_count_characters_from_either_end)
{
	const struct jinja_string *string = mixed(23);
	size_t at = 0, len;

	for (size_t i = 0; i < 23; i++) {
		cr_assert_eq(string_offset(string, i), at);
		(void)string_char(string, at, &len);
		at += len;
	}
	cr_assert_eq(string_offset(string, 23), string->len);
	cr_assert_eq(string_char(string, string_offset(string, 3), &len), 0x1F600);
}

Test(text, the_bound_is_exact_and_sticks)
{
	struct text text;

	text_init(&text, &arena, 5);
	text_append(&text, "abcde", 5, 0);
	cr_assert_eq(text.status, STATUS_OK);
	text_append(&text, "f", 1, 0);
	cr_assert_eq(text.status, STATUS_LIMIT);
	text_append(&text, "", 0, 0);
	cr_assert_eq(text.len, 5);
	cr_assert_null(text_finish(&text));
}

Test(text, without_memory_nothing_is_added)
{
	struct arena small;
	struct text text;

	arena_init(&small, 20 << 10);
	text_init(&text, &small, SIZE_MAX - 1);
	for (int i = 0; i < 5000; i++)
		text_append(&text, "0123456789", 10, (uint32_t)i);
	cr_assert_eq(text.status, STATUS_LIMIT);
	cr_assert_null(text_finish(&text));
	cr_assert_null(string_new(&small, "x", 1, 0));
	cr_assert_null(string_new(&small, "", 0, 0));
	arena_free(&small);
}

Test(text, finding_and_comparing)
{
	const struct jinja_string *hay = string_new(&arena, "abcabcä", 8, 0);
	const struct jinja_string *needle = string_new(&arena, "bc", 2, 0);

	cr_assert_eq(string_find(hay, needle, 0), 1);
	cr_assert_eq(string_find(hay, needle, 2), 4);
	cr_assert_eq(string_find(hay, needle, 5), SIZE_MAX);
	cr_assert_eq(string_find(hay, &string_empty, 8), 8);
	cr_assert_eq(string_find(hay, &string_empty, 9), SIZE_MAX);
	cr_assert(string_compare(needle, hay) > 0);
	cr_assert(string_compare(&string_empty, hay) < 0);
	cr_assert(string_compare(string_new(&arena, "\xEF\xBF\xBF", 3, 0),
	                         string_new(&arena, "\xF0\x90\x80\x80", 4, 0)) < 0);
	cr_assert(string_equals(needle, "bc"));
	cr_assert_not(string_equals(needle, "bcd"));
}

/* "{% set text = text ~ piece %}" in a loop. */
Test(text, appending_to_a_long_text_is_cheap)
{
	const struct jinja_string *piece = string_new(&arena, "0123456789", 10, 1);
	const struct jinja_string *before, *branch;
	const struct jinja_string *string = &string_empty;

	for (size_t i = 0; i < 20000; i++) {
		before = string;
		string = string_concat(&arena, string, piece);
		cr_assert_not_null(string);
		cr_assert_eq(string->len, 10 * (i + 1));
		cr_assert_eq(before->len, 10 * i);
	}
	check(string);
	cr_assert(arena.used < MIB(4));
	/* Two strings grow out of one: only one of them in place. */
	branch = string_concat(&arena, before, string_new(&arena, "abcdefghi\xC3\xA4", 11, 2));
	check(string);
	check(branch);
	cr_assert_eq(branch->n_chars, string->len);
	cr_assert_arr_eq(string->data + before->len, "0123456789", 10);
	cr_assert_arr_eq(branch->data + before->len, "abcdefghi", 9);
	cr_assert_eq(string_source_at(branch, before->len), 2);
	cr_assert_eq(string_source_at(branch, before->len - 1), 1);
}

Test(text, long_texts_keep_their_sources)
{
	const struct jinja_string *string = mixed(400), *grown = &string_empty;

	for (size_t i = 0; i < 400; i++)
		grown = string_concat(&arena, grown,
		                      string_part(&arena, string, string_offset(string, i),
		                                  string_offset(string, i + 1)));
	check(grown);
	cr_assert_eq(string_compare(grown, string), 0);
	cr_assert_eq(grown->n_runs, string->n_runs);
	for (size_t i = 0; i < string->len; i++)
		cr_assert_eq(string_source_at(grown, i), string_source_at(string, i));
}
