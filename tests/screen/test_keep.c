/* What is changed in the chat and kept: by Ctrl+K in the panels of F2, F6 and F7, and by /keep. The next
 * chat begins with it. What becomes of a file is tests/unit/config/test_keep.c's subject. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "screen/chat.h"
#include "support/tiny_model.h"

#define MODEL "synthetic:tokens=3"
#define NAME "config/sotto/config.yaml"
#define IN_FILE " in ~/" NAME "."

static struct screen *start(const char *model)
{
	return CHAT_OPEN(.model = model, .names_no_model = !model, .rows = 40, .cols = 110);
}

static void configure(const char *text)
{
	test_make_directory(screen_home("config/sotto"));
	test_write_text(screen_home(NAME), text);
}

static void expect_file(const char *expected)
{
	size_t n;
	char *text = test_read_file(screen_home(NAME), &n);

	EXPECT(text && strcmp(text, expected) == 0, "\"%s\"", text ? text : "no file");
	free(text);
}

/* In a new chat, the option is what the configuration says. */
static void expect_after_restart(const char *option, const char *value)
{
	struct screen *s = start(MODEL);
	char line[80];

	snprintf(line, sizeof line, "/show %s", option);
	SAY_WAIT(s, line, chat_shows(s, "config file"));
	EXPECT(screen_has(s, value), "%s", option);
	chat_quit(s);
}

static void test_sampler(void)
{
	struct screen *s;

	configure("# mine\ntop_k: 5 # few\n");
	s = start(MODEL);
	PRESS_SHOWS(s, "<F2>", "Ctrl+K keep");
	screen_keys(s, "0.33<Enter><Down>7<C-k>"); /* the second is being typed still */
	WAIT_TEXT(s, "Kept temp 0.33 and top-k 7" IN_FILE);
	EXPECT(screen_has(s, "Ctrl+K keep"), "the panel stays open");
	expect_file("# mine\ntop_k: 7 # few\ntemp: 0.33\n");
	PRESS_SHOWS(s, "<C-k>", "there is nothing to keep that ~/" NAME " does not say");
	PRESS_HIDES(s, "<Esc>", "Ctrl+K keep");
	chat_quit(s);
	expect_after_restart("temp", "0.33");
	expect_after_restart("top-k", "7");
}

static void test_theme(void)
{
	struct screen *s = start(MODEL);

	PRESS_SHOWS(s, "<F7>", "Ctrl+K keep");
	PRESS_HIDES(s, "nord", "solarized");
	PRESS_HIDES(s, "<C-k>", "Ctrl+K keep");
	WAIT_TEXT(s, "Kept theme nord" IN_FILE);
	expect_file("theme: nord\n");
	chat_quit(s);
	expect_after_restart("theme", "nord");
}

/* The model that is kept wins over the one used last; the guide is kept by its name. */
static void test_model(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;
	struct error err;
	char *text;
	size_t n;

	test_make_directory(screen_home("cache/llama.cpp"));
	EXPECT(tiny_model_save(&tiny, screen_home("cache/llama.cpp/a.gguf"), &err) == STATUS_OK, "%s", err.text);
	for (int loaded = 0; loaded < 2; loaded++) {
		s = start(loaded ? screen_home("cache/llama.cpp/a.gguf") : MODEL);
		screen_keys(s, "<F6>");
		WAIT(s, screen_has(s, "Ctrl+K keep") && screen_has(s, "built in")); /* the list is there */
		PRESS_HIDES(s, "tiny", "built in");
		PRESS_HIDES(s, "<C-k>", "Ctrl+K keep");
		WAIT(s, screen_has(s, "Kept model ") && screen_has(s, "a.gguf in "));
		WAIT_TEXT(s, "tiny");
		chat_wait_ready(s);
		chat_quit(s);
		text = test_read_file(screen_home(NAME), &n);
		EXPECT(text && strstr(text, "/cache/llama.cpp/a.gguf\"\n"), "\"%s\"", text);
		free(text);
		s = start(NULL);
		WAIT_TEXT(s, "tiny");
		chat_quit(s);
		configure("");
	}
	s = start(MODEL);
	ASK_SHOWS(s, "/model guide", "guide (built in)");
	SAY_SHOWS(s, "/keep", "Kept model guide" IN_FILE);
	expect_file("model: guide\n");
	chat_quit(s);
}

static void test_command(void)
{
	struct screen *s = start(MODEL);

	SAY_SHOWS(s, "/keep", "there is nothing to keep that ~/" NAME " does not say");
	EXPECT(access(screen_home(NAME), F_OK) != 0, "nothing is written");
	chat_say(s, "/set width 80");
	chat_say(s, "/temperature 1.25");
	SAY_SHOWS(s, "/keep", "Kept temp 1.25 and width 80" IN_FILE);
	expect_file("temp: 1.25\nwidth: 80\n");
	chat_say(s, "/temp 1.5");
	configure("width: 70\n"); /* somebody edits it meanwhile */
	SAY_SHOWS(s, "/keep", "has changed since it was read", "temp: 1.5");
	expect_file("width: 70\n");
	SAY_SHOWS(s, "/keep", "Kept temp 1.5 and width 80" IN_FILE);
	expect_file("width: 80\ntemp: 1.5\n");
	chat_quit(s);
	expect_after_restart("temp", "1.5");
}

static void test_refused(void)
{
	struct screen *s;

	configure("temp: 0.5\nwidth: [80\n");
	s = start(MODEL);
	chat_say(s, "/set top-k 3");
	SAY_SHOWS(s, "/keep", "Not kept: ", "To put in by hand:", "top-k: 3");
	expect_file("temp: 0.5\nwidth: [80\n");
	chat_quit(s);
}

/* What a chat that is continued brings along is not the user's choice for all chats. */
static void test_nothing_of_the_chat(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;
	struct error err;

	tiny.n_ctx = 512;
	EXPECT(tiny_model_save(&tiny, test_path("a.gguf"), &err) == STATUS_OK, "%s", err.text);
	s = start("a.gguf");
	chat_say(s, "/set n-predict 3");
	SAY_SHOWS(s, "hello", "Stopped after 3 tokens");
	chat_quit(s);
	s = CHAT_START(.names_no_model = true, .rows = 40, .cols = 110, .args = {"-C"});
	WAIT_TEXT(s, "tiny");
	chat_wait_ready(s);
	SAY_SHOWS(s, "/keep", "there is nothing to keep");
	chat_quit(s);
}

/* A file that cannot be loaded is not what the next chat is to begin with. */
static void test_broken_model(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;
	struct error err;

	test_make_directory(screen_home("cache/llama.cpp"));
	configure("temp: 1\n");
	EXPECT(tiny_model_save(&tiny, screen_home("cache/llama.cpp/a.gguf"), &err) == STATUS_OK, "%s", err.text);
	s = start(MODEL);
	PRESS_WAIT(s, "<F6>", screen_has(s, "Ctrl+K keep") && screen_has(s, "built in"));
	PRESS_HIDES(s, "tiny", "built in");
	test_write_text(screen_home("cache/llama.cpp/a.gguf"), "something else"); /* since it was listed */
	PRESS_WAIT(s, "<C-k>", screen_has(s, "stays loaded") || screen_has(s, "cannot be loaded"));
	expect_file("temp: 1\n");
	SAY_SHOWS(s, "/keep", "there is nothing to keep");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"sampler", test_sampler, 0},
		{"theme", test_theme, 0},
		{"model", test_model, 0},
		{"broken-model", test_broken_model, 0},
		{"command", test_command, 0},
		{"refused", test_refused, 0},
		{"nothing-of-the-chat", test_nothing_of_the_chat, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
