/* What a hand and a terminal can send: keys, pastes, garbage, the mouse. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "screen/chat.h"

#define ECHO_MODEL "synthetic:mode=echo,tokens=1000000"

/* An editor that copies what it is given to `copy` and then runs `then` on
 * "$1"; returns "VISUAL=..." for the environment. */
static const char *stub_editor(const char *copy, const char *then)
{
	static char setting[600];
	struct buf script = {.max = 4096};

	buf_printf(&script, "#!/bin/sh\nstty -a <&1 >/dev/null || exit 9\ncp \"$1\" '%s'\n%s\n", copy, then);
	test_write_text(test_path("editor"), buf_text(&script));
	chmod(test_path("editor"), 0700);
	buf_free(&script);
	snprintf(setting, sizeof(setting), "VISUAL=%s", test_path("editor"));
	return setting;
}

/* Lines of words with tabs, quotes, slashes and non-ASCII between; no line
 * begins with a blank, none ends with one. */
static char *long_text(size_t n, uint64_t seed)
{
	static const char *const words[] = {
		"word", "/quit", "\xc3\xa9t\xc3\xa9", "\xe6\xbc\xa2\xe5\xad\x97", "a\tb", "\"quoted\"", "x",
		"~!@#$%^&*()", "\xf0\x9f\x98\x80", "<Enter>", "$(reboot)",
	};
	struct buf out;

	buf_init(&out, n + 64);
	while (out.len < n) {
		uint32_t r = test_random(&seed);

		if (out.len)
			buf_putc(&out, r % 11 == 0 ? '\n' : ' ');
		buf_puts(&out, words[r / 16 % (sizeof(words) / sizeof(words[0]))]);
	}
	return buf_take(&out, NULL);
}

static void test_paste_large(void)
{
	const char *copy = test_path("copy");
	struct screen *s = CHAT_OPEN(.model = ECHO_MODEL, .env = {stub_editor(copy, ":")});
	size_t n = MIB(1), done = 0;
	char *text = long_text(n, 42), *seen = NULL;
	uint64_t random = 7;
	size_t len = 0;

	n = strlen(text);
	EXPECT(s->checker.modes & MODE_PASTE, "bracketed paste is off");
	screen_bytes(s, "\033[200", 5); /* the brackets are cut too */
	screen_pump(s, 1);
	screen_bytes(s, "~", 1);
	while (done < n) {
		size_t part = 1 + test_random(&random) % (test_random(&random) % 8 ? 40000 : 3);

		if (part > n - done)
			part = n - done;
		screen_bytes(s, text + done, part);
		done += part;
	}
	screen_bytes(s, "\033[2", 3);
	screen_pump(s, 1);
	screen_bytes(s, "01~", 3);
	/* Nothing was sent, and the text is what an editor then gets. */
	screen_quiet(s, 200);
	screen_keys(s, "<C-x><C-e>");
	WAIT_FOR(s, 30000, (free(seen), seen = test_read_file(copy, &len)) != NULL && len >= n);
	while (len > n && seen[len - 1] == '\n')
		len--;
	EXPECT(len == n && memcmp(seen, text, n) == 0, "%zu bytes pasted, %zu in the editor", n, len);
	EXPECT(chat_n_journals() == 0, "something was sent");
	WAIT(s, s->checker.n_entered == 2); /* back from the editor */
	PRESS_WAIT(s, "<C-c>", !screen_has(s, "word") && !screen_has(s, "quoted"));
	chat_quit(s);
	free(text);
	free(seen);
}

static void test_paste(void)
{
	static const char text[] = "first line\rsecond line\n/quit\r\nlast";
	struct screen *s = chat_open(ECHO_MODEL);

	screen_paste(s, text, strlen(text));
	WAIT_TEXT(s, "last");
	screen_quiet(s, 100);
	EXPECT(chat_n_journals() == 0, "a paste was sent");
	EXPECT(s->job.state == JOB_RUNNING, "a pasted /quit was obeyed");
	SEND_WAIT(s, "!<Enter>", screen_count(s, "second line") >= 2);
	EXPECT(chat_journal_has("first line\\nsecond line\\n/quit\\nlast!"), " ");
	chat_quit(s);
}

/* Shown by its length, sent in full; one stroke deletes it, Alt+V shows it. */
static void test_paste_folded(void)
{
	struct screen *s = chat_open(ECHO_MODEL);
	struct buf text = {.max = KIB(4)};

	for (int i = 1; i <= 40; i++)
		buf_printf(&text, "line %d" "\xe2\x80\x8b" "\n", i);
	PRESS_WAIT(s, "see ", chat_line_has(s, "see"));
	screen_quiet(s, 30);
	screen_paste(s, buf_text(&text), text.len);
	WAIT(s, chat_line_has(s, "see [40 lines pasted]"));
	EXPECT(screen_has(s, "40 hidden"), "what is in it is counted");
	screen_quiet(s, 30);
	PRESS_WAIT(s, "!", chat_line_has(s, "see [40 lines pasted]!"));
	chat_expect_fresh(s);
	PRESS_WAIT(s, "<BS><BS>", chat_line_has(s, "see") && !chat_line_has(s, "pasted"));
	EXPECT(!screen_has(s, "hidden"), " ");
	screen_quiet(s, 30);
	screen_paste(s, buf_text(&text), text.len);
	WAIT(s, chat_line_has(s, "see [40 lines pasted]"));
	screen_quiet(s, 30);
	PRESS_SHOWS(s, "<M-v>", "line 39");
	EXPECT(!screen_has(s, "lines pasted"), " ");
	chat_expect_fresh(s);
	PRESS_WAIT(s, "<C-_>", chat_line_has(s, "see [40 lines pasted]"));
	SEND_WAIT(s, "<Enter>", chat_line_is_empty(s));
	EXPECT(chat_journal_has("text: \"see line 1"), " ");
	EXPECT(chat_journal_has("line 40"), " ");
	EXPECT(!chat_journal_has("lines pasted"), " ");
	buf_free(&text);
	chat_quit(s);
}

/* What Ctrl+C clears can be had back, a folded paste in it, too. */
static void test_cleared(void)
{
	struct screen *s = chat_open(ECHO_MODEL);
	struct buf text = {.max = KIB(4)};

	for (int i = 1; i <= 40; i++)
		buf_printf(&text, "line %d\n", i);
	PRESS_QUIET(s, "see ", 30);
	screen_paste(s, buf_text(&text), text.len);
	WAIT(s, chat_line_has(s, "see [40 lines pasted]"));
	screen_quiet(s, 30);
	PRESS_SHOWS(s, "<C-c>", "the line is cleared; Ctrl+Y brings it back");
	EXPECT(!chat_line_has(s, "see"), " ");
	PRESS_WAIT(s, "<C-y>!", chat_line_has(s, "see [40 lines pasted]!"));
	SEND_WAIT(s, "<Enter>", chat_line_is_empty(s));
	EXPECT(chat_journal_has("line 40"), " ");
	buf_free(&text);
	chat_quit(s);
}

static void test_paste_hostile(void)
{
	/* An end mark inside the paste, keys, control characters, bad UTF-8. */
	static const char text[] = "a\003b\004c\033[201~";
	static const char more[] = "\x1b]0;x\x07 \xff\xfe \x9b 31m \xe2\x80\xae z";
	struct screen *s = chat_open(ECHO_MODEL);

	screen_bytes(s, "\033[200~", 6);
	screen_bytes(s, text, strlen(text));
	screen_quiet(s, 100);
	screen_keys(s, "<C-a><C-k>");
	screen_paste(s, more, strlen(more));
	WAIT_TEXT(s, " z");
	SEND_WAIT(s, "<Enter>", chat_shows(s, " z"));
	chat_quit_fresh(s);
}

static void test_paste_without_end(void)
{
	struct screen *s = chat_open(ECHO_MODEL);

	screen_bytes(s, "\033[200~never ends", 16);
	WAIT_TEXT(s, "never ends"); /* after two seconds */
	SEND_WAIT(s, " but keys work<Enter>", chat_shows(s, "never ends but keys work"));
	chat_quit(s);
}

static void test_lone_escape(void)
{
	struct screen *s = chat_open(ECHO_MODEL);

	PRESS_WAIT(s, "one two", chat_line_has(s, "one two"));
	PRESS_QUIET(s, "<Esc>", 120);
	EXPECT(chat_line_has(s, "one two"), "a lone Esc is harmless");
	PRESS_WAIT(s, "d", chat_line_has(s, "one twod"));
	screen_keys(s, "<C-a><M-d>"); /* Esc and d together: kill-word */
	WAIT(s, chat_line_has(s, " twod") && !chat_line_has(s, "one"));
	PRESS_WAIT(s, "<C-y>", chat_line_has(s, "one twod"));
	chat_quit(s);
}

static void test_garbage(void)
{
	static const char *const sequences[] = {
		"\033[99~", "\033[1;99X", "\033[?1;2c", "\033[>41;354;0c", "\033[5;10R", "\033]11;rgb:0/0/0\033\\",
		"\033]52;c;AAAA\a", "\033P1$r0m\033\\", "\033_Gi=1;OK\033\\", "\033[I", "\033[O", "\033[<0;5;5M",
		"\033[<999999999;5;5M", "\033[<0;0;0m", "\033[<;;M", "\033[M !!", "\033[<35;500;500M", "\033Oz",
		"\033[27;5;99~", "\033[200", "\033[1;", "\033[", "\033[99999999999999999999999A", "\033[\0015~",
		"\033[A\033[B\033[C\033[D", "\x80\x9b\xff", "\xe6\xbc", "\033[57399u", "\033[118;5u",
	};
	struct screen *s = chat_open(ECHO_MODEL);
	uint64_t random = 99;
	int rounds = test_is_long() ? 5000 : 300;

	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		for (const char *p = sequences[i]; *p; p++) /* byte by byte */
			screen_bytes(s, p, 1);
		screen_quiet(s, 40);
		EXPECT(s->job.state == JOB_RUNNING, "ended by sequence %zu", i);
	}
	for (int i = 0; i < rounds; i++) {
		char bytes[16];
		size_t n = 1 + test_random(&random) % sizeof(bytes);

		bytes[0] = '\033';
		for (size_t k = 1; k < n; k++) {
			static const char alphabet[] = "[]O?<>;:0123456789ABMmtu~ PX\\_";

			bytes[k] = alphabet[test_random(&random) % (sizeof(alphabet) - 1)];
		}
		screen_bytes(s, bytes, n);
		if (i % 16 == 0)
			screen_pump(s, 30);
		EXPECT(s->job.state == JOB_RUNNING, "ended by garbage %d", i);
	}
	screen_bytes(s, "\033\\", 2); /* ends a string that may be open */
	screen_quiet(s, 2500); /* and a paste that may have begun */
	PRESS_QUIET(s, "<Esc>", 100);
	PRESS_QUIET(s, "<Esc>", 100);
	PRESS_WAIT(s, "<C-a><C-k>still here", chat_line_has(s, "still here"));
	SEND_WAIT(s, "<Enter>", screen_count(s, "still here") >= 2);
	chat_quit_fresh(s);
}

static void test_mouse_garbage(void)
{
	struct screen *s = CHAT_OPEN(.model = ECHO_MODEL, .args = {"--mouse"});
	uint64_t random = 5;
	int rounds = test_is_long() ? 20000 : 1000;

	WAIT(s, s->checker.modes & MODE_MOUSE_SGR);
	for (int i = 0; i < rounds; i++) {
		uint32_t r = test_random(&random);

		screen_mouse(s, (int)(r % 256), (int)(r >> 8 & 0xff) - 10, (int)(r >> 16 & 0xff) - 10, r >> 24 & 1);
		if (i % 50 == 0)
			screen_keys(s, i % 100 ? "<F2>" : "<F1>");
		EXPECT(s->job.state == JOB_RUNNING, "ended by mouse report %d", i);
	}
	screen_quiet(s, 100);
	PRESS_QUIET(s, "<Esc>", 100);
	PRESS_QUIET(s, "<Esc>", 100);
	ASK_WAIT(s, "alive", screen_count(s, "alive") >= 2);
	PRESS_WAIT(s, "<M-s>", !(s->checker.modes & MODE_MOUSE_SGR));
	chat_quit(s);
}

static void test_history(void)
{
	struct screen *s = chat_open(ECHO_MODEL);

	chat_ask(s, "the first line");
	chat_ask(s, "the second line");
	PRESS_WAIT(s, "<Up>", chat_line_has(s, "the second line"));
	PRESS_WAIT(s, "<Up>", chat_line_has(s, "the first line"));
	PRESS_WAIT(s, "<Down><Down>", !chat_line_has(s, "line"));
	chat_quit(s);

	s = chat_open(ECHO_MODEL); /* the next day */
	PRESS_WAIT(s, "<C-r>first", chat_line_has(s, "the first line"));
	SEND_WAIT(s, "<Enter>", chat_shows(s, "the first line"));
	chat_quit(s);
}

static void test_line_editing(void)
{
	struct screen *s = chat_open(ECHO_MODEL);

	PRESS_WAIT(s, "alpha beta gamma", chat_line_has(s, "alpha beta gamma"));
	PRESS_WAIT(s, "<C-w>", !chat_line_has(s, "gamma"));
	PRESS_WAIT(s, "<C-a><C-k>", !chat_line_has(s, "alpha"));
	PRESS_WAIT(s, "<C-y>", chat_line_has(s, "alpha beta"));
	PRESS_WAIT(s, "<C-a><M-f><M-u>", chat_line_has(s, "BETA")); /* upcase-word: beta */
	PRESS_WAIT(s, "<C-a><Right><Right><Del>", chat_line_has(s, "alha"));
	PRESS_WAIT(s, "<End>!<BS>?", chat_line_has(s, "?"));
	/* Ctrl-D deletes while there is text. */
	PRESS_WAIT(s, "<C-a><C-d>", chat_line_has(s, "lha") && !chat_line_has(s, "alha"));
	PRESS_WAIT(s, "<C-c>", !chat_line_has(s, "lha"));
	screen_keys(s, "<C-d>"); /* on an empty line it quits */
	screen_finish(s, 0);
}

static void test_wide_input(void)
{
	struct screen *s = chat_open(ECHO_MODEL);
	int col = screen_cursor(s).col;

	PRESS_WAIT(s, "\xe6\xbc\xa2\xe5\xad\x97", screen_cursor(s).col == col + 4);
	EXPECT(chat_line_has(s, "\xe6\xbc\xa2\xe5\xad\x97"), " ");
	PRESS_WAIT(s, "<Left>", screen_cursor(s).col == col + 2);
	PRESS_WAIT(s, "\xc3\xa9", chat_line_has(s, "\xe6\xbc\xa2\xc3\xa9\xe5\xad\x97"));
	EXPECT(screen_cursor(s).col == col + 3, "%d", screen_cursor(s).col);
	SEND_WAIT(s, "<Enter>", screen_count(s, "\xe6\xbc\xa2\xc3\xa9\xe5\xad\x97") >= 2);
	/* A character cut in the middle, its halves far apart. */
	screen_bytes(s, "\xe6\xbc", 2);
	screen_quiet(s, 60);
	screen_bytes(s, "\xa2", 1);
	WAIT(s, chat_line_has(s, "\xe6\xbc\xa2"));
	chat_quit(s);
}

static void test_newlines(void)
{
	struct screen *s = chat_open(ECHO_MODEL);

	PRESS_SHOWS(s, "one<C-j>two<M-Enter>three", "three");
	EXPECT(screen_row_of(s, "one") != screen_row_of(s, "three"), "lines stand below each other");
	EXPECT(chat_n_journals() == 0, "not sent");
	SEND_WAIT(s, "<Enter>", screen_count(s, "three") >= 2);
	EXPECT(chat_journal_has("one\\ntwo\\nthree"), " ");
	chat_quit(s);
}

static void test_long_line(void)
{
	struct screen *s = CHAT_OPEN(.model = ECHO_MODEL, .cols = 30, .rows = 10);

	for (int i = 0; i < 40; i++)
		screen_keys(s, "0123456789");
	PRESS_SHOWS(s, "END", "END");
	EXPECT(screen_cursor(s).row < 10 && screen_cursor(s).col < 30, " ");
	PRESS_SHOWS(s, "<C-a>START", "START");
	chat_expect_fresh(s);
	chat_send(s, "<Enter>");
	WAIT_TEXT(s, "END");
	chat_quit(s);
}

static void test_completion(void)
{
	struct screen *s;

	test_write_text(test_path("some-model.gguf"), "no model");
	test_write_text(test_path("strange\033]0;x\007name.txt"), "");
	s = chat_open(ECHO_MODEL);
	PRESS_WAIT(s, "/the<Tab>", chat_line_has(s, "/theme"));
	PRESS_WAIT(s, "<C-a><C-k>/theme mono<Tab>", chat_line_has(s, "/theme monochrome"));
	PRESS_WAIT(s, "<C-a><C-k>/model some-<Tab>", chat_line_has(s, "some-model.gguf"));
	PRESS_WAIT(s, "<C-a><C-k>/model strange<Tab>", chat_line_has(s, "name.txt"));
	PRESS_QUIET(s, "<C-a><C-k>/set top-<Tab><Tab>", 100);
	EXPECT(chat_line_has(s, "/set top-"), " ");
	PRESS_QUIET(s, "<C-a><C-k>/s<Tab><Tab>", 100);
	PRESS_QUIET(s, "<C-a><C-k>/<Tab><Tab><Tab>", 100);
	screen_keys(s, "<C-a><C-k>");
	ASK_WAIT(s, "done", screen_count(s, "done") >= 2);
	chat_quit(s);
}

static void test_vi_mode(void)
{
	struct screen *s;

	test_make_directory(screen_home(""));
	test_write_text(screen_home("inputrc"), "set editing-mode vi\n");
	s = chat_open("synthetic:mode=words,rate=100,tokens=100000");
	PRESS_WAIT(s, "hello world", chat_line_has(s, "hello world"));
	PRESS_QUIET(s, "<Esc>", 100);
	PRESS_WAIT(s, "0x", chat_line_has(s, "ello world") && !chat_line_has(s, "hello"));
	PRESS_WAIT(s, "wcwearth", chat_line_has(s, "ello earth"));
	PRESS_QUIET(s, "<Esc>", 100);
	PRESS_SHOWS(s, "<Enter>", "warm 20");
	/* In vi insert mode Esc is readline's; Ctrl-C stops the reply. */
	screen_keys(s, "abc<Esc>");
	screen_sync(s);
	EXPECT(!chat_is_ready(s), "Esc in insert mode stopped the reply");
	chat_send(s, "<C-c>");
	PRESS_QUIET(s, "<C-c>", 50);
	PRESS_QUIET(s, "<Esc>", 100);
	screen_keys(s, "ddi/quit<Enter>");
	screen_finish(s, 0);
}

static void test_editor(void)
{
	const char *copy = test_path("copy");
	unsigned n_entered;
	char *text;
	size_t n;
	static const char script[] = "case $(cat \"$1\") in *fail*) exit 1;; esac\n"
	                             "printf '\\357\\273\\277from the editor\\n' > \"$1\"";
	struct screen *s = CHAT_OPEN(.model = ECHO_MODEL, .env = {stub_editor(copy, script)});

	PRESS_WAIT(s, "draft", chat_line_has(s, "draft"));
	screen_keys(s, "<C-x><C-e>");
	WAIT_TEXT(s, "> from the editor"); /* without the byte order mark before it */
	text = test_read_file(copy, &n);
	EXPECT(text && strncmp(text, "draft", 5) == 0, "%s", text);
	free(text);
	EXPECT(chat_n_journals() == 0, "not sent by itself");
	screen_keys(s, "<C-a><C-k>");
	chat_expect_fresh(s);
	PRESS_WAIT(s, "fail", chat_line_has(s, "fail"));
	n_entered = s->checker.n_entered;
	PRESS_WAIT(s, "<C-x><C-e>", s->checker.n_entered > n_entered);
	screen_quiet(s, 100);
	EXPECT(chat_line_has(s, "fail"), "a failing editor leaves the draft");
	chat_quit_fresh(s);
}

static void test_suspend(void)
{
	struct screen *s = chat_open("synthetic:rate=100,tokens=400");

	SAY_SHOWS(s, "Count.", "warm 5");
	PRESS_WAIT(s, "half a line", chat_line_has(s, "half a line"));
	PRESS_WAIT(s, "<C-z>", s->job.state == JOB_STOPPED);
	screen_expect_restored(s);
	screen_resize(s, 30, 70);
	shell_job_continue(&s->job);
	WAIT(s, s->checker.n_entered == 2 && s->checker.modes & MODE_PASTE);
	WAIT(s, chat_line_has(s, "half a line"));
	WAIT_TEXT(s, "warm 399");
	chat_wait_ready(s);
	chat_quit_fresh(s);
}

/* Without a shell above (xterm -e sotto) nobody could continue it. */
static void test_suspend_without_shell(void)
{
	struct screen *s = CHAT_OPEN(.model = ECHO_MODEL, .leads_session = true);

	PRESS_QUIET(s, "<C-z>", 100);
	ASK_WAIT(s, "still here", screen_count(s, "still here") >= 2);
	chat_quit_fresh(s);
}

static void test_hidden_characters(void)
{
	static const char text[] = "pay\xe2\x80\x8b \xe2\x80\xaeme";
	struct screen *s = chat_open(ECHO_MODEL);

	screen_paste(s, text, strlen(text));
	WAIT_TEXT(s, "2 hidden");
	EXPECT(chat_line_has(s, "<U+202E>"), "spelt out in the line");
	PRESS_HIDES(s, "<C-a><C-k>", "hidden");
	chat_quit(s);
}

static void test_interrupt_ladder(void)
{
	struct screen *s = chat_open(ECHO_MODEL);

	PRESS_WAIT(s, "some text", chat_line_has(s, "some text"));
	PRESS_WAIT(s, "<C-c>", !chat_line_has(s, "some text"));
	PRESS_QUIET(s, "<C-c>", 150);
	EXPECT(s->job.state == JOB_RUNNING, "one Ctrl-C on an empty line only arms");
	screen_keys(s, "<C-c>");
	screen_finish(s, 0);
}

static void test_bogus_inputrc(void)
{
	struct screen *s;

	test_make_directory(screen_home(""));
	test_write_text(screen_home("inputrc"),
	                "set editing-mode sideways\n\"\\C-\n$if\nset bell-style visible\n\"\\C-g\": \"GGG\"\n"
	                "$include /nonexistent\n\xff\xfe\nset horizontal-scroll-mode on\n"
	                "set enable-bracketed-paste off\nset show-all-if-ambiguous on\nset completion-query-items 1\n");
	s = chat_open(ECHO_MODEL);
	PRESS_QUIET(s, "/s<Tab><Tab>", 150);
	screen_keys(s, "<C-a><C-k>");
	screen_paste(s, "pasted\nlines", 12);
	WAIT_TEXT(s, "lines");
	EXPECT(chat_n_journals() == 0, " ");
	SEND_WAIT(s, "<Enter>", screen_count(s, "lines") >= 2);
	chat_quit(s);
}

/* Candidates that do not fit in the bar are shown by further Tabs, from the start again. */
static void test_completion_pages(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=3", .cols = 60);

	PRESS_SHOWS(s, "/set to<Tab>", "top-p");
	EXPECT(!strstr(screen_row(s, 22), " Tab"), "they all fit");
	PRESS_WAIT(s, "<C-a><C-k>/set <Tab>", strstr(screen_row(s, 22), " Tab"));
	EXPECT(screen_has(s, "batch-size") && !screen_has(s, "typical"), " ");
	for (int i = 0; i < 20 && !screen_has(s, "typical"); i++)
		PRESS_QUIET(s, "<Tab>", 50);
	EXPECT(screen_has(s, "typical") && !screen_has(s, "batch-size"), "later ones");
	EXPECT(chat_line_has(s, "> /set"), "the line is as it was");
	for (int i = 0; i < 20 && !screen_has(s, "batch-size"); i++)
		PRESS_QUIET(s, "<Tab>", 50);
	EXPECT(screen_has(s, "batch-size"), "the first ones again");
	PRESS_HIDES(s, "t", "batch-size");
	screen_keys(s, "<C-a><C-k>");
	chat_quit(s);
}

/* With the mouse off the wheel must not walk the history. */
static void test_wheel_sends_no_keys(void)
{
	struct screen *s = chat_open("synthetic:tokens=3");

	EXPECT(s->checker.modes & MODE_WHEEL_QUIET, " ");
	PRESS_QUIET(s, "<M-s>", 50);
	PRESS_QUIET(s, "<M-s>", 50);
	EXPECT(s->checker.modes & MODE_WHEEL_QUIET, "Alt+S has nothing to do with it");
	chat_quit(s); /* and checks that it is as before */
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"completion-pages", test_completion_pages, 0},
		{"wheel-sends-no-keys", test_wheel_sends_no_keys, 0},
		{"paste-large", test_paste_large, 120},
		{"paste", test_paste, 0},
		{"paste-folded", test_paste_folded, 0},
		{"cleared", test_cleared, 0},
		{"paste-hostile", test_paste_hostile, 0},
		{"paste-without-end", test_paste_without_end, 0},
		{"lone-escape", test_lone_escape, 0},
		{"garbage", test_garbage, 300},
		{"mouse-garbage", test_mouse_garbage, 300},
		{"history", test_history, 0},
		{"line-editing", test_line_editing, 0},
		{"wide-input", test_wide_input, 0},
		{"newlines", test_newlines, 0},
		{"long-line", test_long_line, 0},
		{"completion", test_completion, 0},
		{"vi-mode", test_vi_mode, 0},
		{"editor", test_editor, 0},
		{"suspend", test_suspend, 0},
		{"suspend-without-shell", test_suspend_without_shell, 0},
		{"hidden-characters", test_hidden_characters, 0},
		{"interrupt-ladder", test_interrupt_ladder, 0},
		{"bogus-inputrc", test_bogus_inputrc, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
