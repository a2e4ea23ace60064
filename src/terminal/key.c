#include "terminal/key.h"

#include <stdio.h>

#include "base/utf8.h"

const char *key_text(struct key key, char name[KEY_TEXT_MAX])
{
	static const char *const names[K_NAME_COUNT] = {
		[K_ENTER] = "Enter", [K_TAB] = "Tab", [K_ESC] = "Esc", [K_BACKSPACE] = "Backspace",
		[K_UP] = "Up", [K_DOWN] = "Down", [K_LEFT] = "Left", [K_RIGHT] = "Right",
		[K_HOME] = "Home", [K_END] = "End", [K_PAGE_UP] = "PgUp", [K_PAGE_DOWN] = "PgDn",
		[K_INSERT] = "Ins", [K_DELETE] = "Del",
		[K_F1] = "F1", [K_F2] = "F2", [K_F3] = "F3", [K_F4] = "F4", [K_F5] = "F5", [K_F6] = "F6",
		[K_F7] = "F7", [K_F8] = "F8", [K_F9] = "F9", [K_F10] = "F10", [K_F11] = "F11",
		[K_F12] = "F12",
	};
	char character[UTF8_MAX + 1] = "";
	bool is_capital = key.name == K_CHAR && key.mods && key.cp >= 'A' && key.cp <= 'Z';
	const char *base = (unsigned)key.name < K_NAME_COUNT ? names[key.name] : NULL;

	if (key.name == K_CHAR) {
		uint32_t cp = key.cp;

		if (key.mods && cp >= 'a' && cp <= 'z')
			cp = cp - 'a' + 'A';
		character[utf8_encode(cp, character)] = '\0';
		base = cp == ' ' ? "Space" : character;
	}
	snprintf(name, KEY_TEXT_MAX, "%s%s%s%s", key.mods & MOD_CTRL ? "Ctrl+" : "",
	         key.mods & MOD_ALT ? "Alt+" : "", key.mods & MOD_SHIFT || is_capital ? "Shift+" : "",
	         base ? base : "none");
	return name;
}
