/* How sure the model was: shading, the key to the next unsure word, what /stats tells. */
#include <string.h>

#include "screen/chat.h"

#define MODEL "synthetic:rate=0,tokens=12"

/* How the first cell of a text is drawn: 'b' bold, 'u' underlined, 'r' reversed. */
static const char *look_of(struct screen *s, const char *text)
{
	static char look[4];
	int row = screen_row_of(s, text), col = row < 0 ? -1 : screen_col_of(s, row, text);
	VTermScreenCell cell;
	char *to = look;

	EXPECT(col >= 0, "'%s' is not there", text);
	cell = screen_cell(s, row, col);
	if (cell.attrs.bold)
		*to++ = 'b';
	if (cell.attrs.underline)
		*to++ = 'u';
	if (cell.attrs.reverse)
		*to++ = 'r';
	*to = '\0';
	return look;
}

/* The test's model is sure of the first token, likely right with the second, and so on (engine/synthetic.h). */
static void expect_bands(struct screen *s)
{
	EXPECT(strcmp(look_of(s, "warm 0"), "") == 0, "sure: %s", look_of(s, "warm 0"));
	EXPECT(strcmp(look_of(s, "warm 1"), "u") == 0, "likely: %s", look_of(s, "warm 1"));
	EXPECT(strcmp(look_of(s, "warm 2"), "b") == 0, "open: %s", look_of(s, "warm 2"));
	EXPECT(strcmp(look_of(s, "warm 3"), "bu") == 0, "a guess: %s", look_of(s, "warm 3"));
}

static void check_shading(const char *no_color, const char *term)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 24, .cols = 100, .env = {no_color, term});

	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<M-u>", "replies are shaded by probability");
	EXPECT(screen_has(s, "Alt+N goes to the next unsure word"), " ");
	expect_bands(s);
	PRESS_SHOWS(s, "<M-u>", "replies are shaded by entropy");
	EXPECT(screen_has(s, "plain below 0.25 bits"), " ");
	expect_bands(s);
	PRESS_SHOWS(s, "<M-u>", "replies are not shaded any more");
	PRESS_SHOWS(s, "<M-u>", "replies are shaded by probability");
	EXPECT(screen_count(s, "Replies are shaded by how probable") == 1, "it is explained once");
	PRESS_SHOWS(s, "<M-u><M-u>", "replies are not shaded any more");
	EXPECT(strcmp(look_of(s, "warm 3"), "") == 0, " ");
	chat_quit_fresh(s);
}

static void test_bands(void)
{
	check_shading("NO_COLOR=", "TERM=xterm-256color");
}

static void test_bands_without_colours(void)
{
	check_shading("NO_COLOR=1", "TERM=xterm-256color");
}

/* A reply that comes while they are shaded is, too. */
static void test_while_it_comes(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=1000,tokens=12,hold=8", .rows = 24, .cols = 100);

	SAY_SHOWS(s, "/confidence probability", "replies are shaded by probability");
	SAY_SHOWS(s, "hello", "warm 7");
	expect_bands(s);
	PRESS_SHOWS(s, "<Esc>", "(interrupted)");
	chat_wait_ready(s);
	SAY_SHOWS(s, "/confidence sometimes", "expected");
	EXPECT(chat_line_has(s, "/confidence sometimes"), "the line stays editable");
	screen_keys(s, "<C-a><C-k>");
	chat_quit_fresh(s);
}

static void test_unsure_words(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 24, .cols = 100);

	PRESS_SHOWS(s, "<M-n>", "there is no reply yet");
	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<M-n>", "unsure word 1 of 6: 50 %");
	EXPECT(strcmp(look_of(s, "warm 2"), "r") == 0, "%s", look_of(s, "warm 2"));
	PRESS_SHOWS(s, "<M-n>", "unsure word 2 of 6: 10 %");
	PRESS_SHOWS(s, "n", "unsure word 3 of 6");
	EXPECT(strcmp(look_of(s, "warm 6"), "r") == 0, " ");
	PRESS_SHOWS(s, "<F3>", "7 of 12"); /* what else it might have been */
	PRESS_HIDES(s, "<Esc>", "7 of 12");
	PRESS_SHOWS(s, "<M-n>", "unsure word 4 of 6");
	PRESS_SHOWS(s, "NNNN", "unsure word 6 of 6");
	PRESS_HIDES(s, "<Esc>", "unsure word");
	SAY_SHOWS(s, "/stats", "perplexity ");
	EXPECT(screen_has(s, "bits on average") && screen_has(s, "entropy  "), " ");
	chat_quit_fresh(s);
}

/* A server without candidates says so in the reply's label. */
static void test_on_a_server(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:remote=1,rate=0,tokens=12", .rows = 24, .cols = 100);

	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<M-u>", "(this server gives no probabilities)");
	PRESS_SHOWS(s, "<M-n>", "this server gives no probabilities");
	SAY_SHOWS(s, "/stats", "reply  ");
	EXPECT(!screen_has(s, "perplexity "), " ");
	chat_quit_fresh(s);
}

/* One that tells candidates. */
static void test_on_a_server_that_tells(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:remote=2,rate=0,tokens=12", .rows = 24, .cols = 100);

	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<M-u>", "replies are shaded by probability");
	expect_bands(s);
	PRESS_SHOWS(s, "<M-n>", "unsure word 1 of 6: 50 %");
	PRESS_HIDES(s, "<Esc>", "unsure word 1");
	SAY_SHOWS(s, "/score yes | no", "which cannot weigh texts");
	chat_quit_fresh(s);
}

static void test_in_lines(void)
{
	struct screen *s = CHAT_START(.model = MODEL, .rows = 40, .cols = 100, .args = {"--accessible"});

	WAIT_TEXT(s, "is ready");
	PRESS_WAIT(s, "hello<Enter>", screen_has(s, "warm 11"));
	PRESS_SHOWS(s, "/confidence<Enter>", "[warm 2]");
	EXPECT(screen_has(s, "; 6 unsure words") && screen_has(s, "[warm 11]"), " ");
	PRESS_WAIT(s, "/quit<Enter>", s->job.state == JOB_ENDED);
	screen_finish(s, 0);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"bands", test_bands, 0},
		{"bands-without-colours", test_bands_without_colours, 0},
		{"while-it-comes", test_while_it_comes, 0},
		{"unsure-words", test_unsure_words, 0},
		{"on-a-server", test_on_a_server, 0},
		{"on-a-server-that-tells", test_on_a_server_that_tells, 0},
		{"in-lines", test_in_lines, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
