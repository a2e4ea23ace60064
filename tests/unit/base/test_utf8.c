#include <criterion/criterion.h>
#include <string.h>

#include "base/utf8.h"

Test(utf8, a_cut_is_between_characters)
{
	static const char text[] = "a\xc3\xa4\xe2\x82\xac";

	cr_assert_eq(utf8_cut(text, 6, 6), 6);
	cr_assert_eq(utf8_cut(text, 6, 99), 6);
	cr_assert_eq(utf8_cut(text, 6, 5), 3);
	cr_assert_eq(utf8_cut(text, 6, 2), 1);
	cr_assert_eq(utf8_cut("", 0, 5), 0);
	cr_assert_eq(utf8_cut("\x80\x80", 2, 1), 0);
}

Test(utf8, encodes_and_decodes_every_scalar_value)
{
	for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
		char bytes[UTF8_MAX];
		size_t n = utf8_encode(cp, bytes);
		int32_t back;

		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		cr_assert_eq(utf8_decode(bytes, n, &back), n);
		cr_assert_eq((uint32_t)back, cp);
		if (n > 1) {
			utf8_decode(bytes, n - 1, &back);
			cr_assert_eq(back, -2, "U+%04X cut short is a prefix", cp);
		}
	}
}

/* Unicode 15, table 3-8 and its kin: what each becomes. */
static const struct {
	const char *bytes, *repaired;
} ill_formed[] = {
	{"a\xC0\xAF" "b", "a\uFFFD\uFFFDb"},
	{"\xE0\x80\x80", "\uFFFD\uFFFD\uFFFD"},
	{"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
	{"\xF0\x80\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
	{"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
	{"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF" "A", "\uFFFD\uFFFD\uFFFD\uFFFDA"},
	{"\xF5\xFF\x80", "\uFFFD\uFFFD\uFFFD"},
	{"\xE2\x82", "\uFFFD"},
	{"\xE2\x82\xAC\xE2\x82", "\u20AC\uFFFD"},
};

Test(utf8, repairs_nul)
{
	struct utf8_stream stream = {.n_held = 0};
	struct buf out = {.max = 1000};

	utf8_repair(&out, "a\0b\xE2\0", 5);
	cr_expect_str_eq(buf_text(&out), "a\uFFFDb\uFFFD\uFFFD");
	buf_clear(&out);
	utf8_stream_push(&stream, "a\0b\xE2", 4, &out);
	utf8_stream_push(&stream, "\0", 1, &out);
	cr_expect_str_eq(buf_text(&out), "a\uFFFDb\uFFFD\uFFFD");
	buf_free(&out);
}

Test(utf8, repairs_by_maximal_subparts_whole_and_in_chunks)
{
	for (size_t i = 0; i < sizeof ill_formed / sizeof *ill_formed; i++) {
		const char *bytes = ill_formed[i].bytes;
		size_t n = strlen(bytes);
		struct buf out = {.max = 1000};

		utf8_repair(&out, bytes, n);
		cr_assert_str_eq(buf_text(&out), ill_formed[i].repaired, "case %zu", i);
		cr_assert_not(utf8_valid(bytes, n));
		for (size_t a = 0; a <= n; a++)
			for (size_t b = a; b <= n; b++) {
				struct utf8_stream stream = {.n_held = 0};

				buf_clear(&out);
				utf8_stream_push(&stream, bytes, a, &out);
				utf8_stream_push(&stream, bytes + a, b - a, &out);
				utf8_stream_push(&stream, bytes + b, n - b, &out);
				utf8_stream_flush(&stream, &out);
				cr_assert_str_eq(buf_text(&out), ill_formed[i].repaired,
				                 "case %zu cut at %zu, %zu", i, a, b);
			}
		buf_free(&out);
	}
}
