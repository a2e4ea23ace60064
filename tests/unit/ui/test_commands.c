#include <criterion/criterion.h>
#include <string.h>

#include "sampler/params.h"
#include "ui/commands.h"

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

/* "" for a message. */
static const char *name_of(const struct command_call *call)
{
	return call->command ? call->command->name : "";
}

Test(commands, lines_become_calls)
{
	static const struct {
		const char *line, *name, *argument;
	} cases[] = {
		{"hello", "", "hello"},
		{"", "", ""},
		{" /quit", "", " /quit"},
		{"a\n/quit", "", "a\n/quit"},
		{"//etc/passwd", "", "/etc/passwd"},
		{"///", "", "//"},
		{"/?", "help", ""},
		{"/help set", "help", "set"},
		{"/quit", "quit", ""},
		{"/exit ", "quit", ""},
		{"/bye\n", "quit", ""},
		{"/q", "quit", ""},
		{"/clear", "new", ""},
		{"/reset", "new", ""},
		{"/model  a b.gguf ", "model", "a b.gguf"},
		{"/system You are\nbrief.\n", "system", "You are\nbrief."},
		{"/system", "system", ""},
		{"/system \"\"", "system", ""},
		{"/system ''", "system", ""},
		{"/system \"You are brief.\"", "system", "You are brief."},
		{"/system say \"hi\"", "system", "say \"hi\""},
		{"/system \"a\" and \"b\"", "system", "\"a\" and \"b\""},
		{"/system \"", "system", "\""},
		{"/model 'a b.gguf' ", "model", "a b.gguf"},
		{"/set temp 1", "set", "temp 1"},
		{"/info", "show", ""},
		{"/config temp", "show", "temp"},
		{"/save x", "save", "x"},
		{"/save", "save", ""},
		{"/resume x", "load", "x"},
		{"/open x", "load", "x"},
		{"/session x", "load", "x"},
		{"/switch x", "load", "x"},
		{"/sessions", "list", ""},
		{"/retry", "regen", ""},
		{"/copy 2", "copy", "2"},
		{"/find a b", "find", "a b"},
		{"/grep x", "find", "x"},
		{"/export md a.md", "export", "md a.md"},
		{"/export! a.md", "export", "a.md"},
		{"/import a.json", "import", "a.json"},
		{"/yank", "copy", ""},
		{"/write 2 a b", "write", "2 a b"},
		{"/write \"a b\"", "write", "a b"},
		{"/write! x", "write", "x"},
		{"/regenerate", "regen", ""},
		{"/edit", "edit", ""},
		{"/edit 2", "edit", "2"},
		{"/edit reply", "edit", "reply"},
		{"/continue", "continue", ""},
		{"/undo", "undo", ""},
		{"/read a.c 'b c'", "read", "a.c 'b c'"},
		{"/attach \"b c\"", "read", "b c"},
		{"/detach all", "detach", "all"},
		{"/pop 2", "undo", "2"},
		{"/prev", "prev", ""},
		{"/next", "next", ""},
		{"/branches", "branches", ""},
		{"/fork", "fork", ""},
		{"/branch another way", "fork", "another way"},
		{"/stats", "stats", ""},
		{"/context", "context", ""},
		{"/theme\tdark", "theme", "dark"},
		{"/load ", "load", ""},
		{"/sampler", "sampler", ""},
		{"/mouse on", "mouse", "on"},
		/* names of options, which /set changes */
		{"/temp 0.2", "set", "temp 0.2"},
		{"/temp=0.2", "set", "temp=0.2"},
		{"/temp", "set", "temp"},
		{"/top-k  default ", "set", "top-k  default"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct command_call call;
		struct error err = {0};
		size_t len = strlen(cases[i].argument);

		cr_assert_eq(command_parse(&commands, settings, cases[i].line, strlen(cases[i].line), &call, &err),
		             STATUS_OK, "%s: %s", cases[i].line, err.text);
		cr_assert_str_eq(name_of(&call), cases[i].name, "%s", cases[i].line);
		cr_assert_eq(call.argument_len, len, "%s", cases[i].line);
		cr_assert_eq(memcmp(call.argument, cases[i].argument, len), 0, "%s", cases[i].line);
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
		{"/", "a command has a name after its slash; // sends a slash"},
		{"/ quit", "a command has a name after its slash"},
		{"/set", "/set needs an argument: /set NAME VALUE"},
		{"/read", "/read needs an argument: /read FILE..."},
		{"/write", "/write needs an argument: /write [N] FILE"},
		{"/copy! 2", "there is no command /copy!"},
		{"/export", "/export needs an argument: /export md|json|txt|html [FILE]"},
		{"/redo", "there is no command /redo: /regen asks for another"},
		{"/sing", "there is no command /sing; /help lists them"},
		{"/top-j 3", "there is no command /top-j, did you mean /top-k?"},
		{"/s 3", "there is no command /s"},
		{"/quit now", "/quit takes no argument"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct command_call call;
		struct error err = {0};

		cr_assert_eq(command_parse(&commands, settings, cases[i].line, strlen(cases[i].line), &call, &err),
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
		struct command_call call;
		struct error err = {0};
		struct buf name = {.max = 100}, value = {.max = 100};
		enum status status;

		cr_assert_eq(command_parse(&commands, settings, cases[i].line, strlen(cases[i].line), &call, &err),
		             STATUS_OK);
		status = command_split_setting(call.argument, call.argument_len, &name, &value, &err);
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
	for (size_t i = 0; i < commands.n; i++) {
		const struct command *command = &commands.rows[i];
		const char *alias = command->aliases;

		cr_assert(command->run, "/%s", command->name);
		for (size_t j = 0; j < i; j++)
			cr_assert_neq(commands.rows[j].run, command->run, "/%s", command->name);
		cr_assert_eq(command_find(&commands, command->name, strlen(command->name)), command);
		while (alias && *alias) {
			size_t n = strcspn(alias, " ");

			cr_assert_eq(command_find(&commands, alias, n), command, "/%s", alias);
			alias += n + strspn(alias + n, " ");
		}
		cr_assert(!(command->flags & COMMAND_NEEDS_ARGUMENT) || command->usage);
		cr_assert_eq(command->argument == ARGUMENT_NONE, !command->usage, "/%s",
		             command->name);
		cr_assert_gt(strlen(command->help), 0);
	}
}

Test(commands, an_exclamation_mark_forces_quitting_and_nothing_else)
{
	struct command_call call;
	struct error err;

	cr_assert_eq(command_parse(&commands, NULL, "/quit!", 6, &call, &err), STATUS_OK);
	cr_assert_str_eq(name_of(&call), "quit");
	cr_assert(call.forced);
	cr_assert_eq(command_parse(&commands, NULL, "/q!", 3, &call, &err), STATUS_OK);
	cr_assert(call.forced);
	cr_assert_eq(command_parse(&commands, NULL, "/quit", 5, &call, &err), STATUS_OK);
	cr_assert_not(call.forced);
	cr_assert_eq(command_parse(&commands, NULL, "/new!", 5, &call, &err), STATUS_USAGE);
	cr_assert_eq(command_parse(&commands, NULL, "/!", 2, &call, &err), STATUS_USAGE);
}
