/* What was typed and not sent is there again: after a kill, an end, and a visit to another chat. */
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "screen/turns.h"

#define ECHO "synthetic:mode=echo,rate=2000"
#define ENDLESS "synthetic:tokens=100000,rate=2"
#define BACK "is back in the input line"

static struct screen *go_on(const char *model)
{
	return CHAT_OPEN(.model = model, .args = {"-C"});
}

/* Of a draft that has the text. */
static bool is_kept(const char *wanted)
{
	bool found = false;
	glob_t drafts;

	if (glob(screen_home("state/sotto/drafts/*.yaml"), 0, NULL, &drafts) != 0)
		return false;
	for (size_t i = 0; i < drafts.gl_pathc && !found; i++) {
		size_t n;
		char *text = test_read_file(drafts.gl_pathv[i], &n);

		found = text && strstr(text, wanted);
		free(text);
	}
	globfree(&drafts);
	return found;
}

/* It is written after a pause in typing. */
static void wait_until_kept(struct screen *s, const char *text)
{
	WAIT(s, is_kept(text));
}

static void end_by(struct screen *s, int signal)
{
	kill(s->job.program, signal);
	if (signal == SIGKILL) { /* the terminal cannot be put in order */
		s->lenient = true;
		WAIT_NOW(s, 20000, s->job.state == JOB_ENDED);
		screen_free(s);
	} else {
		screen_finish(s, 128 + signal);
	}
}

static void test_killed(void)
{
	static const int signals[] = {SIGKILL, SIGTERM, SIGHUP};

	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		struct screen *s = chat_open(ECHO);

		chat_ask(s, i ? "/new" : "first");
		if (i)
			chat_say(s, "first");
		chat_wait_ready(s);
		PRESS_WAIT(s, "half a ", chat_line_has(s, "half a"));
		if (signals[i] == SIGKILL)
			wait_until_kept(s, "half a");
		end_by(s, signals[i]);
		s = go_on(ECHO);
		WAIT_TEXT(s, BACK);
		EXPECT(chat_line_has(s, "half a"), " ");
		SEND_WAIT(s, "thought<Enter>", screen_count(s, "half a thought") == 2);
		end_by(s, SIGKILL); /* it was sent: it is no draft any more */
		s = go_on(ECHO);
		EXPECT(chat_line_is_empty(s) && !screen_has(s, BACK), " ");
		chat_quit(s);
	}
}

/* The files of the next message wait while another message is edited: they are kept, too. */
static void test_killed_in_an_edit(void)
{
	struct screen *s;

	test_write_text(test_path("a.txt"), "alpha\n");
	s = chat_open(ECHO);
	chat_ask(s, "first");
	SAY_SHOWS(s, "/read a.txt", "attached: a.txt");
	PRESS_SHOWS(s, "<M-e>", "editing:");
	PRESS_WAIT(s, " changed", chat_line_has(s, "first changed"));
	wait_until_kept(s, "first changed");
	end_by(s, SIGKILL);
	s = go_on(ECHO);
	WAIT(s, chat_line_has(s, "first changed"));
	WAIT_TEXT(s, "attached: a.txt");
	chat_quit(s);
}

/* What is not kept goes along to the next chat; a message that is only looked at does not. */
static void test_left_unkept(void)
{
	struct screen *s = chat_open(ECHO);

	chat_ask(s, "kept");
	chat_quit(s);
	for (int changed = 0; changed < 2; changed++) {
		s = CHAT_OPEN(.model = ECHO, .args = {"--no-save"});
		chat_ask(s, "mine");
		PRESS_SHOWS(s, "<M-e>", "editing:");
		PRESS_WAIT(s, changed ? "!" : "", chat_line_has(s, changed ? "mine!" : "mine"));
		PRESS_SHOWS(s, "<F5>", "1 chat");
		PRESS_WAIT(s, "<Enter>", chat_shows(s, "kept"));
		EXPECT(changed ? chat_line_has(s, "mine!") : chat_line_is_empty(s), " ");
		chat_quit(s);
	}
}

/* A chat that has not begun: the next new one gets it, unless it was left on purpose. */
static void test_new(void)
{
	struct screen *s = chat_open(ECHO);

	PRESS_WAIT(s, "never sent", chat_line_has(s, "never sent"));
	wait_until_kept(s, "never sent");
	EXPECT(chat_n_journals() == 0, "it makes no chat");
	end_by(s, SIGKILL);
	s = chat_open(ECHO);
	WAIT(s, chat_line_has(s, "never sent"));
	EXPECT(screen_has(s, BACK), " ");
	end_by(s, SIGHUP);
	s = chat_open(ECHO);
	WAIT(s, chat_line_has(s, "never sent"));
	chat_quit(s); /* which empties the line */
	s = chat_open(ECHO);
	EXPECT(chat_line_is_empty(s) || screen_has(s, CHAT_EMPTY), " ");
	EXPECT(!screen_has(s, BACK), " ");
	chat_quit(s);
	s = CHAT_OPEN(.model = ECHO, .args = {"--no-save"});
	PRESS_WAIT(s, "not kept", chat_line_has(s, "not kept"));
	screen_pause(s, 1500); /* long enough for a draft to be written, if it were */
	end_by(s, SIGKILL);
	s = chat_open(ECHO);
	EXPECT(!screen_has(s, "not kept"), " ");
	chat_quit(s);
}

/* Opens one of two chats with the list, which takes the whole screen. */
static void go_to(struct screen *s, const char *title, const char *other)
{
	screen_keys(s, "<F5>");
	WAIT(s, screen_has(s, "2 chats") && screen_has(s, title) && screen_has(s, other));
	screen_keys(s, screen_row_of(s, title) < screen_row_of(s, other) ? "<Up><Enter>" : "<Down><Enter>");
}

static void test_each_has_its_own(void)
{
	struct screen *s;

	test_write_text(test_path("a.txt"), "alpha\n");
	s = chat_open(ECHO);
	chat_ask(s, "chat one");
	SAY_HIDES(s, "/new", "chat one");
	chat_ask(s, "chat two");
	SAY_SHOWS(s, "/read a.txt", "attached: a.txt");
	PRESS_WAIT(s, "for two", chat_line_has(s, "for two"));
	go_to(s, "chat one", "chat two");
	WAIT(s, screen_count(s, "chat one") == 2 && chat_line_is_empty(s));
	EXPECT(!screen_has(s, "attached:"), " ");
	PRESS_WAIT(s, "for one", chat_line_has(s, "for one"));
	go_to(s, "chat two", "chat one");
	WAIT(s, screen_has(s, BACK) && chat_line_has(s, "for two"));
	EXPECT(screen_has(s, "attached: a.txt") && !screen_has(s, "for one"), " ");
	go_to(s, "chat one", "chat two");
	WAIT(s, chat_line_has(s, "for one") && !screen_has(s, "for two"));
	EXPECT(!screen_has(s, "attached:"), " ");
	chat_quit(s);
}

/* Also what waits for the end of a reply, and a message that is being changed. */
static void test_queue_and_edit(void)
{
	struct screen *s = chat_open(ENDLESS);

	SAY_SHOWS(s, "go", "warm 1");
	SAY_SHOWS(s, "queued one", "queued: queued one");
	end_by(s, SIGKILL); /* at once: it was on the disk when it was queued */
	s = go_on(ECHO);
	WAIT(s, screen_has(s, BACK) && chat_line_has(s, "queued one"));
	PRESS_SHOWS(s, "<C-u><M-e>", "editing:");
	PRESS_WAIT(s, " changed", chat_line_has(s, "go changed"));
	end_by(s, SIGTERM);
	s = go_on(ECHO);
	WAIT(s, chat_line_has(s, "go changed"));
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"killed", test_killed, 0},
		{"killed-in-an-edit", test_killed_in_an_edit, 0},
		{"left-unkept", test_left_unkept, 0},
		{"new", test_new, 0},
		{"each-has-its-own", test_each_has_its_own, 0},
		{"queue-and-edit", test_queue_and_edit, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
