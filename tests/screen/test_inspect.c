/* What models think, and what they see. */
#include <string.h>

#include "screen/chat.h"

static void test_thinking(void)
{
	struct screen *s = chat_open("synthetic:mode=think,think=20,rate=50,tokens=10");

	chat_say(s, "hello");
	WAIT_TEXT(s, "thinking");
	WAIT_TEXT(s, "thought 3 thought 4");
	WAIT_TEXT(s, "warm 9");
	chat_wait_ready(s);
	EXPECT(!screen_has(s, "thought 3"), "it is folded when the answer has begun");
	EXPECT(screen_has(s, "Alt+T unfolds"), " ");
	screen_keys(s, "<M-t>");
	WAIT_TEXT(s, "thought 3 thought 4");
	chat_expect_fresh(s);
	screen_keys(s, "<M-t>");
	WAIT_GONE(s, "thought 3 thought 4");
	EXPECT(chat_journal_has("reasoning: \"thought 0 thought 1"), "it is kept, apart");
	chat_quit(s);
}

static void test_thinking_interrupted(void)
{
	struct screen *s = chat_open("synthetic:mode=think,think=2000,rate=100");

	chat_say(s, "hello");
	WAIT_TEXT(s, "thought 20");
	screen_keys(s, "<Esc>");
	WAIT_TEXT(s, "(interrupted)");
	chat_wait_ready(s);
	chat_say(s, "again");
	WAIT_TEXT(s, "thinking\u2026");
	screen_keys(s, "<Esc>");
	chat_wait_ready(s);
	chat_expect_fresh(s);
	chat_quit(s);
}

static void test_think_command(void)
{
	struct screen *s = chat_open("synthetic:mode=think,think=2,tokens=4");

	chat_say(s, "/think");
	WAIT_TEXT(s, "reasoning");
	chat_say(s, "/think off");
	chat_say(s, "/show reasoning");
	WAIT_TEXT(s, "off");
	screen_keys(s, "/think maybe<Enter>");
	WAIT_TEXT(s, "none of the names");
	EXPECT(chat_line_has(s, "/think maybe"), "the line stays editable");
	screen_keys(s, "<C-a><C-k>");
	chat_quit(s);
}

static void test_inspect(void)
{
	struct screen *s = chat_open_with(&(struct chat_options){
		.model = "synthetic:rate=1000,tokens=4", .rows = 24, .cols = 90});

	screen_keys(s, "<F8>");
	WAIT_TEXT(s, "no message yet");
	chat_say(s, "hello");
	WAIT_TEXT(s, "warm 3");
	chat_wait_ready(s);
	screen_keys(s, "a draft");
	WAIT(s, chat_line_has(s, "a draft"));
	screen_keys(s, "<F8>");
	WAIT_TEXT(s, "What the model sees");
	EXPECT(screen_has(s, "in the cache:"), " ");
	EXPECT(screen_has(s, "to be evaluated:"), "the draft is not in the cache");
	EXPECT(screen_has(s, "draft"), " ");
	EXPECT(screen_has(s, "\u2502hello"), "borders of tokens");
	chat_expect_fresh(s);
	screen_keys(s, "b");
	WAIT_GONE(s, ">\u2502hello");
	screen_keys(s, "i");
	WAIT_TEXT(s, "hello#");
	screen_keys(s, "<PgDn><PgUp><Down><Up><End><Home>");
	screen_keys(s, "<F8>");
	WAIT_GONE(s, "What the model sees");
	EXPECT(chat_line_has(s, "a draft"), "the draft is still there");
	screen_keys(s, "<C-a><C-k>");
	chat_say(s, "/inspect");
	WAIT_TEXT(s, "What the model sees");
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "What the model sees");
	chat_quit(s);
}

static void test_inspect_small(void)
{
	struct screen *s = chat_open_with(&(struct chat_options){
		.model = "synthetic:rate=1000,tokens=200", .rows = 6, .cols = 24});

	chat_say(s, "hello");
	WAIT_TEXT(s, "warm 199");
	chat_wait_ready(s);
	screen_keys(s, "<F8>");
	WAIT_TEXT(s, "in the cache:");
	screen_keys(s, "<End>");
	WAIT_TEXT(s, "199");
	chat_expect_fresh(s);
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "of 4096 tokens");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"thinking", test_thinking, 0},
		{"thinking-interrupted", test_thinking_interrupted, 0},
		{"think-command", test_think_command, 0},
		{"inspect", test_inspect, 0},
		{"inspect-small", test_inspect_small, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
