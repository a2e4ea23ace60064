/* keys.yaml. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "config/settings.h"
#include "sampler/params.h"
#include "ui/commands.h"
#include "ui/keymap.h"

static struct keymap map;
static struct buf problems;

static void init(void)
{
	keymap_init(&map, &bindings);
	buf_init(&problems, 65536);
}

static void fini(void)
{
	keymap_deinit(&map);
	buf_free(&problems);
}

TestSuite(keymap_file, .init = init, .fini = fini);

static void read_text(const char *text)
{
	struct sampler_params params = {0};
	struct option_table table = {sampler_options, sampler_n_options, &params};
	struct settings *settings;

	cr_assert_eq(settings_create(&settings, &table, 1, NULL), STATUS_OK);
	buf_clear(&problems);
	keymap_read(&map, "keys.yaml", text, strlen(text), &commands, settings, &problems);
	settings_free(settings);
}

/* The name of what the key does, "-" for nothing of sotto's. */
static const char *does(const char *text, bool line_is_empty)
{
	const struct binding *row;
	struct key key;

	cr_assert_eq(key_parse(text, &key, NULL), STATUS_OK, "%s", text);
	row = keymap_find(&map, key, line_is_empty);
	return row ? row->name : "-";
}

Test(keymap_file, without_a_file_the_map_is_the_table)
{
	cr_assert_eq(map.n, bindings.n);
	for (size_t i = 0; i < bindings.n; i++) {
		cr_assert(key_equals(map.rows[i].key, bindings.rows[i].key));
		cr_assert_eq(map.rows[i].help, bindings.rows[i].help);
	}
	cr_expect_str_eq(keymap_hint(&map, "model"), "F6");
	cr_expect_str_eq(keymap_hint(&map, "thinking"), "Alt+T");
	cr_expect_str_eq(keymap_key_of(&map, "load"), "F5");
	cr_expect_null(keymap_key_of(&map, "quit"));
}

Test(keymap_file, binds_commands_with_arguments_and_actions_and_unbinds)
{
	read_text("# my keys\n"
	          "Ctrl+T: /set temperature 0.2\n"
	          "Alt+Q: /quit!\n"
	          "F10: /temp 1\n"
	          "F3: /sampler\n"
	          "F2: none\n"
	          "Ctrl+G: thinking\n"
	          "g: bottom\n"
	          "Ctrl+N: /edit\n"
	          "F9: /chats\n");
	cr_assert_str_eq(buf_text(&problems), "");
	cr_expect_str_eq(does("Ctrl+T", false), "/set temperature 0.2");
	cr_expect_str_eq(does("Alt+Q", false), "/quit!");
	cr_expect_str_eq(does("F10", true), "/temp 1");
	cr_expect_str_eq(does("F3", false), "/sampler");
	cr_expect_str_eq(does("F2", false), "-");
	cr_expect_str_eq(does("Ctrl+G", false), "thinking");
	cr_expect_str_eq(does("Alt+T", true), "thinking"); /* it keeps the table's key */
	cr_expect_str_eq(does("g", true), "bottom");
	cr_expect_str_eq(does("g", false), "-"); /* it types a letter */
	cr_expect_str_eq(does("Ctrl+N", true), "/edit");
	cr_expect_str_eq(does("Ctrl+N", false), "-"); /* would take the line's place */
	cr_expect_str_eq(does("F9", false), "/load"); /* an alias is the command */
	cr_expect_str_eq(does("F6", false), "/model");
	cr_expect_str_eq(keymap_hint(&map, "sampler"), "F3");
	cr_expect_str_eq(keymap_hint(&map, "context"), "/context");
	cr_expect_null(keymap_key_of(&map, "context"));
	cr_expect_str_eq(keymap_hint(&map, "load"), "F5");
}

Test(keymap_file, an_action_without_a_key_says_so)
{
	read_text("Alt+T: none\nAlt+R: /regen\nF1: none\n");
	cr_assert_str_eq(buf_text(&problems), "");
	cr_expect_str_eq(keymap_hint(&map, "thinking"), "no key");
	cr_expect_str_eq(keymap_hint(&map, "regen"), "Alt+R");
	cr_expect_str_eq(does("Alt+R", false), "/regen");
	cr_expect_str_eq(keymap_hint(&map, "help"), "?"); /* what is left */
}

Test(keymap_file, each_group_of_rows_still_begins_with_its_help)
{
	read_text("Ctrl+J: none\nF1: /quit\nUp: none\nCtrl+O: newline\nAlt+1: /find x\n");
	cr_assert_str_eq(buf_text(&problems), "");
	cr_assert(map.rows[0].help);
	for (size_t i = 1; i < map.n; i++)
		if (!map.rows[i].help)
			cr_assert_eq(map.rows[i].run, map.rows[i - 1].run);
	cr_assert_str_eq(map.rows[map.n - 1].help, "/find x");
	cr_assert_str_eq(map.rows[map.n - 2].help, "leave; the chat is saved (/quit! leaves even if it "
	                                           "could not be)");
}

Test(keymap_file, names_what_is_wrong_with_its_line_and_follows_the_rest)
{
	static const struct {
		const char *text, *problem;
	} rows[] = {
		{"Alt+X: /quit\nalt+x: /new\n", "keys.yaml:2: Alt+X is already bound in line 1"},
		{"Alt+X: /quit\nAlt+X: /quit\n", "keys.yaml:2: Alt+X is already bound in line 1"},
		{"Ctrl+I: /quit\n", "keys.yaml:1: terminals cannot tell Ctrl+I from Tab"},
		{"Ctrl+M: /quit\n", "keys.yaml:1: terminals cannot tell Ctrl+M from Enter"},
		{"Enter: /quit\n", "keys.yaml:1: Enter cannot be bound to anything else"},
		{"Ctrl+C: none\n", "keys.yaml:1: Ctrl+C cannot be bound to anything else"},
		{"\nCtrl+R: none\n", "keys.yaml:2: Ctrl+R belongs to the input line: change it in ~/.inputrc"},
		{"PgUpp: /quit\n", "keys.yaml:1: there is no key 'PgUpp', did you mean 'PgUp'?"},
		{"F8: /sampelr\n", "keys.yaml:1: there is no command /sampelr, did you mean /sampler?"},
		{"F8: /find\n", "keys.yaml:1: /find needs an argument: /find TEXT"},
		{"F8: thinkin\n", "keys.yaml:1: there is no action 'thinkin', did you mean 'thinking'?"},
		{"F8: quit\n", "keys.yaml:1: there is no action 'quit', did you mean '/quit'?"},
		{"F8: //hello\n", "keys.yaml:1: a command begins with a single slash"},
		{"F8: [/quit]\n", "keys.yaml:1: expected a command, an action or 'none'"},
		{"F8: {a: {b: c}}\n", "keys.yaml:1: expected a command, an action or 'none'"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char text[256];

		snprintf(text, sizeof text, "%sF10: /keys\n", rows[i].text);
		read_text(text);
		cr_expect_str_eq(buf_text(&problems), rows[i].problem);
		cr_expect_str_eq(does("F10", false), "/keys", "%s", rows[i].text);
	}
}

Test(keymap_file, what_is_before_a_broken_line_applies)
{
	read_text("F10: /keys\n\"F8: /quit\n");
	cr_assert_neq(strstr(buf_text(&problems), "keys.yaml:"), NULL);
	cr_expect_str_eq(does("F10", false), "/keys");
	cr_expect_str_eq(does("F8", false), "/inspect");
	read_text("- F10\n");
	cr_assert_str_eq(buf_text(&problems), "keys.yaml:1: expected lines 'name: value'");
	cr_expect_str_eq(does("F10", false), "-"); /* the file's place was taken */
	read_text("");
	cr_assert_str_eq(buf_text(&problems), "");
	cr_expect_eq(map.n, bindings.n);
}

Test(keymap_file, more_keys_than_there_are_places_are_told_of)
{
	char text[64 * (KEYMAP_CHANGES_MAX + 2)];
	size_t n = 0;

	for (int i = 0; i < KEYMAP_CHANGES_MAX + 1; i++) /* Chinese characters: keys like any other */
		n += (size_t)snprintf(text + n, sizeof text - n, "\344%c%c: /set temp 1\n", 0xb8 + i / 64,
		                      0x80 + i % 64);
	read_text(text);
	cr_assert_neq(strstr(buf_text(&problems), "more than 128 keys are bound"), NULL);
	cr_assert_eq(map.n_changes, KEYMAP_CHANGES_MAX);
	cr_assert_eq(map.n, bindings.n + KEYMAP_CHANGES_MAX);
}
