#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "pad.h"
#include "support/random.h"
#include "terminal/cells.h"
#include "terminal/wrap.h"

/* Lines are separated by `|` in what is expected. */
static const struct {
	int cols;
	const char *text, *lines;
} rows[] = {
	{10, "", ""},
	{10, "short", "short"},
	{10, "exactly 10", "exactly 10"},
	{10, "one two three", "one two|three"},
	{10, "one two   three", "one two|three"},
	{10, "0123456789 next", "0123456789|next"},
	{10, "0123456789   ", "0123456789   "},
	{10, "0123456789ABC", "0123456789|ABC"},
	{10, "an 0123456789ABC", "an|0123456789|ABC"},
	{10, "a\nb\n\nc", "a|b||c"},
	{10, "a\n", "a|"},
	{10, "a\r\nb", "a|b"},
	{10, "    indented words", "    indent|ed words"},
	{12, "well-known words", "well-known|words"},
	{8, "well-known", "well-|known"},
	{8, "use --verbose", "use|--verbos|e"},
	{8, "1-2-3-4-5-6", "1-2-3-4-|5-6"},
	{8, "one\u2014two three", "one\u2014two|three"},
	{5, "one\u2014two", "one\u2014|two"},
	{6, "\u4E2D\u6587\u4E2D\u6587", "\u4E2D\u6587\u4E2D|\u6587"},
	{6, "\u4E2D\u6587\u4E2D\u3002", "\u4E2D\u6587|\u4E2D\u3002"},
	{6, "\u4E2D\u6587\uFF08\u4E2D", "\u4E2D\u6587|\uFF08\u4E2D"},
	{6, "ab\u4E2D\u6587x", "ab\u4E2D\u6587|x"},
	{4, "e\u0301e\u0301e\u0301e\u0301e\u0301", "e\u0301e\u0301e\u0301e\u0301|e\u0301"},
	{3, "\U0001F469\u200D\U0001F467", "\U0001F469\u200D\U0001F467"},
	{1, "abc", "a|b|c"},
	{1, "a b", "a|b"},
	{1, "\u4E2D\u6587", "\u4E2D|\u6587"},
	{1, "a\u4E2D" "b", "a|\u4E2D|b"},
	{10, "a\tb c", "a\tb|c"},
	{9, "hi \u202Ethere", "hi|\u202Et|here"},
	{0, "ab", "a|b"},
};

static void append_lines(struct buf *out, const struct wrap *wrap, const char *text)
{
	for (size_t i = 0; i < wrap->n; i++) {
		if (i)
			buf_putc(out, '|');
		buf_append(out, text + wrap->lines[i].start, wrap->lines[i].end - wrap->lines[i].start);
	}
}

Test(wrap, breaks_where_a_reader_would)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct wrap wrap = {.n = 0};
		struct buf out = {.max = 200};

		cr_assert_eq(wrap_update(&wrap, rows[i].text, strlen(rows[i].text), rows[i].cols),
		             STATUS_OK);
		append_lines(&out, &wrap, rows[i].text);
		cr_assert_str_eq(buf_text(&out), rows[i].lines, "row %zu", i);
		buf_free(&out);
		wrap_free(&wrap);
	}
}

static size_t random_text(struct test_random *random, char *bytes, size_t max)
{
	static const uint32_t alphabet[] = {
		'a', 'b', 'c', 'd', ' ', ' ', ' ', '-', '\n', '\t', '\r', 0x1B, 0x301, 0x200D, 0x4E2D,
		0x3002, 0xFF08, 0x1F469, 0x1F3FD, 0x1F1E9, 0x2014, 0xE0041, 0x06CC, 0x200C,
	};
	size_t n = 0;

	while (n + UTF8_MAX < max)
		n += utf8_encode(alphabet[test_random_below(random, sizeof alphabet / sizeof *alphabet)],
		                 bytes + n);
	return n;
}

/* Whatever the text, the width and the way it came in: no line is wider than
 * the width unless it is one cluster, nothing but blanks and newlines is left
 * out, and growing gives what wrapping the whole gives. */
Test(wrap, random_texts_keep_the_rules_and_grow_alike)
{
	struct test_random random = {.state = 7};

	setlocale(LC_CTYPE, "C.UTF-8");
	for (int round = 0; round < 4000; round++) {
		char text[120];
		size_t n = random_text(&random, text, sizeof text), at = 0;
		int cols = 1 + (int)test_random_below(&random, 14);
		struct wrap whole = {.n = 0}, grown = {.n = 0};

		cr_assert_eq(wrap_update(&whole, text, n, cols), STATUS_OK);
		while (at < n) {
			at += 1 + test_random_below(&random, 9);
			at = at < n ? at : n;
			cr_assert_eq(wrap_update(&grown, text, at, cols), STATUS_OK);
		}
		cr_assert_eq(grown.n, whole.n, "round %d", round);
		cr_assert_arr_eq(grown.lines, whole.lines, whole.n * sizeof *whole.lines);
		at = 0;
		for (size_t i = 0; i < whole.n; i++) {
			const struct wrap_line *line = &whole.lines[i];
			struct safe_piece piece;
			int col = 0;

			for (; at < line->start; at++)
				cr_assert(strchr(" \t\r\n", text[at]), "round %d line %zu: cols %d at %zu byte %02X of %u..%u", round, i, cols, at, text[at] & 0xFF, line->start, line->end);
			cr_assert_leq(line->start, line->end);
			while (at < line->end && sanitize_next(text, n, at, &piece)) {
				col += cells_piece_width(&piece, col);
				at = piece.end;
				cr_assert(col <= cols || piece.start == line->start ||
				          (i + 1 == whole.n || strchr(" \t", text[piece.start])),
				          "round %d line %zu: col %d of %d, line %u..%u, piece %zu kind %d U+%04X", round, i, col, cols, line->start, line->end, piece.start, piece.kind, piece.cps[0]);
			}
			cr_assert_eq(at, line->end);
			cr_assert_eq(wrap_find(&whole, line->start), i);
		}
		wrap_free(&whole);
		wrap_free(&grown);
	}
}

/* A text of runs at every width: each cell has the style of the byte that it shows, whichever
 * line that is on. */
Test(wrap, runs_hold_across_breaks)
{
	static const char text[] = "plain bold-bold \u4E2D\u6587\u4E2D end of it\nlonglonglonglong";
	const size_t n = strlen(text), wide = (size_t)(strstr(text, "\u4E2D") - text);
	const struct style_run runs[] = {
		{6, 9, STYLE_HEADING}, {(uint32_t)wide, 6, STYLE_LINK}, {(uint32_t)wide + 6, 3, STYLE_CODE},
		{(uint32_t)(n - 10), 4, STYLE_ERROR},
	};
	const struct text_style style = {STYLE_USER, runs, sizeof runs / sizeof *runs};
	WINDOW *win = pad_open(1, 80);

	for (int cols = 2; cols < 70; cols++) {
		struct wrap wrap = {.n = 0};

		cr_assert_eq(wrap_update(&wrap, text, n, cols), STATUS_OK);
		for (size_t i = 0; i < wrap.n; i++) {
			size_t at = wrap.lines[i].start;
			int x = 0;

			werase(win);
			cells_draw_styled(win, 0, 0, cols, &style, text, n, at, wrap.lines[i].end);
			while (at < wrap.lines[i].end) {
				enum theme_role role = STYLE_USER;
				struct safe_piece piece;

				for (size_t k = 0; k < style.n_runs; k++)
					if (at >= runs[k].from && at < runs[k].from + runs[k].len)
						role = runs[k].role;
				cr_assert(pad_has_role(win, 0, x, role), "width %d, line %zu, column %d", cols, i, x);
				cr_assert(sanitize_next(text, n, at, &piece));
				x += cells_piece_width(&piece, x);
				at = piece.end;
			}
		}
		wrap_free(&wrap);
	}
}
