/* The distribution beside the sliders, and what a reply would have been with other values. */
#include <string.h>

#include "screen/chat.h"

#define MODEL "synthetic:rate=0,tokens=12"

static void test_beside(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 24, .cols = 80);

	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<F2>", "last token: 6 of 48 left");
	EXPECT(screen_has(s, "top-k leaves 40, top-p 6, min-p 6"), "what each sampler leaves");
	PRESS_SHOWS(s, "<Down><Down>1<Enter>", "top-k leaves 40, min-p"); /* maybe of another token */
	PRESS_SHOWS(s, "d", "top-k leaves 40, top-p");
	PRESS_HIDES(s, "<Esc>", " Sampler ");
	chat_quit_fresh(s);
}

/* The test's model does not sample at all, so that the chain would have taken another token soon. */
static void test_what_if(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 24, .cols = 80);

	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<F2>", "last token: ");
	EXPECT(!screen_has(s, "what if"), "no slider has moved yet");
	PRESS_SHOWS(s, "<Down>1<Enter>", "what if: token 4 would be");
	EXPECT(screen_has(s, "token 4: 1 of 48 left") && screen_has(s, "+ \u2423other1") && screen_has(s, "- warm\u24233"),
	       "both tokens are marked");
	PRESS_SHOWS(s, "<Enter>", "warm 2  other1");
	chat_wait_ready(s);
	PRESS_SHOWS(s, "<M-Left>", "warm 2 warm 3");
	chat_quit_fresh(s);
}

/* What is kept may not be enough; it is said, and Enter only closes. */
static void test_not_enough(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 24, .cols = 100);

	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<F2>", "last token: ");
	PRESS_SHOWS(s, "<Down>0", "top-k              \u25CF");
	PRESS_SHOWS(s, "<Down><Down><Down>.5<Enter>", "what if: not known from token 1");
	PRESS_HIDES(s, "<Enter>", " Sampler ");
	EXPECT(!screen_has(s, "other1"), "no other reply");
	chat_quit_fresh(s);
}

static void test_small(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 10, .cols = 40);

	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<F2>", "6 left: ");
	PRESS_SHOWS(s, "<Down>1<Enter>", "what if: token 4");
	PRESS_HIDES(s, "<Esc>", " Sampler ");
	chat_quit_fresh(s);
}

/* While a reply comes, the last token is shown. */
static void test_while_it_comes(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=1000,tokens=12,hold=8", .rows = 24, .cols = 100);

	screen_keys(s, "hello<Enter>");
	WAIT_TEXT(s, "warm 7");
	PRESS_SHOWS(s, "<F2>", "warm\u24237");
	PRESS_SHOWS(s, "<Down>1<Enter>", "last token: 1 of 48 left");
	EXPECT(!screen_has(s, "what if"), "it has not ended");
	PRESS_HIDES(s, "<Esc>", " Sampler ");
	PRESS_SHOWS(s, "<Esc>", "(interrupted)");
	chat_quit_fresh(s);
}

static void test_on_a_server(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:remote=1,rate=0,tokens=12", .rows = 24, .cols = 100);

	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<F2>", "gave no candidates");
	PRESS_HIDES(s, "<Esc>", " Sampler ");
	chat_quit_fresh(s);
}

/* Its random numbers are its own. */
static void test_on_a_server_with_candidates(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:remote=2,rate=0,tokens=12", .rows = 24, .cols = 100);

	ASK_SHOWS(s, "hello", "warm 11");
	PRESS_SHOWS(s, "<F2>", "last token: ");
	PRESS_SHOWS(s, "<Down>1<Enter>", "last token: 1 of");
	EXPECT(screen_has(s, "what if: not known, a server does not tell"), "why");
	PRESS_HIDES(s, "<Esc>", " Sampler ");
	chat_quit_fresh(s);
}

static void test_in_lines(void)
{
	struct screen *s = CHAT_START(.model = MODEL, .rows = 60, .cols = 100, .args = {"--accessible"});

	WAIT_TEXT(s, "is ready");
	PRESS_WAIT(s, "hello<Enter>", screen_has(s, "warm 11"));
	PRESS_SHOWS(s, "/sampler<Enter>", "In their order top-k leaves 40, top-p 6");
	EXPECT(screen_has(s, "last token: 6 of 48 left") && screen_has(s, "cut by top-p"), " ");
	PRESS_WAIT(s, "/quit<Enter>", s->job.state == JOB_ENDED);
	screen_finish(s, 0);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"beside", test_beside, 0},
		{"what-if", test_what_if, 0},
		{"not-enough", test_not_enough, 0},
		{"small", test_small, 0},
		{"while-it-comes", test_while_it_comes, 0},
		{"on-a-server", test_on_a_server, 0},
		{"on-a-server-with-candidates", test_on_a_server_with_candidates, 0},
		{"in-lines", test_in_lines, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
