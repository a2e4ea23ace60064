#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/sanitize.h"
#include "base/utf8.h"
#include "support/safe_text.h"

#define TEXT(s) s, sizeof(s) - 1

struct row {
	const char *in;
	size_t len;
	const char *out;
};

static const struct row rows[] = {
	{TEXT("plain text, \t tab\nline"), "plain text, \t tab\nline"},
	{TEXT("a\r\nb\rc\r"), "a\nb^Mc^M"},
	{TEXT("\r\r\n"), "^M\n"},
	{TEXT("\0\1\x1B[31m\x7F"), "^@^A^[[31m^?"},
	{TEXT("\xC2\x80\xC2\x9B\xC2\x9F"), "<80><9B><9F>"},
	{TEXT("\x9B" "31m"), "\uFFFD31m"},
	{TEXT("\x1B]52;c;aGk=\x07"), "^[]52;c;aGk=^G"},
	{TEXT("\xC0\x9B\xE0\x82\x9B"), "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"},
	{TEXT("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD"},
	{TEXT("end \xF0\x9F\x98"), "end \uFFFD"},
	{TEXT("\u202E" "abc"), "<U+202E>abc"},
	{TEXT("a\u200Bb\u00ADc\u180E\u2028\u2029\u2066\uFEFF"), "a<U+200B>b<U+00AD>c<5 hidden>"},
	{TEXT("\u115F\u1160\u3164\uFFA0"), "<4 hidden>"},
	{TEXT("\uE000"), "<U+E000>"},
	{TEXT("\uFDD0"), "<U+FDD0>"},
	{TEXT("\U0010FFFF"), "<U+10FFFF>"},
	{TEXT("\u0378"), "<U+0378>"},
	{TEXT("hi\U000E0041\U000E0042"), "hi<2 hidden>"},
	{TEXT("\U0001F3F4\U000E0067\U000E007F"), "\U0001F3F4<2 hidden>"},
	/* joiners and selectors */
	{TEXT("\u0645\u06CC\u200C\u062E\u0648"), "\u0645\u06CC\u200C\u062E\u0648"},
	{TEXT("\u0915\u094D\u200D\u0937"), "\u0915\u094D\u200D\u0937"},
	{TEXT("a\u200D\u200Db"), "a<2 hidden>b"},
	{TEXT("a\u200D"), "a<U+200D>"},
	{TEXT("\u200Da"), "<U+200D>a"},
	{TEXT("1\u200C2"), "1<U+200C>2"},
	{TEXT("\U0001F469\u200D\U0001F469\u200D\U0001F467"), "\U0001F469\u200D\U0001F469\u200D\U0001F467"},
	{TEXT("\u2764\uFE0F\uFE0F"), "\u2764\uFE0F<U+FE0F>"},
	{TEXT("\uFE0F"), "<U+FE0F>"},
	{TEXT("a\uFE00"), "a<U+FE00>"},
	{TEXT("a\U000E0100\U000E0101\U000E0102"), "a<3 hidden>"},
	{TEXT("1\uFE0F\u20E3"), "1\uFE0F\u20E3"},
	/* marks */
	{TEXT("e\u0301"), "e\u0301"},
	{TEXT("\u0301e"), "<U+0301>e"},
	{TEXT("a\n\u0301"), "a\n<U+0301>"},
	{TEXT("a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0302"),
	 "a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301<2 hidden>"},
	{TEXT("a\u034Fb"), "a<U+034F>b"},
	/* format characters with a shape */
	{TEXT("\u0600\u0661"), "\u0600\u0661"},
};

static void check(const char *in, size_t len, const char *want)
{
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(sanitize_text(&out, in, len), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), want);
	buf_free(&out);
}

Test(sanitize, shows_what_is_hidden_and_keeps_the_rest)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check(rows[i].in, rows[i].len, rows[i].out);
}

Test(sanitize, puts_lines_on_one_line)
{
	struct buf out = {.max = 100};

	cr_assert_eq(sanitize_line(&out, TEXT("a\nb\r\nc\td\re\x1B")), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), "a b c d^Me^[");
	buf_free(&out);
}

/* All code points, alone and behind and between letters; every byte before a
 * stray continuation. */
Test(sanitize, lets_no_code_point_through_that_it_should_not)
{
	struct buf out = {.max = KIB(1)};

	for (uint32_t cp = 0; cp < 0x110000; cp++) {
		char in[UTF8_MAX + 2] = "a";
		size_t n = cp >= 0xD800 && cp < 0xE000 ? 0 : utf8_encode(cp, in + 1);

		if (!n) { /* a surrogate as CESU-8 has it */
			in[1] = (char)(0xE0 | cp >> 12);
			in[2] = (char)(0x80 | (cp >> 6 & 0x3F));
			in[3] = (char)(0x80 | (cp & 0x3F));
			n = 3;
		}
		in[1 + n] = 'b';
		for (int form = 0; form < 3; form++) {
			buf_clear(&out);
			sanitize_text(&out, in + (form == 0), n + (size_t)form);
			cr_assert(safe_text(out.data, out.len), "U+%04X form %d", cp, form);
			cr_assert_gt(out.len, 0, "U+%04X vanished", cp);
		}
		buf_clear(&out);
		sanitize_line(&out, in, n + 2);
		cr_assert(safe_text(out.data, out.len) && !strpbrk(out.data, "\n\t"), "U+%04X", cp);
		cr_assert(out.len > 2, "U+%04X vanished", cp);
	}
	buf_free(&out);
}

/* Sequences that terminals act on, and ones that splitting has slipped past
 * filters elsewhere. */
static const struct {
	const char *bytes;
	size_t n;
} nasty[] = {
	{TEXT("\x1B]52;c;QUJD\x07tail")}, {TEXT("\x1B]52;c;QUJD\x1B\\tail")},
	{TEXT("\x1B]8;;http://x\x1B\\y\x1B]8;;\x1B\\")}, {TEXT("\x1B]0;title\x07")},
	{TEXT("\x1BP$q\"p\x1B\\")}, {TEXT("\x1B[24D\x1B[K")}, {TEXT("\x1B[201~rm -rf\r")},
	{TEXT("\xC2\x9B" "2J")}, {TEXT("\xC2\x9D" "52;c;QUJD\xC2\x9C")}, {TEXT("\x9B\x9D\x90\x9C")},
	{TEXT("\xE2\x80\xAE" "abc\xE2\x80\xAC")}, {TEXT("\r\n\r\r\n\n\r")}, {TEXT("\xE2\x80\r\n\x80")},
	{TEXT("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7x")},
	{TEXT("\xF0\x9F\x91\xA9\xE2\x80\x8D\xE2\x80\x8D\xF0\x9F\x91\xA7")},
	{TEXT("e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81y")},
	{TEXT("\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\xF0\x9F\x87\xAB\xF0\x9F\x87\xB7")},
	{TEXT("\xF3\xA0\x81\x81\xF3\xA0\x81\x82\x1B\xF3\xA0\x81\x83" "a\xF3\xA0\x81\x83")},
	{TEXT("\xE0\xA4\x95\xE0\xA5\x8D\xE2\x80\x8D\xE0\xA4\xB7\xE2\x80\x8C")},
	{TEXT("\xED\xA0\xBD\xED\xB2\xA9\xFE\xFF\xF8\x88\x80\x80\x80")}, {TEXT("\0\0\0")},
};

Test(sanitize, gives_the_same_for_every_split)
{
	for (size_t i = 0; i < sizeof nasty / sizeof *nasty; i++) {
		struct buf whole = {.max = KIB(4)};

		cr_assert_eq(sanitize_text(&whole, nasty[i].bytes, nasty[i].n), STATUS_OK);
		cr_assert(safe_text(whole.data, whole.len));
		for (size_t cut = 0; cut <= nasty[i].n + 1; cut++) {
			struct sanitize_stream stream;
			struct buf out = {.max = KIB(4)};

			sanitize_stream_init(&stream);
			if (cut <= nasty[i].n) {
				sanitize_stream_push(&stream, nasty[i].bytes, cut, &out);
				cr_assert(!out.len || safe_text(out.data, out.len));
				sanitize_stream_push(&stream, nasty[i].bytes + cut, nasty[i].n - cut, &out);
			} else { /* byte by byte */
				for (size_t at = 0; at < nasty[i].n; at++)
					sanitize_stream_push(&stream, nasty[i].bytes + at, 1, &out);
			}
			cr_assert_eq(sanitize_stream_flush(&stream, &out), STATUS_OK);
			cr_assert_str_eq(buf_text(&out), buf_text(&whole), "row %zu cut %zu", i, cut);
			sanitize_stream_deinit(&stream);
			buf_free(&out);
		}
		buf_free(&whole);
	}
}

/* Every prefix of an escape sequence is as harmless as the whole. */
Test(sanitize, unfinished_sequences_are_safe)
{
	for (size_t i = 0; i < sizeof nasty / sizeof *nasty; i++)
		for (size_t n = 1; n <= nasty[i].n; n++) {
			struct buf out = {.max = KIB(4)};

			cr_assert_eq(sanitize_text(&out, nasty[i].bytes, n), STATUS_OK);
			cr_assert(safe_text(out.data, out.len));
			buf_free(&out);
		}
}

static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % n;
}

/* A text of characters from all the sanitiser's classes, some bytes broken. */
static size_t random_text(char *bytes, size_t max)
{
	static const uint32_t alphabet[] = {
		'a', ' ', '\n', '\r', '\t', 0x1B, 0x9B, 0x301, 0x200D, 0x200C, 0xFE0F, 0xE0041,
		0x202E, 0x1F469, 0x1F3FD, 0x1F1E9, 0x4E2D, 0x0915, 0x094D, 0x093F, 0x1100, 0x1161,
		0x11A8, 0x0600, 0x2764,
	};
	size_t n = 0;

	while (n + UTF8_MAX < max) {
		n += utf8_encode(alphabet[random_below(sizeof alphabet / sizeof *alphabet)], bytes + n);
		if (!random_below(20))
			bytes[n - 1] = (char)random_below(256);
	}
	return n;
}

Test(sanitize, any_piece_is_a_place_to_start_and_output_stays_as_it_is)
{
	for (int round = 0; round < 3000; round++) {
		char bytes[80];
		size_t n = random_text(bytes, sizeof bytes), at, expected = 0;
		struct safe_piece piece, again;
		struct buf once = {.max = KIB(8)}, twice = {.max = KIB(8)};

		/* Pieces follow each other without gaps, and a fresh start at any of
		 * them (here: with the text before it cut off) gives the same. */
		for (at = 0; sanitize_next(bytes, n, at, &piece); at = piece.end) {
			cr_assert_eq(piece.start, expected);
			cr_assert_gt(piece.end, piece.start);
			cr_assert(piece.n >= 1 && piece.n <= LIMIT_CLUSTER);
			cr_assert(sanitize_next(bytes + at, n - at, 0, &again));
			cr_assert_eq(again.end, piece.end - at);
			cr_assert_eq(again.kind, piece.kind);
			expected = piece.end;
		}
		cr_assert_eq(expected, n);
		sanitize_text(&once, bytes, n);
		sanitize_text(&twice, once.data, once.len);
		cr_assert_str_eq(buf_text(&once), buf_text(&twice));
		buf_free(&once);
		buf_free(&twice);
	}
}

Test(sanitize, clusters_are_what_a_reader_sees_as_one)
{
	static const struct {
		const char *text;
		unsigned n; /* pieces */
	} clusters[] = {
		{"abc", 3}, {"e\u0301x", 2}, {"\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7", 2},
		{"\U0001F1E9\U0001F1EA\U0001F1EB", 2}, {"\U0001F44D\U0001F3FD", 1},
		{"\U0001F469\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466", 1},
		{"\U0001F469\U0001F3FD\u200D\U0001F33E", 1}, {"\u2764\uFE0F\u200D\U0001F525", 1},
		{"a\U0001F3FD", 2}, {"\u1112\u1161\u11AB", 1}, {"\uD55C\uAE00", 2},
		{"\u0915\u094D\u0937\u093F", 2}, {"\u4E2D\u6587", 2},
	};

	for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
		struct safe_piece piece;
		unsigned n = 0;

		for (size_t at = 0; sanitize_next(clusters[i].text, strlen(clusters[i].text), at, &piece);
		     at = piece.end)
			n++;
		cr_assert_eq(n, clusters[i].n, "row %zu: %u", i, n);
	}
}

/* Time of the processor, not of the clock on the wall: the machine may be busy. */
static uint64_t cpu_now_ms(void)
{
	return (uint64_t)clock() * 1000 / CLOCKS_PER_SEC;
}

/* A MiB of marks on one letter: one bounded cluster, and quickly. */
Test(sanitize, floods_are_cut_short)
{
	static const uint32_t floods[] = {0x0301, 0x200D, 0xE0041, 0x1B, 0x1F469, 0x1161, 0x093F};
#ifdef SOTTO_SANITIZER
	const uint64_t limit_ms = 1500;
#else
	const uint64_t limit_ms = 150; /* of the processor; about 30 on an idle machine */
#endif

	for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
		struct buf in = {.max = MIB(2)}, out;
		char cp[UTF8_MAX];
		size_t n = utf8_encode(floods[i], cp);
		uint64_t start, best = UINT64_MAX;

		buf_puts(&in, "a");
		while (in.len < MIB(1))
			buf_append(&in, cp, n);
		for (int round = 0; round < 5; round++) { /* the machine may be busy */
			buf_init(&out, MIB(8));
			start = cpu_now_ms();
			cr_assert_eq(sanitize_text(&out, in.data, in.len), STATUS_OK);
			start = cpu_now_ms() - start;
			best = start < best ? start : best;
			buf_free(&out);
		}
		cr_assert_leq(best, limit_ms, "U+%04X: %d ms", floods[i], (int)best);
		buf_free(&in);
	}
	/* Byte by byte, too: a run is counted, not held. */
	{
		struct sanitize_stream stream;
		struct buf out = {.max = 100};

		sanitize_stream_init(&stream);
		for (size_t i = 0; i < KIB(256); i++) {
			sanitize_stream_push(&stream, "\xCC", 1, &out);
			sanitize_stream_push(&stream, "\x81", 1, &out);
			cr_assert_leq(stream.held.len, LIMIT_CLUSTER * UTF8_MAX);
		}
		sanitize_stream_flush(&stream, &out);
		cr_assert_str_eq(buf_text(&out), "<262144 hidden>");
		sanitize_stream_deinit(&stream);
		buf_free(&out);
	}
}

/* A spacing mark joins the letter of the "^D" before it when the text is read again. */
Test(sanitize, a_spacing_mark_without_a_base_takes_as_many_marks_as_behind_one)
{
	struct buf text = {.max = KIB(1)}, once = {.max = KIB(1)}, twice = {.max = KIB(1)};

	buf_puts(&text, "\004\340\244\277");
	for (int i = 0; i < 2 * LIMIT_COMBINING; i++)
		buf_puts(&text, "\314\201");
	sanitize_text(&once, text.data, text.len);
	sanitize_text(&twice, once.data, once.len);
	cr_assert_str_eq(buf_text(&once), buf_text(&twice));
	buf_free(&text);
	buf_free(&once);
	buf_free(&twice);
}

Test(sanitize, counts_hidden_characters)
{
	const char *text = "pay\u200Battention\u202E\U000E0041 \x1B e\u0301";

	cr_assert_eq(sanitize_count_hidden(text, strlen(text)), 3);
}
