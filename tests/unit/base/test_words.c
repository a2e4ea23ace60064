#include "base/words.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"

/* All words of a line, each in brackets. */
static void check(const char *line, const char *expected)
{
	struct buf word = {.max = KIB(1)}, seen = {.max = KIB(1)};
	struct error err;
	size_t len = strlen(line);
	bool found;

	for (;;) {
		cr_assert_eq(words_next(&line, &len, &word, &found, &err), STATUS_OK);
		if (!found)
			break;
		buf_printf(&seen, "[%s]", buf_text(&word));
	}
	cr_assert_str_eq(buf_text(&seen), expected);
	buf_free(&word);
	buf_free(&seen);
}

Test(words, are_parted_at_blanks_outside_quotes)
{
	check("", "");
	check("  \t ", "");
	check("a bc  d ", "[a][bc][d]");
	check("a='b c' d", "[a=b c][d]");
	check("\"a \\\"b\\\" \\\\\" x", "[a \"b\" \\][x]");
	check("'a \\ \"b\"'", "[a \\ \"b\"]");
	check("a\\ b", "[a b]");
	check("'' x", "[][x]");
	check("a\"b\"'c'd", "[abcd]");
	check("end\\", "[end\\]");
}

Test(words, an_open_quote_is_an_error)
{
	const char *line = "a 'b";
	size_t len = strlen(line);
	struct error err;
	struct buf word = {.max = KIB(1)};
	bool found;

	cr_assert_eq(words_next(&line, &len, &word, &found, &err), STATUS_OK);
	cr_assert_eq(words_next(&line, &len, &word, &found, &err), STATUS_USAGE);
	cr_assert(strstr(err.text, "unclosed quote"));
	buf_free(&word);
}

Test(words, what_is_put_comes_back)
{
	static const char *const words[] = {"plain", "", "two words", "\"", "'", "\\", "a\\\"b' c\n\t", "k=v"};
	enum { N = sizeof words / sizeof words[0] };
	struct buf line = {.max = KIB(1)}, word = {.max = KIB(1)};
	struct error err;
	const char *at;
	size_t len;
	bool found;

	for (size_t i = 0; i < N; i++)
		cr_assert_eq(words_put(&line, words[i], strlen(words[i])), STATUS_OK);
	at = buf_text(&line);
	len = line.len;
	for (size_t i = 0; i < N; i++) {
		cr_assert_eq(words_next(&at, &len, &word, &found, &err), STATUS_OK);
		cr_assert(found);
		cr_assert_str_eq(buf_text(&word), words[i]);
	}
	cr_assert_eq(words_next(&at, &len, &word, &found, &err), STATUS_OK);
	cr_assert_not(found);
	buf_free(&line);
	buf_free(&word);
}

Test(words, a_list_has_a_word)
{
	cr_assert(words_have("exit bye q", "bye", 3));
	cr_assert(words_have("exit bye q", "q", 1));
	cr_assert(!words_have("exit bye q", "by", 2) && !words_have("exit bye q", "byes", 4));
	cr_assert(!words_have("", "q", 1) && !words_have(NULL, "q", 1));
}

Test(words, may_have_the_escapes_of_c)
{
	static const struct {
		const char *text, *words[4];
	} rows[] = {
		{"", {NULL}},
		{"  ", {NULL}},
		{"\\n \\t", {"\n", "\t"}},
		{"'\\n' \"\\n\" a\\nb", {"\n", "\n", "a\nb"}},
		{"\"\\\\n\"", {"\n"}}, /* as words_put quotes a flag's \n */
		{"'a b' c\\ d", {"a b", "c d"}},
		{"'' x", {"", "x"}},
		{"\"not closed", {"not closed"}},
		{"end\\", {"end\\"}},
		{"'\\x'", {"\\x"}},
	};
	struct buf word = {.max = 64};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *text = rows[i].text;

		for (size_t w = 0; rows[i].words[w]; w++) {
			cr_assert(words_next_escaped(&text, &word), "%s", rows[i].text);
			cr_expect_str_eq(buf_text(&word), rows[i].words[w], "%s: %s", rows[i].text, buf_text(&word));
		}
		cr_expect(!words_next_escaped(&text, &word), "%s", rows[i].text);
	}
	buf_free(&word);
}
