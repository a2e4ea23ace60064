/* Token mode (F3, /tokens): what the model almost said, and going on from there; two takes side by side (/takes). */
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "screen/chat.h"

#define MODEL "synthetic:rate=0,tokens=20"

static struct screen *open_with_reply(int rows, int cols)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = rows, .cols = cols);

	ASK_SHOWS(s, "hello", "warm 19");
	return s;
}

static void test_walk(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 24, .cols = 80);

	PRESS_SHOWS(s, "<F3>", "there is no reply yet");
	ASK_SHOWS(s, "hello", "warm 19");
	PRESS_SHOWS(s, "<F3>", "1 of 20   p 98.0%");
	EXPECT(screen_has(s, "\u25B8 warm\u24230\u2423"), "the reply's own token is marked");
	EXPECT(screen_has(s, "cut by top-k"), " ");
	PRESS_SHOWS(s, "<Right>", "2 of 20   p 80.0%");
	PRESS_SHOWS(s, "<End>", "20 of 20   p 10.0%");
	PRESS_SHOWS(s, "<Home>", "1 of 20");
	PRESS_SHOWS(s, "n", "3 of 20   p 50.0%");
	PRESS_SHOWS(s, "n", "4 of 20   p 10.0%");
	PRESS_SHOWS(s, "N", "3 of 20   p 50.0%");
	PRESS_SHOWS(s, "<PgDn>", "Cut by top-k 40: keep");
	PRESS_HIDES(s, "b", "warm 0 \u2502warm 1");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<F3>", "The reply's tokens");
	SAY_SHOWS(s, "/tokens 5", "5 of 20");
	PRESS_HIDES(s, "<Esc>", "The reply's tokens");
	SAY_SHOWS(s, "/tokens 21", "has only 20 tokens");
	SAY_SHOWS(s, "/tokens x", "takes the number of a token");
	EXPECT(chat_line_has(s, "/tokens x"), "the line stays editable");
	screen_keys(s, "<C-a><C-k>");
	chat_quit_fresh(s);
}

static void test_go_on_from_another(void)
{
	struct screen *s = open_with_reply(24, 80);

	PRESS_SHOWS(s, "<F3>", "1 of 20");
	PRESS_SHOWS(s, "<Right>", "2 of 20");
	PRESS_SHOWS(s, "<Enter>", "The reply's token");
	PRESS_SHOWS(s, "<Down>", "Enter makes another reply");
	SEND_SHOWS(s, "<Enter>", "warm 0  other1warm 2");
	EXPECT(screen_has(s, "synthetic (words) 2/2"), "the old one is kept");
	EXPECT(chat_journal_has("first: \"65537\""), "its record says what was chosen");
	PRESS_SHOWS(s, "<F3>", "1 of 20");
	PRESS_SHOWS(s, "<Right>", "your choice");
	PRESS_HIDES(s, "<Esc>", "your choice");
	SEND_SHOWS(s, "<M-Left>", "warm 0 warm 1 warm 2");
	chat_quit_fresh(s);
}

/* From the first token, too: nothing of the old reply is left then. */
static void test_go_on_from_the_first(void)
{
	struct screen *s = open_with_reply(24, 80);

	PRESS_SHOWS(s, "<F3>", "1 of 20");
	PRESS_SHOWS(s, "<Down>", "Enter makes another reply");
	SEND_SHOWS(s, "<Enter>", " other1warm 1 warm 2");
	chat_quit_fresh(s);
}

/* Stopped before its first token, a branch leaves nothing. */
static void test_stopped_before_it_begins(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=20,prefill_ms=1500", .rows = 24, .cols = 80);

	ASK_SHOWS(s, "hello", "warm 19");
	PRESS_SHOWS(s, "<F3>", "1 of 20");
	PRESS_SHOWS(s, "<Right>", "2 of 20");
	PRESS_SHOWS(s, "<Down>", "Enter makes another reply");
	PRESS_HIDES(s, "<Enter>", "The reply's tokens");
	SEND_SHOWS(s, "<Esc>", "warm 0 warm 1 warm 2");
	EXPECT(!screen_has(s, "2/2"), " ");
	chat_quit_fresh(s);
}

/* The reply grows under the panel; going on waits until it has ended. */
static void test_while_it_is_written(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=200,tokens=300,hold=250", .rows = 24, .cols = 80);

	SAY_SHOWS(s, "hello", "warm 5");
	PRESS_SHOWS(s, "<F3>", "The reply's tokens");
	WAIT_TEXT(s, "1 of 250");
	PRESS_SHOWS(s, "<End>", "250 of 250");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "<Down>", "Enter makes another reply");
	PRESS_SHOWS(s, "<Enter>", "a reply is under way");
	SEND_SHOWS(s, "<Esc>", "(interrupted)");
	PRESS_SHOWS(s, "<F3>", "1 of 250");
	PRESS_HIDES(s, "<Esc>", "1 of 250");
	chat_quit_fresh(s);
}

static void test_small(void)
{
	static const struct {
		int rows, cols;
	} sizes[] = {{10, 40}, {6, 24}, {24, 81}, {30, 86}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct screen *s = open_with_reply(sizes[i].rows, sizes[i].cols);

		PRESS_SHOWS(s, "<F3>", "1 of 20");
		screen_keys(s, "<Right><Down><Down><End><Up><PgDn><PgUp>");
		WAIT_TEXT(s, "20 of 20");
		chat_expect_fresh(s);
		PRESS_HIDES(s, "<Esc>", "20 of 20");
		chat_quit(s);
	}
}

/* A chat from before candidates were kept. */
static void forget_candidates(void)
{
	char pattern[400];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*.kept", screen_home("data/sotto/chats"));
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			unlink(found.gl_pathv[i]);
	globfree(&found);
}

static void test_older_chat(void)
{
	struct screen *s = open_with_reply(24, 80);

	chat_quit(s);
	forget_candidates();
	s = CHAT_OPEN(.model = "synthetic:rate=40,tokens=20", .rows = 24, .cols = 80, .args = {"-C"});
	PRESS_SHOWS(s, "<F3>", "going through the reply");
	PRESS_SHOWS(s, "<F3>", "a reply is under way");
	SEND_SHOWS(s, "<Esc>", "nothing of it is kept");
	EXPECT(!screen_has(s, "The reply's tokens"), " ");
	PRESS_SHOWS(s, "<F3>", "1 of 20   p 98.0%");
	EXPECT(screen_has(s, "cut by top-k"), " ");
	PRESS_HIDES(s, "<Esc>", "The reply's tokens");
	EXPECT(screen_has(s, "warm 18 warm 19") && !screen_has(s, "2/2"), "the chat is as it was");
	chat_quit_fresh(s);
}

/* One that gives no candidates says so in place; one that knows no ids goes on with the text. */
static void test_on_servers(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:remote=1,tokens=5", .rows = 24, .cols = 80);

	ASK_SHOWS(s, "hello", "warm 4");
	PRESS_SHOWS(s, "<F3>", "The server gave no candidates for this token.");
	PRESS_SHOWS(s, "<Enter><Right>", "2 of 5");
	PRESS_HIDES(s, "<Esc>", "2 of 5");
	chat_quit_fresh(s);
	s = CHAT_OPEN(.model = "synthetic:remote=2,tokens=5", .rows = 24, .cols = 80);
	ASK_SHOWS(s, "hello", "warm 4");
	PRESS_SHOWS(s, "<F3>", "1 of 5");
	PRESS_SHOWS(s, "<Right>", "2 of 5");
	PRESS_SHOWS(s, "<Down>", "Enter makes another reply");
	SEND_SHOWS(s, "<Enter>", "warm 0  other1");
	PRESS_SHOWS(s, "<F3><Right>", "You put this token there.");
	PRESS_HIDES(s, "<Esc>", "You put");
	SAY_SHOWS(s, "/takes", "They part at token 2.");
	EXPECT(screen_has(s, "other1: your choice | 1"), "what it was there");
	EXPECT(!screen_has(s, "sent to the server"), "only where nothing else says why");
	PRESS_HIDES(s, "<Esc>", "Two takes");
	chat_quit(s);
	s = CHAT_OPEN(.model = "synthetic:remote=2,tokens=5", .rows = 24, .cols = 80, .args = {"-C"});
	PRESS_SHOWS(s, "<F3>", "1 of 7");
	PRESS_SHOWS(s, "<Right>", "You put this token there.");
	PRESS_HIDES(s, "<Esc>", "You put");
	chat_quit(s);
	forget_candidates();
	s = CHAT_OPEN(.model = "synthetic:remote=2,tokens=5", .rows = 24, .cols = 80, .args = {"-C"});
	PRESS_SHOWS(s, "<F3>", "a server cannot go through it");
	PRESS_SHOWS(s, "<F2>", "only a model that runs here can work them out");
	PRESS_HIDES(s, "<Esc>", " Sampler ");
	chat_quit_fresh(s);
	s = CHAT_OPEN(.model = "synthetic:remote=2,tokens=5,no_continue=1", .rows = 24, .cols = 80);
	ASK_SHOWS(s, "hello", "warm 4");
	PRESS_SHOWS(s, "<F3>", "1 of 5");
	PRESS_SHOWS(s, "<Down>", "Enter makes another reply");
	SEND_SHOWS(s, "<Enter>", "cannot go on with a reply");
	chat_quit_fresh(s);
}

/* Types a line when it is asked for, sends it. */
static void enter(struct screen *s, const char *line)
{
	WAIT(s, strcmp(screen_row(s, screen_cursor(s).row), ">") == 0);
	PRESS_WAIT(s, line, strstr(screen_row(s, screen_cursor(s).row), line));
	screen_keys(s, "<Enter>");
}

#define ENTER_SHOWS(s, line, ...) (enter(s, line), WAIT_TEXT(s, __VA_ARGS__))

static void test_lines(void)
{
	struct screen *s = CHAT_START(.model = MODEL, .rows = 200, .cols = 80, .args = {"--inline"});

	ENTER_SHOWS(s, "hello", "warm 19");
	ENTER_SHOWS(s, "/tokens", "Those it was not sure of:", "The number of a token shows its candidates");
	ENTER_SHOWS(s, "3", "Token 3 of 20   p 50.0%", "1*", "cut by top-k");
	ENTER_SHOWS(s, "2", "warm 1  other1warm 3");
	ENTER_SHOWS(s, "/takes", "version 2 of 2 | version 1 of 2", "They part at token 3",
	            "Why: the token: your choice | sampled");
	ENTER_SHOWS(s, "/tokens 4", "Token 4 of 20");
	screen_keys(s, "<Enter>");
	enter(s, "/quit");
	screen_finish(s, 0);
}

static void test_takes(void)
{
	struct screen *s = open_with_reply(24, 80);

	PRESS_SHOWS(s, "<M-d>", "there is only one version");
	SEND_SHOWS(s, "<M-r>", "2/2");
	PRESS_SHOWS(s, "<M-d>", "The two are the same.");
	PRESS_HIDES(s, "<Esc>", "Two takes");
	PRESS_SHOWS(s, "<F3>", "1 of 20");
	PRESS_SHOWS(s, "<Right>", "2 of 20");
	PRESS_SHOWS(s, "<Down>", "Enter makes another reply");
	SEND_SHOWS(s, "<Enter>", "3/3");
	PRESS_SHOWS(s, "<M-d>", "version 3 of 3", "version 2 of 3");
	WAIT_TEXT(s, "They part at token 2.", "Why: the token: your choice | sampled",
	          "\u2423other1: 10.0%, after the samplers 10.0% | 10.0%");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "<Left>", "version 1 of 3");
	PRESS_SHOWS(s, "<Left>", "version 2 of 3");
	PRESS_SHOWS(s, "<Right>", "version 1 of 3");
	SEND_SHOWS(s, "<Enter>", "synthetic (words) 1/3");
	SAY_SHOWS(s, "/takes 2 3", "version 2 of 3");
	PRESS_HIDES(s, "<Esc>", "Two takes");
	SAY_SHOWS(s, "/takes 4", "there are 3");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/takes 1", "version 1 itself");
	chat_quit_fresh(s);
}

/* By name, with both values. */
static void test_why(void)
{
	struct screen *s = open_with_reply(24, 80);

	SAY_SHOWS(s, "/temp 0", "temp is 0");
	SEND_SHOWS(s, "<M-r>", "cold 19");
	PRESS_SHOWS(s, "<M-d>", "They part at", "temp: 0 | 0.8");
	EXPECT(!screen_has(s, "none"), " ");
	PRESS_HIDES(s, "<Esc>", "Two takes");
	SAY_SHOWS(s, "/edit", "editing");
	SEND_SHOWS(s, "!<Enter>", "hello!");
	PRESS_SHOWS(s, "<M-d>", "below version 2 of 2", "Why: your message: hello! | hello");
	PRESS_HIDES(s, "<Esc>", "Two takes");
	chat_quit_fresh(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"walk", test_walk, 0},
		{"go-on-from-another", test_go_on_from_another, 0},
		{"go-on-from-the-first", test_go_on_from_the_first, 0},
		{"stopped-before-it-begins", test_stopped_before_it_begins, 0},
		{"while-it-is-written", test_while_it_is_written, 0},
		{"small", test_small, 0},
		{"older-chat", test_older_chat, 0},
		{"on-servers", test_on_servers, 0},
		{"lines", test_lines, 0},
		{"takes", test_takes, 0},
		{"why", test_why, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
