/* The first screen, what an empty chat shows: it is drawn, and no part of the chat. */
#include <stdio.h>
#include <string.h>

#include "screen/chat.h"

#define MODEL "synthetic:rate=1000,tokens=10"
#define TITLE "sotto: a quiet talk"
#define SHORT_TITLE "sotto: a model"
#define LEAVE "Ctrl+D"

/* What the digit takes, as the screen has it; empty: nothing is offered. */
static const char *question(struct screen *s, int digit)
{
	static char text[200];
	char start[8];

	snprintf(start, sizeof(start), "%d  ", digit);
	for (int row = 0; row < s->rows; row++) {
		const char *found = screen_row(s, row);

		found += strspn(found, " ");
		if (strncmp(found, start, strlen(start)) == 0) {
			snprintf(text, sizeof(text), "%s", found + strlen(start));
			return text;
		}
	}
	return "";
}

static void clear_line(struct screen *s)
{
	PRESS_SHOWS(s, "<C-a><C-k>", CHAT_EMPTY);
}

/* What this is, who answers, help, how to leave, three things to ask: until a message. */
static void test_until_the_first_message(void)
{
	struct screen *s = chat_open(MODEL);

	EXPECT(screen_has(s, TITLE) && screen_has(s, "synthetic (words) answers"), " ");
	EXPECT(screen_has(s, "F1") && screen_has(s, "/quit") && screen_has(s, LEAVE), " ");
	EXPECT(question(s, 1)[0] && question(s, 2)[0] && question(s, 3)[0], " ");
	EXPECT(screen_has(s, CHAT_EMPTY), " ");
	chat_expect_fresh(s);
	SAY_SHOWS(s, "hello", "warm 9");
	EXPECT(!screen_has(s, TITLE) && !screen_has(s, LEAVE), "it is gone");
	chat_wait_ready(s);
	PRESS_WAIT(s, "2<Tab>", chat_line_has(s, "> 2"));
	screen_quiet(s, 30);
	EXPECT(strlen(screen_row(s, screen_cursor(s).row)) <= strlen("> 2"), "an ordinary digit");
	screen_keys(s, "<C-a><C-k>");
	EXPECT(!chat_journal_has("quiet talk") && !chat_journal_has("Ctrl+D"), " ");
	SAY_SHOWS(s, "/new", TITLE);
	chat_quit_fresh(s);
}

static void test_questions(void)
{
	struct screen *s = chat_open(MODEL);
	char first[200], second[200], third[200];

	snprintf(first, sizeof(first), "%s", question(s, 1));
	snprintf(second, sizeof(second), "%s", question(s, 2));
	snprintf(third, sizeof(third), "%s", question(s, 3));
	PRESS_WAIT(s, "2", chat_line_has(s, second));
	screen_quiet(s, 50);
	EXPECT(chat_n_journals() == 0 && screen_has(s, TITLE), "it is not sent");
	clear_line(s);
	/* Tab takes one after the other. */
	PRESS_WAIT(s, "<Tab>", chat_line_has(s, first));
	PRESS_WAIT(s, "<Tab>", chat_line_has(s, second));
	PRESS_WAIT(s, "<Tab>", chat_line_has(s, third));
	PRESS_WAIT(s, "<Tab>", chat_line_has(s, first));
	/* It can be edited, and a digit in it is one. */
	PRESS_WAIT(s, " 3", chat_line_has(s, " 3"));
	EXPECT(chat_line_has(s, first), " ");
	clear_line(s);
	/* Who types on did not choose. */
	PRESS_WAIT(s, "2+2", chat_line_has(s, "> 2+2"));
	clear_line(s);
	PRESS_WAIT(s, "10 names for a cat", chat_line_has(s, "> 10 names for a cat"));
	clear_line(s);
	PRESS_WAIT(s, "1<BS>!", chat_line_has(s, "!"));
	EXPECT(chat_line_has(s, "How"), "what was taken can be edited");
	clear_line(s);
	PRESS_WAIT(s, "4<Tab>", chat_line_has(s, "> 4"));
	clear_line(s);
	PRESS_WAIT(s, "3", chat_line_has(s, third));
	PRESS_SHOWS(s, "<Enter>", "warm 9");
	EXPECT(chat_shows(s, third) && chat_journal_has(third), "it is sent by Enter");
	chat_quit(s);
}

/* Keys that come in one piece with the first message belong to the next one. */
static void test_typed_ahead(void)
{
	struct screen *s = chat_open(MODEL);

	PRESS_WAIT(s, "hello<Enter>3<Enter>", screen_count(s, "warm 9") == 2);
	EXPECT(chat_journal_has("\"3\"") && !chat_journal_has("dinner"), "an ordinary digit");
	chat_quit(s);
}

/* What is typed while the program starts is in the line, and what was entered is said: the terminal
 * still edits lines then. */
static void test_typed_before_the_screen(void)
{
	int n = test_is_long() ? 100 : 8;

	for (int i = 0; i < n; i++) {
		struct screen *s = CHAT_START(.model = MODEL);

		screen_pause(s, i * 3 % 40);
		SEND_WAIT(s, "early", chat_line_has(s, "early"));
		EXPECT(chat_line_has(s, "early"), "it is kept");
		chat_quit(s);

		s = CHAT_START(.model = MODEL);
		screen_pause(s, i * 3 % 40);
		PRESS_SHOWS(s, "said early<Enter>", "warm 9");
		EXPECT(chat_shows(s, "said early"), " ");
		chat_quit(s);

	}
}

/* What is in the terminal before the program is there: nothing of it is lost. Several lines may have
 * been pasted: a paste is never sent by itself. */
static void test_typed_before_the_program(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .typed = "early");

	screen_sync(s);
	EXPECT(chat_line_has(s, "early"), "it is kept");
	chat_quit(s);
	s = CHAT_START(.model = MODEL, .typed = "said early\r");
	WAIT_TEXT(s, "warm 9");
	EXPECT(chat_shows(s, "said early"), " ");
	chat_quit(s);
	s = CHAT_OPEN(.model = MODEL, .typed = "one\rtwo\r");
	WAIT(s, screen_has(s, "one") && screen_has(s, "two"));
	screen_sync(s);
	EXPECT(!screen_has(s, "warm") && chat_n_journals() == 1, "not sent");
	chat_quit(s);
}

/* Nobody would answer, so nothing is offered. */
static void test_without_model(void)
{
	struct screen *s = CHAT_START(.rows = 40, .cols = 100);

	WAIT_TEXT(s, TITLE, "No model yet");
	EXPECT(!question(s, 1)[0], " ");
	PRESS_WAIT(s, "1", chat_line_has(s, "> 1"));
	clear_line(s);
	EXPECT(screen_row_of(s, TITLE) < screen_row_of(s, "No model yet"), "notices stand below");
	chat_quit(s);

	s = CHAT_START(.model = "synthetic:load_ms=1000");
	WAIT_TEXT(s, "being loaded");
	EXPECT(!question(s, 1)[0], " ");
	chat_wait_ready(s);
	EXPECT(question(s, 1)[0], " ");
	chat_quit(s);
}

/* Notices have the room that they need. */
static void test_beside_notices(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 24);

	SAY_SHOWS(s, "/show temp", "how freely tokens are chosen; 0");
	screen_quiet(s, 30);
	EXPECT(screen_has(s, TITLE), " ");
	chat_expect_fresh(s);
	SAY_HIDES(s, "/show", TITLE);
	chat_expect_fresh(s);
	PRESS_QUIET(s, "<PgUp><PgUp>", 50);
	chat_expect_fresh(s);
	SAY_SHOWS(s, "/new", TITLE);
	chat_quit(s);
}

static void test_sizes(void)
{
	static const struct {
		int rows, cols;
		const char *title; /* NULL: no room */
		bool asks;
	} sizes[] = {
		{10, 40, SHORT_TITLE, true}, {24, 80, TITLE, true}, {8, 30, SHORT_TITLE, false},
		{5, 20, NULL, false}, {3, 10, NULL, false}, {50, 200, TITLE, true}, {14, 60, SHORT_TITLE, true},
	};
	struct screen *s = chat_open(MODEL);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		screen_resize(s, sizes[i].rows, sizes[i].cols);
		if (sizes[i].title)
			WAIT_TEXT(s, sizes[i].title);
		screen_quiet(s, 60);
		EXPECT((question(s, 3)[0] != '\0') == sizes[i].asks, "%d x %d", sizes[i].rows, sizes[i].cols);
		EXPECT(sizes[i].rows < 5 || screen_has(s, "/quit"), "how to leave");
		screen_keys(s, "1");
		if (sizes[i].rows >= 5)
			WAIT(s, screen_row_of(s, sizes[i].asks ? "> How" : "> 1") >= 0);
		PRESS_QUIET(s, "<C-a><C-k>", 30);
		chat_expect_fresh(s);
	}
	/* with the sliders docked below it */
	screen_resize(s, 24, 80);
	WAIT_TEXT(s, TITLE);
	PRESS_SHOWS(s, "<F2>", "top-k");
	EXPECT(screen_has(s, "sotto: a "), " ");
	PRESS_HIDES(s, "<Esc>", "top-k");
	EXPECT(screen_has(s, TITLE), " ");
	chat_quit(s);
}

static void test_themes(void)
{
	static const char *const themes[] = {"dark", "gruvbox", "high-contrast", "light", "monochrome", "nightfall",
	                                     "nord", "solarized-dark", "solarized-light", "terminal16"};
	struct screen *s = chat_open(MODEL);
	char line[40];

	for (size_t i = 0; i < sizeof(themes) / sizeof(themes[0]); i++) {
		VTermScreenCell ground, beside;
		int row;

		snprintf(line, sizeof(line), "/theme %s", themes[i]);
		SAY_QUIET(s, line, 100);
		row = screen_row_of(s, TITLE);
		EXPECT(row > 0, "%s", themes[i]);
		ground = screen_cell(s, row + 1, 70);
		beside = screen_cell(s, row, 78);
		EXPECT(memcmp(&ground.bg, &beside.bg, sizeof(ground.bg)) == 0, "%s: one ground", themes[i]);
		chat_expect_fresh(s);
	}
	chat_quit(s);
}

/* The guide can answer all that it is said to be asked. */
static void test_guide(void)
{
	static const char *const answers[] = {"GGUF", "F2", "F5"};
	struct screen *s = CHAT_START(.names_no_model = true, .rows = 40, .cols = 100,
	                              .args = {"--temp", "0"});
	char text[200], digit[2] = "1";

	WAIT_TEXT(s, "answers questions about sotto");
	chat_wait_ready(s);
	EXPECT(!screen_has(s, "model's own"), "what needs no word");
	for (int i = 0; i < 3; i++, digit[0]++) {
		snprintf(text, sizeof(text), "%s", question(s, i + 1));
		PRESS_WAIT(s, digit, chat_line_has(s, text));
		PRESS_WAIT(s, "<Enter>", chat_shows(s, answers[i]) && chat_is_ready(s));
		SAY_SHOWS(s, "/new", TITLE);
	}
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"until-the-first-message", test_until_the_first_message, 0},
		{"questions", test_questions, 0},
		{"typed-ahead", test_typed_ahead, 0},
		{"typed-before-the-screen", test_typed_before_the_screen, 300},
		{"typed-before-the-program", test_typed_before_the_program, 0},
		{"without-model", test_without_model, 0},
		{"beside-notices", test_beside_notices, 0},
		{"sizes", test_sizes, 0},
		{"themes", test_themes, 0},
		{"guide", test_guide, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
