#include "terminal/key.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/utf8.h"

static const char *const names[K_NAME_COUNT] = {
	[K_ENTER] = "Enter", [K_TAB] = "Tab", [K_ESC] = "Esc", [K_BACKSPACE] = "Backspace",
	[K_UP] = "Up", [K_DOWN] = "Down", [K_LEFT] = "Left", [K_RIGHT] = "Right", [K_HOME] = "Home",
	[K_END] = "End", [K_PAGE_UP] = "PgUp", [K_PAGE_DOWN] = "PgDn", [K_INSERT] = "Ins",
	[K_DELETE] = "Del",
	[K_F1] = "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
};
static const char *const other_names[K_NAME_COUNT] = {
	[K_ENTER] = "Return", [K_ESC] = "Escape", [K_BACKSPACE] = "BS", [K_PAGE_UP] = "PageUp",
	[K_PAGE_DOWN] = "PageDown", [K_INSERT] = "Insert", [K_DELETE] = "Delete",
};

static const struct {
	const char *name;
	enum key_mod mod;
} modifiers[] = {{"Ctrl+", MOD_CTRL}, {"Alt+", MOD_ALT}, {"Shift+", MOD_SHIFT}};
enum { N_MODIFIERS = sizeof modifiers / sizeof modifiers[0] };

bool key_equals(struct key a, struct key b)
{
	return a.name == b.name && a.mods == b.mods && (a.name != K_CHAR || a.cp == b.cp);
}

const char *key_text(struct key key, char name[KEY_TEXT_MAX])
{
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

static enum status unknown_key(const char *text, const char *rest, struct error *err)
{
	const char *plus = rest[0] ? strchr(rest + 1, '+') : NULL;
	struct nearest nearest;

	if (plus && plus[1]) { /* "Crtl+A": the modifier is wrong */
		nearest_init(&nearest, rest, (size_t)(plus - rest) + 1);
		for (size_t i = 0; i < N_MODIFIERS; i++)
			nearest_offer(&nearest, modifiers[i].name);
	} else {
		/* A single character is near any short name. */
		nearest_init(&nearest, rest, rest[0] && rest[1] ? strlen(rest) : 0);
		for (size_t i = 0; i < K_NAME_COUNT; i++) {
			if (names[i])
				nearest_offer(&nearest, names[i]);
			nearest_offer_aliases(&nearest, other_names[i], names[i]);
		}
		nearest_offer(&nearest, "Space");
	}
	return error_set(err, STATUS_CONFIG, "there is no key '%.40s'%s", text, nearest_hint(&nearest));
}

static enum key_name find_name(const char *text)
{
	for (int i = 0; i < K_NAME_COUNT; i++)
		if ((names[i] && strcasecmp(names[i], text) == 0) ||
		    (other_names[i] && strcasecmp(other_names[i], text) == 0))
			return (enum key_name)i;
	return K_NONE;
}

/* The name of the key that a character with Ctrl cannot be told from; NULL: there is none. */
static const char *taken_for_ctrl(uint32_t cp)
{
	switch (cp) {
	case 'i': return "Tab";
	case 'm': return "Enter";
	case 'h':
	case '?': return "Backspace";
	case '[': return "Esc";
	case '@': return "Ctrl+Space";
	case ' ':
	case '\\':
	case ']':
	case '^':
	case '_': return NULL;
	default: return cp >= 'a' && cp <= 'z' ? NULL : "the same key without Ctrl";
	}
}

static const char *taken_for(struct key key, bool shift)
{
	if (key.name == K_CHAR) {
		/* They begin sequences: what comes after them would be taken for the rest of one. */
		if (key.mods & MOD_ALT && key.cp < 0x80 && strchr("[]^_OPX", (int)key.cp))
			return "the beginning of another key";
		if (key.mods & MOD_CTRL && shift)
			return "the same key without Shift";
		return key.mods & MOD_CTRL ? taken_for_ctrl(key.cp) : NULL;
	}
	if ((key.name == K_ESC && key.mods) || (key.name == K_TAB && key.mods & MOD_CTRL) ||
	    (key.name == K_BACKSPACE && key.mods & (MOD_CTRL | MOD_SHIFT)))
		return key.name == K_BACKSPACE && key.mods == MOD_CTRL ? "Backspace or Ctrl+H"
		                                                       : "the key alone";
	return NULL;
}

/* A single character; Shift makes a capital of a letter. */
static bool parse_character(const char *text, struct key *key)
{
	int32_t cp;
	size_t n = strcasecmp(text, "Space") == 0 ? 0 : utf8_decode(text, strlen(text), &cp);
	bool shift = key->mods & MOD_SHIFT, plain = !(key->mods & (MOD_ALT | MOD_CTRL));

	if (!n)
		cp = text[0] ? ' ' : -1;
	if (cp < ' ' || cp == 0x7f || (n && text[n]))
		return false;
	if (shift && !((cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z')))
		return false;
	if (shift && cp >= 'a')
		cp = cp - 'a' + 'A';
	else if (!shift && !plain && cp >= 'A' && cp <= 'Z')
		cp = cp - 'A' + 'a';
	if (shift && key->mods & MOD_CTRL)
		cp = cp - 'A' + 'a';
	key->mods &= ~(unsigned)MOD_SHIFT;
	key->name = K_CHAR;
	key->cp = (uint32_t)cp;
	return true;
}

enum status key_parse(const char *text, struct key *key, struct error *err)
{
	const char *rest = text, *twin;
	unsigned mods = 0;
	bool found;

	do {
		found = false;
		for (size_t i = 0; i < N_MODIFIERS; i++) {
			size_t len = strlen(modifiers[i].name);

			if (strncasecmp(rest, modifiers[i].name, len) == 0 && rest[len]) {
				mods |= modifiers[i].mod;
				rest += len;
				found = true;
			}
		}
	} while (found);
	*key = (struct key){.name = find_name(rest), .mods = mods};
	if (key->name == K_NONE && !parse_character(rest, key))
		return unknown_key(text, rest, err);
	twin = taken_for(*key, mods & MOD_SHIFT);
	if (twin)
		return error_set(err, STATUS_CONFIG, "terminals cannot tell %.40s from %s", text, twin);
	return STATUS_OK;
}
