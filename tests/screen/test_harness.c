/* The harness tested on shell scripts: it must see what is wrong. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/limits.h"
#include "screen/harness.h"
#include "screen/keys.h"

static struct screen *start_shell(const char *script)
{
	struct screen_options options = {
		.rows = 8, .cols = 40, .program = "/bin/sh", .args = {"-c", script},
	};

	return screen_start(&options);
}

/* Feeds the bytes whole and cut at every place. */
static void check_bytes(const char *bytes, bool clean, unsigned modes)
{
	for (size_t cut = 0; cut <= strlen(bytes); cut++) {
		struct checker checker;
		struct buf out = {.max = MIB(1)};

		checker_init(&checker);
		checker_feed(&checker, bytes, cut, &out);
		checker_feed(&checker, bytes + cut, strlen(bytes) - cut, &out);
		checker_feed(&checker, "x", 1, &out);
		EXPECT((checker.violation[0] == 0) == clean, "%s", checker.violation[0] ? checker.violation : bytes + 1);
		EXPECT(!clean || checker.modes == modes, "%x", checker.modes);
		buf_free(&out);
	}
}

static void test_checker(void)
{
	static const struct {
		const char *bytes;
		bool clean;
		unsigned modes;
	} rows[] = {
		{"plain text\r\n\t\b\a", true, 0},
		{"h\xc3\xa9llo \xe6\xbc\xa2 \xf0\x9f\x98\x80", true, 0},
		{"\033[H\033[2J\033[3;4H\033[K\033[1K\033[5X", true, 0},
		{"\033[?1049h\033[22;0;0t", true, MODE_ALTERNATE},
		{"\033[?1049h\033[22;0;0t\033[?1049l\033[23;0;0t", true, 0},
		{"\033[?2004h\033[?1000;1006h\033[?25l", true, MODE_PASTE | MODE_MOUSE_CLICK | MODE_MOUSE_SGR | MODE_CURSOR_HIDDEN},
		{"\033[?25l\033[?12l\033[?25h", true, 0},
		{"\033[?1h\033=", true, MODE_CURSOR_KEYS | MODE_KEYPAD},
		{"\033(0q\033(B", true, 0},
		{"\033[1;31m", true, MODE_ATTRIBUTES},
		{"\033[1;38;5;200m\033[0;10m", true, 0},
		{"\033[31m\033[39;49m\033[m", true, 0},
		{"\033[38;2;1;2;3m\033(B\033[m", true, 0},
		{"ab\033[3b", true, 0},
		{"\033]104\a", true, 0},
		{"\033]104;1\a", false, 0},
		{"\033]104\033\\", false, 0},
		{"\033[3b", false, 0},
		{"\033]0;title\a", false, 0},
		{"\033]52;c;aGk=\a", false, 0},
		{"\033]8;;http://x\033\\", false, 0},
		{"\033P$q\"p\033\\", false, 0},
		{"\033_x\033\\", false, 0},
		{"\033^x\033\\", false, 0},
		{"\033[c", false, 0},
		{"\033[6n", false, 0},
		{"\033[21t", false, 0},
		{"\033[?1005h", false, 0},
		{"\033[>4;2m", false, 0},
		{"\033[4:3m", false, 0},
		{"\033[1;2$r", false, 0},
		{"\033c", false, 0},
		{"\033\033[m", false, 0},
		{"\x01", false, 0},
		{"\x7f", false, 0},
		{"\xc2\x9b" "31m", false, 0},
		{"\x9b" "31m", false, 0},
		{"\xe2\x80\xae", false, 0},
		{"\xf3\xa0\x81\x81", false, 0},
		{"\xed\xa0\x80", false, 0},
		{"\xc0\x80", false, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_bytes(rows[i].bytes, rows[i].clean, rows[i].modes);
}

static void test_checker_repeat(void)
{
	struct checker checker;
	struct buf out = {.max = MIB(1)};

	checker_init(&checker);
	checker_feed(&checker, "a\xe2\x94\x80\033[3b|", 9, &out);
	EXPECT(strcmp(buf_text(&out), "a\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80|") == 0, "%s", buf_text(&out));
	checker_feed(&checker, "\033[31m\033[H\033[J", 11, &out);
	EXPECT(checker.n_colors == 1, "%u", checker.n_colors);
	EXPECT(checker.n_clears == 1, "%u", checker.n_clears);
	buf_free(&out);
}

static void test_keys(void)
{
	static const struct {
		const char *keys;
		bool application;
		const char *bytes; /* NULL: refused */
	} rows[] = {
		{"hello<Enter>", false, "hello\r"},
		{"a<lt>b", false, "a<b"},
		{"a < b", false, "a < b"},
		{"<C-c><C-x><C-e><C-Space>", false, NULL},
		{"<C-c><C-x>", false, "\003\030"},
		{"<Up><Down>", false, "\033[A\033[B"},
		{"<Up><Home>", true, "\033OA\033OH"},
		{"<S-Up><C-Home>", true, "\033[1;2A\033[1;5H"},
		{"<F1><F2><F7>", false, "\033OP\033OQ\033[18~"},
		{"<PgUp><S-PgDn>", false, "\033[5~\033[6;2~"},
		{"<M-r><M-Enter>", false, "\033r\033\r"},
		{"<Esc><Tab><BS>", false, "\033\t\177"},
		{"<nothing>", false, NULL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out = {.max = 1024};
		const char *bad = "";
		bool ok;

		ok = keys_encode(rows[i].keys, rows[i].application, &out, &bad);
		if (strcmp(rows[i].keys, "<C-c><C-x><C-e><C-Space>") == 0)
			EXPECT(ok, "%s", bad); /* modifiers on named plain keys are dropped */
		else
			EXPECT(ok == (rows[i].bytes != NULL), "%s", rows[i].keys);
		if (rows[i].bytes)
			EXPECT(strcmp(buf_text(&out), rows[i].bytes) == 0, "%s", rows[i].keys);
		buf_free(&out);
	}
}

static void test_shell(void)
{
	struct screen *s = start_shell("printf 'name? '; read x; printf 'hello \346\274\242 %s\\n' \"$x\"; exit 7");
	int row;

	WAIT_TEXT(s, "name?");
	EXPECT(screen_cursor(s).col == 6, "cursor at %d", screen_cursor(s).col);
	PRESS_SHOWS(s, "Ann<Enter>", "hello");
	row = screen_row_of(s, "hello");
	EXPECT(strcmp(screen_row(s, row), "hello \xe6\xbc\xa2 Ann") == 0, "%s", screen_row(s, row));
	EXPECT(screen_col_of(s, row, "Ann") == 9, "%d", screen_col_of(s, row, "Ann"));
	EXPECT(screen_col_of(s, row, "\xe6\xbc\xa2") == 6, " ");
	EXPECT(screen_count(s, "Ann") == 2, "echo and answer");
	EXPECT(screen_row_of(s, "Bob") == -1, " ");
	screen_finish(s, 7);
}

/* A mark that comes apart from its base, whole or cut, in the last column and before it. */
static void test_marks_apart(void)
{
	static const struct {
		int col; /* of the base */
		const char *base, *first, *rest;
		uint32_t chars[2];
	} rows[] = {
		{39, "e", "\xcc\x81", "", {'e', 0x301}},
		{39, "e", "\xcc", "\x81", {'e', 0x301}},
		{38, "\xe4\xb8\x96", "\xe2\x80", "\x8d", {0x4e16, 0x200d}},
		{39, "\033(B\033[me", "\xcc\x81", "", {'e', 0x301}},
		{39, "\033(B\033[me\xcc\x81", "", "", {'e', 0x301}},
		{10, "\033(B\033[me", "\xcc", "\x81", {'e', 0x301}},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		VTermScreenCell cell;
		char script[200];
		struct screen *s;
		uint64_t n;

		snprintf(script, sizeof script, "stty -echo; printf '%%%dd%s' 0; read x; printf '%s'; read x; printf '%sz'; read x",
		         rows[i].col, rows[i].base, rows[i].first, rows[i].rest);
		s = start_shell(script);
		n = (uint64_t)rows[i].col + strlen(rows[i].base);
		WAIT(s, s->n_bytes == n);
		screen_bytes(s, "\n", 1);
		n += strlen(rows[i].first);
		WAIT(s, s->n_bytes == n);
		screen_bytes(s, "\n", 1);
		WAIT_TEXT(s, "z");
		cell = screen_cell(s, 0, rows[i].col);
		EXPECT(cell.chars[0] == rows[i].chars[0], "%zu: %x", i, (unsigned)cell.chars[0]);
		EXPECT(cell.chars[1] == rows[i].chars[1], "%zu: %x", i, (unsigned)cell.chars[1]);
		EXPECT((screen_row_of(s, "z") == 1) == (rows[i].col > 20), "%zu", i);
		screen_free(s);
	}
}

static void test_attributes(void)
{
	struct screen *s = start_shell("printf 'a\\033[1;31mb\\033[m\\033[7mc\\033[m'; read x");

	WAIT_TEXT(s, "abc");
	EXPECT(!screen_cell(s, 0, 0).attrs.bold, " ");
	EXPECT(screen_cell(s, 0, 1).attrs.bold, " ");
	EXPECT(screen_cell(s, 0, 1).fg.indexed.idx == 1, " ");
	EXPECT(screen_cell(s, 0, 2).attrs.reverse, " ");
	screen_free(s);
}

static void test_modes_are_noticed(void)
{
	struct screen *s = start_shell("printf '\\033[?1049h\\033[?2004h'; stty -echo; exit 0");
	struct buf names = {.max = 1024};

	WAIT(s, s->job.state == JOB_ENDED);
	WAIT(s, s->checker.modes == (MODE_ALTERNATE | MODE_PASTE));
	checker_describe_modes(s->checker.modes, &names);
	EXPECT(strcmp(buf_text(&names), "alternate screen, bracketed paste") == 0, "%s", names.data);
	buf_free(&names);
	EXPECT(!s->job.modes_restored, "stty -echo was not noticed");
	screen_free(s);
}

static void test_size(void)
{
	struct screen *s = start_shell("trap 'stty size' WINCH; stty size; while :; do read x; done");

	WAIT_TEXT(s, "8 40");
	screen_resize(s, 10, 50);
	WAIT_TEXT(s, "10 50");
	screen_resize(s, 1, 1); /* libvterm must survive what it cannot do */
	screen_resize(s, 10, 50);
	screen_free(s);
}

static void test_stop_and_continue(void)
{
	struct screen *s = start_shell("printf one; kill -STOP $$; printf two; read x; exit 0");

	WAIT_TEXT(s, "one");
	WAIT(s, s->job.state == JOB_STOPPED);
	EXPECT(!screen_has(s, "two"), " ");
	screen_expect_restored(s);
	shell_job_continue(&s->job);
	WAIT_TEXT(s, "onetwo");
	screen_keys(s, "<Enter>");
	screen_finish(s, 0);
}

static void test_interrupt(void)
{
	struct screen *s = start_shell("trap 'exit 5' INT; printf ready; while :; do sleep 0.05; done");

	WAIT_TEXT(s, "ready");
	screen_keys(s, "<C-c>");
	screen_finish(s, 5);
	/* cat: a shell may lose the signal on its way to exec. */
	s = SCREEN_START(.program = "/bin/cat");
	PRESS_WAIT(s, "there?<Enter>", screen_count(s, "there?") == 2);
	screen_keys(s, "<C-c>");
	screen_finish(s, 128 + SIGINT);
}

static void test_hang_up(void)
{
	for (int leads = 0; leads < 2; leads++) {
		struct screen_options options = {
			.program = "/bin/sh",
			.args = {"-c", "trap 'exit 9' HUP; printf ready; while :; do sleep 0.05; done"},
			.leads_session = leads != 0,
		};
		struct screen *s = screen_start(&options);

		EXPECT(s->job.program > 0, "known before anything of it is seen");
		WAIT_TEXT(s, "ready");
		shell_job_hang_up(&s->job);
		WAIT(s, s->job.state == JOB_ENDED);
		EXPECT(WIFEXITED(s->job.wait_status) && WEXITSTATUS(s->job.wait_status) == 9,
		       "wait status %x", (unsigned)s->job.wait_status);
		screen_free(s);
	}
}

static void test_environment(void)
{
	struct screen_options options = {
		.program = "/bin/sh",
		.args = {"-c", "echo \"$TERM,$EXTRA,${HOME##*/},${LANG-none}\""},
		.env = {"TERM=dumb", "EXTRA=yes"},
	};
	struct screen *s = screen_start(&options);

	WAIT_TEXT(s, "dumb,yes,home,none");
	screen_finish(s, 0);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"checker", test_checker, 0},
		{"checker-repeat", test_checker_repeat, 0},
		{"keys", test_keys, 0},
		{"shell", test_shell, 0},
		{"marks-apart", test_marks_apart, 0},
		{"attributes", test_attributes, 0},
		{"modes-are-noticed", test_modes_are_noticed, 0},
		{"size", test_size, 0},
		{"stop-and-continue", test_stop_and_continue, 0},
		{"interrupt", test_interrupt, 0},
		{"hang-up", test_hang_up, 0},
		{"environment", test_environment, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
