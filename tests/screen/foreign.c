#include "screen/foreign.h"

#include <string.h>

#include "base/utf8.h"

#define END " " FOREIGN_MARK
enum { CPS_A_LINE = 60, SAMPLE = 997, END_LEN = sizeof END };

/* None of them may end a paste (ESC [ 201 ~): that is the terminal's to do. */
static const char *const escapes[] = {
	"\033[31mred", "\033[2J", "\033[6n", "\033[c", "\033[?1049l", "\033[?2004l", "\033[?25l", "\033[4;5r",
	"\033[5i", "\033[21t", "\033[>4;2m", "\033[!p", "\033[4h", "\033[38;2;1;2;3m",
	"\033]0;title\a", "\033]0;title\033\\", "\033]2;title\a", "\033]8;;http://x\033\\link\033]8;;\033\\",
	"\033]52;c;cm0gLXJm\a", "\033]52;c;?\a", "\033]4;1;?\a", "\033]104\a", "\033]1337;File=:AA\a", "\033]9;x\a",
	"\033]777;notify;a;b\a", "\033]133;A\a", "\033P$q\"p\033\\", "\033P+q544e\033\\", "\033Pq#0~\033\\",
	"\033_Gf=24;AAAA\033\\", "\033^pm\033\\", "\033Xsos\033\\", "\033c", "\033(0lqk", "\033)0\016abc\017",
	"\033#8", "\033=", "\033>", "\0337\0338", "\033D\033E\033M", "\033N\033O", "\033%G", "\033 F",
	"\033", "\033[", "\033]", "\033]0;unended", "\033P", "\033[31", "\033\033[m", "\033[\033[31mm",
	"a\rb", "a\bb", "a\ab", "\v\f", "\016\017", "\005", "\177", "\001\002\003\004\006\020\021\022\023\024",
	"\x9b" "31m", "\xc2\x9b" "31m", "\x90q\x9c", "\xc2\x90q\xc2\x9c", "\x9d" "0;t\x9c", "\xc2\x9d" "0;t\xc2\x9c",
	"\x85", "\xc2\x85", "\x8d", "\xc2\x8d", "\xc2\x84\xc2\x88",
	"\xc0\x9b", "\xe0\x80\x9b", "\xc0\x80", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80",
	"\xff\xfe", "\x80\x80", "\xe2\x82", "\xf0\x9f\x98", "\xc2", "\xe2\x80\xae" "live\xe2\x80\xac", "\xe2\x81\xa6x\xe2\x81\xa9",
	"a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81", "\xcc\x81", "\xf3\xa0\x81\xa5\xf3\xa0\x81\xbf",
	"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", "\xe2\x80\x8d\xe2\x80\x8d", "\xef\xb8\x8f\xef\xb8\x8e", "\xf3\xa0\x84\x80",
	"\xe1\x85\x9f\xe3\x85\xa4", "\xef\xbb\xbf", "[x](\033]0;t\a)", "`\033[31m`", "```\033[31m\n\033]0;t\a\n```\n",
	"| a |\n| --- |\n| \033[2J |\n", "&#27;[31m", "&#x9b;31m", "<b>\033[1m</b>", "# \033[1m\n", "- \033[1m\n", "$\033[1m$",
};
enum { N_ESCAPES = sizeof escapes / sizeof escapes[0] };

/* Controls, marks, joiners, what is invisible, both ends of every plane and range. */
static bool is_special(uint32_t cp)
{
	static const uint32_t ranges[][2] = {
		{0x1, 0x17f}, {0x300, 0x36f}, {0x590, 0x5ff}, {0x600, 0x61f}, {0x70f, 0x70f}, {0x8e2, 0x8e2},
		{0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
		{0x2000, 0x206f}, {0x20d0, 0x20ff}, {0x2028, 0x2029}, {0x2500, 0x257f}, {0x3000, 0x3000}, {0x3164, 0x3164},
		{0xd7b0, 0xd7ff}, {0xe000, 0xe010}, {0xf8f0, 0xf8ff}, {0xfdd0, 0xfdef}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
		{0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xffff}, {0x110bd, 0x110bd}, {0x1bca0, 0x1bca3},
		{0x1d173, 0x1d17a}, {0x1f1e6, 0x1f1ff}, {0x1f3fb, 0x1f3ff}, {0x1f468, 0x1f46a}, {0xe0000, 0xe007f},
		{0xe0100, 0xe01ef}, {0xf0000, 0xf0004}, {0x10fffa, 0x10ffff},
	};

	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
		if (cp >= ranges[i][0] && cp <= ranges[i][1])
			return true;
	return (cp & 0xffff) >= 0xfffe;
}

static bool next_cp(struct foreign *foreign, uint32_t *cp)
{
	while (++foreign->next_cp <= 0x10ffff) {
		uint32_t c = foreign->next_cp;

		if (c >= 0xd800 && c <= 0xdfff)
			continue;
		if (!foreign->has_lines && c == '\n')
			continue;
		if (!foreign->all && !is_special(c) && c % SAMPLE)
			continue;
		if (foreign->every && foreign->n_passed++ % foreign->every)
			continue;
		*cp = c;
		return true;
	}
	return false;
}

/* As many of the list as there is room for, one a line. */
static void put_escapes(struct foreign *foreign, struct buf *out)
{
	while (foreign->next_escape < N_ESCAPES) {
		const char *text = escapes[foreign->next_escape];

		if (out->len + strlen(text) + 2 + END_LEN > foreign->most && out->len > sizeof FOREIGN_MARK)
			return;
		for (; *text; text++)
			buf_putc(out, *text == '\n' && !foreign->has_lines ? ' ' : *text);
		buf_puts(out, foreign->has_lines ? "|\n" : "|");
		foreign->next_escape++;
	}
}

bool foreign_next(struct foreign *foreign, struct buf *out)
{
	char bytes[UTF8_MAX];
	size_t on_line = 0;
	uint32_t cp;

	buf_clear(out);
	buf_puts(out, FOREIGN_MARK " ");
	if (foreign->next_escape < N_ESCAPES) {
		put_escapes(foreign, out);
		buf_puts(out, END);
		return true;
	}
	while (out->len + UTF8_MAX + 1 + END_LEN <= foreign->most && next_cp(foreign, &cp)) {
		buf_append(out, bytes, utf8_encode(cp, bytes));
		foreign->n_cps++;
		if (foreign->has_lines && ++on_line % CPS_A_LINE == 0)
			buf_putc(out, '\n');
	}
	if (out->len <= sizeof FOREIGN_MARK)
		return false;
	buf_puts(out, END);
	return true;
}
