#include <criterion/criterion.h>
#include <string.h>

#include "ui/commands.h"
#include "ui/keymap.h"

enum { NOTHING = -1 };

static const struct {
	struct key key;
	bool line_is_empty;
	int action; /* enum key_action, NOTHING */
	const char *command;
} rows[] = {
	{{K_CHAR, 0, '?'}, true, KEY_ACTION_COMMAND, "help"},
	{{K_CHAR, 0, '?'}, false, NOTHING, NULL},
	{{.name = K_F1}, false, KEY_ACTION_COMMAND, "help"},
	{{K_CHAR, MOD_CTRL, 'd'}, true, KEY_ACTION_END_OF_FILE, NULL},
	{{K_CHAR, MOD_CTRL, 'd'}, false, NOTHING, NULL},
	{{K_CHAR, MOD_CTRL, 'c'}, false, KEY_ACTION_INTERRUPT, NULL},
	{{K_CHAR, MOD_CTRL, 'j'}, false, KEY_ACTION_NEWLINE, NULL},
	{{K_ENTER, MOD_ALT, 0}, true, KEY_ACTION_NEWLINE, NULL},
	{{.name = K_ENTER}, false, NOTHING, NULL}, /* readline's */
	{{.name = K_UP}, true, KEY_ACTION_TAKE_BACK, NULL},
	{{.name = K_UP}, false, NOTHING, NULL},
	{{K_UP, MOD_SHIFT, 0}, false, KEY_ACTION_LINE_UP, NULL},
	{{K_CHAR, MOD_ALT, 'r'}, true, KEY_ACTION_COMMAND, "regen"},
	{{K_CHAR, MOD_ALT, 'r'}, false, NOTHING, NULL}, /* revert-line */
	{{K_CHAR, MOD_ALT, 'c'}, true, KEY_ACTION_COMMAND, "continue"},
	{{K_CHAR, MOD_ALT, 'c'}, false, NOTHING, NULL}, /* capitalize-word */
	{{K_CHAR, MOD_ALT, 'e'}, true, KEY_ACTION_COMMAND, "edit"},
	{{K_CHAR, MOD_ALT, 'e'}, false, NOTHING, NULL}, /* vi: Esc, then a word ahead */
	{{K_UP, MOD_ALT, 0}, true, KEY_ACTION_PICK_UP, NULL},
	{{K_DOWN, MOD_ALT, 0}, true, KEY_ACTION_PICK_DOWN, NULL},
	{{K_UP, MOD_ALT, 0}, false, NOTHING, NULL},
	{{K_LEFT, MOD_ALT, 0}, true, KEY_ACTION_COMMAND, "prev"},
	{{K_LEFT, MOD_ALT, 0}, false, NOTHING, NULL}, /* a word back */
	{{K_RIGHT, MOD_ALT, 0}, true, KEY_ACTION_COMMAND, "next"},
	{{K_CHAR, MOD_CTRL, 'g'}, true, NOTHING, NULL}, /* stays readline's */
	{{K_CHAR, 0, 'd'}, true, NOTHING, NULL},        /* a panel's only */
};

Test(keymap, finds_actions_by_key_and_context)
{
	char name[KEY_TEXT_MAX];
	struct keymap map;

	keymap_init(&map);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct binding *binding = keymap_find(&map, rows[i].key, rows[i].line_is_empty);

		key_text(rows[i].key, name);
		cr_expect_eq(binding ? (int)binding->action : NOTHING, rows[i].action, "%s", name);
		if (rows[i].command)
			cr_expect_str_eq(binding->name, rows[i].command, "%s", name);
	}
}

Test(keymap, commands_of_keys_need_no_argument)
{
	for (size_t i = 0; i < bindings_n; i++) {
		const char *name = bindings[i].name;
		bool is_command = bindings[i].action == KEY_ACTION_COMMAND;
		const struct command *command = is_command ? command_find(&commands, name, strlen(name)) : NULL;

		cr_assert_eq(is_command, command != NULL);
		cr_assert(!command || !(command->flags & COMMAND_NEEDS_ARGUMENT), "/%s", name);
	}
}

Test(keymap, no_key_is_bound_twice_in_one_context)
{
	for (size_t i = 0; i < bindings_n; i++)
		for (size_t j = i + 1; j < bindings_n; j++) {
			const struct binding *a = &bindings[i], *b = &bindings[j];
			char name[KEY_TEXT_MAX];

			if ((a->context == CONTEXT_PANEL) != (b->context == CONTEXT_PANEL))
				continue;
			cr_expect(a->key.name != b->key.name || a->key.mods != b->key.mods ||
			          a->key.cp != b->key.cp, "%s", key_text(a->key, name));
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
		cr_expect(bindings[i].name == bindings[i - 1].name ||
		          strcmp(bindings[i].name, bindings[i - 1].name) == 0);
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
	{{K_CHAR, MOD_ALT, 'R'}, "Alt+Shift+R"},
	{{K_CHAR, 0, 'R'}, "R"},
	{{K_CHAR, 0, 'r'}, "r"},
	{{K_CHAR, 0, ' '}, "Space"},
	{{K_CHAR, 0, 0xe9}, "\303\251"},
	{{K_HOME, MOD_CTRL | MOD_ALT | MOD_SHIFT, 0}, "Ctrl+Alt+Shift+Home"},
	{{.name = K_NONE}, "none"},
	{{.name = K_F12}, "F12"},
};

Test(keymap, names_keys_as_people_write_them)
{
	char name[KEY_TEXT_MAX];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		cr_expect_str_eq(key_text(names[i].key, name), names[i].name);
}
