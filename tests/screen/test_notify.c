/* The window's title, and what is told when a long reply is done. */
#include <string.h>

#include "screen/chat.h"

#define SLOW "synthetic:tokens=12,rate=10" /* 1.2 s */

static void test_title(void)
{
	struct screen *s = chat_open("synthetic:mode=echo");

	WAIT(s, strcmp(s->checker.title, "sotto") == 0);
	SAY_WAIT(s, "What is a monad?", strcmp(s->checker.title, "What is a monad? - sotto") == 0);
	SAY_WAIT(s, "/save Monads", strcmp(s->checker.title, "Monads - sotto") == 0);
	SAY_WAIT(s, "/new", strcmp(s->checker.title, "sotto") == 0);
	SAY_WAIT(s, "/set title off", !(s->checker.modes & MODE_TITLE));
	SAY_WAIT(s, "/title on", s->checker.modes & MODE_TITLE);
	chat_quit(s); /* which checks that the old one came back */
}

static void test_title_off(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:mode=echo", .args = {"--no-title"});

	SAY_WAIT(s, "hello", chat_is_ready(s) && chat_shows(s, "hello"));
	EXPECT(s->checker.title[0] == '\0' && !(s->checker.modes & MODE_TITLE), "%s", s->checker.title);
	chat_quit(s);
}

/* Pasted controls are in the message, and not in the title. */
static void test_title_is_clean(void)
{
	static const char pasted[] = "a\033]0;evil\007b\302\234c\342\200\256d";
	struct screen *s = chat_open("synthetic:tokens=2");

	chat_paste(s, pasted, strlen(pasted));
	PRESS_WAIT(s, "<Enter>", s->checker.title[0] == 'a'); /* the checker takes nothing else */
	EXPECT(strstr(s->checker.title, "b") && strstr(s->checker.title, "- sotto"), "%s",
	       s->checker.title);
	chat_wait_ready(s);
	chat_quit(s);
}

static struct screen *start_notified(const char *way)
{
	struct screen *s = CHAT_START(.model = SLOW,
	                              .args = {"--notify", way, "--notify-after", "1"});

	s->checker.wants_notices = true;
	chat_wait_ready(s);
	return s;
}

/* A terminal that reports its focus is believed. */
static void test_focus(void)
{
	struct screen *s = start_notified("osc9");

	EXPECT(s->checker.modes & MODE_FOCUS, "no reports");
	screen_bytes(s, "\033[I", 3);
	SAY_WAIT(s, "one", chat_is_ready(s) && chat_shows(s, "one"));
	EXPECT(s->checker.n_notices == 0, "%s", s->checker.notice);
	chat_say(s, "two");
	screen_bytes(s, "\033[O", 3);
	WAIT(s, s->checker.n_notices == 1);
	EXPECT(strcmp(s->checker.notice, "9;The reply is done: one") == 0, "%s", s->checker.notice);
	screen_bytes(s, "\033[I", 3);
	chat_quit(s);
}

/* One that does not: a key pressed lately says that somebody is there. */
static void test_without_reports(void)
{
	struct screen *s = start_notified("osc777");

	SAY_WAIT(s, "one", s->checker.n_notices == 1);
	EXPECT(strcmp(s->checker.notice, "777;notify;sotto;The reply is done: one") == 0, "%s",
	       s->checker.notice);
	chat_wait_ready(s);
	SAY_SHOWS(s, "/set notify bell", "notify is bell");
	EXPECT(s->checker.n_bells == 0, " ");
	ASK_WAIT(s, "two", s->checker.n_bells == 1);
	SAY_SHOWS(s, "/set notify-after 60", "notify-after is 60"); /* a short one is none */
	SAY_WAIT(s, "three", chat_is_ready(s) && chat_shows(s, "three"));
	SAY_WAIT(s, "/set notify off", !(s->checker.modes & MODE_FOCUS));
	EXPECT(s->checker.n_bells == 1, "%u", s->checker.n_bells);
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"title", test_title, 0},
		{"title-off", test_title_off, 0},
		{"title-is-clean", test_title_is_clean, 0},
		{"focus", test_focus, 0},
		{"without-reports", test_without_reports, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
