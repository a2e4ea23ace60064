#include "terminal/key_codes.h"

#include <stdio.h>

#include "base/utf8.h"

enum { ESC = 0x1b, DEL = 0x7f };

struct key key_codes_ascii(unsigned char byte)
{
	switch (byte) {
	case '\r': return (struct key){.name = K_ENTER};
	case '\t': return (struct key){.name = K_TAB};
	case '\b':
	case DEL: return (struct key){.name = K_BACKSPACE};
	case ESC: return (struct key){.name = K_ESC};
	case 0: return (struct key){K_CHAR, MOD_CTRL, ' '};
	default: break;
	}
	if (byte < 0x1b)
		return (struct key){K_CHAR, MOD_CTRL, (uint32_t)byte - 1 + 'a'};
	if (byte < 0x20)
		return (struct key){K_CHAR, MOD_CTRL, (uint32_t)byte + 0x40};
	return (struct key){K_CHAR, 0, byte};
}

unsigned key_codes_mods(uint32_t number)
{
	enum { META = 8 };
	unsigned bits = number ? (unsigned)number - 1 : 0;

	return (bits & (MOD_SHIFT | MOD_ALT | MOD_CTRL)) | (bits & META ? MOD_ALT : 0);
}

enum key_name key_codes_letter(char final)
{
	switch (final) {
	case 'A': return K_UP;
	case 'B': return K_DOWN;
	case 'C': return K_RIGHT;
	case 'D': return K_LEFT;
	case 'H': return K_HOME;
	case 'F': return K_END;
	case 'P': return K_F1;
	case 'Q': return K_F2;
	case 'R': return K_F3;
	case 'S': return K_F4;
	case 'Z': return K_TAB;
	default: return K_NONE;
	}
}

enum key_name key_codes_tilde(uint32_t number)
{
	static const enum key_name names[] = {
		[1] = K_HOME, [2] = K_INSERT, [3] = K_DELETE, [4] = K_END, [5] = K_PAGE_UP,
		[6] = K_PAGE_DOWN, [7] = K_HOME, [8] = K_END,
		[11] = K_F1, [12] = K_F2, [13] = K_F3, [14] = K_F4, [15] = K_F5,
		[17] = K_F6, [18] = K_F7, [19] = K_F8, [20] = K_F9, [21] = K_F10,
		[23] = K_F11, [24] = K_F12,
	};

	return number < sizeof names / sizeof names[0] ? names[number] : K_NONE;
}

size_t key_codes_write(struct key key, char bytes[KEY_CODES_BYTES])
{
	unsigned mods = key.mods;

	for (char final = 'A'; final <= 'S'; final++)
		if (key_codes_letter(final) == key.name)
			return (size_t)snprintf(bytes, KEY_CODES_BYTES, mods ? "\033[1;%u%c" : "\033[%.0u%c", mods ? mods + 1 : 0,
			                        final);
	for (unsigned number = 1; number <= 24; number++)
		if (key_codes_tilde(number) == key.name)
			return (size_t)snprintf(bytes, KEY_CODES_BYTES, mods ? "\033[%u;%u~" : "\033[%u~", number, mods + 1);
	return 0;
}

/* The protocol's numbers for the keypad, whose keys are those of the same name for us. */
static bool is_of_keypad(uint32_t cp, struct key *key)
{
	enum { FIRST = 57399, LAST = 57426 };
	static const char characters[] = "0123456789./*-+\r=,";
	static const enum key_name others[] = {K_LEFT, K_RIGHT, K_UP, K_DOWN, K_PAGE_UP, K_PAGE_DOWN, K_HOME,
	                                       K_END, K_INSERT, K_DELETE};
	size_t at = cp - FIRST, n = sizeof characters - 1;

	if (cp < FIRST || cp > LAST)
		return false;
	*key = at < n ? key_codes_ascii((unsigned char)characters[at]) : (struct key){.name = others[at - n]};
	return true;
}

/* The byte that terminals have always sent for a character with Ctrl; -1: none. */
static int control_byte(uint32_t cp)
{
	if (cp >= '@' && cp < DEL)
		return (int)cp & 0x1f;
	switch (cp) {
	case ' ':
	case '2': return 0;
	case '/': return 0x1f;
	case '8':
	case '?': return DEL;
	default: return cp >= '3' && cp <= '7' ? (int)cp - '3' + ESC : -1;
	}
}

/* What key_parse() says that terminals cannot tell apart, ours cannot either. */
static unsigned mods_that_count(enum key_name name, unsigned mods)
{
	switch (name) {
	case K_ESC:
	case K_BACKSPACE: return mods & MOD_ALT;
	case K_TAB: return mods & (MOD_ALT | MOD_SHIFT);
	default: return mods;
	}
}

/* The character that a key with modifiers stands for. */
static uint32_t with_modifiers(uint32_t cp, uint32_t shifted, uint32_t latin, unsigned mods)
{
	if (mods & (MOD_ALT | MOD_CTRL) && cp >= 0x80 && latin > ' ' && latin < DEL) {
		cp = latin;
		shifted = 0;
	}
	if (!(mods & MOD_SHIFT) || cp < ' ')
		return cp;
	if (shifted > ' ')
		return shifted;
	return cp >= 'a' && cp <= 'z' ? cp - 'a' + 'A' : cp;
}

size_t key_codes_point(struct key *key, uint32_t cp, uint32_t shifted, uint32_t latin, uint32_t number,
                       char bytes[KEY_CODES_BYTES])
{
	enum { SUPER_OR_HYPER = 8 | 16, META = 32 };
	unsigned bits = number ? number - 1 : 0, mods = key_codes_mods((bits & 7) + 1);
	size_t n = 0;
	int control;

	if (bits & SUPER_OR_HYPER) /* the desktop's */
		return 0;
	if (bits & META)
		mods |= MOD_ALT;
	if (is_of_keypad(cp, key)) {
		key->mods = mods;
		if (key->name != K_CHAR && key->name != K_ENTER)
			return key_codes_write(*key, bytes);
		cp = key->name == K_ENTER ? '\r' : key->cp;
	}
	cp = with_modifiers(cp, shifted, latin, mods);
	/* No C1 controls, and none of the private numbers for modifier and media keys. */
	if (cp == 0 || (cp >= 0x80 && cp < 0xa0) || (cp >= 0xe000 && cp < 0xf900) || cp > 0x10ffff)
		return 0;
	if (mods & MOD_ALT)
		bytes[n++] = ESC;
	control = mods & MOD_CTRL ? control_byte(cp) : -1;
	if (cp < 0x20 || cp == DEL) {
		*key = key_codes_ascii((unsigned char)cp);
		key->mods |= mods_that_count(key->name, mods);
		if (key_is(*key, K_TAB, MOD_SHIFT))
			return (size_t)snprintf(bytes, KEY_CODES_BYTES, "\033[Z");
		bytes[n++] = (char)cp;
	} else if (control >= 0) {
		/* Only here could Ctrl+I be told from Tab, and Ctrl+M from Enter; they are treated
		 * as these. */
		*key = key_codes_ascii((unsigned char)control);
		key->mods |= mods & MOD_ALT;
		bytes[n++] = (char)control;
	} else {
		*key = (struct key){K_CHAR, mods & (MOD_ALT | MOD_CTRL), cp};
		n += utf8_encode(cp, bytes + n);
	}
	return n;
}
