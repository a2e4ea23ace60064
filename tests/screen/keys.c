#include "screen/keys.h"

#include <string.h>

enum { SHIFT = 1, META = 2, CONTROL = 4 };

/* final: CSI [1;modifiers] final; number: CSI number [;modifiers] ~ */
static const struct {
	const char *name;
	const char *plain; /* sent as it is; modifiers but Alt are ignored */
	char final;
	int number;
	bool ss3; /* F1-F4: ESC O final without modifiers; arrows only in application mode */
} keys[] = {
	{"Enter", "\r", 0, 0, false},
	{"Tab", "\t", 0, 0, false},
	{"Esc", "\033", 0, 0, false},
	{"BS", "\177", 0, 0, false},
	{"Space", " ", 0, 0, false},
	{"lt", "<", 0, 0, false},
	{"Up", NULL, 'A', 0, false},
	{"Down", NULL, 'B', 0, false},
	{"Right", NULL, 'C', 0, false},
	{"Left", NULL, 'D', 0, false},
	{"Home", NULL, 'H', 0, false},
	{"End", NULL, 'F', 0, false},
	{"Ins", NULL, 0, 2, false},
	{"Del", NULL, 0, 3, false},
	{"PgUp", NULL, 0, 5, false},
	{"PgDn", NULL, 0, 6, false},
	{"F1", NULL, 'P', 0, true},
	{"F2", NULL, 'Q', 0, true},
	{"F3", NULL, 'R', 0, true},
	{"F4", NULL, 'S', 0, true},
	{"F5", NULL, 0, 15, false},
	{"F6", NULL, 0, 17, false},
	{"F7", NULL, 0, 18, false},
	{"F8", NULL, 0, 19, false},
	{"F9", NULL, 0, 20, false},
	{"F12", NULL, 0, 24, false},
	{"BackTab", "\033[Z", 0, 0, false},
};

static bool encode_key(const char *name, size_t len, bool application, struct buf *out)
{
	unsigned modifiers = 0;

	while (len > 2 && name[1] == '-') {
		if (!strchr("SMC", name[0]))
			return false;
		modifiers |= name[0] == 'S' ? SHIFT : name[0] == 'M' ? META : CONTROL;
		name += 2;
		len -= 2;
	}
	if (len == 1) {
		char c = name[0];

		if (modifiers & META)
			buf_putc(out, '\033');
		buf_putc(out, modifiers & CONTROL ? (char)(c & 0x1f) : c);
		return modifiers != 0;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strlen(keys[i].name) != len || memcmp(keys[i].name, name, len) != 0)
			continue;
		if (keys[i].plain)
			buf_printf(out, "%s%s", modifiers & META ? "\033" : "", keys[i].plain);
		else if (keys[i].number && modifiers)
			buf_printf(out, "\033[%d;%u~", keys[i].number, modifiers + 1);
		else if (keys[i].number)
			buf_printf(out, "\033[%d~", keys[i].number);
		else if (modifiers)
			buf_printf(out, "\033[1;%u%c", modifiers + 1, keys[i].final);
		else
			buf_printf(out, "\033%c%c", keys[i].ss3 || application ? 'O' : '[', keys[i].final);
		return true;
	}
	return false;
}

bool keys_encode(const char *text, bool application, struct buf *out, const char **bad)
{
	while (*text) {
		const char *end = *text == '<' ? strchr(text, '>') : NULL;

		if (!end) {
			buf_putc(out, *text++);
			continue;
		}
		if (!encode_key(text + 1, (size_t)(end - text - 1), application, out)) {
			*bad = text;
			return false;
		}
		text = end + 1;
	}
	return true;
}
