#include <criterion/criterion.h>
#include <string.h>

#include "ui/keymap.h"

static const struct {
	struct key key;
	bool line_is_empty;
	enum key_action action;
} rows[] = {
	{{K_CHAR, 0, '?'}, true, KEY_ACTION_HELP},
	{{K_CHAR, 0, '?'}, false, KEY_ACTION_NONE},
	{{.name = K_F1}, false, KEY_ACTION_HELP},
	{{K_CHAR, MOD_CTRL, 'd'}, true, KEY_ACTION_END_OF_FILE},
	{{K_CHAR, MOD_CTRL, 'd'}, false, KEY_ACTION_NONE},
	{{K_CHAR, MOD_CTRL, 'c'}, false, KEY_ACTION_INTERRUPT},
	{{K_CHAR, MOD_CTRL, 'j'}, false, KEY_ACTION_NEWLINE},
	{{K_ENTER, MOD_ALT, 0}, true, KEY_ACTION_NEWLINE},
	{{.name = K_ENTER}, false, KEY_ACTION_NONE}, /* readline's */
	{{.name = K_UP}, true, KEY_ACTION_TAKE_BACK},
	{{.name = K_UP}, false, KEY_ACTION_NONE},
	{{K_UP, MOD_SHIFT, 0}, false, KEY_ACTION_LINE_UP},
	{{K_CHAR, MOD_ALT, 'r'}, true, KEY_ACTION_REGENERATE},
	{{K_CHAR, MOD_ALT, 'r'}, false, KEY_ACTION_NONE}, /* revert-line */
	{{K_CHAR, MOD_ALT, 'e'}, true, KEY_ACTION_EDIT},
	{{K_CHAR, MOD_ALT, 'e'}, false, KEY_ACTION_NONE}, /* vi: Esc, then a word ahead */
	{{K_CHAR, MOD_CTRL, 'g'}, true, KEY_ACTION_NONE}, /* stays readline's */
	{{K_CHAR, 0, 'd'}, true, KEY_ACTION_NONE},        /* a panel's only */
};

Test(keymap, finds_actions_by_key_and_context)
{
	char name[KEYMAP_NAME_MAX];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		cr_expect_eq(keymap_find(rows[i].key, rows[i].line_is_empty), rows[i].action, "%s",
		             keymap_key_name(rows[i].key, name));
}

Test(keymap, no_key_is_bound_twice_in_one_context)
{
	for (size_t i = 0; i < bindings_n; i++)
		for (size_t j = i + 1; j < bindings_n; j++) {
			const struct binding *a = &bindings[i], *b = &bindings[j];
			char name[KEYMAP_NAME_MAX];

			if ((a->context == CONTEXT_PANEL) != (b->context == CONTEXT_PANEL))
				continue;
			cr_expect(a->key.name != b->key.name || a->key.mods != b->key.mods ||
			          a->key.cp != b->key.cp, "%s", keymap_key_name(a->key, name));
		}
}

Test(keymap, every_row_has_a_help_of_its_own_or_shares_the_row_before)
{
	for (size_t i = 0; i < bindings_n; i++) {
		if (bindings[i].help) {
			cr_expect_gt(strlen(bindings[i].help), 3);
			continue;
		}
		cr_assert_gt(i, 0);
		cr_expect_eq(bindings[i].action, bindings[i - 1].action);
		cr_expect_eq(bindings[i].context == CONTEXT_PANEL,
		             bindings[i - 1].context == CONTEXT_PANEL);
	}
}

static const struct {
	struct key key;
	const char *name;
} names[] = {
	{{K_CHAR, MOD_CTRL, 'c'}, "Ctrl+C"},
	{{K_CHAR, MOD_ALT, 'r'}, "Alt+R"},
	{{K_CHAR, 0, 'r'}, "r"},
	{{K_CHAR, 0, ' '}, "Space"},
	{{K_CHAR, 0, 0xe9}, "\303\251"},
	{{K_HOME, MOD_CTRL | MOD_ALT | MOD_SHIFT, 0}, "Ctrl+Alt+Shift+Home"},
	{{.name = K_NONE}, "none"},
	{{.name = K_F12}, "F12"},
};

Test(keymap, names_keys_as_people_write_them)
{
	char name[KEYMAP_NAME_MAX];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		cr_expect_str_eq(keymap_key_name(names[i].key, name), names[i].name);
}
