#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"
#include "terminal/cells.h"
#include "ui/commands.h"
#include "ui/keymap.h"

static const struct key_hint hints[] = {
	{"edit", "change it"},
	{"prev", NULL},
	{"no such command", "nothing"},
	{"next", "other versions"},
	{"escape", "none"},
};

/* What leaves the place is always there. */
Test(key_hints, as_many_as_fit)
{
	static const struct {
		int cols;
		const char *text;
	} rows[] = {
		{100, "Alt+E change it  Alt+Left  Alt+Right other versions  Esc none"},
		{61, "Alt+E change it  Alt+Left  Alt+Right other versions  Esc none"},
		{57, "Alt+E change it  Alt+Left  Esc none"},
		{34, "Alt+E change it  Esc none"},
		{24, "Alt+Left  Esc none"},
		{8, "Esc none"},
		{1, "Esc none"}, /* who draws it cuts it */
	};

	struct keymap map;

	keymap_init(&map, &bindings);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf text = {.max = KEY_HINTS_MAX};

		key_hints(&map, hints, sizeof hints / sizeof hints[0], rows[i].cols, &text);
		cr_expect_str_eq(buf_text(&text), rows[i].text, "%d columns: %s", rows[i].cols, buf_text(&text));
		buf_free(&text);
	}
	keymap_deinit(&map);
}

static void expect_bound(const char *lines, const char *wanted)
{
	struct buf problems = {.max = KIB(4)}, text = {.max = KEY_HINTS_MAX};
	struct keymap map;

	keymap_init(&map, &bindings);
	keymap_read(&map, "keys.yaml", lines, strlen(lines), &commands, NULL, &problems);
	cr_expect_eq(problems.len, 0, "%s", buf_text(&problems));
	key_hints(&map, hints, 1, 80, &text);
	cr_expect_str_eq(buf_text(&text), wanted, "%s", buf_text(&text));
	keymap_deinit(&map);
	buf_free(&text);
	buf_free(&problems);
}

Test(key_hints, they_are_the_users_keys)
{
	expect_bound("Alt+E: none\nAlt+Q: /edit\n", "Alt+Q change it");
	expect_bound("Alt+E: none\n", ""); /* no key does it */
}
