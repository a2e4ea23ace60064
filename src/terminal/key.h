/* Keys and mouse as the rest of the UI sees them: decoded once, in
 * terminal/input.c, from the terminal's bytes. */
#ifndef SOTTO_TERMINAL_KEY_H
#define SOTTO_TERMINAL_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Not curses' KEY_*: curses never sees the terminal's input. */
enum key_name {
	K_NONE,
	K_CHAR, /* a character: key.cp. Ctrl+A is 'a' with MOD_CTRL */
	K_ENTER, K_TAB, K_ESC, K_BACKSPACE,
	K_UP, K_DOWN, K_LEFT, K_RIGHT, K_HOME, K_END, K_PAGE_UP, K_PAGE_DOWN, K_INSERT, K_DELETE,
	K_F1, K_F2, K_F3, K_F4, K_F5, K_F6, K_F7, K_F8, K_F9, K_F10, K_F11, K_F12,
	K_NAME_COUNT
};

/* The bits that terminals have for them. */
enum key_mod { MOD_SHIFT = 1, MOD_ALT = 2, MOD_CTRL = 4 };

struct key {
	enum key_name name;
	unsigned mods; /* enum key_mod; Shift is not reported for characters */
	uint32_t cp;   /* K_CHAR: the code point (lower case with MOD_CTRL) */
};

enum mouse_kind { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_DRAG, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct mouse {
	enum mouse_kind kind;
	int button; /* 1 left, 2 middle, 3 right; 0 for the wheel */
	int y, x;   /* screen cell, from 0 */
	unsigned mods;
};

static inline bool key_is(struct key key, enum key_name name, unsigned mods)
{
	return key.name == name && key.mods == mods;
}

static inline bool key_is_char(struct key key, uint32_t cp, unsigned mods)
{
	return key.name == K_CHAR && key.cp == cp && key.mods == mods;
}

enum { KEY_TEXT_MAX = 32 };
/* "Ctrl+C", "Shift+Up", "Alt+R", "F1", "?". */
const char *key_text(struct key key, char name[KEY_TEXT_MAX]);
/* The inverse, in upper or lower case; "Return", "PageUp" and the like, too. STATUS_CONFIG if it is not a
 * key (the error names the nearest), or one that terminals send as another (Ctrl+I is Tab). */
enum status key_parse(const char *text, struct key *key, struct error *err) MUST_CHECK;
bool key_equals(struct key a, struct key b);

#endif
