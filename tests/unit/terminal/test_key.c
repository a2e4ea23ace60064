#include <criterion/criterion.h>
#include <string.h>

#include "terminal/key.h"

static const struct {
	const char *text;
	struct key key;
} same[] = {
	{"Ctrl+C", {K_CHAR, MOD_CTRL, 'c'}},
	{"ctrl+c", {K_CHAR, MOD_CTRL, 'c'}},
	{"Alt+R", {K_CHAR, MOD_ALT, 'r'}},
	{"alt+r", {K_CHAR, MOD_ALT, 'r'}},
	{"Alt+Shift+R", {K_CHAR, MOD_ALT, 'R'}},
	{"Shift+r", {K_CHAR, 0, 'R'}},
	{"R", {K_CHAR, 0, 'R'}},
	{"r", {K_CHAR, 0, 'r'}},
	{"Alt+Ctrl+G", {K_CHAR, MOD_CTRL | MOD_ALT, 'g'}},
	{"Space", {K_CHAR, 0, ' '}},
	{"Ctrl+Space", {K_CHAR, MOD_CTRL, ' '}},
	{"\303\251", {K_CHAR, 0, 0xe9}},
	{"+", {K_CHAR, 0, '+'}},
	{"Alt++", {K_CHAR, MOD_ALT, '+'}},
	{"F12", {.name = K_F12}},
	{"shift+f3", {.name = K_F3, .mods = MOD_SHIFT}},
	{"Shift+Tab", {.name = K_TAB, .mods = MOD_SHIFT}},
	{"Return", {.name = K_ENTER}},
	{"PageUp", {.name = K_PAGE_UP}},
	{"Escape", {.name = K_ESC}},
	{"Ctrl+Alt+Shift+Home", {.name = K_HOME, .mods = MOD_CTRL | MOD_ALT | MOD_SHIFT}},
};

Test(key, parses_names_as_people_write_them)
{
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		struct error err = {0};
		struct key key;

		cr_assert_eq(key_parse(same[i].text, &key, &err), STATUS_OK, "%s: %s", same[i].text,
		             err.text);
		cr_expect(key_equals(key, same[i].key), "%s", same[i].text);
	}
}

/* What key_text prints of each key that terminals can send is read as that key. */
Test(key, parsing_is_the_inverse_of_printing)
{
	static const char ctrl[] = "abcdefgjklnopqrstuvwxyz \\]^_";
	char text[KEY_TEXT_MAX];
	size_t n = 0;

	for (unsigned mods = 0; mods <= (MOD_SHIFT | MOD_ALT | MOD_CTRL); mods++) {
		for (int name = K_ENTER; name < K_NAME_COUNT; name++) {
			struct key key = {.name = (enum key_name)name, .mods = mods}, read;

			if (name == K_TAB || name == K_ESC || name == K_BACKSPACE)
				continue; /* some of them are sent as others */
			n += key_parse(key_text(key, text), &read, NULL) == STATUS_OK && key_equals(key, read);
			cr_assert_eq(key_parse(text, &read, NULL), STATUS_OK, "%s", text);
			cr_assert(key_equals(key, read), "%s", text);
		}
		for (uint32_t cp = ' '; cp < 0x7f && !(mods & MOD_SHIFT); cp++) {
			struct key key = {K_CHAR, mods, cp}, read;

			if (mods & MOD_CTRL && !strchr(ctrl, (int)cp))
				continue;
			if (mods & MOD_ALT && strchr("[]^_OPX", (int)cp))
				continue;
			cr_assert_eq(key_parse(key_text(key, text), &read, NULL), STATUS_OK, "%s", text);
			cr_assert(key_equals(key, read), "%s", text);
		}
	}
	cr_assert_gt(n, 100);
}

Test(key, says_what_is_no_key_and_what_terminals_send_as_another)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"Ctrl+I", "terminals cannot tell Ctrl+I from Tab"},
		{"ctrl+m", "terminals cannot tell ctrl+m from Enter"},
		{"Ctrl+H", "terminals cannot tell Ctrl+H from Backspace"},
		{"Ctrl+[", "terminals cannot tell Ctrl+[ from Esc"},
		{"Ctrl+Alt+I", "terminals cannot tell Ctrl+Alt+I from Tab"},
		{"Ctrl+Shift+R", "terminals cannot tell Ctrl+Shift+R from the same key without Shift"},
		{"Ctrl+1", "terminals cannot tell Ctrl+1 from the same key without Ctrl"},
		{"Ctrl+Tab", "terminals cannot tell Ctrl+Tab from the key alone"},
		{"Ctrl+Backspace", "terminals cannot tell Ctrl+Backspace from Backspace or Ctrl+H"},
		{"Alt+[", "terminals cannot tell Alt+[ from the beginning of another key"},
		{"Alt+Shift+O", "terminals cannot tell Alt+Shift+O from the beginning of another key"},
		{"Crtl+A", "there is no key 'Crtl+A', did you mean 'Ctrl+'?"},
		{"PgUpp", "there is no key 'PgUpp', did you mean 'PgUp'?"},
		{"Inser", "there is no key 'Inser', did you mean 'Ins'?"},
		{"F13", "there is no key 'F13', did you mean 'F1'?"},
		{"Super+A", "there is no key 'Super+A'"},
		{"Shift+1", "there is no key 'Shift+1'"},
		{"abc", "there is no key 'abc'"},
		{"", "there is no key ''"},
		{"Ctrl+", "there is no key 'Ctrl+'"},
		{"\033", "there is no key '\033'"},
		{"\xff", "there is no key '\xff'"},
		{"Ctrl+\303\251", "terminals cannot tell Ctrl+\303\251 from the same key without Ctrl"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct error err = {0};
		struct key key;

		cr_expect_eq(key_parse(rows[i].text, &key, &err), STATUS_CONFIG, "%s", rows[i].text);
		cr_expect_str_eq(err.text, rows[i].error);
	}
}
