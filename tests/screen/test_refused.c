/* A message whose reply never begins, because it is too long or the model fails: it is back in the line,
 * and neither the chat nor its file nor the list of chats has it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chat/tree.h"
#include "screen/chat.h"
#include "screen/turns.h"

#define SMALL "synthetic:n_ctx=40,tokens=4"
#define FAILS "synthetic:fail=0,prefill_ms=700"
#define BACK "Your message is back in the input line"

/* More words than the context has room for. */
static void say_too_long(struct screen *s)
{
	char text[500] = "";

	for (int i = 0; i < 90; i++)
		strcat(text, "word ");
	screen_paste(s, text, strlen(text));
	WAIT(s, chat_line_has(s, "word"));
	screen_keys(s, "<Enter>");
}

static void empty(struct screen *s)
{
	PRESS_WAIT(s, "<C-a><C-k>", !chat_line_has(s, "word") && !chat_line_has(s, "say"));
}

/* As if no chat had ever been. */
static void forget(void)
{
	char command[700];

	snprintf(command, sizeof command, "rm -rf '%s'", screen_home("data/sotto/chats"));
	EXPECT(system(command) == 0, "%s", command);
}

static struct screen *begin(const char *model, const char *arg)
{
	return CHAT_OPEN(.model = model, .cols = 120, .rows = 30, .args = {arg});
}

/* The chat is as it was before the first message: it has no file, and no name. */
static void test_first(void)
{
	for (int fails = 0; fails < 2; fails++) {
		struct screen *s = begin(fails ? FAILS : SMALL, NULL);

		if (fails)
			chat_say(s, "say it");
		else
			say_too_long(s);
		WAIT_TEXT(s, BACK);
		WAIT(s, chat_line_has(s, fails ? "say it" : "word"));
		EXPECT(fails || screen_has(s, "the prompt has"), "it was counted");
		EXPECT(chat_n_journals() == 0, "%zu chats", chat_n_journals());
		empty(s);
		WAIT_GONE(s, fails ? "say it" : "word word");
		chat_expect_fresh(s);
		chat_ask(s, "/model " SMALL);
		EXPECT(!screen_has(s, BACK), "with the next command the note goes");
		ASK_SHOWS(s, "short", "warm 3");
		chat_quit(s);
		EXPECT(chat_n_journals() == 1 && chat_journal_has("short") && chat_journal_count("word word") == 0 &&
		       chat_journal_count("say it") == 0, " ");
		s = begin(SMALL, "-C");
		WAIT_TEXT(s, "warm 3");
		SAY_SHOWS(s, "/branches", "You: short");
		EXPECT(!screen_has(s, "1/2") && !screen_has(s, "2/2"), "no other take");
		PRESS_HIDES(s, "<Esc>", "Branches");
		chat_quit(s);
		forget();
	}
}

/* ... with the settings' system message, and a template that opens the chat. */
static void test_first_with_more(void)
{
	static const char *const args[][2] = {{"--system-prompt", "Be."}, {"-T", "concise"}};

	for (int i = 0; i < 2; i++) {
		struct screen *s = CHAT_OPEN(.model = "synthetic:n_ctx=90,tokens=4", .cols = 120,
		                             .rows = 30, .args = {args[i][0], args[i][1]});

		for (int again = 0; again < 2; again++) {
			say_too_long(s);
			WAIT_TEXT(s, BACK);
			EXPECT(chat_n_journals() == 0, " ");
			empty(s);
			SAY_SHOWS(s, "/save", "This chat will be saved from its first message on.");
			EXPECT(!screen_has(s, BACK), " ");
		}
		ASK_SHOWS(s, "short", "warm 3");
		chat_quit(s);
		EXPECT(chat_journal_count("role: \"system\"") == 1 && chat_journal_count("role: \"user\"") == 1,
		       "all of the beginning, once");
		forget();
	}
}

/* In a chat that is there the file has the bytes that it had. */
static void test_later(void)
{
	struct screen *s = begin(SMALL, NULL);
	char *before, *after;

	ASK_SHOWS(s, "short", "warm 3");
	before = chat_journal();
	say_too_long(s);
	WAIT_TEXT(s, BACK);
	after = chat_journal();
	EXPECT(before && after && strcmp(before, after) == 0, "the file is another one");
	free(after);
	empty(s);
	SAY_SHOWS(s, "/branches", "You: short");
	EXPECT(!screen_has(s, "You: word"), " ");
	screen_keys(s, "<Esc>");
	kill(s->job.program, SIGKILL);
	screen_free(s);
	after = chat_journal();
	EXPECT(after && strcmp(before, after) == 0, " ");
	free(before);
	free(after);
}

/* Killed before anything else was typed: it is the draft, and no message. */
static void test_killed(void)
{
	for (int is_first = 0; is_first < 2; is_first++) {
		struct screen *s = begin(SMALL, NULL);

		if (!is_first)
			ASK_SHOWS(s, "short", "warm 3");
		say_too_long(s);
		WAIT_TEXT(s, BACK);
		kill(s->job.program, SIGKILL);
		WAIT(s, s->job.state == JOB_ENDED);
		screen_free(s);
		EXPECT(chat_n_journals() == !is_first, " ");
		s = begin(SMALL, is_first ? NULL : "-C");
		WAIT_TEXT(s, "What you had not sent is back in the input line.");
		WAIT(s, chat_line_has(s, "word"));
		empty(s);
		chat_quit(s);
		forget();
	}
}

/* An edited message: what was there before is on the screen again, and what was typed is still to take
 * its place. */
static void test_edited(void)
{
	struct screen *s = begin(SMALL, NULL);
	struct tree *tree;
	char *before, *after;

	ASK_SHOWS(s, "short", "warm 3");
	before = chat_journal();
	for (int reply = 0; reply < 2; reply++) {
		if (reply) { /* which the model goes on from */
			chat_say(s, "/model synthetic:fail=0");
			chat_wait_ready(s);
		}
		SAY_SHOWS(s, reply ? "/edit reply" : "/edit", "editing:");
		screen_keys(s, "<C-a>");
		if (reply)
			screen_keys(s, "word <Enter>");
		else
			say_too_long(s);
		WAIT_TEXT(s, BACK, "editing:");
		EXPECT(screen_count(s, "warm 0 warm 1 warm 2 warm 3") == (reply ? 3 : 1) && chat_line_has(s, "word"), " ");
		after = chat_journal();
		EXPECT(after && strcmp(before, after) == 0, "the file is another one");
		free(after);
		PRESS_HIDES(s, "<Esc>", "editing:");
		chat_expect_fresh(s);
	}
	chat_ask(s, "/model " SMALL);
	SAY_SHOWS(s, "/edit", "editing:");
	screen_keys(s, "<C-a>");
	say_too_long(s);
	WAIT_TEXT(s, BACK, "editing:");
	SEND_SHOWS(s, "<C-e><C-u>brief<Enter>", "You 2/2", "warm 3");
	tree = chat_tree();
	EXPECT(tree_n(tree) == 4 && tree_node(tree, 3)->parent == 0 && strcmp(tree_node(tree, 3)->text, "brief") == 0,
	       "%zu messages", tree_n(tree));
	tree_free(tree);
	free(before);
	chat_quit(s);
}

/* With what waits behind it, and with what is being typed. */
static void test_with_more(void)
{
	struct screen *s = begin(FAILS, NULL);

	chat_say(s, "say one");
	chat_say(s, "say two");
	PRESS_SHOWS(s, "say three", BACK);
	WAIT(s, screen_has(s, "say one") && screen_has(s, "say two") && chat_line_has(s, "say three"));
	EXPECT(screen_row_of(s, "say one") + 1 == screen_row_of(s, "say two") &&
	       screen_row_of(s, "say two") + 1 == screen_row_of(s, "say three"), "in their order");
	EXPECT(!screen_has(s, CHAT_QUEUED) && chat_n_journals() == 0, " ");
	chat_quit_fresh(s);
}

/* A list of messages that has it is closed. */
static void test_panel(void)
{
	struct screen *s = begin(FAILS, NULL);

	chat_say(s, "say it");
	SAY_SHOWS(s, "/branches", "You: say it", BACK);
	EXPECT(!screen_has(s, "You: say it"), " ");
	chat_quit_fresh(s);
}

/* Where nothing can be saved it leaves no message either, and that is not called saved again. */
static void test_nowhere(void)
{
	struct screen *s = CHAT_START(
		.model = SMALL, .cols = 120, .rows = 40,
		.env = {"XDG_DATA_HOME=/dev/null", "XDG_STATE_HOME=/dev/null"});

	WAIT_TEXT(s, "synthetic (words)");
	say_too_long(s);
	WAIT_TEXT(s, BACK);
	WAIT(s, chat_line_has(s, "word"));
	EXPECT(!screen_has(s, "saved again"), " ");
	chat_quit(s); /* nothing is lost: it does not ask */
}

/* Where no draft can be kept the chat's file is the only place for it: there it stays, off the path. */
static void test_no_drafts(void)
{
	struct screen *s = CHAT_OPEN(.model = SMALL, .cols = 120, .rows = 30,
	                             .env = {"XDG_STATE_HOME=/dev/null"});

	say_too_long(s);
	WAIT_TEXT(s, BACK);
	WAIT(s, chat_line_has(s, "word"));
	EXPECT(chat_n_journals() == 1 && chat_journal_has("word word"), " ");
	empty(s);
	SAY_SHOWS(s, "short", "warm 3");
	EXPECT(screen_has(s, "You 2/2"), " ");
	chat_wait_ready(s);
	chat_quit(s);
}

static void test_lines(void)
{
	static const char *const options[] = {"--inline", "--accessible"};

	for (int i = 0; i < 2; i++) {
		struct screen *s = CHAT_START(.model = SMALL, .cols = 120, .rows = 60,
		                              .args = {options[i]});

		WAIT_TEXT(s, "is ready");
		chat_paste(s, "short", 5);
		PRESS_SHOWS(s, "<Enter>", "warm 3");
		say_too_long(s);
		WAIT_TEXT(s, BACK);
		WAIT(s, chat_line_has(s, "word"));
		EXPECT(screen_count(s, "warm 3") == 1, "what was said is not said again");
		EXPECT(chat_journal_count("role: \"user\"") == 1, " ");
		PRESS_WAIT(s, "<C-e><C-u>", !chat_line_has(s, "word"));
		chat_paste(s, "again", 5);
		PRESS_WAIT(s, "<Enter>", screen_count(s, "warm 3") == 2);
		EXPECT(chat_journal_has("again"), " ");
		WAIT(s, !chat_line_has(s, "warm"));
		screen_keys(s, "/quit<Enter>");
		screen_finish(s, 0);
		forget();
	}
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"first", test_first, 0},
		{"first-with-more", test_first_with_more, 0},
		{"later", test_later, 0},
		{"killed", test_killed, 0},
		{"edited", test_edited, 0},
		{"with-more", test_with_more, 0},
		{"panel", test_panel, 0},
		{"nowhere", test_nowhere, 0},
		{"no-drafts", test_no_drafts, 0},
		{"lines", test_lines, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
