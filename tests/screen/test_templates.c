/* Prompt templates: choosing one, its variables, what it does to a chat that
 * is under way, and files that change or break meanwhile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "screen/chat.h"
#include "support/tiny_model.h"

#define MODEL "synthetic:rate=1000,tokens=10"

static const char greeter[] = "description: Greets people\n"
                              "variables:\n"
                              "  name: {help: who is greeted}\n"
                              "  how: {default: kindly, help: in which manner}\n"
                              "system: Greet {{ name }} {{ how }}.\n"
                              "options: {temp: 0}\n";
static const char opener[] = "description: Begins by itself\n"
                             "system: You begin.\n"
                             "messages:\n"
                             "  - user: Say something.\n"
                             "  - assistant: I have begun.\n";
static const char plain[] = "system: You are plain.\n";
static const char stopper[] = "system: You stop.\nstop: [\"warm 3\"]\n";

static void write_template(const char *name, const char *text)
{
	char path[200];

	snprintf(path, sizeof(path), "config/sotto/prompts/%s.yaml", name);
	test_write_text(screen_home(path), text);
}

/* A chat of 100 columns with these templates and the package's own. */
static struct screen *start_chat(const char *const args[])
{
	struct chat_options options = {.model = MODEL, .rows = 30, .cols = 100};

	for (size_t i = 0; args && args[i]; i++)
		options.args[i] = args[i];
	test_make_directory(screen_home("config/sotto/prompts"));
	write_template("greeter", greeter);
	write_template("opener", opener);
	write_template("plain", plain);
	write_template("stopper", stopper);
	return chat_start(&options);
}

static struct screen *open_chat(const char *const args[])
{
	struct screen *s = start_chat(args);

	chat_wait_ready(s);
	return s;
}

/* The reply stands below the message. */
static bool is_answered(struct screen *s, const char *text, const char *reply)
{
	int row = screen_row_of(s, text);

	while (row >= 0 && ++row < screen_cursor(s).row)
		if (strstr(screen_row(s, row), reply))
			return true;
	return false;
}

/* Sends and waits for the whole reply; `reply` is how it ends. */
static void talk(struct screen *s, const char *text, const char *reply)
{
	ASK_WAIT(s, text, is_answered(s, text, reply));
}

static void open_list(struct screen *s)
{
	PRESS_WAIT(s, "<F4>", screen_has(s, "Prompt templates") && screen_has(s, "Esc close"));
}

/* In mid-conversation, with k=v: system message, options and badge change. */
static void test_switch_by_command(void)
{
	struct screen *s = open_chat(NULL);

	talk(s, "hello", "warm 9");
	chat_say(s, "/template greeter name=Ann");
	WAIT(s, chat_shows(s, "System, from here on (template greeter name=Ann)"));
	EXPECT(chat_shows(s, "Greet Ann kindly."), " ");
	WAIT(s, screen_count(s, "greeter") == 2); /* and in the bar */
	talk(s, "again", "cold 9"); /* its temperature */
	SAY_SHOWS(s, "/show temp", "template\n");
	SAY_SHOWS(s, "/context text", "  System: Greet Ann kindly.");
	EXPECT(screen_row_of(s, "  You: hello") < screen_row_of(s, "  System: Greet"),
	       "it stands where it was given");
	chat_say(s, "/role plain"); /* the options go with the template */
	WAIT(s, chat_shows(s, "You are plain."));
	talk(s, "more", "warm 9");
	EXPECT(chat_journal_has("origin: \"greeter name=Ann\""), " ");
	chat_quit_fresh(s);
}

static void test_whole_conversation(void)
{
	struct screen *s = open_chat((const char *[]){"--system-prompt", "Be brief.", NULL});

	talk(s, "hello", "warm 9");
	chat_say(s, "/template --all greeter name=Bob how=loudly");
	WAIT(s, chat_shows(s, "System, for the whole conversation (template greeter"));
	SAY_SHOWS(s, "/context text", "  You: hello");
	EXPECT(screen_row_of(s, "  System: Greet Bob loudly.") == screen_row_of(s, "  You: hello") - 2 &&
	       screen_row_of(s, "  System: Greet Bob loudly.") >= 0, "it stands first");
	EXPECT(!screen_has(s, "  System: Be brief."), "in the place of the one before");
	EXPECT(chat_journal_has("whole: \"yes\""), " ");
	SAY_WAIT(s, "/template none", screen_count(s, "Be brief.") == 2); /* it is back */
	PRESS_HIDES(s, "<F12>", "greeter"); /* the bar again */
	chat_quit(s);
}

static void test_form(void)
{
	struct screen *s = open_chat(NULL);

	talk(s, "hello", "warm 9");
	open_list(s);
	EXPECT(screen_has(s, "greeter") && screen_has(s, "Greets people"), " ");
	EXPECT(screen_has(s, "translator"), "the package's own are there");
	PRESS_HIDES(s, "greet", "translator");
	PRESS_SHOWS(s, "<Enter>", "kindly", "who is greeted"); /* the default */
	screen_keys(s, "<Enter><C-a>");
	screen_keys(s, "very <Up>");
	PRESS_SHOWS(s, "\xe4\xbd\xa0" "x<Left>\xe5\xa5\xbd<Right><BS>", "\xe4\xbd\xa0\xe5\xa5\xbd");
	screen_paste(s, " & Co", 5);
	WAIT_TEXT(s, "& Co");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "<Down><Down>", "changes it");
	PRESS_SHOWS(s, "<Right>", "\u25CF to the whole");
	PRESS_WAIT(s, "<Enter>", chat_shows(s, "System, for the whole conversation"));
	EXPECT(chat_shows(s, "Greet \xe4\xbd\xa0\xe5\xa5\xbd & Co very kindly."), " ");
	/* chosen once more, it comes with the values it has */
	open_list(s);
	WAIT_TEXT(s, "in use");
	PRESS_SHOWS(s, "<Enter>", "very kindly");
	PRESS_HIDES(s, "<Esc>", "changes it");
	chat_quit_fresh(s);
}

static void test_missing_variable(void)
{
	struct screen *s = open_chat(NULL);

	SAY_SHOWS(s, "/template greeter how=badly", "badly", "who is greeted");
	PRESS_SHOWS(s, "<Down><Enter>", "name needs a value");
	EXPECT(!screen_has(s, "applies"), "there is nothing it could apply to yet");
	PRESS_WAIT(s, "Cleo<Enter><Enter>", chat_shows(s, "Greet Cleo badly."));
	EXPECT(chat_shows(s, "System (template greeter"), " ");
	PRESS_SHOWS(s, "/template greeter nme=x<Enter>", "did you mean 'name'");
	WAIT(s, chat_line_has(s, "nme=x")); /* the line stays */
	PRESS_SHOWS(s, "<C-a><C-k>/template gretter<Enter>", "did you mean 'greeter'");
	screen_keys(s, "<C-a><C-k>");
	EXPECT(chat_n_journals() == 0, "nothing was said yet");
	chat_quit(s);
}

static void test_opening_messages(void)
{
	struct screen *s = open_chat(NULL);

	SAY_WAIT(s, "/template opener", chat_shows(s, "I have begun."));
	SAY_HIDES(s, "/template plain", "I have begun."); /* nothing was said: another beginning */
	SAY_WAIT(s, "/template opener", chat_shows(s, "I have begun."));
	EXPECT(!screen_has(s, "You are plain."), " ");
	talk(s, "go on", "warm 9");
	EXPECT(chat_journal_has("I have begun."), " ");
	SAY_SHOWS(s, "/template opener", "opening messages of opener are left out");
	chat_quit(s);
}

/* Tab knows names and variables. */
static void test_completion(void)
{
	struct screen *s = open_chat(NULL);

	PRESS_WAIT(s, "/template gre<Tab>", chat_line_has(s, "greeter"));
	PRESS_WAIT(s, "n<Tab>Ann h<Tab>", chat_line_has(s, "name=Ann how="));
	PRESS_WAIT(s, "x<Enter>", chat_shows(s, "Greet Ann x."));
	chat_quit(s);
}

static void test_broken_file(void)
{
	struct screen *s = open_chat(NULL);

	open_list(s);
	EXPECT(screen_has(s, "plain"), " ");
	write_template("plain", "system: |\n  You are plain.\nsystme: x\n");
	WAIT_TEXT(s, "plain.yaml:3"); /* with the list open */
	screen_keys(s, "plain.yaml<Enter>");
	WAIT(s, chat_shows(s, "prompts/plain.yaml:3")); /* with the whole path */
	talk(s, "hello", "warm 9"); /* the chat goes on, and so do the others */
	SAY_WAIT(s, "/template greeter name=Di", chat_shows(s, "Greet Di kindly."));
	EXPECT(!screen_has(s, "plain.yaml:3"), " ");
	screen_keys(s, "/template plain<Enter>");
	WAIT(s, chat_shows(s, "prompts/plain.yaml:3")); /* the one before went with the next command */
	screen_keys(s, "<C-a><C-k>");
	open_list(s);
	WAIT_TEXT(s, "plain.yaml:3");
	write_template("plain", "system: You are repaired.\n");
	WAIT_GONE(s, "plain        plain.yaml:3");
	PRESS_HIDES(s, "<Esc>", "Prompt templates");
	SAY_WAIT(s, "/template plain", chat_shows(s, "You are repaired."));
	chat_quit(s);
}

static void test_changed_file(void)
{
	struct screen *s = open_chat(NULL);

	SAY_WAIT(s, "/template greeter name=Ed", chat_shows(s, "Greet Ed kindly."));
	talk(s, "one", "cold 9");
	EXPECT(!screen_has(s, "has changed"), " ");
	write_template("greeter", "variables: {name: {}}\nsystem: Flee {{ name }} at once.\n");
	talk(s, "two", "has changed on disk: /template greeter name=Ed");
	talk(s, "three", "cold 9");
	EXPECT(screen_count(s, "has changed") == 1, "said once");
	SAY_WAIT(s, "/template greeter name=Ed", chat_shows(s, "Flee Ed at once."));
	chat_quit(s);
}

static void test_resume(void)
{
	struct screen *s = open_chat((const char *[]){"-T", "greeter", "-V", "name=Flo & Gil", NULL});

	EXPECT(chat_shows(s, "Greet Flo & Gil kindly."), " ");
	talk(s, "hello", "cold 9");
	chat_quit(s);
	s = open_chat((const char *[]){"-C", NULL});
	EXPECT(chat_shows(s, "template greeter 'name=Flo & Gil'") ||
	       chat_shows(s, "template greeter \"name=Flo & Gil\""), " ");
	EXPECT(screen_count(s, "greeter") == 2, "in the label and in the bar");
	talk(s, "again", "cold 9"); /* and its temperature */
	chat_quit(s);
	s = open_chat((const char *[]){"-C", "-T", "greeter", "-V", "name=Flo & Gil", NULL});
	EXPECT(screen_count(s, "greeter") == 2, "it is in use: not said again");
	chat_quit(s);
	s = open_chat((const char *[]){"-C", "-T", "plain", NULL});
	EXPECT(chat_shows(s, "System, from here on (template plain)"), " ");
	chat_quit(s);
	s = open_chat((const char *[]){"-C", NULL});
	EXPECT(chat_shows(s, "System, from here on (template plain)"), " ");
	SAY_HIDES(s, "/new", "hello");
	EXPECT(!screen_has(s, "plain"), "-C is no -T");
	talk(s, "fresh", "warm 9");
	SAY_WAIT(s, "/template greeter name=x", chat_shows(s, "Greet x"));
	unlink(screen_home("config/sotto/prompts/greeter.yaml"));
	chat_quit(s);
}

static void test_resume_without_its_file(void)
{
	struct screen *s = open_chat((const char *[]){"-T", "plain", NULL});

	talk(s, "hello", "warm 9");
	chat_quit(s);
	s = CHAT_OPEN(.model = MODEL, .rows = 30, .cols = 100, .args = {"-C"},
	              .env = {"XDG_CONFIG_HOME=/nonexistent"});
	EXPECT(chat_shows(s, "there is no prompt template 'plain'"), " ");
	EXPECT(chat_shows(s, "You are plain."), "its message stays");
	chat_quit(s);
}

static void test_form_at_start(void)
{
	struct screen *s = start_chat((const char *[]){"-T", "greeter", NULL});

	WAIT_TEXT(s, "who is greeted");
	PRESS_WAIT(s, "Hal<Enter><Enter>", chat_shows(s, "Greet Hal kindly."));
	chat_wait_ready(s);
	SAY_SHOWS(s, "/new", "who is greeted"); /* every new chat begins so */
	PRESS_HIDES(s, "<Esc>", "who is greeted");
	talk(s, "without", "warm 9");
	chat_quit(s);
}

/* What was filled in before the model was loaded is not lost. */
static void test_form_before_the_model(void)
{
	struct screen *s = start_chat((const char *[]){"-T", "greeter", "-m", MODEL ",load_ms=1500", NULL});

	WAIT_TEXT(s, "who is greeted");
	PRESS_WAIT(s, "Hal<Enter><Enter>", chat_shows(s, "Greet Hal kindly."));
	EXPECT(screen_has(s, CHAT_LOADING), " ");
	chat_wait_ready(s);
	talk(s, "hello", "cold 9");
	chat_quit(s);
}

static void test_stop_strings(void)
{
	struct screen *s = open_chat((const char *[]){"-T", "stopper", NULL});

	ASK_WAIT(s, "hello", chat_shows(s, "warm 2"));
	chat_quit(s);
}

/* Loaded where there is none, named where there is another. */
static void test_preferred_model(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;
	struct error err;

	EXPECT(tiny_model_save(&tiny, test_path("liked.gguf"), &err) == STATUS_OK, "%s", err.text);
	test_make_directory(screen_home("config/sotto/prompts"));
	write_template("picky", "system: Be picky.\nmodel: liked.gguf\n");
	write_template("dreamer", "system: Dream.\nmodel: nowhere.gguf\n");
	s = CHAT_START(.rows = 30, .cols = 100);
	WAIT_TEXT(s, CHAT_NO_MODEL);
	chat_say(s, "/template dreamer");
	WAIT(s, chat_shows(s, "model that is not on this machine: nowhere.gguf"));
	chat_ask(s, "/template picky");
	chat_quit(s);
	s = chat_open(MODEL);
	SAY_WAIT(s, "/template picky", chat_shows(s, "/model liked.gguf loads it"));
	SAY_HIDES(s, "/model liked.gguf", "synthetic (words)  ");
	chat_wait_ready(s);
	SAY_QUIET(s, "/template picky", 60);
	EXPECT(!screen_has(s, "loads it"), "it is the one now");
	chat_quit(s);
}

/* Not while a reply runs. */
static void test_busy(void)
{
	struct screen *s = chat_open("synthetic:rate=20,tokens=1000");

	SAY_SHOWS(s, "hello", "warm 1");
	PRESS_SHOWS(s, "/template tutor<Enter>", "Esc stops it");
	WAIT(s, chat_line_has(s, "/template tutor"));
	PRESS_SHOWS(s, "<F4>", "Esc close");
	PRESS_SHOWS(s, "tutor<Enter>", "Esc stops it");
	EXPECT(!screen_has(s, "System"), " ");
	PRESS_SHOWS(s, "<Esc>", "interrupted");
	chat_quit(s);
}

/* Everything fits, somehow. */
static void test_small(void)
{
	struct screen *s = open_chat(NULL);
	static const struct {
		int rows, cols;
	} sizes[] = {{5, 20}, {6, 30}, {9, 24}, {12, 40}, {24, 80}};

	talk(s, "hello", "warm 9");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		screen_resize(s, sizes[i].rows, sizes[i].cols);
		screen_quiet(s, 60);
		PRESS_SHOWS(s, "<F4>", "Filter:");
		PRESS_SHOWS(s, "greeter", "Filter: greeter");
		chat_expect_fresh(s);
		PRESS_SHOWS(s, "<Enter>", "name");
		PRESS_SHOWS(s, "Ann<Down><Down>", "from here on");
		chat_expect_fresh(s);
		PRESS_HIDES(s, "<Esc>", "from here on");
	}
	chat_quit(s);
}

/* The user's language, also where this machine does not have its locale and letters need another. */
static void test_language(void)
{
	static const char *const settings[][2] = {{"LANG=xx_YY.UTF-8", "LC_ALL"}, {"LC_ALL=xx_YY.ISO-8859-1", "LANG"}};

	test_make_directory(screen_home("config/sotto/prompts"));
	write_template("tongue", "system: Speak {{ lang }}.\n");
	for (size_t i = 0; i < 2; i++) {
		struct screen *s = CHAT_START(.model = MODEL, .args = {"-T", "tongue"},
		                              .env = {settings[i][0], settings[i][1]});

		chat_wait_ready(s);
		EXPECT(screen_has(s, "Speak xx_YY."), "%s", settings[i][0]);
		SAY_SHOWS(s, "\xc3\xa4\xe4\xbd\xa0", "warm 9");
		EXPECT(screen_has(s, "\xc3\xa4\xe4\xbd\xa0"), "letters");
		chat_quit(s);
	}
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"switch_by_command", test_switch_by_command, 0},
		{"whole_conversation", test_whole_conversation, 0},
		{"form", test_form, 0},
		{"missing_variable", test_missing_variable, 0},
		{"opening_messages", test_opening_messages, 0},
		{"completion", test_completion, 0},
		{"broken_file", test_broken_file, 0},
		{"changed_file", test_changed_file, 0},
		{"resume", test_resume, 0},
		{"resume_without_its_file", test_resume_without_its_file, 0},
		{"form_at_start", test_form_at_start, 0},
		{"form_before_the_model", test_form_before_the_model, 0},
		{"stop_strings", test_stop_strings, 0},
		{"preferred_model", test_preferred_model, 0},
		{"busy", test_busy, 0},
		{"language", test_language, 0},
		{"small", test_small, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
