#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "guide/guide_internal.h"

/* All words of a text, a blank after each. */
static void check(const char *text, const char *expected)
{
	struct terms terms = TERMS_EMPTY;
	struct buf seen = {.max = KIB(64)};

	cr_assert_eq(terms_split(&terms, text, strlen(text)), STATUS_OK);
	for (size_t i = 0; i < terms.n; i++)
		buf_printf(&seen, "%.*s ", (int)terms.items[i].len, terms_word(&terms, i));
	cr_assert_str_eq(buf_text(&seen), expected, "'%s': '%s'", text, buf_text(&seen));
	buf_free(&seen);
	terms_deinit(&terms);
}

Test(terms, are_runs_of_letters_and_digits)
{
	check("", "");
	check(" ?!- . ", "");
	check("How do I SAVE it?", "how do i sav it ");
	check("f2;q8", "f2 q8 ");
	check("na\303\257ve \360\237\230\200x", "na ve x ");
	check("\xff\xfe" "a\xe2\x80", "a ");
}

Test(terms, lose_marks_between_letters_and_show_their_parts)
{
	check("top-p", "topp top ");
	check("Ctrl+C", "ctrlc ctrl ");
	check("what's", "whats what ");
	check("q4_k_m llama.cpp", "q4km llamacpp llama cpp ");
	check("a- -b +c c++ d--e", "a -b b c c d e ");
}

Test(terms, have_the_mark_of_a_command_or_an_option_too)
{
	check("/model (-m \"--top-k '/quit", "/model model -m m --top-k topk top /quit quit ");
	check("x/model a-/b ---c /-d", "x model a b c d ");
}

Test(terms, end_at_the_limit)
{
	static char text[LIMIT_GUIDE_QUESTION + 16];
	struct terms terms = TERMS_EMPTY;

	memset(text, ' ', sizeof text);
	memcpy(text + LIMIT_GUIDE_QUESTION - 2, "abcd", 4);
	cr_assert_eq(terms_split(&terms, text, sizeof text), STATUS_OK);
	cr_assert_eq(terms.n, 1);
	cr_assert_eq(terms.items[0].len, 2);
	terms_deinit(&terms);
}

Test(terms, lose_their_endings)
{
	static const char *const rows[][2] = {
		{"copies", "copy"}, {"ties", "tie"}, {"saving", "sav"}, {"king", "king"},
		{"saved", "sav"}, {"red", "red"}, {"keys", "key"}, {"less", "les"}, {"gas", "gas"},
		{"quickly", "quick"}, {"only", "only"}, {"theme", "them"}, {"the", "the"},
		{"stopped", "stop"}, {"call", "cal"}, {"2000", "2000"}, {"altered", "alter"},
	};
	char expected[16];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snprintf(expected, sizeof expected, "%s ", rows[i][1]);
		check(rows[i][0], expected);
	}
}

Test(terms, that_are_joined_or_names_have_no_endings)
{
	check("/models --themes", "/models model --themes them ");
	check("alt+s Ctrl+E", "alts alt ctrle ctrl ");
	check("e-mails", "emails mail ");
}

Test(terms, are_cut_at_the_limit_of_a_word)
{
	char text[3 * LIMIT_GUIDE_WORD], expected[2 * LIMIT_GUIDE_WORD];
	struct terms terms = TERMS_EMPTY;

	memset(text, '7', sizeof text);
	text[sizeof text - 1] = '\0';
	snprintf(expected, sizeof expected, "%.*s ", LIMIT_GUIDE_WORD, text);
	check(text, expected);
	text[LIMIT_GUIDE_WORD / 2] = '-'; /* what is joined, and its parts */
	cr_assert_eq(terms_split(&terms, text, strlen(text)), STATUS_OK);
	cr_assert_eq(terms.n, 3);
	cr_assert_eq(terms.items[0].len, LIMIT_GUIDE_WORD);
	cr_assert_eq(terms.items[1].len, LIMIT_GUIDE_WORD / 2);
	cr_assert_eq(terms.items[2].len, LIMIT_GUIDE_WORD);
	terms_deinit(&terms);
}
