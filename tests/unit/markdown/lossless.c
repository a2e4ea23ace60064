#include "unit/markdown/lossless.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/sanitize.h"
#include "markdown/markdown.h"
#include "support/safe_text.h"

void lossless_screen(struct buf *out, const char *text, size_t len, int cols)
{
	struct markdown markdown = {0};

	buf_init(out, MIB(4));
	cr_assert_eq(markdown_update(&markdown, text, len, false, cols, false), STATUS_OK);
	for (size_t i = 0; i < markdown.n_rows; i++) {
		const char *row = markdown.text.data + markdown.rows[i].from;
		size_t n = markdown.rows[i].to - markdown.rows[i].from;

		cr_expect_leq(cells_width(row, n), cols, "too wide: %.*s", (int)n, row);
		sanitize_line(out, row, n);
		buf_putc(out, '\n');
	}
	cr_assert_eq(buf_status(out), STATUS_OK);
	cr_expect(safe_text(buf_text(out), out->len), "%.*s", (int)len, text);
	markdown_free(&markdown);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Letters and digits; all that is beyond ASCII counts as such. */
static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || (c & 0x80);
}

/* The end of an entity that begins at `at`; `at` if there is none. */
static size_t entity_end(const char *text, size_t len, size_t at)
{
	size_t end = at + 1;

	if (text[at] != '&')
		return at;
	while (end < len && (is_letter(text[end]) || text[end] == '#'))
		end++;
	return end < len && text[end] == ';' && end > at + 1 ? end : at;
}

/* The end of an ordered list's number that begins at `at`. */
static size_t number_end(const char *text, size_t len, size_t at)
{
	size_t end = at;

	if (at && strchr(" \t\n>", text[at - 1]) == NULL)
		return at;
	while (end < len && is_digit(text[end]))
		end++;
	if (end == at || end == len || (text[end] != '.' && text[end] != ')'))
		return at;
	return end + 1 == len || strchr(" \t\n", text[end + 1]) ? end : at;
}

/* Behind "[text](text", where the two are the same, or a domain and what completes it. */
static size_t repeated_end(const char *text, size_t len, size_t at)
{
	static const char *const before[] = {"", "http://", "mailto:"};
	size_t open = at;

	if (text[at] != ']' || at + 1 >= len || text[at + 1] != '(')
		return at;
	while (open && text[open - 1] != '[')
		open--;
	for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
		size_t n = strlen(before[i]);

		if (at + 2 + n + at - open < len && memcmp(text + at + 2, before[i], n) == 0 &&
		    memcmp(text + at + 2 + n, text + open, at - open) == 0)
			return at + 2 + n + at - open;
	}
	return at;
}

bool lossless_has_source(const char *screen, const char *source, size_t len)
{
	size_t counts[256] = {0};

	for (; *screen; screen++)
		counts[(unsigned char)*screen]++;
	for (size_t at = 0, end; at < len; at = end + 1) {
		end = entity_end(source, len, at);
		if (end == at)
			end = number_end(source, len, at);
		if (end == at)
			end = repeated_end(source, len, at);
		if (end == at && is_letter(source[at]) && !counts[(unsigned char)source[at]]--)
			return false;
	}
	return true;
}

/* The bytes of the character. */
static size_t character(const char *text)
{
	size_t n = 1;

	if (*text & 0x80)
		while ((text[n] & 0xC0) == 0x80)
			n++;
	return n;
}

bool lossless_has_text(const char *screen, const char *text, const char *source)
{
	char wanted[8];
	size_t n;

	for (; *text; text += n) {
		n = character(text);
		snprintf(wanted, sizeof wanted, "%.*s", (int)n, text);
		if (!is_letter(*text) || (n > 1 && !strstr(source, wanted)))
			continue;
		screen = strstr(screen, wanted);
		if (!screen)
			return false;
		screen += n;
	}
	return true;
}

/* Whether a row ends with the line, tabs as blanks and blanks at their ends aside. */
static bool has_line(const char *screen, const char *line, size_t len)
{
	char wanted[4096];
	size_t n = 0;

	for (size_t i = 0; i < len && n + CELLS_TAB < sizeof wanted; i++) {
		if (line[i] == '\t')
			do
				wanted[n++] = ' ';
			while (cells_width(wanted, n) % CELLS_TAB);
		else
			wanted[n++] = line[i];
	}
	while (n && wanted[n - 1] == ' ')
		n--;
	while (*screen) {
		const char *newline = strchr(screen, '\n');
		size_t row = (size_t)(newline - screen);

		while (row && screen[row - 1] == ' ')
			row--;
		if (row >= n && memcmp(screen + row - n, wanted, n) == 0)
			return true;
		screen = newline + 1;
	}
	return false;
}

bool lossless_has_code(const char *screen, const char *code, bool cut)
{
	for (const char *end; *code; code = *end ? end + 1 : end) {
		end = code + strcspn(code, "\n");
		if (!cut && !has_line(screen, code, (size_t)(end - code)))
			return false;
		for (; cut && code < end; code++) {
			if (*code == ' ' || *code == '\t')
				continue;
			screen = strchr(screen, *code);
			if (!screen)
				return false;
			screen++;
		}
	}
	return true;
}
