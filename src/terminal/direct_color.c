#include "terminal/direct_color.h"

#include <curses.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "base/buf.h"
#include "base/limits.h"
#include "terminal/osc.h"

enum { MAGIC = 01036, N_COLORS = 1 << 24, N_PAIRS = 32767 }; /* term(5): numbers of 32 bits */

/* A number of the palette's first sixteen, or red, green and blue. */
#define DIRECT(base, bright) \
	"\033[%?%p1%{8}%<%t" base "%p1%d%e%p1%{16}%<%t" bright "%p1%{8}%-%d" \
	"%e" base "8;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m"

static const char foreground[] = DIRECT("3", "9"), background[] = DIRECT("4", "10");

/* GNU screen passes COLORTERM on from outside, and misreads 24-bit colours. */
static bool is_gnu_screen(void)
{
	const char *name = getenv("TERM");

	return name && strncmp(name, "screen", 6) == 0;
}

static const char *string_of(const char *name)
{
	const char *text = tigetstr((char *)name);

	return text == (char *)-1 ? NULL : text;
}

bool direct_color_is_offered(void)
{
	const char *said = getenv("COLORTERM"), *set = string_of("setaf");

	if (!said || (strcmp(said, "truecolor") != 0 && strcmp(said, "24bit") != 0) || is_gnu_screen())
		return false;
	/* Only where colours are set as xterm does. */
	return tigetnum("colors") == 256 && set && strstr(set, "38");
}

bool direct_color_is_made(void)
{
	const char *set = string_of("setaf");

	return set && strcmp(set, foreground) == 0;
}

static void put_number(struct buf *out, uint32_t value, int n_bytes)
{
	for (int i = 0; i < n_bytes; i++)
		buf_putc(out, (char)(value >> 8 * i & 255));
}

static void pad_even(struct buf *out)
{
	if (out->len % 2)
		buf_putc(out, '\0');
}

/* The capability's text in the new description; NULL: it has none. */
static const char *described(const char *name)
{
	if (strcmp(name, "setaf") == 0)
		return foreground;
	if (strcmp(name, "setab") == 0)
		return background;
	/* Nothing may change or restore the palette. */
	if (strcmp(name, "initc") == 0 || strcmp(name, "initp") == 0 || strcmp(name, "oc") == 0)
		return NULL;
	return string_of(name);
}

static void put_flags(struct buf *out, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		buf_putc(out, strcmp(boolnames[i], "ccc") != 0 && tigetflag((char *)boolnames[i]) > 0);
	pad_even(out);
}

static void put_numbers(struct buf *out, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		int value = tigetnum((char *)numnames[i]);

		if (strcmp(numnames[i], "colors") == 0)
			value = N_COLORS;
		else if (strcmp(numnames[i], "pairs") == 0)
			value = N_PAIRS;
		put_number(out, value >= 0 ? (uint32_t)value : UINT32_MAX, 4); /* none: -1 */
	}
}

/* Offsets into the table of strings, and the table. */
static void put_strings(struct buf *out, struct buf *table, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *text = described(strnames[i]);

		put_number(out, text ? (uint32_t)table->len : UINT16_MAX, 2);
		if (text)
			buf_append(table, text, strlen(text) + 1);
	}
}

/* What no standard name has: AX, the terminal knows its default colours; RGB, numbers of colours
 * are red, green and blue. */
static void put_extended(struct buf *out)
{
	static const char names[] = "AX\0RGB";
	/* How many flags, numbers, strings, entries of the table (the names); both flags, which are
	 * set; where each name begins. */
	static const uint16_t head[] = {2, 0, 0, 2, sizeof names, 0x0101, 0, 3};

	pad_even(out);
	for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
		put_number(out, head[i], 2);
	buf_append(out, names, sizeof names);
}

static uint32_t count(NCURSES_CONST char *const *names)
{
	uint32_t n = 0;

	while (names[n])
		n++;
	return n;
}

/* The compiled form of term(5). */
static void compile(struct buf *out, const char *name)
{
	const uint32_t n_flags = count(boolnames), n_numbers = count(numnames);
	const uint32_t n_strings = count(strnames);
	struct buf offsets = {.max = KIB(4)};
	struct buf table = {.max = KIB(16)};

	put_strings(&offsets, &table, n_strings);
	put_number(out, MAGIC, 2);
	put_number(out, (uint32_t)strlen(name) + 1, 2);
	put_number(out, n_flags, 2);
	put_number(out, n_numbers, 2);
	put_number(out, n_strings, 2);
	put_number(out, (uint32_t)table.len, 2);
	buf_append(out, name, strlen(name) + 1);
	put_flags(out, n_flags);
	put_numbers(out, n_numbers);
	buf_append(out, buf_text(&offsets), offsets.len);
	buf_append(out, buf_text(&table), table.len);
	put_extended(out);
	if (buf_status(&offsets) || buf_status(&table))
		out->len = 0;
	buf_free(&offsets);
	buf_free(&table);
}

char *direct_color_describe(const char *name)
{
	struct buf compiled = {.max = KIB(24)};
	struct buf out = {.max = KIB(48)};
	char *text = NULL;

	compile(&compiled, name);
	if (!buf_status(&compiled) && compiled.len) {
		buf_puts(&out, "b64:");
		osc_put_base64(&out, compiled.data, compiled.len);
		text = buf_take(&out, NULL);
	}
	buf_free(&compiled);
	buf_free(&out);
	return text;
}
