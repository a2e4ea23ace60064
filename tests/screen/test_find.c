/* /find: looking for words in the chat. */
#include <string.h>

#include "screen/chat.h"

#define ECHO "synthetic:mode=echo,tokens=1000"

/* The text is on the screen, reversed from its first cell to its last. */
static bool is_marked(struct screen *s, const char *text)
{
	for (int row = 0; row < screen_cursor(s).row - 1; row++) {
		const char *line = screen_row(s, row), *at = strstr(line, text);
		int col = at ? screen_col_of(s, row, text) : -1;

		if (at && screen_cell(s, row, col).attrs.reverse &&
		    screen_cell(s, row, col + (int)strlen(text) - 1).attrs.reverse)
			return true;
	}
	return false;
}

static void say_lines(struct screen *s, const char *first, const char *last)
{
	screen_keys(s, first);
	for (int i = 0; i < 12; i++)
		screen_keys(s, "<C-j>line");
	screen_keys(s, "<C-j>");
	screen_keys(s, last);
	PRESS_WAIT(s, "<Enter>", chat_is_ready(s) && screen_has(s, last));
	screen_quiet(s, 60);
	chat_wait_ready(s);
}

static void test_places(void)
{
	struct screen *s = CHAT_OPEN(.model = ECHO, .cols = 100);

	say_lines(s, "Apple", "END1");
	say_lines(s, "pear", "END2");
	say_lines(s, "apple", "END3");
	EXPECT(screen_has(s, "END3"), " ");
	SAY_SHOWS(s, "/find APPLE", "match 4 of 4  n next  N previous  Esc ends");
	EXPECT(is_marked(s, "apple"), " ");
	PRESS_SHOWS(s, "N", "match 3 of 4");
	EXPECT(is_marked(s, "apple"), " ");
	PRESS_SHOWS(s, "N", "match 2 of 4");
	EXPECT(is_marked(s, "Apple") && !is_marked(s, "line"), " ");
	PRESS_QUIET(s, "<S-Down>", 30); /* scrolling does not end it */
	PRESS_SHOWS(s, "n", "match 3 of 4");
	PRESS_SHOWS(s, "nn", "match 1 of 4"); /* from the last to the first */
	EXPECT(is_marked(s, "Apple"), " ");
	screen_resize(s, 20, 60);
	WAIT(s, is_marked(s, "Apple") && screen_has(s, "match 1 of 4"));
	PRESS_QUIET(s, "<C-l>", 60);
	EXPECT(is_marked(s, "Apple") && screen_has(s, "match 1 of 4"), " ");
	PRESS_HIDES(s, "<Esc>", "match 1 of 4");
	WAIT(s, !is_marked(s, "Apple"));
	EXPECT(screen_has(s, "Apple"), "the place stays");
	chat_expect_fresh(s);
	PRESS_WAIT(s, "n", chat_line_has(s, "n")); /* a letter again */
	PRESS_SHOWS(s, "<C-a><C-k>/find nothing of that<Enter>", "not found in this chat");
	EXPECT(chat_line_has(s, "/find nothing of that"), "the line stays editable");
	chat_quit(s);
}

/* Typing goes on as ever. */
static void test_typing_ends_it(void)
{
	struct screen *s = CHAT_OPEN(.model = ECHO, .cols = 100);

	ASK_WAIT(s, "\xc3\x89" "cole moderne", screen_count(s, "cole moderne") == 2);
	SAY_SHOWS(s, "/find ecole", "match 2 of 2");
	EXPECT(is_marked(s, "cole"), " ");
	PRESS_WAIT(s, "hNn", chat_line_has(s, "hNn"));
	EXPECT(!is_marked(s, "cole"), " ");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/find ecole", "match 2 of 2");
	SAY_HIDES(s, "/new", "cole moderne");
	PRESS_WAIT(s, "n", chat_line_has(s, "n"));
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"places", test_places, 0},
		{"typing-ends-it", test_typing_ends_it, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
