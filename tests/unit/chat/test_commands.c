#include <criterion/criterion.h>
#include <string.h>

#include "chat/commands.h"
#include "sampler/params.h"

static struct settings *settings;
static struct sampler_params params;

static void begin(void)
{
	const struct option_table table = {sampler_options, sampler_n_options, &params};

	cr_assert_eq(settings_create(&settings, &table, 1, NULL), STATUS_OK);
}

static void end(void)
{
	settings_free(settings);
}

TestSuite(commands, .init = begin, .fini = end);

Test(commands, lines_become_actions)
{
	static const struct {
		const char *line;
		enum action_kind kind;
		const char *argument;
	} cases[] = {
		{"hello", ACTION_SEND, "hello"},
		{"", ACTION_SEND, ""},
		{" /quit", ACTION_SEND, " /quit"},
		{"a\n/quit", ACTION_SEND, "a\n/quit"},
		{"//etc/passwd", ACTION_SEND, "/etc/passwd"},
		{"///", ACTION_SEND, "//"},
		{"/?", ACTION_HELP, ""},
		{"/help set", ACTION_HELP, "set"},
		{"/quit", ACTION_QUIT, ""},
		{"/exit ", ACTION_QUIT, ""},
		{"/bye\n", ACTION_QUIT, ""},
		{"/q", ACTION_QUIT, ""},
		{"/clear", ACTION_NEW, ""},
		{"/reset", ACTION_NEW, ""},
		{"/model  a b.gguf ", ACTION_MODEL, "a b.gguf"},
		{"/system You are\nbrief.\n", ACTION_SYSTEM, "You are\nbrief."},
		{"/system", ACTION_SYSTEM, ""},
		{"/system \"\"", ACTION_SYSTEM, ""},
		{"/system ''", ACTION_SYSTEM, ""},
		{"/system \"You are brief.\"", ACTION_SYSTEM, "You are brief."},
		{"/system say \"hi\"", ACTION_SYSTEM, "say \"hi\""},
		{"/system \"a\" and \"b\"", ACTION_SYSTEM, "\"a\" and \"b\""},
		{"/system \"", ACTION_SYSTEM, "\""},
		{"/model 'a b.gguf' ", ACTION_MODEL, "a b.gguf"},
		{"/set temp 1", ACTION_SET, "temp 1"},
		{"/info", ACTION_SHOW, ""},
		{"/config temp", ACTION_SHOW, "temp"},
		{"/save x", ACTION_SAVE, "x"},
		{"/save", ACTION_SAVE, ""},
		{"/resume x", ACTION_LOAD, "x"},
		{"/open x", ACTION_LOAD, "x"},
		{"/session x", ACTION_LOAD, "x"},
		{"/switch x", ACTION_LOAD, "x"},
		{"/sessions", ACTION_LIST, ""},
		{"/retry", ACTION_REGEN, ""},
		{"/regenerate", ACTION_REGEN, ""},
		{"/edit", ACTION_EDIT, ""},
		{"/edit 2", ACTION_EDIT, "2"},
		{"/stats", ACTION_STATS, ""},
		{"/context", ACTION_CONTEXT, ""},
		{"/theme\tdark", ACTION_THEME, "dark"},
		{"/load ", ACTION_LOAD, ""},
		{"/sampler", ACTION_SAMPLER, ""},
		{"/mouse on", ACTION_MOUSE, "on"},
		/* names of options, which /set changes */
		{"/temp 0.2", ACTION_SET, "temp 0.2"},
		{"/temp=0.2", ACTION_SET, "temp=0.2"},
		{"/temp", ACTION_SET, "temp"},
		{"/top-k  default ", ACTION_SET, "top-k  default"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct action action;
		struct error err = {0};
		size_t len = strlen(cases[i].argument);

		cr_assert_eq(command_parse(cases[i].line, strlen(cases[i].line), settings, &action, &err),
		             STATUS_OK, "%s: %s", cases[i].line, err.text);
		cr_assert_eq(action.kind, cases[i].kind, "%s", cases[i].line);
		cr_assert_eq(action.argument_len, len, "%s", cases[i].line);
		cr_assert_eq(memcmp(action.argument, cases[i].argument, len), 0, "%s", cases[i].line);
	}
}

Test(commands, what_is_no_command_is_never_sent)
{
	static const struct {
		const char *line, *error;
	} cases[] = {
		{"/qiut", "there is no command /qiut, did you mean /quit?"},
		{"/theem dark", "there is no command /theem, did you mean /theme?"},
		{"/sesion x", "there is no command /sesion, did you mean /load?"},
		{"/xyzzy", "there is no command /xyzzy; /help lists them, // sends a slash"},
		{"/usr/bin/env is what?", "there is no command /usr/bin/env; /help"},
		{"/Quit", "there is no command /Quit, did you mean /quit?"},
		{"/", "a command's name has to follow the slash; // sends one"},
		{"/ quit", "a command's name has to follow the slash"},
		{"/set", "/set needs more: /set NAME VALUE"},
		{"/export", "there is no command /export: /save FILE.yaml writes"},
		{"/undo", "there is no command /undo: Alt+E or /edit"},
		{"/sing", "there is no command /sing; /help lists them"},
		{"/top-j 3", "there is no command /top-j, did you mean /top-k?"},
		{"/s 3", "there is no command /s"},
		{"/quit now", "/quit takes no argument"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct action action;
		struct error err = {0};

		cr_assert_eq(command_parse(cases[i].line, strlen(cases[i].line), settings, &action, &err),
		             STATUS_USAGE, "%s", cases[i].line);
		cr_assert(strncmp(err.text, cases[i].error, strlen(cases[i].error)) == 0, "%s: %s",
		          cases[i].line, err.text);
	}
}

Test(commands, set_is_taken_apart)
{
	static const struct {
		const char *line, *name, *value;
	} cases[] = {
		{"/set temp 1", "temp", "1"},
		{"/set temp=1", "temp", "1"},
		{"/set temp = 1", "temp", "1"},
		{"/set temp= 1", "temp", "1"},
		{"/set temp =1", "temp", "1"},
		{"/set parameter temp 1", "temp", "1"},
		{"/set parameter temp=1", "temp", "1"},
		{"/set model a b=c.gguf", "model", "a b=c.gguf"},
		{"/set model=a b.gguf", "model", "a b.gguf"},
		{"/set model \"a b.gguf\"", "model", "a b.gguf"},
		{"/set model = 'a b.gguf'", "model", "a b.gguf"},
		{"/set model \"\"", "model", ""},
		{"/set temp", NULL, NULL},
		{"/set temp=", NULL, NULL},
		{"/set =1", NULL, NULL},
		{"/set parameter", NULL, NULL},
		{"/set parameter temp", NULL, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct action action;
		struct error err = {0};
		struct buf name, value;
		enum status status;

		buf_init(&name, 100);
		buf_init(&value, 100);
		cr_assert_eq(command_parse(cases[i].line, strlen(cases[i].line), settings, &action, &err),
		             STATUS_OK);
		status = command_split_setting(&action, &name, &value, &err);
		cr_assert_eq(status, cases[i].name ? STATUS_OK : STATUS_USAGE, "%s", cases[i].line);
		cr_assert_str_eq(buf_text(&name), cases[i].name ? cases[i].name : "", "%s",
		                 cases[i].line);
		cr_assert_str_eq(buf_text(&value), cases[i].value ? cases[i].value : "", "%s",
		                 cases[i].line);
		buf_free(&name);
		buf_free(&value);
	}
}

Test(commands, the_table_is_whole_and_unambiguous)
{
	bool seen[ACTION_KIND_COUNT] = {[ACTION_SEND] = true};

	for (size_t i = 0; i < commands_n; i++) {
		const struct command *command = &commands[i];
		const char *alias = command->aliases;

		cr_assert_not(seen[command->action], "/%s", command->name);
		seen[command->action] = true;
		cr_assert_eq(command_find(command->name, strlen(command->name)), command);
		while (alias && *alias) {
			size_t n = strcspn(alias, " ");

			cr_assert_eq(command_find(alias, n), command, "/%s", alias);
			alias += n + strspn(alias + n, " ");
		}
		cr_assert(!command->needs_argument || command->usage);
		cr_assert_eq(command->argument == ARGUMENT_NONE, !command->usage, "/%s",
		             command->name);
		cr_assert_gt(strlen(command->help), 0);
	}
	for (int kind = 0; kind < ACTION_KIND_COUNT; kind++)
		cr_assert(seen[kind], "action %d", kind);
}

Test(commands, an_exclamation_mark_forces_quitting_and_nothing_else)
{
	struct action action;
	struct error err;

	cr_assert_eq(command_parse("/quit!", 6, NULL, &action, &err), STATUS_OK);
	cr_assert_eq(action.kind, ACTION_QUIT);
	cr_assert(action.forced);
	cr_assert_eq(command_parse("/q!", 3, NULL, &action, &err), STATUS_OK);
	cr_assert(action.forced);
	cr_assert_eq(command_parse("/quit", 5, NULL, &action, &err), STATUS_OK);
	cr_assert_not(action.forced);
	cr_assert_eq(command_parse("/new!", 5, NULL, &action, &err), STATUS_USAGE);
	cr_assert_eq(command_parse("/!", 2, NULL, &action, &err), STATUS_USAGE);
}
