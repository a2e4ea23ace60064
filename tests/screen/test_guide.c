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
	struct screen *s = chat_start(&(struct chat_options){
		.names_no_model = true, .rows = 40, .cols = 120, .env = {data},
		.args = {"-n", "3", "--seed", "1", argument}});

	WAIT_TEXT(s, GUIDE_NAME);
	chat_wait_ready(s);
	return s;
}

static void see_prompt(struct screen *s)
{
	screen_keys(s, "<F8>");
	WAIT_TEXT(s, "What the model sees");
	screen_keys(s, "b"); /* without borders of tokens */
	WAIT(s, !screen_has(s, "\u2502 the\u2502") && screen_has(s, "in the cache:"));
	screen_quiet(s, 30);
}

static void leave_prompt(struct screen *s)
{
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "What the model sees");
}

static void ask(struct screen *s, const char *question)
{
	chat_say(s, question);
	WAIT_TEXT(s, "Stopped after 3 tokens");
	chat_wait_ready(s);
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
	WAIT_TEXT(s, "You are the guide of sotto");
	WAIT_TEXT(s, ENTRY);
	leave_prompt(s);
	chat_say(s, "/context text");
	WAIT_TEXT(s, "the guide's help for the last question (F8)");
	EXPECT(!chat_journal_has("Help:") && !chat_journal_has(ENTRY), "entries are not kept");
	EXPECT(access(screen_home("state/sotto/models"), F_OK) != 0, "it is no recent model");
	chat_say(s, "/new");
	WAIT_TEXT(s, FIRST_WORDS); /* the first screen */
	chat_expect_fresh(s);
	chat_quit(s);
	s = open_guide(data, "-C");
	WAIT(s, chat_shows(s, QUESTION));
	chat_quit(s);
}

/* What stands in the line is looked up for F8 as it would be for Enter. */
static void test_draft(void)
{
	struct screen *s = open_guide(make_data(true), NULL);

	screen_keys(s, QUESTION);
	WAIT(s, chat_line_has(s, QUESTION));
	see_prompt(s);
	WAIT_TEXT(s, ENTRY);
	leave_prompt(s);
	screen_keys(s, "<C-a><C-k>the colour of nostalgia in Peru");
	WAIT(s, chat_line_has(s, "in Peru"));
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
	chat_say(s, "/model synthetic:mode=system");
	WAIT_TEXT(s, "synthetic (system)");
	chat_wait_ready(s);
	see_prompt(s);
	WAIT(s, screen_count(s, QUESTION) == 2); /* and that of the transcript */
	EXPECT(!screen_has(s, "Help:"), "another model is given no help");
	leave_prompt(s);
	chat_say(s, "and then?");
	WAIT(s, screen_count(s, "how do i") == 2); /* its first message is the user's */
	chat_wait_ready(s);
	screen_keys(s, "/model gui<Tab>");
	WAIT(s, chat_line_has(s, "/model guide"));
	screen_keys(s, "<Enter>");
	WAIT_TEXT(s, GUIDE_NAME);
	chat_wait_ready(s);
	see_prompt(s);
	WAIT_TEXT(s, "Help:");
	leave_prompt(s);
	EXPECT(!screen_has(s, FIRST_WORDS), "the first screen has said it");
	chat_quit(s);

	/* Who meets it later is told in the chat, once. */
	s = chat_open_with(&(struct chat_options){.model = "synthetic:tokens=3", .rows = 40, .cols = 120,
	                                          .env = {data}});
	chat_say(s, "hello");
	WAIT_TEXT(s, "warm 2");
	chat_wait_ready(s);
	for (int i = 0; i < 2; i++) {
		chat_say(s, "/model guide");
		WAIT_TEXT(s, GUIDE_NAME);
		chat_wait_ready(s);
		EXPECT(screen_count(s, FIRST_WORDS) == 1, "it is said once");
		chat_say(s, "/model synthetic:tokens=3");
		WAIT_TEXT(s, "synthetic (words)");
		chat_wait_ready(s);
	}
	chat_quit(s);
}

/* The user's own system prompt comes first, and the transcript has no other. */
static void test_own_system_prompt(void)
{
	struct screen *s = chat_open_with(&(struct chat_options){
		.model = "synthetic:guide=1,mode=system", .rows = 40, .cols = 120, .env = {make_data(true)},
		.args = {"--system-prompt", "You are Ann."}});

	WAIT_TEXT(s, FIRST_WORDS);
	chat_say(s, QUESTION);
	WAIT(s, chat_shows(s, ENTRY));
	chat_wait_ready(s);
	EXPECT(screen_count(s, "You are Ann.") >= 1 && !screen_has(s, "You are the guide"), " ");
	EXPECT(chat_journal_has("\"You are Ann.\""), " ");
	chat_say(s, "/context text");
	WAIT_TEXT(s, "with the guide's help for the last question");
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
	chat_say(s, "/template translator to=German");
	WAIT_TEXT(s, FOLLOWS_NO("a template"));
	EXPECT(screen_has(s, "F6 or /model FILE"), " ");
	ask(s, QUESTION);
	EXPECT(screen_count(s, FOLLOWS_NO("a template")) == 1, "said once");
	chat_say(s, "/model synthetic:mode=system");
	WAIT_TEXT(s, "synthetic (system)");
	chat_wait_ready(s);
	chat_say(s, "/model guide");
	WAIT(s, screen_count(s, FOLLOWS_NO("a template")) == 2);
	chat_wait_ready(s);
	chat_say(s, "/system You are Ann.");
	WAIT_TEXT(s, FOLLOWS_NO("a system message"));
	chat_quit(s);
	s = chat_start(&(struct chat_options){
		.names_no_model = true, .rows = 40, .cols = 120, .env = {data},
		.args = {"-n", "3", "-T", "translator", "-V", "to=German"}});
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
	struct screen *s = chat_open_with(&(struct chat_options){
		.model = "synthetic:", .rows = 40, .cols = 120, .args = {"--system-prompt", "You are Ann."}});

	chat_say(s, "/template translator to=German");
	WAIT_TEXT(s, "translator");
	chat_say(s, "hello");
	chat_wait_ready(s);
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

	s = chat_open_with(&(struct chat_options){.model = "synthetic:", .rows = 40, .cols = 120,
	                                          .env = {data}});
	screen_keys(s, "<F6>");
	WAIT_TEXT(s, "No other model was found on this machine");
	EXPECT(screen_has(s, "curl -L"), "what to download");
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "Filter:");
	test_make_directory(screen_home("cache/llama.cpp"));
	if (tiny_model_save(&tiny, screen_home("cache/llama.cpp/zz.gguf"), &err) != STATUS_OK)
		test_fail(__FILE__, __LINE__, "%s", err.text);
	screen_keys(s, "<F6>");
	WAIT_TEXT(s, "tiny");
	EXPECT(screen_row_of(s, GUIDE_NAME) > screen_row_of(s, "tiny"), "the last row");
	EXPECT(!screen_has(s, "curl -L"), " ");
	screen_keys(s, "<End><Enter>");
	WAIT(s, !screen_has(s, "Filter:") && screen_has(s, FIRST_WORDS));
	chat_wait_ready(s);
	chat_quit(s);
	EXPECT(access(screen_home("state/sotto/models"), F_OK) != 0, "it is no recent model");
}

static void test_missing(void)
{
	struct screen *s = chat_start(&(struct chat_options){
		.names_no_model = true, .rows = 40, .cols = 120, .env = {make_data(false)}});

	WAIT_TEXT(s, "No model yet. F6 shows");
	WAIT_TEXT(s, "No model was found on this machine");
	screen_keys(s, "/model guide<Enter>");
	WAIT_TEXT(s, "the guide is missing");
	screen_keys(s, "<C-a><C-k>");
	chat_say(s, "/model synthetic:tokens=3");
	chat_wait_ready(s);
	chat_quit(s);
}

static void test_small_windows(void)
{
	static const int sizes[][2] = {{5, 20}, {24, 80}, {8, 30}, {5, 20}};
	struct screen *s = open_guide(make_data(true), NULL);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		screen_resize(s, sizes[i][0], sizes[i][1]);
		WAIT(s, s->rows == sizes[i][0] && screen_has(s, "template") && chat_is_ready(s));
		screen_keys(s, "<F6>");
		WAIT_TEXT(s, "Filter:");
		screen_keys(s, "<Esc>");
		WAIT_GONE(s, "Filter:");
	}
	chat_expect_fresh(s);
	chat_quit(s);
}

/* The one that ships, found without installing: nothing is set but the temperature. */
static void test_real(void)
{
	struct screen *s = chat_start(&(struct chat_options){
		.names_no_model = true, .args = {"--temp", "0"}});

	WAIT_TEXT(s, FIRST_WORDS);
	WAIT_TEXT(s, GUIDE_NAME);
	chat_wait_ready(s);
	EXPECT(!screen_has(s, "template, so"), "it has a chat template");
	chat_say(s, QUESTION);
	WAIT(s, chat_shows(s, "F2") && chat_is_ready(s));
	EXPECT(chat_journal_has("F2") && !chat_journal_has("Help:"), " ");
	chat_say(s, "/model synthetic:tokens=3");
	chat_wait_ready(s);
	chat_say(s, "and you?");
	WAIT(s, chat_shows(s, "cold 2") && chat_is_ready(s));
	chat_say(s, "/model guide");
	WAIT_TEXT(s, GUIDE_NAME);
	chat_wait_ready(s);
	chat_say(s, "how do i quit?");
	WAIT(s, chat_shows(s, "/quit") && chat_is_ready(s));
	chat_expect_fresh(s);
	chat_quit(s);
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
