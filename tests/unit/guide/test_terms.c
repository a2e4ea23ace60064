#include "guide/terms.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"

/* All words of a text, a blank after each. */
static void check(const char *text, const char *expected)
{
	struct terms terms;
	struct buf seen;

	terms_init(&terms);
	buf_init(&seen, KIB(64));
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
	check("How do I SAVE it?", "how do i save it ");
	check("f2;q8", "f2 q8 ");
	check("na\303\257ve \360\237\230\200x", "na ve x ");
	check("\xff\xfe" "a\xe2\x80", "a ");
}

Test(terms, lose_marks_between_letters_and_show_their_parts)
{
	check("top-p", "topp top ");
	check("Ctrl+C", "ctrlc ctrl ");
	check("what's", "whats what ");
	check("what\342\200\231s", "whats what ");
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
	struct terms terms;

	memset(text, ' ', sizeof text);
	memcpy(text + LIMIT_GUIDE_QUESTION - 2, "abcd", 4);
	terms_init(&terms);
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
		{"stopped", "stop"}, {"call", "cal"}, {"2000", "2000"}, {"/models", "/models"},
		{"--themes", "--themes"}, {"", ""},
		{"alte", "alte"}, {"ctrls", "ctrls"}, {"shiftf5", "shiftf5"}, {"altered", "alter"},
		{"shifting", "shift"}, {"alts9", "alts9"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char word[16];
		size_t len = strlen(rows[i][0]);

		memcpy(word, rows[i][0], len + 1);
		word[term_stem(word, len)] = '\0';
		cr_assert_str_eq(word, rows[i][1], "%s: %s", rows[i][0], word);
	}
}

Test(terms, that_are_keys)
{
	static const char *const keys[] = {"alte", "ctrl1", "altf4", "shiftf12", "ctrlf", "f5", "f12"};
	static const char *const others[] = {"", "alt", "alter", "ctrlfx", "f", "fx", "f1x", "shift5f", "ctr", "altf1x"};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		cr_assert(term_is_key(keys[i], strlen(keys[i])), "%s", keys[i]);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		cr_assert(!term_is_key(others[i], strlen(others[i])), "%s", others[i]);
}

static void check_texts(const char *phrase, size_t n, const char *expected)
{
	struct buf text, seen;

	buf_init(&text, KIB(1));
	buf_init(&seen, KIB(4));
	cr_assert_eq(terms_count_texts(phrase), n, "%s", phrase);
	for (size_t i = 0; i < n; i++) {
		cr_assert_eq(terms_nth_text(phrase, i, &text), STATUS_OK);
		buf_printf(&seen, "%s;", buf_text(&text));
	}
	cr_assert_str_eq(buf_text(&seen), expected, "%s", buf_text(&seen));
	buf_free(&text);
	buf_free(&seen);
}

Test(terms, of_a_phrase_with_groups)
{
	check_texts("save it", 1, "save it;");
	check_texts("(a|b) c", 2, "a c;b c;");
	check_texts("chat(s|) (a|b|c)", 6, "chats a;chat a;chats b;chat b;chats c;chat c;");
	check_texts("(one)", 1, "one;");
	check_texts("a) (b ((c|d)", 2, "a) (b (c;a) (b (d;");
	check_texts("(||)", 3, ";;;");
	cr_assert_eq(terms_count_texts("(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)"),
	             LIMIT_GUIDE_EXPANSIONS + 1);
}
