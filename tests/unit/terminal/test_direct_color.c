#include <criterion/criterion.h>
#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "terminal/direct_color.h"

static void open_terminal(const char *name, const char *colorterm)
{
	int error;

	setenv("TERM", name, 1);
	setenv("COLORTERM", colorterm, 1);
	cr_assert_eq(setupterm((char *)name, 1, &error), OK, "%s: %d", name, error);
}

Test(direct_color, is_offered_where_the_terminal_says_so)
{
	static const struct {
		const char *term, *colorterm;
		bool offered;
	} rows[] = {
		{"xterm-256color", "truecolor", true},
		{"xterm-256color", "24bit", true},
		{"xterm-256color", "", false},
		{"xterm-256color", "yes", false},
		{"tmux-256color", "truecolor", true},
		{"screen-256color", "truecolor", false},
		{"linux", "truecolor", false},
		{"vt100", "truecolor", false},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		open_terminal(rows[i].term, rows[i].colorterm);
		cr_expect_eq(direct_color_is_offered(), rows[i].offered, "%s, %s", rows[i].term,
		             rows[i].colorterm);
		del_curterm(cur_term);
	}
}

/* curses reads it, it has 24 bits, and nothing else is another. */
Test(direct_color, the_description_is_read)
{
	static const struct {
		const char *name;
		int number;
		const char *sent;
	} colors[] = {
		{"setaf", 3, "\033[33m"}, {"setaf", 12, "\033[94m"}, {"setaf", 0x123456, "\033[38;2;18;52;86m"},
		{"setab", 3, "\033[43m"}, {"setab", 12, "\033[104m"}, {"setab", 0xfffefd, "\033[48;2;255;254;253m"},
	};
	static const char *const same[] = {"cup", "clear", "smcup", "rmcup", "op", "kcuu1", "ech", "sgr", "acsc"};
	char *before[sizeof same / sizeof same[0]], *described;

	open_terminal("xterm-256color", "truecolor");
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
		before[i] = strdup(tigetstr((char *)same[i]));
	described = direct_color_describe("xterm-256color");
	cr_assert_not_null(described);
	setenv("TERMINFO", described, 1);
	free(described);
	del_curterm(cur_term);
	open_terminal("xterm-256color", "truecolor");
	cr_assert_eq(tigetnum("colors"), 1 << 24);
	cr_expect(tigetflag("RGB") == 1 && tigetflag("AX") == 1);
	cr_expect(tigetflag("bce") == 1 && tigetflag("ccc") == 0);
	cr_expect_null(tigetstr("initc"));
	cr_expect_null(tigetstr("oc"));
	cr_expect(direct_color_is_made() && !direct_color_is_offered());
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		cr_expect_str_eq(tigetstr((char *)same[i]), before[i], "%s", same[i]);
		free(before[i]);
	}
	for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++)
		cr_expect_str_eq(tparm(tigetstr((char *)colors[i].name), colors[i].number), colors[i].sent,
		                 "%s %#x", colors[i].name, (unsigned)colors[i].number);
	del_curterm(cur_term);
}
