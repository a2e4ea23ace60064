/* Resizes, suspends, editors and hang-ups in any order, and every size from 1x1 to 40x12: the
 * terminal sees nothing that it should not (checker.c looks at every byte), gets back its modes each
 * time, and in the end the screen is what a fresh draw gives, with all that was said. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/sys.h"
#include "screen/chat.h"

static const char reply_model[] = "synthetic:rate=400,tokens=120,n_ctx=1000000";

struct storm {
	struct screen *s;
	uint64_t random;
	const char *editor; /* "VISUAL=..." */
	int n_said, n_resizes, n_suspends, n_editors, n_hang_ups;
};

static uint32_t chance(struct storm *storm, uint32_t below)
{
	return test_random(&storm->random) % below;
}

/* Writes a script that puts "edited" in the file, sometimes after a while. */
static const char *make_editor(void)
{
	static char setting[400];

	test_write_text(test_path("editor"), "#!/bin/sh\nprintf 'edited\\n' > \"$1\"\n"
	                                     "test $(($$ % 3)) = 0 && sleep 0.05\nexit 0\n");
	EXPECT(chmod(test_path("editor"), 0700) == 0, " ");
	snprintf(setting, sizeof setting, "VISUAL=%s", test_path("editor"));
	return setting;
}

static void begin(struct storm *storm)
{
	storm->s = CHAT_START(.model = reply_model, .args = {"-C"}, .env = {storm->editor},
	                      .rows = 24, .cols = 80, .leads_session = false);
	WAIT(storm->s, storm->s->checker.modes & MODE_PASTE);
	chat_wait_ready(storm->s); /* Esc would stop the model's loading, and there would be no chat */
}

static void resize(struct storm *storm)
{
	bool small = chance(storm, 2);
	int rows = 1 + (int)chance(storm, small ? 12 : 60), cols = 1 + (int)chance(storm, small ? 40 : 200);

	screen_resize(storm->s, rows, cols);
	storm->n_resizes++;
}

/* Goes to the shell and comes back, in another size half the time. */
static void suspend(struct storm *storm)
{
	struct screen *s = storm->s;
	unsigned entered = s->checker.n_entered;

	PRESS_WAIT(s, "<C-z>", s->job.state == JOB_STOPPED);
	screen_expect_restored(s);
	if (chance(storm, 2))
		resize(storm);
	shell_job_continue(&s->job);
	WAIT(s, s->checker.n_entered > entered && s->checker.modes & MODE_PASTE);
	storm->n_suspends++;
}

/* Writes the line in the editor; resizes come while that has the terminal. */
static void edit(struct storm *storm)
{
	struct screen *s = storm->s;
	unsigned entered = s->checker.n_entered;

	screen_keys(s, "<Esc>");
	screen_sync(s); /* a lone Esc: no panel, or nothing, is open */
	screen_keys(s, "<C-a><C-k><C-x><C-e>");
	if (chance(storm, 2)) {
		screen_pump(s, (int)chance(storm, 20));
		resize(storm);
	}
	WAIT(s, s->checker.n_entered > entered && s->checker.modes & MODE_PASTE);
	storm->n_editors++;
}

static void hang_up(struct storm *storm)
{
	struct screen *s = storm->s;

	shell_job_hang_up(&s->job);
	WAIT_NOW(s, 20000, s->job.state == JOB_ENDED);
	EXPECT(WIFEXITED(s->job.wait_status) || WTERMSIG(s->job.wait_status) == SIGHUP,
	       "wait status %x", (unsigned)s->job.wait_status);
	screen_free(s);
	begin(storm);
	storm->n_hang_ups++;
}

static void say(struct storm *storm)
{
	char text[64];

	snprintf(text, sizeof text, "<C-a><C-k>said-%04d<Enter>", ++storm->n_said);
	screen_keys(storm->s, text);
}

static void any_event(struct storm *storm)
{
	static const char *const keys[] = {"<F1>", "<F2>", "<F4>", "<F5>", "<F6>", "<F7>", "<F8>", "<PgUp>",
	                                   "<PgDn>", "<M-r>", "<M-t>", "<Esc>", "<Tab>", "<M-Up>", "<C-l>"};
	uint32_t which = chance(storm, 40);

	if (which < 16)
		resize(storm);
	else if (which < 21)
		suspend(storm);
	else if (which < 26)
		edit(storm);
	else if (which < 30)
		say(storm);
	else
		screen_keys(storm->s, keys[chance(storm, sizeof keys / sizeof keys[0])]);
	/* A lone Esc and a key right after it would be that key with Alt. */
	if (which >= 30)
		screen_sync(storm->s);
	else
		screen_pause(storm->s, (int)chance(storm, 15));
}

static void calm_down(struct storm *storm)
{
	struct screen *s = storm->s;

	screen_resize(s, 24, 80);
	for (int i = 0; i < 4; i++) { /* panels, the reply, nothing */
		screen_keys(s, "<Esc>");
		screen_sync(s);
	}
	chat_send(s, "<C-a><C-k>");
	chat_expect_fresh(s);
}

static void test_storm(void)
{
	struct storm storm = {.random = 1125, .editor = make_editor()};
	int n = test_is_long() ? 500 : 80, n_events = 0;

	begin(&storm);
	while (storm.n_resizes + storm.n_suspends + storm.n_editors + storm.n_hang_ups < n) {
		any_event(&storm);
		if (++n_events % 100 == 0)
			calm_down(&storm);
		if (n_events % 40 == 0)
			hang_up(&storm);
	}
	calm_down(&storm);
	PRESS_WAIT(storm.s, "the end<Enter>", chat_shows(storm.s, "the end"));
	printf("%d resizes, %d suspends, %d editors, %d hang-ups, %d messages among %d events\n",
	       storm.n_resizes, storm.n_suspends, storm.n_editors, storm.n_hang_ups, storm.n_said, n_events);
	EXPECT(storm.n_suspends && storm.n_editors && storm.n_hang_ups, "every kind of event");
	calm_down(&storm);
	chat_quit(storm.s);
	EXPECT(chat_journal_has("the end"), " ");
}

/* Every size, with what can stand on the screen: a reply with everything in it, panels, a line of
 * several rows. */
static void test_every_size(void)
{
	static const char reply[] = "# A heading\n\nText with `code` and **more**, and a long word: "
	                            "abcdefghijklmnopqrstuvwxyz.\n\n- a list\n  1. \xe6\xbc\xa2\xe5\xad\x97\n\n"
	                            "| a | b |\n| --- | --- |\n| one | two and three |\n\n"
	                            "```c\nint main(void) { return 0; }\n```\n\n> quoted \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb\n";
	static const char *const panels[] = {"", "<F1>", "<F2>", "<F4>", "<F5>", "<F6>", "<F7>", "<F8>",
	                                     "a line that is longer than most of these terminals are wide"};
	enum { PANELS = sizeof panels / sizeof panels[0] };
	struct screen *s = chat_open("synthetic:mode=echo,tokens=100000,n_ctx=1000000");
	int step = test_is_long() ? 1 : 5, n = 0;

	chat_paste(s, reply, strlen(reply));
	SEND_WAIT(s, "<Enter>", chat_journal_has("state: \"complete\""));
	for (int p = 0; p < PANELS; p++) {
		screen_resize(s, 24, 80);
		PRESS_QUIET(s, panels[p], 30);
		for (int at = p % step; at < 12 * 40; at += step) {
			screen_resize(s, 1 + at / 40, 1 + at % 40);
			screen_pump(s, 5);
			screen_keys(s, at % 3 ? "<Down>" : "<PgUp>");
			screen_pump(s, 5);
			EXPECT(s->job.state == JOB_RUNNING, "%d x %d", 1 + at / 40, 1 + at % 40);
			n++;
		}
		screen_resize(s, 24, 80);
		screen_keys(s, "<Esc>");
		screen_sync(s);
		screen_keys(s, "<C-a><C-k><Esc>");
		screen_sync(s);
		chat_wait_ready(s);
		chat_expect_fresh(s);
	}
	printf("%d sizes with %d pictures each\n", n / PANELS, (int)PANELS);
	chat_quit(s);
}

/* Started in every size, it says something, and ends. */
static void test_started_in_every_size(void)
{
	int step = test_is_long() ? 1 : 37;

	for (int at = 0; at < 12 * 40; at += step) {
		struct screen *s = CHAT_START(.rows = 1 + at / 40, .cols = 1 + at % 40,
		                              .model = "synthetic:rate=1000,tokens=10");
		char command[600];

		WAIT(s, s->checker.modes & MODE_PASTE);
		PRESS_WAIT(s, "hello<Enter>", chat_journal_has("state: \"complete\""));
		chat_quit(s);
		snprintf(command, sizeof command, "rm -r '%s'", screen_home("data/sotto/chats"));
		EXPECT(system(command) == 0, " ");
	}
}

/* Everything that a chat can be in the middle of, mixed: replies, summaries, queued and edited messages,
 * files, folded pastes, picked messages and their parts, marks of /find, panels, other chats. */
static void test_mixture(void)
{
	static const char *const keys[] = {
		"<Enter>", "<Enter>", "<Enter>", "<Esc>", "<Up>", "<Up>", "<Down>", "<Tab>", "<S-Tab>", "<M-Up>",
		"<M-Up>", "<M-Down>", "<M-e>", "<M-r>", "<M-c>", "<M-x>", "<M-v>", "<M-t>", "<M-y>", "<M-Y>", "<M-m>",
		"<M-Left>", "<M-Right>", "<F1>", "<F2>", "<F4>", "<F5>", "<F6>", "<F7>", "<F8>", "<F9>", "<PgUp>",
		"<C-Home>", "<C-End>", "<C-a><C-k>", "<C-a>x", "<C-w>", "<C-y>", "<C-c>x<BS>", "<C-r>", "<C-x>", "<C-s>",
		"<C-t>", "<Del>", "<BS>", "n", "N", "1", "word ", "more words", "@a.txt ", "@b.txt and ",
		"@*.txt ", "/detach<Enter>", "/detach 2<Enter>", "/read a.txt b.txt<Enter>", "/read *.txt<Enter>",
		"/edit<Enter>", "/edit 2<Enter>", "/edit reply<Enter>", "/edit summary<Enter>", "/undo<Enter>",
		"/new<Enter>", "/fork<Enter>", "/find o<Enter>", "/regen<Enter>", "/drop 2<Enter>", "/pin<Enter>",
		"/undrop summary<Enter>", "/context text<Enter>", "/branches<Enter>", "/keys<Enter>", "/copy 1<Enter>",
		"/set notify bell<Enter>", "/list<Enter>", "/continue<Enter>",
		"```c<C-j>int x;<C-j>```<C-j>https://example.org/ and more<Enter>"};
	static const char paste[] = "a\nlong\npaste\nof\nseveral\nlines\nof\nits\nown\nthat\nis\nfolded\n";
	struct storm storm = {.random = 28};
	int n = test_is_long() ? 3000 : 500, rows = 24, cols = 100;

	test_write_text(test_path("a.txt"), "alpha\n");
	test_write_text(test_path("b.txt"), "beta\n");
	storm.s = CHAT_START(.model = "synthetic:mode=echo,rate=300,tokens=12,n_ctx=160",
	                     .rows = rows, .cols = cols, .args = {"--context-policy", "summary"},
	                     .env = {"BROWSER=true"});
	WAIT(storm.s, storm.s->checker.modes & MODE_PASTE);
	storm.s->lenient = true; /* copies are not looked at here */
	for (int i = 0; i < n; i++) {
		uint32_t which = chance(&storm, 100);

		if (which < 3 && storm.s->checker.modes & MODE_PASTE)
			screen_paste(storm.s, paste, sizeof paste - 1);
		else if (which < 5)
			screen_resize(storm.s, 1 + (int)chance(&storm, 40), 1 + (int)chance(&storm, 120));
		else
			screen_keys(storm.s, keys[chance(&storm, sizeof keys / sizeof keys[0])]);
		if (chance(&storm, 4))
			screen_pause(storm.s, (int)chance(&storm, 12));
		else
			screen_sync(storm.s);
		EXPECT(storm.s->job.state == JOB_RUNNING, "it ended after %d", i);
	}
	screen_resize(storm.s, rows, cols);
	calm_down(&storm);
	/* No end: leak checks would see the undo lists of edited history lines, which input_line.c drops. */
	screen_free(storm.s);
}

/* A frame that scrolls a part of the screen sets the margins back to those of the screen that it was made for:
 * of the one before, where the terminal has meanwhile become larger. */
static void test_margins_of_another_size(void)
{
	static const char margins[] = "\033[1;9r";
	struct screen *s = chat_open("synthetic:mode=echo,tokens=1000,n_ctx=1000000");

	for (int i = 0; i < 6; i++)
		chat_send(s, "some words<Enter>");
	chat_wait_ready(s);
	screen_resize(s, 12, 80);
	screen_sync(s);
	vterm_input_write(s->vt, margins, sizeof margins - 1);
	screen_resize(s, 24, 80);
	screen_keys(s, "a<C-j>b<C-j>c<C-j>d<C-j>e<C-j>f<C-j>g");
	screen_sync(s);
	screen_keys(s, "<C-a><C-k><BS><BS><BS><BS><BS><BS><BS><BS><BS><BS><BS><BS>");
	chat_expect_fresh(s);
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"storm", test_storm, 600},
		{"mixture", test_mixture, 600},
		{"margins-of-another-size", test_margins_of_another_size, 0},
		{"every-size", test_every_size, 600},
		{"started-in-every-size", test_started_in_every_size, 600},
	};

	return run_tests(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
