#include "terminal/keyboard.h"

#include <stddef.h>
#include <string.h>

/* Others have the numbers of terminals of glass. */
enum { XTERM = 41, MINTTY = 77, SCREEN = 83, TMUX = 84 };

/* 1: keys that have no bytes of their own get sequences; 4: with what they stand for with Shift, and on a
 * Latin keyboard. */
#define KITTY_ON "\033[>5u"
#define KITTY_OFF "\033[<u"
/* 1, not 2: Ctrl+C and its like stay what they are. */
#define OTHER_ON "\033[>4;1m"
#define OTHER_OFF "\033[>4m"

bool keyboard_can_ask(const char *type)
{
	static const char *const types[] = {"xterm", "tmux", "screen", "foot", "alacritty", "wezterm", "ghostty",
	                                    "konsole", "rio", "contour", "mintty", "iterm"};

	for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++)
		if (strncmp(type, types[i], strlen(types[i])) == 0)
			return true;
	return false;
}

bool keyboard_learn(enum keyboard_way *way, enum input_report report, uint32_t number)
{
	enum keyboard_way before = *way;

	if (report == REPORT_KITTY)
		*way = KEYBOARD_KITTY;
	else if (before == KEYBOARD_UNKNOWN)
		*way = number == XTERM || number == MINTTY || number == TMUX ? KEYBOARD_OTHER : KEYBOARD_PLAIN;
	return *way != before;
}

bool keyboard_reflows(uint32_t number)
{
	return number != XTERM && number != SCREEN;
}

const char *keyboard_on(enum keyboard_way way)
{
	return way == KEYBOARD_KITTY ? KITTY_ON : way == KEYBOARD_OTHER ? OTHER_ON : "";
}

const char *keyboard_off(enum keyboard_way way)
{
	return way == KEYBOARD_KITTY ? KITTY_OFF : way == KEYBOARD_OTHER ? OTHER_OFF : "";
}
