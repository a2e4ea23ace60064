/* The guide, the model that comes with sotto: where it is used, what it is given and
 * what is kept of that. Mostly its weights are random here, or it is the synthetic
 * backend; what it says is tools/guide's subject. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "screen/chat.h"
#include "support/tiny_model.h"

#define GUIDE_NAME "guide (built in)"
#define FIRST_WORDS "You are talking to the guide, a tiny model"
#define QUESTION "how do i open the sampler sliders?"
#define ENTRY "opens the sampler sliders" /* in the entry that answers it */

/* A data directory with all but the guide's model, of which there is one with random
 * weights if `guide`. */
static const char *make_data(bool guide)
{
	struct tiny_model tiny = tiny_model_default();
	const char *variable = chat_guide_data();
	struct error err;

	tiny.guide = true;
	tiny.n_ctx = 2048;
	if (guide && tiny_model_save(&tiny, test_path(CHAT_GUIDE_MODEL), &err) != STATUS_OK)
		test_fail(__FILE__, __LINE__, "%s", err.text);
	return variable;
}

static struct screen *open_guide(const char *data, const char *argument)
{
	struct screen *s = CHAT_START(.names_no_model = true, .rows = 40, .cols = 120,
	                              .env = {data}, .args = {"-n", "3", "--seed", "1", argument});

	WAIT_TEXT(s, GUIDE_NAME);
	chat_wait_ready(s);
	return s;
}

static void see_prompt(struct screen *s)
{
	PRESS_SHOWS(s, "<F8>", "What the model sees");
	screen_keys(s, "b"); /* without borders of tokens */
	WAIT(s, !screen_has(s, "\u2502 the\u2502") && screen_has(s, "in the cache:"));
	screen_quiet(s, 30);
}

static void leave_prompt(struct screen *s)
{
	PRESS_HIDES(s, "<Esc>", "What the model sees");
}

static void ask(struct screen *s, const char *question)
{
	ASK_SHOWS(s, question, "Stopped after 3 tokens");
}

static void test_first_words(void)
{
	const char *data = make_data(true);
	struct screen *s = open_guide(data, NULL);

	WAIT_TEXT(s, FIRST_WORDS);
	EXPECT(screen_has(s, "F6 loads a real one."), " ");
	ask(s, QUESTION);
	EXPECT(!screen_has(s, FIRST_WORDS), "they are no part of the chat");
	EXPECT(chat_journal_has(QUESTION), " ");
	see_prompt(s);
	WAIT_TEXT(s, "You are the guide of sotto", ENTRY);
	leave_prompt(s);
	SAY_SHOWS(s, "/context text", "the guide's help for the last question (F8)");
	EXPECT(!chat_journal_has("Help:") && !chat_journal_has(ENTRY), "entries are not kept");
	EXPECT(access(screen_home("state/sotto/models"), F_OK) != 0, "it is no recent model");
	SAY_SHOWS(s, "/new", FIRST_WORDS); /* the first screen */
	chat_quit_fresh(s);
	s = open_guide(data, "-C");
	WAIT(s, chat_shows(s, QUESTION));
	chat_quit(s);
}

/* What stands in the line is looked up for F8 as it would be for Enter. */
static void test_draft(void)
{
	struct screen *s = open_guide(make_data(true), NULL);

	PRESS_WAIT(s, QUESTION, chat_line_has(s, QUESTION));
	see_prompt(s);
	WAIT_TEXT(s, ENTRY);
	leave_prompt(s);
	PRESS_WAIT(s, "<C-a><C-k>the colour of nostalgia in Peru", chat_line_has(s, "in Peru"));
	see_prompt(s);
	WAIT_TEXT(s, "Help: nothing found");
	leave_prompt(s);
	chat_quit(s);
}

static void test_switching(void)
{
	const char *data = make_data(true);
	struct screen *s = open_guide(data, NULL);

	ask(s, QUESTION);
	ASK_SHOWS(s, "/model synthetic:mode=system", "synthetic (system)");
	see_prompt(s);
	WAIT(s, screen_count(s, QUESTION) == 2); /* and that of the transcript */
	EXPECT(!screen_has(s, "Help:"), "another model is given no help");
	leave_prompt(s);
	chat_say(s, "and then?");
	WAIT(s, screen_count(s, "how do i") == 2); /* its first message is the user's */
	chat_wait_ready(s);
	PRESS_WAIT(s, "/model gui<Tab>", chat_line_has(s, "/model guide"));
	SEND_SHOWS(s, "<Enter>", GUIDE_NAME);
	see_prompt(s);
	WAIT_TEXT(s, "Help:");
	leave_prompt(s);
	EXPECT(!screen_has(s, FIRST_WORDS), "the first screen has said it");
	chat_quit(s);

	/* Who meets it later is told in the chat, once. */
	s = CHAT_OPEN(.model = "synthetic:tokens=3", .rows = 40, .cols = 120, .env = {data});
	ASK_SHOWS(s, "hello", "warm 2");
	for (int i = 0; i < 2; i++) {
		ASK_SHOWS(s, "/model guide", GUIDE_NAME);
		EXPECT(screen_count(s, FIRST_WORDS) == 1, "it is said once");
		ASK_SHOWS(s, "/model synthetic:tokens=3", "synthetic (words)");
	}
	chat_quit(s);
}

/* The user's own system prompt comes first, and the transcript has no other. */
static void test_own_system_prompt(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:guide=1,mode=system", .rows = 40,
	                             .cols = 120, .env = {make_data(true)},
	                             .args = {"--system-prompt", "You are Ann."});

	WAIT_TEXT(s, FIRST_WORDS);
	ASK_WAIT(s, QUESTION, chat_shows(s, ENTRY));
	EXPECT(screen_count(s, "You are Ann.") >= 1 && !screen_has(s, "You are the guide"), " ");
	EXPECT(chat_journal_has("\"You are Ann.\""), " ");
	SAY_SHOWS(s, "/context text", "with the guide's help for the last question");
	EXPECT(!screen_has(s, "System: You are Ann."), "it is part of that message");
	chat_quit(s);
}

#define FOLLOWS_NO(what) "it cannot follow " what

/* It says so of a template, however that came to be used, once each time. */
static void test_template(void)
{
	const char *data = make_data(true);
	struct screen *s = open_guide(data, NULL);

	EXPECT(!screen_has(s, FOLLOWS_NO("a")), "there is none");
	SAY_SHOWS(s, "/template translator to=German", FOLLOWS_NO("a template"));
	EXPECT(screen_has(s, "F6 or /model FILE"), " ");
	ask(s, QUESTION);
	EXPECT(screen_count(s, FOLLOWS_NO("a template")) == 1, "said once");
	ASK_SHOWS(s, "/model synthetic:mode=system", "synthetic (system)");
	ASK_WAIT(s, "/model guide", screen_count(s, FOLLOWS_NO("a template")) == 2);
	SAY_SHOWS(s, "/system You are Ann.", FOLLOWS_NO("a system message"));
	chat_quit(s);
	s = CHAT_START(.names_no_model = true, .rows = 40, .cols = 120, .env = {data},
	               .args = {"-n", "3", "-T", "translator", "-V", "to=German"});
	WAIT_TEXT(s, FOLLOWS_NO("a template"));
	chat_wait_ready(s);
	EXPECT(screen_count(s, FOLLOWS_NO("a")) == 1, "said once");
	ask(s, QUESTION);
	chat_quit(s);
	s = open_guide(data, "-C");
	WAIT_TEXT(s, FOLLOWS_NO("a template"));
	chat_quit(s);
}

static void test_template_of_another_model(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:", .rows = 40, .cols = 120,
	                             .args = {"--system-prompt", "You are Ann."});

	SAY_SHOWS(s, "/template translator to=German", "translator");
	chat_ask(s, "hello");
	EXPECT(!screen_has(s, FOLLOWS_NO("a")), "another model can");
	chat_quit(s);
}

/* Its row is the last one of the list, and chooses it. */
static void test_picker(void)
{
	const char *data = make_data(true);
	struct tiny_model tiny = tiny_model_default();
	struct error err;
	struct screen *s;

	s = CHAT_OPEN(.model = "synthetic:", .rows = 40, .cols = 120, .env = {data});
	PRESS_SHOWS(s, "<F6>", "to fetch", "sotto pull ");
	PRESS_HIDES(s, "<Esc>", "Filter:");
	test_make_directory(screen_home("cache/llama.cpp"));
	if (tiny_model_save(&tiny, screen_home("cache/llama.cpp/zz.gguf"), &err) != STATUS_OK)
		test_fail(__FILE__, __LINE__, "%s", err.text);
	PRESS_SHOWS(s, "<F6>", "tiny");
	EXPECT(screen_row_of(s, GUIDE_NAME) > screen_row_of(s, "tiny"), "the last row");
	EXPECT(!screen_has(s, "sotto pull "), "the first row's note");
	SEND_WAIT(s, "<End><Enter>", !screen_has(s, "Filter:") && screen_has(s, FIRST_WORDS));
	chat_quit(s);
	EXPECT(access(screen_home("state/sotto/models"), F_OK) != 0, "it is no recent model");
}

static void test_missing(void)
{
	struct screen *s = CHAT_START(.names_no_model = true, .rows = 40, .cols = 120,
	                              .env = {make_data(false)});

	WAIT_TEXT(s, "No model yet. F6 shows", "No model was found on this machine");
	PRESS_SHOWS(s, "/model guide<Enter>", "the guide is missing");
	screen_keys(s, "<C-a><C-k>");
	chat_ask(s, "/model synthetic:tokens=3");
	chat_quit(s);
}

static void test_small_windows(void)
{
	static const int sizes[][2] = {{5, 20}, {24, 80}, {8, 30}, {5, 20}};
	struct screen *s = open_guide(make_data(true), NULL);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		screen_resize(s, sizes[i][0], sizes[i][1]);
		WAIT(s, s->rows == sizes[i][0] && screen_has(s, "template") && chat_is_ready(s));
		PRESS_SHOWS(s, "<F6>", "Filter:");
		PRESS_HIDES(s, "<Esc>", "Filter:");
	}
	chat_quit_fresh(s);
}

/* The one that ships, found without installing: nothing is set but the temperature. */
static void test_real(void)
{
	struct screen *s = CHAT_START(.names_no_model = true, .args = {"--temp", "0"});

	WAIT_TEXT(s, FIRST_WORDS, GUIDE_NAME);
	chat_wait_ready(s);
	EXPECT(!screen_has(s, "template, so"), "it has a chat template");
	SAY_WAIT(s, QUESTION, chat_shows(s, "F2") && chat_is_ready(s));
	EXPECT(chat_journal_has("F2") && !chat_journal_has("Help:"), " ");
	chat_ask(s, "/model synthetic:tokens=3");
	SAY_WAIT(s, "and you?", chat_shows(s, "cold 2") && chat_is_ready(s));
	ASK_SHOWS(s, "/model guide", GUIDE_NAME);
	SAY_WAIT(s, "how do i quit?", chat_shows(s, "/quit") && chat_is_ready(s));
	chat_quit_fresh(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"first-words", test_first_words, 0},
		{"draft", test_draft, 0},
		{"switching", test_switching, 0},
		{"own-system-prompt", test_own_system_prompt, 0},
		{"template", test_template, 0},
		{"template-of-another-model", test_template_of_another_model, 0},
		{"picker", test_picker, 0},
		{"missing", test_missing, 0},
		{"small-windows", test_small_windows, 0},
		{"real", test_real, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
