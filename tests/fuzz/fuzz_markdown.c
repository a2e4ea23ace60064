/* Any bytes as Markdown at any width: rows and runs are in order and in bounds, no row is wider than
 * the screen, no letter is lost, and a text that arrives in pieces ends up as one that came at
 * once. */
#include <locale.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "markdown/markdown.h"
#include "markdown/markdown_links.h"

static void check_row(const struct markdown *markdown, const struct markdown_row *row)
{
	const char *bytes = markdown->text.data + row->from;
	size_t n = row->to - row->from;
	struct safe_piece piece;
	int col = 0, width = 0;

	FUZZ_CHECK(!memchr(bytes, '\n', n));
	for (size_t at = 0; sanitize_next(bytes, n, at, &piece); at = piece.end) {
		width = cells_piece_width(&piece, col);
		col += width;
	}
	/* A piece that is wider than the line has one of its own. */
	FUZZ_CHECK(col <= markdown->cols || col - width <= markdown->cols / 2);
}

static void check(const struct markdown *markdown, size_t len)
{
	size_t at = 0;

	for (size_t i = 0; i < markdown->n_rows; i++) {
		const struct markdown_row *row = &markdown->rows[i];

		FUZZ_CHECK(row->from >= at && row->to >= row->from && row->to < markdown->text.len);
		FUZZ_CHECK(row->source <= len);
		at = row->to + 1;
		check_row(markdown, row);
	}
	at = 0;
	for (size_t i = 0; i < markdown->n_runs; i++) {
		const struct style_run *run = &markdown->runs[i];

		FUZZ_CHECK(run->from >= at && run->len && (unsigned)run->role < THEME_ROLE_COUNT);
		at = (size_t)run->from + run->len;
		FUZZ_CHECK(at <= markdown->text.len);
	}
}

static bool has(const char *text, size_t n, const char *what)
{
	size_t len = strlen(what);

	for (size_t i = 0; i + len <= n; i++)
		if (memcmp(text + i, what, len) == 0)
			return true;
	return false;
}

/* Letters of entities become characters, a link's target is left out where its text says it, and <br>
 * ends a line of a table's cell. */
static void check_letters(const struct markdown *markdown, const char *text, size_t n)
{
	size_t counts[256] = {0};

	if (has(text, n, "&") || has(text, n, "](") || (has(text, n, "|") && has(text, n, "<")))
		return;
	for (size_t i = 0; i < markdown->text.len; i++)
		counts[(unsigned char)markdown->text.data[i]]++;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
			FUZZ_CHECK(counts[c]-- > 0);
	}
}

static void check_same(const struct markdown *a, const struct markdown *b)
{
	FUZZ_CHECK(a->n_rows == b->n_rows && a->n_runs == b->n_runs && a->text.len == b->text.len);
	FUZZ_CHECK(!a->text.len || memcmp(a->text.data, b->text.data, a->text.len) == 0);
	FUZZ_CHECK(!a->n_rows || memcmp(a->rows, b->rows, a->n_rows * sizeof *a->rows) == 0);
	FUZZ_CHECK(!a->n_runs || memcmp(a->runs, b->runs, a->n_runs * sizeof *a->runs) == 0);
}

static void check_links(const char *text, size_t n)
{
	struct markdown_links links = {.n = 0};

	FUZZ_CHECK(markdown_links_find(&links, text, n) == STATUS_OK);
	for (size_t i = 0; i < links.n; i++)
		FUZZ_CHECK(links.items[i].start <= links.items[i].end && links.items[i].end <= n &&
		           links.items[i].target);
	markdown_links_free(&links);
}

/* The first byte is the width, the second how long the pieces are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct markdown whole = {0}, grown = {0};
	const char *text = (const char *)data + 2;
	size_t n = size > 2 ? size - 2 : 0, at = 0;
	int cols;

	if (size < 2)
		return 0;
	setlocale(LC_CTYPE, "C.UTF-8");
	cols = 1 + data[0] % 120;
	FUZZ_CHECK(markdown_update(&whole, text, n, false, cols, data[0] > 127) == STATUS_OK);
	check(&whole, n);
	check_letters(&whole, text, n);
	check_links(text, n);
	while (at < n) {
		size_t step = n / 16 + 1 + data[1] % 32;

		at = step < n - at ? at + step : n;
		FUZZ_CHECK(markdown_update(&grown, text, at, true, cols, data[0] > 127) == STATUS_OK);
		check(&grown, at);
	}
	FUZZ_CHECK(markdown_update(&grown, text, n, false, cols, data[0] > 127) == STATUS_OK);
	check_same(&whole, &grown);
	markdown_free(&whole);
	markdown_free(&grown);
	return 0;
}
