/* Slash commands, themes and colours, locales and terminals. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/chat.h"
#include "screen/served.h"
#include "ui/commands.h"

#define MODEL "synthetic:rate=1000,tokens=10"

static void test_help(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 60, .cols = 100);

	PRESS_SHOWS(s, "<F1>", "Ctrl+R");
	EXPECT(screen_has(s, "F2"), " ");
	PRESS_HIDES(s, "<Esc>", "Ctrl+R");
	PRESS_SHOWS(s, "?", "Ctrl+R");
	screen_keys(s, "<PgDn><PgUp><Down><Up>");
	PRESS_HIDES(s, "<Esc>", " Help ");
	SAY_SHOWS(s, "/help", " Help ");
	PRESS_HIDES(s, "<Esc>", " Help ");
	EXPECT(!screen_has(s, "warm"), "/help was sent to the model");
	chat_quit_fresh(s);
}

static void test_help_about(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 100, .cols = 100);

	SAY_SHOWS(s, "/help TEMP", "/set temp T");
	EXPECT(screen_has(s, "0 to 5") && screen_has(s, "set by") && screen_has(s, "/template"), " ");
	PRESS_HIDES(s, "<Esc>", "/set temp T");
	SAY_SHOWS(s, "/help set", "What it sets");
	EXPECT(screen_has(s, "/set NAME VALUE") && screen_has(s, "top-k N"), " ");
	PRESS_HIDES(s, "<Esc>", "What it sets");
	PRESS_SHOWS(s, "/help xyzzy<Enter>", "contains 'xyzzy'; F1 shows them all");
	EXPECT(chat_line_has(s, "/help xyzzy"), "the line stays editable");
	PRESS_SHOWS(s, "<C-a><C-k>/help persona<Enter>", "persona: /template has roles");
	chat_quit_fresh(s);
}

/* A message that the row has no room for says so. */
static void test_long_message(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 24, .cols = 40);

	ASK_SHOWS(s, "hello", "warm 9");
	SAY_SHOWS(s, "/pin", "pinned: this message and its reply");
	chat_quit_fresh(s);
}

/* Every row of the table answers, and none reaches the model. */
static void test_every_command(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 50, .cols = 100);
	char line[100];

	ASK_SHOWS(s, "hello", "warm 9");
	for (size_t i = 0; i < commands.n; i++) {
		if (strcmp(commands.rows[i].name, "quit") == 0 || strcmp(commands.rows[i].name, "regen") == 0)
			continue;
		snprintf(line, sizeof(line), "/%s", commands.rows[i].name);
		PRESS_WAIT(s, line, chat_line_has(s, line));
		screen_keys(s, "<Enter>");
		WAIT(s, !chat_line_has(s, line) || screen_has(s, "needs an argument"));
		do { /* a panel may need its time */
			screen_quiet(s, 80);
			PRESS_QUIET(s, "<Esc>", 80);
		} while (screen_has(s, "Esc close"));
		EXPECT(s->job.state == JOB_RUNNING, "%s ended the program", line);
		EXPECT(screen_count(s, "warm 9") <= 1, "%s was sent to the model", line);
		PRESS_QUIET(s, "<C-a><C-k>", 20);
		chat_expect_fresh(s);
	}
	chat_quit(s);
}

static void test_unknown_command(void)
{
	struct screen *s = chat_open(MODEL);

	PRESS_SHOWS(s, "/thme dark<Enter>", "/theme"); /* the nearest is named */
	EXPECT(chat_line_has(s, "/thme dark"), "the line stays editable");
	EXPECT(chat_n_journals() == 0, "it was sent");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "//literal", "warm 9");
	EXPECT(chat_shows(s, "/literal"), " ");
	EXPECT(!screen_has(s, "//literal"), "the doubled slash is undone");
	chat_quit(s);
}

/* Each way in which a command is refused: by its name, its argument, what it finds, a reply. */
static void test_refused(void)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{"/thme dark", "did you mean /theme?"},
		{"/", "a command has a name"},
		{"/set", "/set needs an argument"},
		{"/set temp warm", "temp"},
		{"/set no-mouse", "'no-mouse': give 'mouse' the value no; /show"},
		{"/help xyzzy", "F1 shows them all"},
		{"/write 1", "/write"},
		{"/import nothing-there.json", "nothing-there.json"},
		{"/regen", "a reply is under way"},
	};
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=100000,rate=20", .cols = 100);

	SAY_SHOWS(s, "go", "warm 1");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		VTermScreenCell cell;

		SAY_SHOWS(s, rows[i].line, rows[i].why);
		EXPECT(chat_line_has(s, rows[i].line), "%s", rows[i].line);
		cell = screen_cell(s, 23, 2);
		EXPECT(cell.attrs.reverse, "%s is not selected", rows[i].line);
		PRESS_WAIT(s, "x", strcmp(screen_row(s, 23), "> x") == 0);
		EXPECT(!screen_cell(s, 23, 2).attrs.reverse, "%s", rows[i].line);
		PRESS_WAIT(s, "<BS><Up>", chat_line_has(s, rows[i].line));
		PRESS_WAIT(s, "<C-a><C-k>", chat_line_is_empty(s));
	}
	chat_say(s, "/nonsense"); /* what was queued does not become a part of it */
	WAIT_TEXT(s, "no command /nonsense");
	PRESS_SHOWS(s, "a message<Enter>", "queued: a message");
	SAY_SHOWS(s, "/nonsense", "no command /nonsense");
	PRESS_WAIT(s, "<Esc>", chat_line_has(s, "a message"));
	EXPECT(!screen_has(s, "/nonsense"), " ");
	chat_wait_ready(s);
	chat_quit(s);
}

static void test_set(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 60);

	PRESS_WAIT(s, "/set temp 99<Enter>", screen_count(s, "temp") >= 2);
	PRESS_WAIT(s, "<C-a><C-k>/set nonsense 1<Enter>", screen_count(s, "nonsense") >= 2);
	screen_keys(s, "<C-a><C-k>");
	chat_say(s, "/set temp 0");
	SAY_SHOWS(s, "go", "cold 9");
	SAY_SHOWS(s, "/show", "markdown");
	PRESS_SHOWS(s, "<PgUp>", "frequency-penalty"); /* the list is longer than the screen */
	screen_keys(s, "<Esc>");
	chat_quit(s);
}

/* A change in mid-reply is marked above the paragraph that was being written, and is there tomorrow; copies
 * are without it. */
static void test_set_in_mid_reply(void)
{
	static const char first[] = "synthetic (lines) (temp 0.8 \u2192 0.5 after ", mark[] = "\u2500\u2500 top-k 40 \u2192 5 after ";
	const struct chat_options options = {.model = "synthetic:mode=lines,rate=20,tokens=80", .args = {"--temp", "0.8"}};
	struct chat_options again = options;
	struct screen *s = chat_open_with(&options);
	char *exported;
	int row;

	SAY_SHOWS(s, "go", "line of");
	SAY_SHOWS(s, "/set temp 0.5", first);
	WAIT(s, screen_count(s, "another") >= 2);
	SAY_SHOWS(s, "/set top-k 5", mark);
	SEND_SHOWS(s, "<Esc>", "(interrupted)");
	row = screen_row_of(s, mark);
	EXPECT(strncmp(screen_row(s, row - 1), "another", 7) == 0, "no row is added: %s", screen_row(s, row - 1));
	EXPECT(strncmp(screen_row(s, row + 1), "line", 4) == 0 || screen_row_of(s, "(interrupted)") == row + 1, " ");
	chat_expect_fresh(s);
	SAY_WAIT(s, "/plain", chat_line_is_empty(s));
	EXPECT(screen_has(s, mark) && screen_has(s, first), "without Markdown, too");
	SAY_SHOWS(s, "/export md out.md", "out.md");
	exported = test_read_file(test_path("out.md"), NULL);
	EXPECT(exported && strstr(exported, "another") && !strstr(exported, "top-k"), "it is no part of the text");
	free(exported);
	chat_quit(s);
	again.args[2] = "-C";
	s = chat_open_with(&again);
	WAIT_TEXT(s, mark);
	EXPECT(screen_has(s, first), " ");
	chat_quit(s);
}

static size_t widest_row(struct screen *s)
{
	size_t widest = 0;

	for (int row = 0; row < screen_cursor(s).row - 1; row++) {
		size_t len = strlen(screen_row(s, row));

		widest = len > widest ? len : widest;
	}
	return widest;
}

static void test_width(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=60", .cols = 140);

	ASK_SHOWS(s, "go", "warm 59");
	EXPECT(widest_row(s) > 90 && widest_row(s) <= 100, "%zu", widest_row(s));
	SAY_WAIT(s, "/set width 0", widest_row(s) > 130);
	SAY_WAIT(s, "/set width 60", widest_row(s) > 50 && widest_row(s) <= 60);
	chat_quit_fresh(s);
}

/* What people type all the same. */
static void test_options_as_commands(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 40, .cols = 100);

	PRESS_SHOWS(s, "/temp ", "always the most probable one"); /* the option's help */
	PRESS_SHOWS(s, "0.2<Enter>", "temp is 0.2");
	SAY_WAIT(s, "/temp", chat_shows(s, "/set"));
	SAY_SHOWS(s, "/temp default", "temp is 0.8 again (default)");
	PRESS_SHOWS(s, "/temp 99<Enter>", "expected a");
	screen_keys(s, "<C-a><C-k>/delete<Enter>");
	WAIT_TEXT(s, "no command /delete: /load lists your chats; Del there deletes one");
	PRESS_SHOWS(s, "<C-a><C-k>/compact<Enter>", "/context-policy summary sums up old messages");
	PRESS_SHOWS(s, "<C-a><C-k>/redo<Enter>", "/regen asks for another reply");
	PRESS_SHOWS(s, "<C-a><C-k>/te<Tab>", "/template  /temp");
	screen_keys(s, "<C-a><C-k>");
	chat_quit(s);
}

/* Sampling values under a name: kept, used, compared, chosen, and never overwritten unasked. */
static void test_preset(void)
{
	struct screen *s = chat_open(MODEL);

	SAY_SHOWS(s, "/preset precise", "precise: temp 0.2");
	SAY_SHOWS(s, "/temp 0", "temp is 0");
	SAY_SHOWS(s, "/preset save cold", "/preset cold brings it back");
	SAY_SHOWS(s, "/preset creative", "creative: temp 1.1");
	SAY_SHOWS(s, "/preset compare cold", "temp               0         1.1");
	chat_say(s, "/preset cold");
	ASK_SHOWS(s, "go", "cold 9");
	PRESS_SHOWS(s, "/preset save cold<Enter>", "/preset! save cold replaces it");
	EXPECT(chat_line_has(s, "/preset save cold"), "the line is still there");
	PRESS_SHOWS(s, "<C-a><C-k>/preset cld<Enter>", "did you mean 'cold'?");
	PRESS_WAIT(s, "<C-a><C-k>/preset pr<Tab>", chat_line_has(s, "/preset precise"));
	PRESS_SHOWS(s, "<C-a><C-k>/preset<Enter>", "\u2500 Presets", "in use");
	PRESS_HIDES(s, "creat<Enter>", "\u2500 Presets");
	SAY_SHOWS(s, "/show temp", "1.1");
	chat_quit(s);
}

/* Every function key has a command; one without says what shows those that do something. */
static void test_commands_of_keys(void)
{
	static const struct {
		const char *command, *title;
	} rows[] = {{"/help", "\u2500 Help"}, {"/sampler", "\u2500 Sampler"},
	            {"/template", "\u2500 Prompt templates"}, {"/load", "\u2500 Chats"},
	            {"/models", "\u2500 Models"}, {"/preset", "\u2500 Presets"}, {"/theme", "\u2500 Themes"},
	            {"/tokens", "\u2500 The reply's tokens"}, {"/inspect", "\u2500 What the model sees"}};
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 40, .cols = 100);

	ASK_SHOWS(s, "hello", "warm 9");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		screen_keys(s, rows[i].command);
		PRESS_SHOWS(s, "<Enter>", rows[i].title);
		PRESS_HIDES(s, "<Esc>", rows[i].title);
	}
	SAY_SHOWS(s, "/mouse", "mouse on");
	SAY_SHOWS(s, "/mouse off", "mouse is off");
	EXPECT(!(s->checker.modes & MODE_MOUSE_CLICK), " ");
	chat_quit(s);
}

/* What happens goes to a file, and what is written does not, unless that is asked for. */
static void test_log(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 40, .cols = 100);
	char *log;

	SAY_SHOWS(s, "/log", "Logged: nothing.");
	SAY_SHOWS(s, "/log kache", "found 'kache', expected engine, cache");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/log ui,engine", "Logged: engine, ui; to /");
	ASK_SHOWS(s, "a secret word", "warm 9");
	SAY_SHOWS(s, "/log off", "Logged: nothing.");
	SAY_SHOWS(s, "/log ui,text=here.log", "Logged: ui and the text of the chat; to here.log.");
	chat_quit(s);
	log = test_read_file(screen_home("state/sotto/debug.log"), NULL);
	EXPECT(log && strstr(log, "engine   turn ends: end; prompt ") && strstr(log, "ui       a message of 13 bytes") &&
	       !strstr(log, "secret"), "%s", log ? log : "there is none");
	free(log);
}

static void test_unset(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 40,
	                             .args = {"--top-k", "7", "--theme", "dark"});

	SAY_SHOWS(s, "/set top-k 9", "top-k is 9");
	SAY_SHOWS(s, "/set top-k default", "top-k is 7 again (command line)");
	chat_say(s, "/set theme light");
	SAY_SHOWS(s, "/set theme default", "theme is dark again (command line)");
	chat_expect_fresh(s);
	/* d in the panel: nobody has moved the slider, and its origin says so */
	PRESS_SHOWS(s, "<F2>", "command line");
	PRESS_SHOWS(s, "<Right>", "/set");
	PRESS_HIDES(s, "d", "/set");
	PRESS_HIDES(s, "<Esc>", "top-k");
	chat_quit(s);
}

static void test_system_cleared(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 40,
	                             .args = {"-sys", "Speak like a pirate."});

	SAY_SHOWS(s, "/system \"\"", "No system message");
	SAY_SHOWS(s, "/system", "There is no system message.");
	SAY_WAIT(s, "/system \"Be brief.\"", chat_shows(s, "Be brief."));
	EXPECT(!screen_has(s, "\"Be brief"), "the quotes are left out");
	ASK_SHOWS(s, "hello", "warm 9");
	SAY_SHOWS(s, "/system none", "No system message, for the whole conversation");
	PRESS_SHOWS(s, "<F8>", "What the model sees");
	EXPECT(!screen_has(s, "<system>"), "it is not sent any more");
	PRESS_HIDES(s, "<Esc>", "What the model sees");
	SAY_SHOWS(s, "/system none", "there is no system message");
	chat_quit(s);
}

static void test_save_and_load(void)
{
	struct screen *s = chat_open(MODEL);
	char *saved;
	size_t n;

	ASK_SHOWS(s, "worth keeping", "warm 9");
	SAY_QUIET(s, "/save ./kept.yaml", 100);
	saved = test_read_file(test_path("kept.yaml"), &n);
	EXPECT(saved && strstr(saved, "worth keeping") && strstr(saved, "warm 9"), " ");
	free(saved);
	SAY_HIDES(s, "/new", "worth keeping");
	ASK_SHOWS(s, "something else", "warm 9");
	SAY_WAIT(s, "/load ./kept.yaml", chat_shows(s, "worth keeping"));
	SAY_SHOWS(s, "/list", "something else");
	PRESS_QUIET(s, "<Esc>", 100);
	chat_quit_fresh(s);
}

static void test_regenerate(void)
{
	struct screen *s = chat_open(MODEL);

	SAY_QUIET(s, "/regen", 100);
	ASK_SHOWS(s, "say it", "warm 9");
	chat_say(s, served_cold());
	ASK_SHOWS(s, "/regen", "cold 9");
	EXPECT(!screen_has(s, "warm 9"), "the old reply left the path");
	EXPECT(screen_count(s, "say it") == 1, " ");
	chat_quit(s);
}

/* A fixed seed gives another reply another one; at temperature 0 there is none. */
static void test_regenerate_seed(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .cols = 120,
	                             .args = {"--seed", "5", "--temp", "1"});
	char *journal;

	ASK_SHOWS(s, "say it", "warm 9");
	EXPECT(!screen_has(s, "seed"), " ");
	ASK_SHOWS(s, "/regen", "made with seed 6");
	chat_ask(s, "/regen");
	journal = chat_journal();
	EXPECT(journal && strstr(journal, "seed: \"7\""), "the third has the third seed");
	free(journal);
	EXPECT(screen_count(s, "The seed is fixed") == 1, "said once");
	chat_say(s, "/set temp 0");
	ASK_SHOWS(s, "/regen", "cold 9");
	EXPECT(!screen_has(s, "will be the same"), "it differs");
	ASK_SHOWS(s, "/regen", "will be the same");
	chat_quit(s);
}

/* Why a command failed is said until the next one; the line stays, to be mended. */
static void test_failed_commands(void)
{
	static const char *const lines[] = {"/load ./a.yaml", "/theme ./b.yaml", "/load ./c.yaml",
	                                       "/theme ./d.yaml", "/load ./e.yaml", "/set theme ./f.yaml"};
	struct screen *s = chat_open(MODEL);

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char file[8] = "";

		strcpy(file, strrchr(lines[i], '/') + 1);
		chat_say(s, lines[i]);
		WAIT(s, screen_count(s, "Error: ") == 1 && screen_count(s, file) >= 1);
		EXPECT(strstr(screen_row(s, s->rows - 1), lines[i]), "%s", lines[i]);
	}
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "say it", "warm 9");
	EXPECT(!screen_has(s, "Error: "), "nor after a message");
	chat_wait_ready(s);
	chat_quit_fresh(s);
}

static void test_unsaved_chat_left(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL,
	                             .env = {"XDG_DATA_HOME=/dev/null", "XDG_STATE_HOME=/dev/null"},
	                             .cols = 120);

	ASK_SHOWS(s, "say it", "Not saved", "warm 9");
	SAY_SHOWS(s, "/new", "would be lost", "starts the new chat without");
	EXPECT(chat_shows(s, "say it"), "it is there still");
	screen_keys(s, "/load ./other.yaml<Enter>"); /* asked once, for whatever ends the chat */
	WAIT_TEXT(s, "cannot open");
	EXPECT(chat_shows(s, "say it"), "it is there still");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/new", "could not be saved"); /* what is let go is not let go in silence */
	EXPECT(!screen_has(s, "say it"), "the new chat is empty");
	chat_quit(s);
}

static void test_regenerate_stopped(void)
{
	struct screen *s = chat_open("synthetic:rate=1000,tokens=10,prefill_ms=700");

	ASK_SHOWS(s, "say it", "warm 9");
	SAY_HIDES(s, "/regen", "warm 9");
	SEND_SHOWS(s, "<Esc>", "warm 9"); /* nothing came in its place */
	chat_quit_fresh(s);
}

static void test_theme(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 30);
	unsigned colors;

	ASK_SHOWS(s, "hello", "warm 9");
	colors = s->checker.n_colors;
	SAY_WAIT(s, "/theme dark", s->checker.n_colors > colors);
	chat_expect_fresh(s);
	SAY_QUIET(s, "/theme monochrome", 100);
	colors = s->checker.n_colors;
	chat_expect_fresh(s);
	EXPECT(s->checker.n_colors == colors, "monochrome has no colour");
	PRESS_SHOWS(s, "<F7>", "high-contrast");
	PRESS_HIDES(s, "light<Enter>", "high-contrast");
	screen_quiet(s, 50);
	EXPECT(s->checker.n_colors > colors, "light has colours");
	chat_expect_fresh(s);
	PRESS_WAIT(s, "/theme nonsense<Enter>", chat_shows(s, "nonsense"));
	screen_keys(s, "<C-a><C-k>");
	chat_quit(s);
}

static uint32_t ground_at(struct screen *s, int row, int col)
{
	VTermScreenCell cell = screen_cell(s, row, col);

	vterm_screen_convert_color_to_rgb(s->cells, &cell.bg);
	return (uint32_t)cell.bg.rgb.red << 16 | (uint32_t)cell.bg.rgb.green << 8 | cell.bg.rgb.blue;
}

static uint32_t ground_of(const char *env)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .env = {env},
	                             .args = {"--theme", "solarized-dark"});
	uint32_t rgb = ground_at(s, 0, 0);

	chat_quit_fresh(s);
	return rgb;
}

/* F7 shows a small chat in the theme under the cursor; Esc goes back to the one before. */
static void test_theme_preview(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .env = {"COLORTERM=truecolor"},
	                             .args = {"--theme", "nord"});
	int row, col;

	PRESS_SHOWS(s, "<F7>", "Counting words");
	row = screen_row_of(s, "Counting words");
	col = screen_col_of(s, row, "Counting words");
	EXPECT(screen_has(s, "solarized-light") && screen_has(s, "terminal16"), "all themes are in sight, too");
	EXPECT(screen_has(s, "Error:") && screen_has(s, "\xe2\x80\xa2 Use") && screen_has(s, "3072/4096"), " ");
	EXPECT(ground_at(s, row, col) == 0x2e3440, "%06x", (unsigned)ground_at(s, row, col));
	PRESS_WAIT(s, "<Down>", ground_at(s, row, col) == 0x002b36);
	EXPECT(ground_at(s, 0, 0) == 0x002b36, "the chat itself, too");
	chat_expect_fresh(s);
	screen_resize(s, 16, 80); /* too small for both */
	WAIT_GONE(s, "Counting words");
	EXPECT(screen_has(s, "solarized-dark"), "the list stays");
	screen_resize(s, 24, 80);
	WAIT_TEXT(s, "Counting words");
	PRESS_WAIT(s, "<Esc>", ground_at(s, 0, 0) == 0x2e3440);
	EXPECT(!screen_has(s, "Counting words"), " ");
	chat_quit_fresh(s);
}

/* A terminal that says so gets a theme's own colours, others the nearest of 256. */
static void test_truecolor(void)
{
	EXPECT(ground_of("COLORTERM=truecolor") == 0x002b36, " ");
	EXPECT(ground_of("COLORTERM=24bit") == 0x002b36, " ");
	EXPECT(ground_of("COLORTERM") != 0x002b36, " ");
	EXPECT(ground_of("TERM=xterm") != 0x002b36, " ");
}

static void test_broken_theme(void)
{
	struct screen *s;

	test_make_directory(screen_home("config/sotto/themes"));
	test_write_text(screen_home("config/sotto/themes/broken.yaml"),
	                "roles:\n  user: {fg: red}\n  error: {fg: no-such-colour}\n");
	test_write_text(screen_home("config/sotto/themes/evil.yaml"),
	                "roles: {user: {fg: \"\\e]0;title\\a\"}}\n");
	s = CHAT_OPEN(.model = MODEL, .rows = 30);
	ASK_SHOWS(s, "hello", "warm 9");
	PRESS_SHOWS(s, "/theme broken<Enter>", "broken.yaml:3");
	PRESS_SHOWS(s, "<C-a><C-k>/theme evil<Enter>", "evil.yaml:1");
	EXPECT(chat_shows(s, "warm 9"), "nothing else changed");
	screen_keys(s, "<C-a><C-k>");
	/* The list says which ones are broken, and what the others are. */
	PRESS_SHOWS(s, "<F7>", "broken.yaml:3: fg: 'no-such-colour'");
	EXPECT(!screen_has(s, "themes/broken.yaml"), "the folder takes no room");
	EXPECT(screen_has(s, "evil.yaml:1"), " ");
	EXPECT(strstr(screen_row(s, screen_row_of(s, "high-contrast")), "black and white, few bright"), " ");
	EXPECT(strstr(screen_row(s, screen_row_of(s, "terminal16")), "in use"), " ");
	PRESS_HIDES(s, "broken<Enter>", "Filter:");
	WAIT_TEXT(s, "Error: ");
	EXPECT(screen_has(s, "themes/broken.yaml:3"), "the whole path");
	chat_quit(s);

	/* As the configured theme: said at the start, and the chat is there. */
	s = CHAT_OPEN(.model = MODEL, .args = {"--theme", "broken"});
	EXPECT(screen_has(s, "broken.yaml:3"), " ");
	SAY_SHOWS(s, "hello", "warm 9");
	chat_quit(s);
}

static void test_broken_config(void)
{
	struct screen *s;

	test_make_directory(screen_home("config/sotto"));
	/* Each line that is wrong is named, the others apply, whatever an editor puts before them. */
	test_write_text(screen_home("config/sotto/config.yaml"),
	                "\357\273\277temp: 0.25\r\ntop-k: many\r\ncopy: \"open\r\nmin-p: 0.125\r\n");
	s = CHAT_OPEN(.model = MODEL, .cols = 160);
	WAIT_TEXT(s, "config.yaml:2: top-k: 'many': expected a whole number");
	EXPECT(screen_has(s, "config.yaml:3: the quotation mark"), " ");
	EXPECT(screen_has(s, "The other lines of the configuration apply."), " ");
	SAY_SHOWS(s, "/show temp", "0.25");
	SAY_SHOWS(s, "/show min-p", "0.125");
	chat_quit(s);

	/* Where no line can be read, no other lines are promised. */
	test_write_text(screen_home("config/sotto/config.yaml"), "\ttemp: 0.25\n\tmin-p: 0.125\n");
	test_write_text(screen_home("config/sotto/keys.yaml"), "\tC-t: stats\n");
	s = CHAT_OPEN(.model = MODEL, .cols = 160);
	WAIT_TEXT(s, "config.yaml:1: a tab does not indent a line");
	EXPECT(screen_has(s, "Nothing of the configuration applies."), " ");
	EXPECT(screen_has(s, "Nothing of it applies; /keys reads the file again."), " ");
	chat_quit(s);
}

static void test_no_color(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 30, .env = {"NO_COLOR=1"},
	                             .args = {"--theme", "dark"});

	SAY_SHOWS(s, "hello", "warm 9");
	PRESS_SHOWS(s, "<F2>", "top-k");
	PRESS_HIDES(s, "<Esc>", "top-k");
	PRESS_QUIET(s, "/nonsense<Enter>", 50);
	screen_keys(s, "<C-a><C-k>");
	SAY_QUIET(s, "/theme light", 100);
	chat_expect_fresh(s);
	EXPECT(s->checker.n_colors == 0, "%u colours", s->checker.n_colors);
	chat_quit(s);

	s = CHAT_OPEN(.model = MODEL, .env = {"NO_COLOR="}, .args = {"--theme", "dark"});
	EXPECT(s->checker.n_colors > 0, "an empty NO_COLOR is none");
	chat_quit(s);
}

static void test_locales(void)
{
	static const char *const locales[] = {"LC_ALL=C", "LC_ALL=POSIX", "LC_ALL=xx_XX.bogus",
	                                      "LANG=C.UTF-8", "LC_CTYPE=en_US.ISO-8859-1"};

	for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]); i++) {
		struct screen *s = CHAT_OPEN(.model = "synthetic:mode=wide,tokens=10",
		                             .env = {locales[i]});

		PRESS_SHOWS(s, "\xe6\xbc\xa2<Enter>", "\xe4\xb8\x96\xe7\x95\x8c");
		EXPECT(chat_shows(s, "\xe6\xbc\xa2"), "%s", locales[i]);
		chat_quit(s);
	}
}

static void test_terminals(void)
{
	static const struct {
		const char *env;
		bool chats; /* a full-screen chat, else a clear line and an exit status */
	} rows[] = {
		{"TERM=xterm-256color", true}, {"TERM=xterm", true},  {"TERM=screen-256color", true},
		{"TERM=tmux-256color", true}, {"TERM=vt220", true}, {"TERM=linux", true},
		{"TERM=bogus-terminal", false}, {"TERM", false}, {"TERM=", false}, {"TERM=dumb", false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct screen *s = CHAT_START(.model = MODEL, .env = {rows[i].env},
		                              .other_terminal = i > 0, .cols = 140);

		WAIT(s, s->job.state == JOB_ENDED || s->checker.modes & MODE_PASTE);
		screen_quiet(s, 60);
		if (s->job.state != JOB_ENDED) {
			EXPECT(rows[i].chats, "a chat on %s", rows[i].env);
			chat_wait_ready(s);
			SAY_SHOWS(s, "hello", "warm 9");
			chat_quit(s);
			continue;
		}
		EXPECT(screen_has(s, "sotto:") && screen_has(s, "--accessible"), "%s: what to do",
		       rows[i].env);
		/* A description that this machine lacks is the machine's matter. */
		EXPECT(!rows[i].chats || screen_has(s, "erminal"), "%s", rows[i].env);
		screen_finish(s, 2);
	}
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"help", test_help, 0},
		{"help-about", test_help_about, 0},
		{"long-message", test_long_message, 0},
		{"every-command", test_every_command, 0},
		{"unknown-command", test_unknown_command, 0},
		{"refused", test_refused, 0},
		{"set", test_set, 0},
		{"set-in-mid-reply", test_set_in_mid_reply, 0},
		{"preset", test_preset, 0},
		{"width", test_width, 0},
		{"options-as-commands", test_options_as_commands, 0},
		{"commands-of-keys", test_commands_of_keys, 0},
		{"log", test_log, 0},
		{"unset", test_unset, 0},
		{"system-cleared", test_system_cleared, 0},
		{"save-and-load", test_save_and_load, 0},
		{"regenerate", test_regenerate, 0},
		{"regenerate-stopped", test_regenerate_stopped, 0},
		{"regenerate-seed", test_regenerate_seed, 0},
		{"failed-commands", test_failed_commands, 0},
		{"unsaved-chat-left", test_unsaved_chat_left, 0},
		{"theme", test_theme, 0},
		{"truecolor", test_truecolor, 0},
		{"theme-preview", test_theme_preview, 0},
		{"broken-theme", test_broken_theme, 0},
		{"broken-config", test_broken_config, 0},
		{"no-color", test_no_color, 0},
		{"locales", test_locales, 0},
		{"terminals", test_terminals, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
