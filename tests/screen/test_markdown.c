/* Replies as Markdown. The model repeats the message, so each text is there twice: as the message, as
 * it was written, and as the reply. */
#include <string.h>

#include "screen/chat.h"

static const char reply[] =
	"## Heading\n\nSome **strong** words, *slanted* ones and `code`; [link](http://a.example).\n\n"
	"- one\n  - two\n\n> quoted\n\n| Name | Age |\n|---|---:|\n| Alice | 30 |\n\n"
	"```c\nint x = 42; /* note */\n```\n\nEnd of it.";

static struct screen *open(int cols, const char *env, const char *option)
{
	return CHAT_OPEN(.model = "synthetic:mode=echo,rate=2000", .rows = 60, .cols = cols,
	                 .env = {env}, .args = {option});
}

/* What comes right behind a paste is taken for a part of it. */
static void send(struct screen *s, const char *text)
{
	screen_paste(s, text, strlen(text));
	WAIT_TEXT(s, "End of it.");
	screen_quiet(s, 100);
	screen_keys(s, "<Enter>");
}

static void say(struct screen *s, const char *text)
{
	send(s, text);
	WAIT(s, screen_count(s, "End of it.") == 2);
	chat_wait_ready(s);
}

static void test_reply(void)
{
	struct screen *s = open(80, NULL, NULL);
	int row, col;

	say(s, reply);
	EXPECT(screen_count(s, "## Heading") == 1, "the message stays as it was typed");
	EXPECT(screen_has(s, "\nSome strong words, slanted ones and code; link (http://a.example).\n"), " ");
	EXPECT(screen_has(s, "\n\xe2\x80\xa2 one\n  \xe2\x97\xa6 two\n"), "the list");
	EXPECT(screen_has(s, "\n\xe2\x94\x82 quoted\n"), "the quotation");
	EXPECT(screen_has(s, "\nName  \xe2\x94\x82 Age\n"), "the table's head");
	EXPECT(screen_has(s, "\nAlice \xe2\x94\x82  30\n"), "its row");
	EXPECT(screen_has(s, "\n\xe2\x94\x80\xe2\x94\x80 c \xe2\x94\x80"), "the language of the code");
	EXPECT(screen_count(s, "\nint x = 42; /* note */\n") == 2, "the code");
	row = screen_row_of(s, "Some strong");
	EXPECT(screen_cell(s, row, 5).attrs.bold && !screen_cell(s, row, 0).attrs.bold, "strong words");
	col = screen_col_of(s, row, "slanted");
	EXPECT(screen_cell(s, row, col).attrs.italic, "words in italics");
	col = screen_col_of(s, row, "link (");
	EXPECT(screen_cell(s, row, col).attrs.underline, "the link's text");
	chat_expect_fresh(s);
	for (int cols = 60; cols > 20; cols -= 13) {
		screen_resize(s, 60, cols);
		screen_quiet(s, 50);
		chat_expect_fresh(s);
	}
	chat_quit(s);
}

static void test_plain(void)
{
	struct screen *s = open(80, NULL, NULL);

	say(s, reply);
	chat_say(s, "/plain");
	WAIT(s, screen_count(s, "**strong**") == 2 && screen_count(s, "## Heading") == 2);
	PRESS_WAIT(s, "<M-m>", screen_count(s, "**strong**") == 1 && screen_has(s, "Some strong"));
	PRESS_SHOWS(s, "/plain maybe<Enter>", "/plain takes on or off");
	screen_keys(s, "<C-u>");
	SAY_WAIT(s, "/set markdown off", screen_count(s, "**strong**") == 2);
	chat_quit_fresh(s);

	s = open(80, NULL, "--no-markdown");
	say(s, reply);
	EXPECT(screen_count(s, "**strong**") == 2, "shown as it was written");
	chat_quit(s);
}

static void test_no_color(void)
{
	struct screen *s = open(80, "NO_COLOR=1", NULL);

	say(s, reply);
	EXPECT(screen_has(s, "slanted ones and `code`; link"), "code can be told apart");
	EXPECT(s->checker.n_colors == 0, "no colours");
	chat_quit_fresh(s);
}

/* While it streams, no mark of what is open is ever seen. */
static void test_streaming(void)
{
	static const char text[] = "Begin here with **strong words that go on and on** and `code that goes on`\n\n"
	                           "```python\ndef f():\n    return 1\n```\n\nEnd of it.";
	struct screen *s = CHAT_OPEN(.model = "synthetic:mode=echo,rate=60", .rows = 40);

	send(s, text);
	WAIT(s, screen_count(s, "Begin here") == 2);
	while (!screen_has(s, "\nEnd of it.") || screen_count(s, "End of it.") < 2) {
		EXPECT(screen_count(s, "**") <= 2 && screen_count(s, "```") <= 2, "a mark is on the screen");
		screen_pump(s, 20);
	}
	chat_wait_ready(s);
	chat_quit_fresh(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"reply", test_reply, 0},
		{"plain", test_plain, 0},
		{"no-color", test_no_color, 0},
		{"streaming", test_streaming, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
