#include "pad.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/utf8.h"
#include "terminal/style.h"

WINDOW *pad_open(int rows, int cols)
{
	FILE *in = fopen("/dev/null", "r"), *out = fopen("/dev/null", "w");
	struct theme theme;
	WINDOW *win;

	cr_assert(setlocale(LC_CTYPE, "C.UTF-8"));
	cr_assert(in && out && newterm("xterm-256color", out, in));
	style_start();
	theme_default(&theme);
	style_apply(&theme);
	win = newpad(rows, cols);
	cr_assert(win);
	return win;
}

const char *pad_row(WINDOW *win, int y)
{
	static char bytes[4096];
	wchar_t wide[1024];
	size_t n = 0;

	cr_assert_neq(mvwinnwstr(win, y, 0, wide, 1023), ERR);
	for (size_t i = 0; wide[i]; i++)
		n += utf8_encode((uint32_t)wide[i], bytes + n);
	while (n && bytes[n - 1] == ' ')
		n--;
	bytes[n] = '\0';
	return bytes;
}

int pad_find(WINDOW *win, const char *text)
{
	for (int y = 0; y < getmaxy(win); y++)
		if (strstr(pad_row(win, y), text))
			return y;
	return -1;
}

bool pad_has_role(WINDOW *win, int y, int x, enum theme_role role)
{
	wchar_t chars[CCHARW_MAX + 1];
	cchar_t cell;
	attr_t attr;
	short pair;

	cr_assert_eq(mvwin_wch(win, y, x, &cell), OK);
	cr_assert_eq(getcchar(&cell, chars, &attr, &pair, NULL), OK);
	return (attr & ~A_COLOR) == (style_of((enum theme_role)role).attr & ~A_COLOR) &&
	       pair == style_of((enum theme_role)role).pair;
}
