/* The chat in lines: --accessible and --inline. Nothing moves the cursor or clears anything, nothing is
 * lost, and the commands do what they do on the full screen. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "screen/chat.h"

#define WORDS "synthetic:rate=500,tokens=12"
#define SLOW "synthetic:rate=50,tokens=100000"
#define ECHO "synthetic:mode=echo"

static struct screen *start(const char *option, const char *model, const char *more)
{
	return CHAT_START(.model = model, .args = {option, more}, .rows = 200);
}

/* The last row with the cursor is this prompt, and nothing else. */
static bool is_prompted(struct screen *s, const char *prompt)
{
	return strcmp(screen_row(s, screen_cursor(s).row), prompt) == 0;
}

static struct screen *open_lines(const char *option, const char *model, const char *more)
{
	struct screen *s = start(option, model, more);
	const char *prompt = strcmp(option, "--inline") == 0 ? ">" : "You:";

	/* A draft may be in the line. */
	WAIT(s, strncmp(screen_row(s, screen_cursor(s).row), prompt, strlen(prompt)) == 0);
	return s;
}

/* Types a line, waits for its echo, sends it. */
static void enter(struct screen *s, const char *line)
{
	PRESS_WAIT(s, line, strstr(screen_row(s, screen_cursor(s).row), line));
	screen_keys(s, "<Enter>");
}

#define ENTER_SHOWS(s, line, ...) (enter(s, line), WAIT_TEXT(s, __VA_ARGS__))
#define ENTER_WAIT(s, line, cond) \
	do { \
		enter(s, line); \
		WAIT(s, cond); \
	} while (0)

/* The text is there, and the next line is asked for. */
#define ENTER_ENDS(s, line, text) ENTER_WAIT(s, line, screen_has(s, text) && is_prompted(s, "You:"))
#define PRESS_ENDS(s, keys, text) PRESS_WAIT(s, keys, screen_has(s, text) && is_prompted(s, "You:"))

static void expect_untouched(struct screen *s)
{
	EXPECT(!(s->checker.modes & MODE_ALTERNATE) && !s->checker.n_entered, "the alternate screen");
	EXPECT(!s->checker.n_clears && !s->checker.n_moves, "%u sequences move the cursor or clear",
	       s->checker.n_moves);
}

static void leave(struct screen *s)
{
	ENTER_WAIT(s, "/quit", s->job.state == JOB_ENDED);
	WAIT(s, !chat_n_journals() || screen_has(s, "Continue this chat with:  sotto --resume"));
	expect_untouched(s);
	screen_finish(s, 0);
}

static void test_accessible(void)
{
	struct screen *s = open_lines("--accessible", WORDS, NULL);

	EXPECT(screen_has(s, "Note: A new chat. /help"), "how to get help");
	EXPECT(screen_has(s, "Note: synthetic (words) is ready"), "who answers");
	ENTER_ENDS(s, "hello there", "Reply: warm 0 warm 1");
	EXPECT(screen_has(s, "warm 11"), "all of the reply");
	EXPECT(screen_count(s, "hello there") == 1, "the message once");
	ENTER_SHOWS(s, "/set temp 0", "Note: temp is 0");
	ENTER_ENDS(s, "/nonsense", "Error: there is no command /nonsense");
	screen_keys(s, "<Up>"); /* it comes back, as in a shell */
	WAIT(s, strcmp(screen_row(s, screen_cursor(s).row), "You: /nonsense") == 0);
	PRESS_WAIT(s, "<C-c>", is_prompted(s, "You:"));
	EXPECT(s->checker.n_styles == 0, "%u styles", s->checker.n_styles);
	leave(s);
	EXPECT(chat_journal_has("hello there") && chat_journal_has("warm 11"), "the journal");
}

/* What cannot be saved is said once, not with each line; and again when there is another reason. */
static void test_nowhere_to_save(void)
{
	char folder[600];
	char data[700], state[700];
	struct screen *s;

	snprintf(folder, sizeof folder, "%s", test_path("nowhere"));
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s", folder);
	snprintf(state, sizeof state, "XDG_STATE_HOME=%s", folder);
	test_write_file(folder, "", 0);
	s = CHAT_START(.model = WORDS, .args = {"--accessible"}, .rows = 200, .cols = 200,
	               .env = {data, state});
	WAIT(s, is_prompted(s, "You:"));
	for (int i = 1; i <= 3; i++) {
		enter(s, (const char *[]){"", "first", "second", "third"}[i]);
		WAIT(s, screen_count(s, "warm 11") == (size_t)i && is_prompted(s, "You:"));
	}
	EXPECT(screen_count(s, "the history of your lines is not being saved") == 1, " ");
	EXPECT(screen_count(s, "Not saved: ") == 1, " ");
	EXPECT(unlink(folder) == 0 && symlink(folder, folder) == 0, "a link to itself");
	for (int i = 4; i <= 5; i++) {
		enter(s, i == 4 ? "fourth" : "fifth");
		WAIT(s, screen_count(s, "warm 11") == (size_t)i && is_prompted(s, "You:"));
	}
	EXPECT(screen_count(s, "the history of your lines is not being saved") == 2, " ");
	ENTER_SHOWS(s, "/quit", "would be lost");
	enter(s, "/quit!");
	screen_finish(s, 0);
}

static void test_inline(void)
{
	struct screen *s = open_lines("--inline", ECHO, NULL);

	screen_paste(s, "# Title\n\nSome **bold** words.\n\n```c\nint x;\n```\n", 45);
	WAIT_TEXT(s, "int x;");
	screen_quiet(s, 100);
	EXPECT(screen_count(s, "Title") == 1, "a paste is not sent by itself");
	s->checker.n_styles = s->checker.n_colors = s->checker.n_moves = 0; /* readline's business */
	PRESS_WAIT(s, "<Enter>", screen_count(s, "Title") == 2 && is_prompted(s, ">"));
	EXPECT(screen_row_of(s, "Some bold words.") > 0, "Markdown");
	EXPECT(s->checker.n_styles > 0 && s->checker.n_colors > 0, "styles and colours");
	leave(s);
}

/* Paragraphs are printed before they end, and cut where marks may still come: each word once. */
static void test_inline_words(void)
{
	static char text[8192];
	size_t n = 0, words = 0;
	struct screen *s;

	for (int part = 0; part < 12; part++) {
		const char *begin = (const char *[]){"", "", "- ", "> ", "1. ", "*"}[part % 6];

		n += (size_t)snprintf(text + n, sizeof(text) - n, "\n\n%s", begin);
		for (int i = 0; i < 40; i++, words++) {
			const char *between = i % 13 == 7 && part % 2 ? " **" : i % 17 == 3 && part % 3 ? "` - " : " ";

			n += (size_t)snprintf(text + n, sizeof(text) - n, "w%zue%s", words, between);
		}
	}
	s = CHAT_START(.model = "synthetic:mode=system,rate=1500", .rows = 200,
	               .args = {"--inline", "-sys", text});
	WAIT(s, is_prompted(s, ">"));
	enter(s, "go");
	WAIT_FOR(s, 40000, screen_row_of(s, "w479e") >= 0 && is_prompted(s, ">"));
	for (size_t i = 0; i < words; i++) {
		char word[24];

		snprintf(word, sizeof(word), "w%zue", i);
		/* The first of them are in the note about the system message, too. */
		EXPECT(screen_count(s, word) - (i < 30 && screen_count(s, word) > 1) == 1, "%s", word);
	}
	leave(s);
}

/* The key is not readline's while a file is attached, in however small a window. */
static void test_detach_key(void)
{
	struct screen *s;

	test_write_text(test_path("notes"), "some text\n");
	s = CHAT_START(.model = ECHO, .args = {"--accessible"}, .rows = 5);
	WAIT(s, is_prompted(s, "You:"));
	ENTER_ENDS(s, "/read notes", "attached: notes");
	PRESS_WAIT(s, "a line", strstr(screen_row(s, screen_cursor(s).row), "a line"));
	PRESS_SHOWS(s, "<M-x>", "no longer attached: notes");
	PRESS_ENDS(s, "<Enter>", "Reply: a line");
	leave(s);
}

/* Nothing is asked of the terminal but bracketed paste, whatever is set. */
static void test_modes(void)
{
	struct screen *s = CHAT_START(.model = WORDS, .rows = 200,
	                              .args = {"--inline", "--notify", "bell"});

	WAIT(s, is_prompted(s, ">"));
	ENTER_WAIT(s, "/set temp 0", screen_has(s, "temp is 0") && is_prompted(s, ">"));
	EXPECT((s->checker.modes & (MODE_FOCUS | MODE_TITLE | MODE_MOUSE_CLICK)) == 0, "modes %x",
	       (unsigned)s->checker.modes);
	leave(s);
}

static void test_no_color(void)
{
	struct screen *s = CHAT_START(.model = ECHO, .args = {"--inline", "--theme", "dark"},
	                              .env = {"NO_COLOR=1"});

	WAIT(s, is_prompted(s, ">"));
	ENTER_SHOWS(s, "**bold** and `code`", "bold and `code`");
	WAIT(s, is_prompted(s, ">"));
	EXPECT(s->checker.n_styles > 0 && s->checker.n_colors == 0, "%u colours", s->checker.n_colors);
	leave(s);
}

/* A terminal that knows no control sequence at all, where Enter is LF as in an editor's shell. */
static void test_dumb(void)
{
	const char *options[] = {"--accessible", "--inline"};

	for (int i = 0; i < 2; i++) {
		struct screen *s = CHAT_START(.model = WORDS, .args = {options[i]},
		                              .env = {"TERM=dumb"});

		WAIT(s, is_prompted(s, i ? ">" : "You:"));
		PRESS_SHOWS(s, "hello<C-j>", "warm 11");
		WAIT(s, is_prompted(s, i ? ">" : "You:"));
		EXPECT(!s->checker.n_styles && !(s->checker.modes & MODE_PASTE), "no sequence");
		leave(s);
	}
}

static void test_stop(void)
{
	struct screen *s = open_lines("--accessible", SLOW, NULL);

	ENTER_SHOWS(s, "count", "Reply: warm 0");
	screen_keys(s, "<C-c>");
	WAIT(s, screen_has(s, "Note: (interrupted) Alt+C goes on") && is_prompted(s, "You:"));
	PRESS_WAIT(s, "half a line<C-c>", is_prompted(s, "You:"));
	EXPECT(screen_has(s, "You: half a line"), "what was typed stays");
	PRESS_SHOWS(s, "<C-c>", "Note: press Ctrl+C again to quit");
	leave(s);
	EXPECT(chat_journal_has("interrupted"), "the journal says so");
}

/* What is typed during a reply is not shown in its midst, and not lost. */
static void test_type_ahead(void)
{
	struct screen *s = open_lines("--accessible", "synthetic:rate=100,tokens=150", NULL);

	ENTER_SHOWS(s, "first", "Reply: warm 0");
	PRESS_SHOWS(s, "second<Enter>third", "Note: queued");
	EXPECT(screen_has(s, "Reply: warm") && !screen_has(s, "You: third"), "not yet");
	WAIT_TEXT(s, "You: second");
	WAIT_FOR(s, 40000, strcmp(screen_row(s, screen_cursor(s).row), "You: third") == 0);
	PRESS_WAIT(s, "<C-c>", is_prompted(s, "You:"));
	leave(s);
	EXPECT(chat_journal_has("first") && chat_journal_has("second"), "both were sent");
}

static void test_lists(void)
{
	struct screen *s = open_lines("--accessible", WORDS, NULL);

	ENTER_ENDS(s, "about apples", "warm 11");
	ENTER_WAIT(s, "/new", screen_count(s, "Note: A new chat.") == 2 && is_prompted(s, "You:"));
	ENTER_WAIT(s, "about pears", screen_count(s, "warm 11") == 2 && is_prompted(s, "You:"));
	ENTER_SHOWS(s, "/load", "Note: Chats");
	WAIT(s, screen_has(s, "1. about pears") && screen_has(s, "2. about apples"));
	WAIT(s, is_prompted(s, "You:"));
	ENTER_SHOWS(s, "apples", "newest first, with \"apples\"");
	WAIT(s, screen_count(s, "1. about apples") == 1 && is_prompted(s, "You:"));
	enter(s, "1");
	WAIT(s, screen_count(s, "You: about apples") == 2 && screen_count(s, "Reply: warm 0") == 3);
	ENTER_WAIT(s, "/load", screen_count(s, "Note: Chats") == 3 && is_prompted(s, "You:"));
	PRESS_WAIT(s, "<Enter>", is_prompted(s, "You:"));
	enter(s, "no answer any more");
	WAIT(s, screen_count(s, "warm 11") == 4 && is_prompted(s, "You:"));
	leave(s);
}

/* A template's variables are asked for one after the other. */
static void test_template(void)
{
	struct screen *s = open_lines("--accessible", ECHO, NULL);

	enter(s, "/template translator");
	WAIT_TEXT(s, "Note: translator: what is from?", "Enter alone takes: any language");
	WAIT(s, is_prompted(s, "You:"));
	PRESS_ENDS(s, "<Enter>", "Note: translator: what is to?");
	PRESS_SHOWS(s, "<Enter>", "to needs a value");
	ENTER_SHOWS(s, "German", "System message (template translator to=German)");
	ENTER_ENDS(s, "hallo", "Reply: hallo");
	enter(s, "/template translator");
	WAIT(s, screen_count(s, "what is from?") == 2 && is_prompted(s, "You:"));
	PRESS_WAIT(s, "<Enter>", screen_count(s, "what is to?") == 2 && is_prompted(s, "You:"));
	ENTER_SHOWS(s, "French", "2. to the whole conversation");
	ENTER_SHOWS(s, "3", "type a number from 1 to 2");
	ENTER_SHOWS(s, "2", "System message (template translator to=French)");
	enter(s, "/template translator");
	WAIT(s, screen_count(s, "what is from?") == 3 && is_prompted(s, "You:"));
	PRESS_SHOWS(s, "<C-c>", "Note: nothing was chosen");
	ENTER_SHOWS(s, "/sampler", "/set NAME VALUE changes one");
	ENTER_SHOWS(s, "/mouse", "/mouse works only on the full screen");
	leave(s);
}

static void test_edit(void)
{
	struct screen *s = open_lines("--accessible", ECHO, NULL);

	ENTER_ENDS(s, "one", "Reply: one");
	ENTER_SHOWS(s, "/edit", "Note: Your message is in the input line");
	WAIT(s, is_prompted(s, "You: one"));
	PRESS_ENDS(s, " more<Enter>", "Reply: one more");
	enter(s, "/prev");
	WAIT(s, screen_has(s, "Note: version 1 of 2") && screen_count(s, "You: one") == 3);
	WAIT(s, is_prompted(s, "You:"));
	ENTER_ENDS(s, "/branches", "3. You 1/2: one");
	enter(s, "3"); /* it is there already, and is said again */
	WAIT(s, screen_count(s, "You: one") == 4 && is_prompted(s, "You:"));
	ENTER_SHOWS(s, "/undo", "Note: taken back");
	WAIT(s, is_prompted(s, "You: one"));
	PRESS_WAIT(s, "<C-c>", is_prompted(s, "You:"));
	leave(s);
}

static void test_find(void)
{
	struct screen *s = open_lines("--accessible", ECHO, NULL);

	ENTER_ENDS(s, "the \303\204pfel here", "Reply: the");
	ENTER_SHOWS(s, "/find apfel", "Note: 2 matches");
	WAIT(s, screen_count(s, "Reply: the \303\204pfel here") == 2 && is_prompted(s, "You:"));
	ENTER_SHOWS(s, "nothing is taken for a key", "Reply: nothing is taken");
	leave(s);
}

/* Killed in mid-reply: the next one has all there was. The reply is one paragraph without an end,
 * which is not waited for. */
static void kill_and_resume(const char *option)
{
	const char *prompt = strcmp(option, "--inline") == 0 ? ">" : "You:";
	struct screen *s = open_lines(option, SLOW, NULL);

	ENTER_SHOWS(s, "remember this", "warm 20");
	WAIT(s, chat_journal_has("warm 20")); /* which is behind by a second at the most */
	kill(s->job.program, SIGKILL);
	WAIT_NOW(s, 20000, s->job.state == JOB_ENDED);
	screen_free(s);
	EXPECT(chat_journal_has("remember this"), "the journal");
	s = open_lines(option, ECHO, "-C");
	EXPECT(screen_has(s, "remember this") && screen_has(s, "warm 20"), "it is said again");
	EXPECT(screen_has(s, "(interrupted)"), "and how it ended");
	ENTER_WAIT(s, "go on", screen_count(s, "go on") == 2 && is_prompted(s, prompt));
	leave(s);
}

static void test_kill_accessible(void)
{
	kill_and_resume("--accessible");
}

static void test_kill_inline(void)
{
	kill_and_resume("--inline");
}

/* Escapes, wide and hidden characters: the checker sees them go by. */
static void test_foreign(void)
{
	const char *options[] = {"--accessible", "--inline"};
	const char *models[] = {"synthetic:mode=escape,tokens=40", "synthetic:mode=wide,tokens=40",
	                        "synthetic:mode=emoji,tokens=40"};

	for (int i = 0; i < 6; i++) {
		const char *prompt = i % 2 ? ">" : "You:";
		struct screen *s = open_lines(options[i % 2], models[i / 2], NULL);

		ENTER_WAIT(s, "go", chat_journal_has("complete") && is_prompted(s, prompt));
		ENTER_SHOWS(s, "/inspect", "What the model sees");
		WAIT(s, is_prompted(s, prompt));
		leave(s);
	}
}

static void test_context(void)
{
	struct screen *s = open_lines("--accessible", WORDS, NULL);

	ENTER_ENDS(s, "hello", "warm 11");
	ENTER_SHOWS(s, "/context", "What fills the context: ");
	WAIT_TEXT(s, "1 You: hello"); /* blanks in a row are one for a screen reader */
	WAIT_TEXT(s, "Reserved for the reply");
	WAIT(s, is_prompted(s, "You:"));
	leave(s);
}

/* What goes with the next message is shown, with its tokens as soon as they are counted. */
static void test_attached(void)
{
	struct screen *s;

	test_write_text(test_path("notes.txt"), "one two\n");
	s = open_lines("--accessible", WORDS, NULL);
	ENTER_SHOWS(s, "/read notes.txt", "Note: attached: notes.txt 8 B, ");
	leave(s);
}

/* Another size, a stop: the line is shown again, what was there stays. */
static void test_resize(void)
{
	struct screen *s = open_lines("--accessible", WORDS, NULL);

	PRESS_WAIT(s, "half", is_prompted(s, "You: half"));
	for (int cols = 30; cols < 100; cols += 7) {
		screen_resize(s, cols % 2 ? 200 : 100, cols);
		screen_quiet(s, 30);
	}
	WAIT(s, is_prompted(s, "You: half"));
	EXPECT(screen_count(s, "You:") == 1, "what fits in a row is not shown again");
	PRESS_ENDS(s, " done<Enter>", "warm 11");
	leave(s);
	EXPECT(chat_journal_has("half done"), "the whole line");
}

/* A line of several rows is shown again in its place, and only where the width has changed. */
static void test_resize_rows(void)
{
	static const char *const options[] = {"--accessible", "--inline"};

	for (size_t i = 0; i < 2; i++) {
		struct screen *s = start(options[i], WORDS, "--no-save");
		uint64_t n_bytes;

		WAIT(s, is_prompted(s, i ? ">" : "You:"));
		for (int word = 0; word < 30; word++)
			screen_keys(s, "word ");
		PRESS_SHOWS(s, "<C-a><C-e>last", "last");
		n_bytes = s->n_bytes;
		screen_resize(s, 100, 80);
		screen_quiet(s, 100);
		EXPECT(s->n_bytes == n_bytes, "%u bytes for another height", (unsigned)(s->n_bytes - n_bytes));
		for (int cols = 90; cols < 200; cols += 30) { /* wider: no row is cut by the terminal */
			screen_resize(s, 100, cols);
			WAIT(s, s->n_bytes > n_bytes);
			screen_quiet(s, 50);
			n_bytes = s->n_bytes;
			EXPECT(screen_count(s, i ? "> word" : "You: word") == 1, "%d columns", cols);
			EXPECT(screen_count(s, "last") == 1, "%d columns", cols);
		}
		screen_keys(s, "<C-c>/quit<Enter>");
		screen_finish(s, 0);
	}
}

/* Suspended in the midst of a line of two rows, and of a reply. */
static void test_suspend(void)
{
	struct screen *s = open_lines("--accessible", "synthetic:rate=100,tokens=150", NULL);

	PRESS_WAIT(s, "first row<C-j>second", is_prompted(s, "second"));
	PRESS_WAIT(s, "<C-z>", s->job.state == JOB_STOPPED);
	screen_expect_restored(s);
	shell_job_continue(&s->job);
	WAIT(s, s->checker.modes & MODE_PASTE && screen_count(s, "second") == 2);
	PRESS_SHOWS(s, " row<Enter>", "Reply: warm 0");
	PRESS_WAIT(s, "<C-z>", s->job.state == JOB_STOPPED);
	screen_expect_restored(s);
	shell_job_continue(&s->job);
	WAIT_TEXT(s, "warm 149");
	WAIT(s, is_prompted(s, "You:"));
	s->checker.n_moves = 0; /* readline's, for the two rows */
	leave(s);
	EXPECT(chat_journal_has("first row") && chat_journal_has("second row"), "the message");
}

/* The draft in an editor. */
static void test_editor(void)
{
	char editor[400];
	struct screen *s;

	test_write_text(test_path("edit.sh"), "#!/bin/sh\nprintf 'from the editor' >\"$1\"\n");
	snprintf(editor, sizeof(editor), "VISUAL=sh %s", test_path("edit.sh"));
	s = CHAT_START(.model = ECHO, .args = {"--accessible"}, .env = {editor});
	WAIT(s, is_prompted(s, "You:"));
	PRESS_WAIT(s, "draft<C-x><C-e>", is_prompted(s, "You: from the editor"));
	PRESS_ENDS(s, "<Enter>", "Reply: from the editor");
	leave(s);
}

static void test_thinking(void)
{
	struct screen *s = open_lines("--accessible", "synthetic:mode=think,think=3,tokens=4,rate=500", NULL);

	ENTER_ENDS(s, "hm", "Reply: warm 0");
	EXPECT(!screen_has(s, "thought 0"), "thoughts are not said by themselves");
	PRESS_ENDS(s, "<M-t>", "Thinking: thought 0");
	PRESS_SHOWS(s, "<PgUp>", "scroll the terminal itself");
	leave(s);
}

/* What was printed cannot be taken back, but named. */
static void test_recanted(void)
{
	struct screen *s = open_lines("--accessible",
	                              "synthetic:mode=think,think=30,tokens=4,rate=100,unopened=1", NULL);

	ENTER_SHOWS(s, "hm", "what the model thought; its answer follows", "warm 3");
	WAIT(s, is_prompted(s, "You:"));
	PRESS_SHOWS(s, "<M-t>", "Thinking: thought 0");
	leave(s);
}

/* A search that is broken off leaves nothing behind in the prompt. */
static void test_search(void)
{
	struct screen *s = open_lines("--accessible", ECHO, NULL);

	ENTER_ENDS(s, "apple pie", "Reply: apple pie");
	PRESS_SHOWS(s, "<C-r>pi", "(reverse-i-search)`pi': apple pie");
	PRESS_WAIT(s, "<C-c>", is_prompted(s, "You:"));
	PRESS_SHOWS(s, "<C-r>zz", "(failed reverse-i-search)`zz'");
	PRESS_WAIT(s, "<C-g>", is_prompted(s, "You:"));
	screen_keys(s, "<C-r>pie<Enter>");
	WAIT(s, screen_count(s, "Reply: apple pie") == 2 && is_prompted(s, "You:"));
	PRESS_WAIT(s, "<Up>", is_prompted(s, "You: apple pie"));
	PRESS_WAIT(s, "<C-c>", is_prompted(s, "You:"));
	s->checker.n_moves = 0; /* readline's own */
	leave(s);
}

static void test_progress(void)
{
	uint64_t begin = sys_now_ms();
	struct screen *s = open_lines("--accessible", "synthetic:prefill_ms=7000,tokens=2", NULL);
	size_t n;

	ENTER_SHOWS(s, "hm", "Note: Reading the prompt: ");
	WAIT(s, screen_has(s, "Reply: warm 0") && is_prompted(s, "You:"));
	n = screen_count(s, "Note: Reading the prompt: ");
	EXPECT(n <= (sys_now_ms() - begin) / 3000, "%zu times is too often", n);
	leave(s);
}

static void test_not_loaded(void)
{
	struct screen *s = open_lines("--accessible", "synthetic:fail=load", NULL);

	EXPECT(screen_has(s, "Error: "), "why");
	ENTER_SHOWS(s, "hello", "Note: no model is loaded");
	WAIT(s, is_prompted(s, "You: hello"));
	PRESS_WAIT(s, "<C-c>", is_prompted(s, "You:"));
	ENTER_ENDS(s, "/model " WORDS, "Note: synthetic (words) is ready");
	ENTER_ENDS(s, "hello", "warm 11");
	leave(s);
}

/* Of a long chat the last messages are said. */
static void test_long_chat(void)
{
	struct screen *s = open_lines("--accessible", ECHO, NULL);
	char line[32];

	for (int i = 0; i < 8; i++) {
		snprintf(line, sizeof(line), "number %d", i);
		ENTER_WAIT(s, line, screen_count(s, line) == 2 && is_prompted(s, "You:"));
	}
	leave(s);
	s = open_lines("--accessible", ECHO, "-C");
	EXPECT(screen_has(s, "Note: 4 earlier messages are not repeated here"), "how many are not");
	EXPECT(!screen_has(s, "number 1") && screen_count(s, "number 2") == 2, "the others are");
	leave(s);
}

/* The program is told to end: message, reply and line are kept. */
static void test_end(void)
{
	struct screen *s = open_lines("--accessible", SLOW, NULL);

	ENTER_SHOWS(s, "remember this", "Reply: warm 0");
	PRESS_QUIET(s, "and this", 100);
	kill(s->job.program, SIGTERM);
	screen_finish(s, 143);
	s = open_lines("--accessible", ECHO, "-C");
	EXPECT(screen_has(s, "What you had not sent is back") && is_prompted(s, "You: and this"), "the line");
	PRESS_WAIT(s, "<C-c>", is_prompted(s, "You:"));
	leave(s);
}

static void test_hang_up(void)
{
	struct screen *s = open_lines("--inline", SLOW, NULL);

	ENTER_SHOWS(s, "remember this", "warm 20");
	shell_job_hang_up(&s->job);
	WAIT_NOW(s, 20000, s->job.state == JOB_ENDED);
	screen_free(s);
	EXPECT(chat_journal_has("remember this") && chat_journal_has("warm 20"), "the journal");
}

/* Any keys (but those that go through the history: leaving an edited line of it gives its undo list up,
 * see line/input_line.c, which the leak sanitizer minds; and Ctrl+J, which after Esc is readline's switch
 * to vi mode) at any time: no crash, no byte that should not go out, and afterwards it still works. */
static void test_storm(void)
{
	static const char *const keys[] = {
		"a", "b c", "<Enter>", "<Left>", "<Right>", "<BS>", "<C-a>", "<C-e>",
		"<C-k>", "<C-y>", "<C-g>", "<Tab>", "/", "/he<Tab>", "<Esc>", "<C-c>", "<F2>",
		"<F4>", "<F5>", "<F7>", "<M-r>", "<M-e>", "<M-t>", "<PgUp>", "1<Enter>", "\303\251",
		"\346\227\245\346\234\254", "<C-_>", "<M-b>", "<C-t>", "?", "<C-l>",
	};
	const char *options[] = {"--accessible", "--inline"};
	uint64_t random = 20261125;

	for (int i = 0; i < 2; i++) {
		struct screen *s = open_lines(options[i], "synthetic:rate=400,tokens=30", NULL);
		int n = test_is_long() ? 5000 : 400;

		for (int k = 0; k < n && s->job.state == JOB_RUNNING; k++) {
			const char *key = keys[test_random(&random) % (sizeof(keys) / sizeof(keys[0]))];

			if (strcmp(key, "<C-c>") == 0) /* two of them leave */
				key = "x<C-c>";
			screen_keys(s, key);
			screen_pump(s, (int)(test_random(&random) % 4));
			if (k % 50 == 0)
				screen_resize(s, 200, 20 + (int)(test_random(&random) % 100));
		}
		EXPECT(s->job.state == JOB_RUNNING, "it has ended: %x",
		       (unsigned)s->job.wait_status);
		screen_resize(s, 200, 80);
		for (int k = 0; k < 4; k++) { /* a search, a panel, a reply, a line */
			screen_quiet(s, 100);
			screen_keys(s, "<C-g>x<C-c>");
		}
		WAIT(s, is_prompted(s, i ? ">" : "You:"));
		screen_keys(s, "/quit<Enter>");
		screen_finish(s, 0);
	}
}

/* What is attached is told: by /read, and with a message that comes back to be changed. */
static void test_files(void)
{
	struct screen *s = open_lines("--accessible", ECHO, NULL);

	test_write_file(test_path("notes.txt"), "seven\n", 6);
	test_write_file(test_path("more.txt"), "eight\n", 6);
	ENTER_SHOWS(s, "/read notes.txt", "Note: notes.txt attached; /detach removes it");
	enter(s, "/read notes.txt more.txt");
	WAIT_TEXT(s, "Note: 2 files attached; /detach removes the last one");
	ENTER_ENDS(s, "sum up", "eight");
	ENTER_WAIT(s, "/edit", screen_count(s, "2 files attached") == 2);
	WAIT(s, strstr(screen_row(s, screen_cursor(s).row), "sum up"));
	PRESS_WAIT(s, "<C-c>", is_prompted(s, "You:"));
	expect_untouched(s);
	leave(s);
}

/* A folded paste has a character of its own in readline's line, and is explained. */
static void test_fold(void)
{
	static const char *const options[] = {"--accessible", "--inline"};
	struct buf text = {.max = 4096};

	for (int i = 1; i <= 25; i++)
		buf_printf(&text, "row %d\n", i);
	for (int i = 0; i < 2; i++) {
		struct screen *s = open_lines(options[i], ECHO, NULL);

		PRESS_QUIET(s, "see ", 30);
		screen_paste(s, buf_text(&text), text.len);
		WAIT_TEXT(s, "a long paste is shown in the line as \u00B6 and sent in full; Alt+V unfolds it");
		WAIT(s, strstr(screen_row(s, screen_cursor(s).row), "see \u00B6"));
		EXPECT(!screen_has(s, "row 1"), " ");
		screen_quiet(s, 30);
		PRESS_SHOWS(s, "there<Enter>", "row 25");
		EXPECT(screen_has(s, "see \u00B6there"), "it stays as it was typed");
		WAIT(s, is_prompted(s, i ? ">" : "You:"));
		expect_untouched(s);
		leave(s);
	}
	buf_free(&text);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"nowhere-to-save", test_nowhere_to_save, 0},
		{"accessible", test_accessible, 0}, {"inline", test_inline, 0},
		{"inline_words", test_inline_words, 0},
		{"detach_key", test_detach_key, 0}, {"modes", test_modes, 0},
		{"no_color", test_no_color, 0}, {"dumb", test_dumb, 0}, {"stop", test_stop, 0},
		{"type_ahead", test_type_ahead, 0}, {"lists", test_lists, 0},
		{"template", test_template, 0}, {"edit", test_edit, 0}, {"find", test_find, 0},
		{"kill_accessible", test_kill_accessible, 0}, {"kill_inline", test_kill_inline, 0},
		{"foreign", test_foreign, 120}, {"resize", test_resize, 0}, {"resize-rows", test_resize_rows, 0}, {"context", test_context, 0},
		{"attached", test_attached, 0},
		{"suspend", test_suspend, 0}, {"editor", test_editor, 0},
		{"thinking", test_thinking, 0}, {"recanted", test_recanted, 0}, {"search", test_search, 0},
		{"progress", test_progress, 0},
		{"not_loaded", test_not_loaded, 0}, {"long_chat", test_long_chat, 0}, {"end", test_end, 0},
		{"files", test_files, 0}, {"fold", test_fold, 0},
		{"hang_up", test_hang_up, 0}, {"storm", test_storm, 300},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
