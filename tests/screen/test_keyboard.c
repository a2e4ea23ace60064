/* Keys that terminals send as others unless they are asked: asked for where the terminal knows how, and
 * given back on every way out. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "screen/chat.h"

#define MODEL "synthetic:mode=echo"
#define KITTY "\033[?0u\033[>1;4000;29c"
#define XTERM "\033[>41;380;0c"
#define VTE "\033[>65;7200;1c"
#define BOTH (MODE_KITTY_KEYS | MODE_OTHER_KEYS)

static struct screen *open_with(const char *keyboard, const char *option)
{
	static char editor[256];

	test_write_text(test_path("editor"), "#!/bin/sh\ntouch was-here; sleep 0.2\n");
	chmod(test_path("editor"), 0700);
	snprintf(editor, sizeof(editor), "VISUAL=%s", test_path("editor"));
	return CHAT_START(.model = MODEL, .keyboard = keyboard, .args = {option}, .env = {editor});
}

static void send(struct screen *s, const char *bytes)
{
	screen_bytes(s, bytes, strlen(bytes));
}

/* Turned on, off for others, on again; Shift+Enter, also the keypad's, begins a line. */
static void with(const char *keyboard, const char *option, unsigned mode, const char *shift_enter)
{
	struct screen *s = open_with(keyboard, option);

	WAIT(s, s->checker.n_asked == 1 && (s->checker.modes & BOTH) == mode);
	WAIT(s, option || screen_has(s, CHAT_READY));
	WAIT(s, !option || strncmp(screen_row(s, screen_cursor(s).row), "> ", 2) == 0 ||
	        strcmp(screen_row(s, screen_cursor(s).row), ">") == 0);
	screen_keys(s, "alpha");
	send(s, shift_enter);
	PRESS_SHOWS(s, "omega", "omega");
	EXPECT(!screen_has(s, "alphaomega") && screen_count(s, "alpha") == 1, "it was not sent, and is two rows");
	PRESS_WAIT(s, "<C-x><C-e>", !(s->checker.modes & BOTH));
	WAIT(s, (s->checker.modes & BOTH) == mode);
	WAIT_TEXT(s, "omega");
	PRESS_WAIT(s, "<C-z>", s->job.state == JOB_STOPPED);
	screen_expect_restored(s);
	shell_job_continue(&s->job);
	WAIT(s, (s->checker.modes & BOTH) == mode);
	EXPECT(s->checker.n_asked == 1, "what is known is not asked again");
#ifndef SOTTO_SANITIZER /* which has this signal for itself */
	kill(s->job.program, SIGSEGV);
	screen_finish(s, 128 + SIGSEGV);
#else
	chat_quit(s);
#endif
}

static void test_ways(void)
{
	with(KITTY, NULL, MODE_KITTY_KEYS, "\033[13;2u");
	with(KITTY, NULL, MODE_KITTY_KEYS, "\033[57414;2u");
	with(KITTY, "--inline", MODE_KITTY_KEYS, "\033[13;2u");
	with(XTERM, NULL, MODE_OTHER_KEYS, "\033[27;2;13~");
	with(XTERM, "--inline", MODE_OTHER_KEYS, "\033[27;2;13~");
	with("\033[>84;0;0c", NULL, MODE_OTHER_KEYS, "\033[13;2u"); /* tmux */
}

/* Whether F1 says what Shift+Enter does. */
static void says(const char *keyboard, bool tells)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .keyboard = keyboard, .rows = 50, .cols = 120);

	WAIT(s, s->checker.n_asked == 1);
	screen_quiet(s, 50);
	PRESS_SHOWS(s, "<F1>", "insert a line break");
	EXPECT(screen_has(s, " Shift+Enter ") == tells, "as a key");
	EXPECT(screen_has(s, "(Shift+Enter is Enter for this terminal)") != tells, "in words");
	EXPECT(!(s->checker.modes & BOTH) == (!keyboard[0] || strcmp(keyboard, VTE) == 0), " ");
	PRESS_HIDES(s, "<Esc>", "insert a line break");
	chat_quit(s);
}

static void test_says_so(void)
{
	says(VTE, false);
	says(XTERM, true);
	says(KITTY, true);
	says("", true); /* it has not answered: nobody knows */
}

/* A terminal of a type that may print what it does not know. */
static void test_not_asked(void)
{
	static const char *const types[] = {"TERM=linux", "TERM=vt220"};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct screen *s = CHAT_START(
			.model = MODEL, .env = {types[i]}, .other_terminal = true);

		WAIT_TEXT(s, CHAT_READY);
		EXPECT(s->checker.n_asked == 0, "%s", types[i]);
		screen_keys(s, "<C-a><C-k>/quit<Enter>");
		screen_finish(s, 0);
	}
}

/* The answer comes while the program ends: not to the shell. */
static void test_late_answer(void)
{
	static const char *const options[] = {NULL, "--inline"};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		struct screen *s = open_with("", options[i]);

		WAIT_NOW(s, 20000, s->checker.n_asked == 1);
		kill(s->job.program, SIGTERM);
		send(s, KITTY);
		screen_finish(s, 128 + SIGTERM);
	}
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"ways", test_ways, 0},
		{"says-so", test_says_so, 0},
		{"not-asked", test_not_asked, 0},
		{"late-answer", test_late_answer, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
