#include <criterion/criterion.h>

#include "terminal/keyboard.h"

/* The answers of terminals, in their order. 0: the protocol's flags; else the terminal's type. */
Test(keyboard, is_asked_for_as_the_terminal_can)
{
	enum { KITTY = 0, END = -1 };
	static const struct {
		int answers[3];
		enum keyboard_way way;
	} rows[] = {
		{{END}, KEYBOARD_UNKNOWN},
		{{KITTY, 1, END}, KEYBOARD_KITTY},   /* kitty, foot */
		{{KITTY, 41, END}, KEYBOARD_KITTY},
		{{41, END}, KEYBOARD_OTHER},         /* xterm */
		{{77, END}, KEYBOARD_OTHER},         /* mintty */
		{{84, END}, KEYBOARD_OTHER},         /* tmux */
		{{83, END}, KEYBOARD_PLAIN},         /* screen */
		{{65, END}, KEYBOARD_PLAIN},         /* VTE */
		{{1, END}, KEYBOARD_PLAIN},          /* mosh, Terminal.app */
		{{0 + 85, END}, KEYBOARD_PLAIN},     /* rxvt */
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		enum keyboard_way way = KEYBOARD_UNKNOWN;

		for (const int *answer = rows[i].answers; *answer != END; answer++)
			keyboard_learn(&way, *answer == KITTY ? REPORT_KITTY : REPORT_TERMINAL, (uint32_t)*answer);
		cr_expect_eq(way, rows[i].way, "row %zu: %d", i, (int)way);
		cr_expect_eq(!keyboard_on(way)[0], !keyboard_off(way)[0]);
		cr_expect_eq(!keyboard_on(way)[0], way < KEYBOARD_OTHER);
	}
}

/* Types that are not known to ignore what they do not know are not asked. */
Test(keyboard, is_not_asked_for_where_the_question_might_be_shown)
{
	static const char *const asked[] = {"xterm", "xterm-256color", "xterm-kitty", "xterm-ghostty", "tmux-256color",
	                                    "screen.xterm-256color", "foot", "alacritty", "iterm2"};
	static const char *const others[] = {"linux", "dumb", "vt100", "vt220", "ansi", "cons25", "eterm-color", "st",
	                                     "cygwin", "wy60", "hpterm", ""};

	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
		cr_expect(keyboard_can_ask(asked[i]), "%s", asked[i]);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		cr_expect_not(keyboard_can_ask(others[i]), "%s", others[i]);
	cr_expect_not(keyboard_can_ask(NULL));
}
