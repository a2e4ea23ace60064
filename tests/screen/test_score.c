/* /score: texts are weighed, and the chat stays as it is. */
#include <string.h>

#include "screen/chat.h"

#define MODEL "synthetic:rate=0,tokens=10"

/* The likeliest comes first; a text of the test's model is a tenth less likely for each byte. */
static void test_as_a_reply(void)
{
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 24, .cols = 80);

	SAY_SHOWS(s, "/score yes | no", "there is no message yet");
	EXPECT(chat_line_has(s, "/score yes | no"), "the line stays editable");
	screen_keys(s, "<C-a><C-k>");
	ASK_SHOWS(s, "is it so?", "warm 9");
	ASK_SHOWS(s, "/score yes | no | \"by no means \"", "-1.20       3  -0.40  by no means");
	EXPECT(screen_has(s, "As a reply to \"is it so?\""), " ");
	EXPECT(screen_has(s, "-0.20       1  -0.20  no"), " ");
	EXPECT(screen_has(s, " 44.0 "), "no: 1 / (1 + e^-0.1 + e^-1)");
	EXPECT(screen_count(s, "warm 9") == 1 && screen_count(s, "is it so?") == 2, "the chat is as it was");
	SAY_SHOWS(s, "/score |", "/score takes texts");
	screen_keys(s, "<C-a><C-k>");
	chat_expect_fresh(s);
	EXPECT(!chat_journal_has("by no means"), "nothing of it is saved");
	chat_quit(s);
}

/* What is typed meanwhile waits, and Esc ends it. */
static void test_stopped(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=1000,tokens=10,hold=10", .rows = 24, .cols = 80);

	SAY_SHOWS(s, "is it so?", "warm 9");
	chat_wait_ready(s);
	SAY_SHOWS(s, "/score yes | no", "weighing 0/2");
	PRESS_SHOWS(s, "<Esc>", "the weighing was stopped");
	chat_wait_ready(s);
	EXPECT(!screen_has(s, "As a reply to"), " ");
	chat_quit_fresh(s);
}

/* A reply that was cut goes on with another word: a blank comes before it, but where it is quoted. */
static void test_as_the_rest(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=1000,mode=long,tokens=10,hold=2", .rows = 24, .cols = 80);

	SAY_SHOWS(s, "is it so?", "abcdefghijabcdefghij");
	PRESS_SHOWS(s, "<Esc>", "(interrupted)");
	chat_wait_ready(s);
	SAY_SHOWS(s, "/model synthetic:rate=0", "synthetic (words)");
	chat_wait_ready(s);
	SAY_SHOWS(s, "/score yes | \"ly\" | !", "As what the last reply goes on with");
	EXPECT(screen_has(s, "-0.40       1  -0.40   yes"), " ");
	EXPECT(screen_has(s, "-0.20       1  -0.20  ly") && screen_has(s, "-0.10       1  -0.10  !"), " ");
	chat_quit_fresh(s);
}

static void test_on_a_server(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:remote=1,tokens=10", .rows = 24, .cols = 100);

	ASK_SHOWS(s, "is it so?", "warm 9");
	SAY_SHOWS(s, "/score yes | no", "runs on a server, which cannot weigh texts");
	chat_quit_fresh(s);
}

/* A row for each text, in words. */
static void test_in_lines(void)
{
	struct screen *s = CHAT_START(.model = MODEL, .rows = 30, .cols = 100, .args = {"--accessible"});

	WAIT_TEXT(s, "is ready");
	PRESS_WAIT(s, "is it so?<Enter>", screen_has(s, "warm 9"));
	PRESS_SHOWS(s, "/score yes | by no means<Enter>", " of these, ln p -1.10, 3 tokens, -0.37 each");
	EXPECT(screen_has(s, "yes: 69.0 ") && screen_has(s, "by no means: 31.0 "), " ");
	PRESS_WAIT(s, "/quit<Enter>", s->job.state == JOB_ENDED);
	screen_finish(s, 0);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"as-a-reply", test_as_a_reply, 0},
		{"stopped", test_stopped, 0},
		{"as-the-rest", test_as_the_rest, 0},
		{"on-a-server", test_on_a_server, 0},
		{"in-lines", test_in_lines, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
