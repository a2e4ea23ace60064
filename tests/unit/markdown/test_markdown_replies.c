/* Typical replies as they are to look: tests/vectors/markdown/NAME.md and, in NAME.txt, its rows at 80
 * and 40 columns, and at 40 without colours. A row begins with '|'; below it, after a ':', stands which
 * of its columns have a style, by the letters of `letters`.
 *
 * SOTTO_UPDATE_VECTORS=1 writes the files anew: look at what has changed. */
#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sanitize.h"
#include "chat/code_blocks.h"
#include "markdown/markdown.h"
#include "support/folder.h"

static const char *const replies[] = {
	"cjk", "code", "config", "dialogue", "diff", "emoji", "explanation", "footnotes",
	"headings", "html", "json", "languages", "links", "lists", "longtable", "longwords", "mail",
	"maths", "mixed", "nested", "proof", "proscons", "python", "quotes", "recipe", "review",
	"rtl", "rust", "shell", "sql", "story", "summary", "table", "tags", "tasks", "thinking",
	"tree", "unclosed", "untidy", "web",
};

static const char letters[THEME_ROLE_COUNT] = {
	[STYLE_CODE] = 'c', [STYLE_CODE_KEYWORD] = 'k', [STYLE_CODE_STRING] = 's', [STYLE_CODE_COMMENT] = '#',
	[STYLE_STRONG] = 'B', [STYLE_EMPHASIS] = 'I', [STYLE_STRONG_EMPHASIS] = 'X', [STYLE_STRUCK] = '~', [STYLE_QUOTE] = 'q', [STYLE_HEADING] = 'H',
	[STYLE_LINK] = 'L', [STYLE_HINT] = '-',
};

static void put_row(struct buf *out, const struct markdown *markdown, const struct markdown_row *row,
                    bool styled)
{
	struct safe_piece piece;
	char roles[256];
	int n = 0, col = 0;
	size_t run = 0;

	buf_putc(out, '|');
	for (size_t at = row->from; at < row->to; at = piece.end) {
		char letter = ' ';

		cr_assert(sanitize_next(markdown->text.data, markdown->text.len, at, &piece));
		sanitize_append(out, &piece, true);
		while (run < markdown->n_runs && markdown->runs[run].from + markdown->runs[run].len <= at)
			run++;
		if (run < markdown->n_runs && markdown->runs[run].from <= at)
			letter = letters[markdown->runs[run].role];
		for (int width = cells_piece_width(&piece, col); width > 0 && col < (int)sizeof roles; width--)
			roles[col++] = letter;
		if (letter != ' ')
			n = col;
	}
	buf_putc(out, '\n');
	if (n && styled) {
		buf_putc(out, ':');
		buf_append(out, roles, (size_t)n);
		buf_putc(out, '\n');
	}
}

static void put_rows(struct buf *out, const char *text, size_t len, int cols, bool styled)
{
	struct markdown markdown = {0};

	buf_printf(out, "--- %d columns%s\n", cols, styled ? "" : ", no colours");
	cr_assert_eq(markdown_update(&markdown, text, len, false, cols, !styled), STATUS_OK);
	for (size_t i = 0; i < markdown.n_rows; i++)
		put_row(out, &markdown, &markdown.rows[i], styled);
	markdown_free(&markdown);
}

static char *read_file(const char *path, size_t *len)
{
	char *text = calloc(1, KIB(64));
	FILE *file = fopen(path, "r");

	cr_assert_not_null(file, "%s", path);
	*len = fread(text, 1, KIB(64) - 1, file);
	fclose(file);
	return text;
}

static void check(const char *name)
{
	char path[300];
	char *text, *wanted;
	struct buf out = {.max = MIB(1)};
	size_t len, n_wanted;

	snprintf(path, sizeof path, TEST_SRCDIR "/tests/vectors/markdown/%s.md", name);
	text = read_file(path, &len);
	while (len && text[len - 1] == '\n')
		len--;
	put_rows(&out, text, len, 80, true);
	put_rows(&out, text, len, 40, true);
	put_rows(&out, text, len, 40, false);
	cr_assert_eq(buf_status(&out), STATUS_OK);
	snprintf(path, sizeof path, TEST_SRCDIR "/tests/vectors/markdown/%s.txt", name);
	if (getenv("SOTTO_UPDATE_VECTORS"))
		write_bytes(path, out.data, out.len);
	wanted = read_file(path, &n_wanted);
	cr_expect_str_eq(buf_text(&out), wanted, "%s looks otherwise now:\n%s", path, buf_text(&out));
	free(wanted);
	free(text);
	buf_free(&out);
}

Test(markdown_replies, look_as_they_did)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++)
		check(replies[i]);
}

/* Each of them byte by byte: the rows at the end are the same, and those above the last segments never
 * change. */
Test(markdown_replies, are_the_same_as_they_grow)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++) {
		struct markdown whole = {0}, grown = {0};
		char path[300];
		size_t len;
		char *text;

		snprintf(path, sizeof path, TEST_SRCDIR "/tests/vectors/markdown/%s.md", replies[i]);
		text = read_file(path, &len);
		cr_assert_eq(markdown_update(&whole, text, len, false, 60, false), STATUS_OK);
		for (size_t at = 1; at <= len; at++)
			cr_assert_eq(markdown_update(&grown, text, at, true, 60, false), STATUS_OK);
		cr_assert_geq(grown.sure.text, 1, "%s", replies[i]);
		cr_assert_eq(memcmp(grown.text.data, whole.text.data, grown.sure.text), 0, "%s", replies[i]);
		cr_assert_eq(markdown_update(&grown, text, len, false, 60, false), STATUS_OK);
		cr_assert_str_eq(grown.text.data, whole.text.data);
		cr_assert_eq(grown.n_runs, whole.n_runs);
		cr_assert_eq(grown.n_rows, whole.n_rows);
		markdown_free(&whole);
		markdown_free(&grown);
		free(text);
	}
}

/* /copy 2 takes the block that has the 2. */
Test(markdown_replies, number_their_code_blocks_as_they_are_copied)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++) {
		struct markdown markdown = {0};
		char path[300];
		size_t len;
		char *text;

		snprintf(path, sizeof path, TEST_SRCDIR "/tests/vectors/markdown/%s.md", replies[i]);
		text = read_file(path, &len);
		strcat(text, "\n\nThe end.\n\n"); /* so that all before it is sure */
		len = strlen(text);
		cr_assert_eq(markdown_update(&markdown, text, len, false, 80, false), STATUS_OK);
		cr_expect_eq(markdown.sure.n_code, code_blocks_count(text, len), "%s: %u", replies[i],
		             (unsigned)markdown.sure.n_code);
		markdown_free(&markdown);
		free(text);
	}
}
