#include <criterion/criterion.h>

#include <string.h>

#include "base/limits.h"
#include "base/text_find.h"

/* All places, as the bytes that they have, in brackets. */
static void assert_found(const char *wanted, const char *text, const char *expected)
{
	size_t len = strlen(text), start, end = 0;
	struct buf folded = {.max = KIB(4)}, out = {.max = KIB(4)};

	cr_assert_eq(text_find_fold(&folded, wanted, strlen(wanted)), STATUS_OK);
	while (text_find(&folded, text, len, end, &start, &end)) {
		cr_assert(start < end && end <= len);
		buf_printf(&out, "[%.*s]", (int)(end - start), text + start);
	}
	cr_assert_str_eq(buf_text(&out), expected, "'%s' in '%s'", wanted, text);
	buf_free(&folded);
	buf_free(&out);
}

Test(text_find, ignores_case_and_accents)
{
	assert_found("one", "one ONE bone", "[one][ONE][one]");
	assert_found("ECOLE", "l'\xc3\x89" "cole", "[\xc3\x89" "cole]");
	assert_found("\xc3\xa9" "cole", "ecole", "[ecole]");
	assert_found("ete", "e\xcc\x81te\xcc\x81 x", "[e\xcc\x81te\xcc\x81]"); /* marks of their own */
	assert_found("\xe1\xbc\x84\xce\xbb\xcf\x86\xce\xb1", "\xce\x91\xce\x9b\xce\xa6\xce\x91",
	             "[\xce\x91\xce\x9b\xce\xa6\xce\x91]"); /* Greek */
	assert_found("strasse", "Stra\xc3\x9f" "e", "[Stra\xc3\x9f" "e]");
	assert_found("\xc3\x9f", "mass", "[ss]");
	assert_found("fi", "\xef\xac\x81n", "[\xef\xac\x81]"); /* a ligature */
	assert_found("f", "\xef\xac\x81n", "[\xef\xac\x81]");
	assert_found("\xe4\xbd\xa0", "\xe4\xbd\xa0\xe5\xa5\xbd", "[\xe4\xbd\xa0]");
}

Test(text_find, takes_white_space_as_one)
{
	assert_found("two words", "two\nwords two\twords", "[two\nwords][two\twords]");
}

Test(text_find, finds_nothing)
{
	assert_found("", "text", "");
	assert_found("x", "", "");
	assert_found("text", "tex", "");
	assert_found("texts", "text", "");
	assert_found("\xcc\x81", "e\xcc\x81", ""); /* nothing but a mark */
	assert_found("ab", "a", "");
	assert_found("\xff", "\xff\xff", "");
}

Test(text_find, goes_on_behind_a_place)
{
	assert_found("aa", "aaaaa", "[aa][aa]");
	assert_found("aab", "aaab", "[aab]");
	assert_found("b", "a\xff" "b\xc3", "[b\xc3]"); /* ill-formed bytes are nothing, as marks are */
}
