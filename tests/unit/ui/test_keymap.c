#include <criterion/criterion.h>
#include <string.h>

#include "ui/commands.h"
#include "ui/keymap.h"

static const struct {
	struct key key;
	bool line_is_empty;
	const char *name; /* of what it does; "-": readline does it */
} rows[] = {
	{{K_CHAR, 0, '?'}, true, "/help"},
	{{K_CHAR, 0, '?'}, false, "-"},
	{{.name = K_F1}, false, "/help"},
	{{K_CHAR, MOD_CTRL, 'd'}, true, "end-of-file"},
	{{K_CHAR, MOD_CTRL, 'd'}, false, "-"},
	{{K_CHAR, MOD_CTRL, 'c'}, false, "Ctrl+C"}, /* which has no name */
	{{K_CHAR, MOD_CTRL, 'j'}, false, "newline"},
	{{K_ENTER, MOD_ALT, 0}, true, "newline"},
	{{.name = K_ENTER}, false, "-"}, /* readline's */
	{{.name = K_UP}, true, "take-back"},
	{{.name = K_UP}, false, "-"},
	{{K_UP, MOD_SHIFT, 0}, false, "line-up"},
	{{K_CHAR, MOD_ALT, 'r'}, true, "/regen"},
	{{K_CHAR, MOD_ALT, 'r'}, false, "-"}, /* revert-line */
	{{K_CHAR, MOD_ALT, 'c'}, true, "/continue"},
	{{K_CHAR, MOD_ALT, 'c'}, false, "-"}, /* capitalize-word */
	{{K_CHAR, MOD_ALT, 'e'}, true, "/edit"},
	{{K_CHAR, MOD_ALT, 'e'}, false, "-"}, /* vi: Esc, then a word ahead */
	{{K_UP, MOD_ALT, 0}, true, "pick-up"},
	{{K_DOWN, MOD_ALT, 0}, true, "pick-down"},
	{{K_UP, MOD_ALT, 0}, false, "-"},
	{{K_LEFT, MOD_ALT, 0}, true, "/prev"},
	{{K_LEFT, MOD_ALT, 0}, false, "-"}, /* a word back */
	{{K_RIGHT, MOD_ALT, 0}, true, "/next"},
	{{K_CHAR, MOD_CTRL, 'g'}, true, "-"}, /* stays readline's */
	{{K_CHAR, 0, 'd'}, true, "-"},        /* a panel's only */
};

Test(keymap, finds_actions_by_key_and_context)
{
	char name[KEY_TEXT_MAX];
	struct keymap map;

	keymap_init(&map, &bindings);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct binding *binding = keymap_find(&map, rows[i].key, rows[i].line_is_empty);

		key_text(rows[i].key, name);
		cr_expect_str_eq(!binding ? "-" : binding->name ? binding->name : "Ctrl+C",
		                 rows[i].name, "%s", name);
	}
}

Test(keymap, commands_of_keys_need_no_argument)
{
	for (size_t i = 0; i < bindings.n; i++) {
		const char *name = bindings.rows[i].name;
		bool is_command = name && name[0] == '/';
		const struct command *command =
			is_command ? command_find(&commands, name + 1, strlen(name + 1)) : NULL;

		cr_assert_eq(is_command, command != NULL);
		cr_assert(!is_command || !bindings.rows[i].run, "%s", name);
		cr_assert(!command || !(command->flags & COMMAND_NEEDS_ARGUMENT), "%s", name);
	}
}

Test(keymap, no_key_is_bound_twice_in_one_context)
{
	for (size_t i = 0; i < bindings.n; i++)
		for (size_t j = i + 1; j < bindings.n; j++) {
			const struct binding *a = &bindings.rows[i], *b = &bindings.rows[j];
			char name[KEY_TEXT_MAX];

			if ((a->context == CONTEXT_PANEL) != (b->context == CONTEXT_PANEL))
				continue;
			cr_expect(a->key.name != b->key.name || a->key.mods != b->key.mods ||
			          a->key.cp != b->key.cp, "%s", key_text(a->key, name));
		}
}

Test(keymap, every_row_has_a_help_of_its_own_or_shares_the_row_before)
{
	for (size_t i = 0; i < bindings.n; i++) {
		if (bindings.rows[i].help) {
			cr_expect_gt(strlen(bindings.rows[i].help), 3);
			continue;
		}
		cr_assert_gt(i, 0);
		cr_expect_eq(bindings.rows[i].run, bindings.rows[i - 1].run);
		cr_expect(bindings.rows[i].name == bindings.rows[i - 1].name ||
		          strcmp(bindings.rows[i].name, bindings.rows[i - 1].name) == 0);
		cr_expect_eq(bindings.rows[i].context == CONTEXT_PANEL,
		             bindings.rows[i - 1].context == CONTEXT_PANEL);
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
