/* What of a conversation is sent: marks by hand, and what falls out of a full context. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/chat.h"
#include "screen/turns.h"
#include "support/tiny_model.h"

static void test_drop(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=3,n_ctx=4096", .rows = 30,
	                             .cols = 130);

	SAY_SHOWS(s, "/drop", "you have not written a message yet");
	chat_ask(s, "one two");
	chat_ask(s, "three four five");
	WAIT(s, chat_tokens_in_bar(s, 4096) == 21);
	SAY_SHOWS(s, "/drop 2", "You (dropped)", "these messages (2) will no longer be sent");
	WAIT(s, chat_tokens_in_bar(s, 4096) == 11);
	EXPECT(chat_journal_has("type: \"mark\""), "it is kept");
	chat_expect_fresh(s);
	chat_ask(s, "six");
	WAIT(s, chat_tokens_in_bar(s, 4096) == 20);
	SAY_HIDES(s, "/undrop 3", "You (dropped)");
	/* The picked message alone. */
	screen_keys(s, "<M-Up>");
	SAY_SHOWS(s, "/drop", "(dropped)");
	EXPECT(!screen_has(s, "You (dropped)"), "the reply alone");
	chat_quit(s);
	s = CHAT_OPEN(.model = "synthetic:tokens=3,n_ctx=4096", .rows = 30, .cols = 130,
	              .args = {"-C"});
	WAIT_TEXT(s, "(dropped)");
	WAIT(s, chat_tokens_in_bar(s, 4096) == 23);
	screen_keys(s, "<M-Up>");
	SAY_HIDES(s, "/undrop", "(dropped)");
	/* A message that is to be answered is sent whatever its mark. */
	SAY_SHOWS(s, "/drop 1", "You (dropped)");
	PRESS_SHOWS(s, "<M-c>", "this reply is dropped: send it again with /undrop");
	chat_send(s, "<M-r>");
	WAIT_TEXT(s, "2/2");
	SAY_SHOWS(s, "/stats", "prompt   23 tokens");
	chat_quit(s);
}

/* What is before the dropped turn stays in the cache, what is after it is evaluated again. */
static void test_drop_and_the_cache(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct chat_counts before, after;
	struct error err;
	struct screen *s;

	tiny.n_ctx = 1024;
	EXPECT(tiny_model_save(&tiny, test_path("tiny.gguf"), &err) == STATUS_OK, "%s", err.text);
	s = CHAT_OPEN(.model = "tiny.gguf", .rows = 60, .cols = 100,
	              .args = {"-n", "4", "--temp", "0"});
	chat_ask(s, "the first message, which is a long one and stays in the cache");
	chat_ask(s, "the second message");
	chat_ask(s, "the third message");
	before = chat_counts(s);
	EXPECT(before.evaluated * 2 < before.prompt, "%u of %u", before.evaluated, before.prompt);
	SAY_SHOWS(s, "/drop 2", "You (dropped)");
	chat_send(s, "<M-r>");
	WAIT_TEXT(s, "2/2");
	after = chat_counts(s);
	EXPECT(after.prompt < before.prompt, "%u of %u", after.prompt, before.prompt);
	EXPECT(after.cached > 30 && after.evaluated < after.cached, "%u of %u", after.cached, after.prompt);
	EXPECT(after.evaluated > 4, "what follows the dropped turn");
	chat_quit(s);
}

/* The number in the panel's row that has the text; -1: there is none. */
static long row_of(struct screen *s, const char *text)
{
	for (int row = 0; row < s->rows; row++) {
		const char *line = screen_row(s, row), *frame = strstr(line, "\u2502");

		if (frame && strstr(line, text))
			return strtol(frame + strcspn(frame, "0123456789"), NULL, 10);
	}
	return -1;
}

static void test_panel(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=3,n_ctx=60", .rows = 30, .cols = 90,
	                             .args = {"-sys", "Be brief now."});

	PRESS_SHOWS(s, "<F9>", "there is no message yet");
	chat_ask(s, "one two");
	chat_ask(s, "three four five");
	SAY_SHOWS(s, "/drop 2", "(dropped)");
	PRESS_WAIT(s, "a draft of five words", chat_line_has(s, "a draft of five words"));
	PRESS_SHOWS(s, "<F9>", "What fills the context");
	EXPECT(screen_has(s, "when it is full: roll, which leaves out the oldest messages"), " ");
	EXPECT(row_of(s, "System: Be brief now.") == 3, " ");
	EXPECT(row_of(s, "Chat template") == 4, "a token for each of the four messages that are sent");
	EXPECT(screen_has(s, "dropped  You: one two"), " ");
	EXPECT(row_of(s, "You: three four five") == 3, " ");
	EXPECT(row_of(s, "synthetic (words): warm 0 warm 1 warm 2") >= 0, " ");
	EXPECT(row_of(s, "Draft in the input line") == 5, " ");
	EXPECT(row_of(s, "Reserved for the reply") == 15, " ");
	EXPECT(row_of(s, "Free") == 60 - 15 - (3 + 4 + 3 + 6 + 5), "it sums up");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<F9>", "What fills the context");
	EXPECT(chat_line_has(s, "a draft of five words"), "the draft is still there");
	screen_keys(s, "<C-a><C-k>//a draft<F9>"); /* a message that begins with a slash */
	WAIT_TEXT(s, "What fills the context");
	EXPECT(row_of(s, "Draft in the input line") == 2, " ");
	PRESS_HIDES(s, "<F9>", "What fills the context");
	screen_keys(s, "<C-a><C-k>");
	PRESS_SHOWS(s, "/context what<Enter>", "which writes the table into the chat");
	screen_keys(s, "<C-a><C-k>");
	/* Files have a row of their own. */
	test_write_text(test_path("note.txt"), "alpha beta gamma\n");
	SAY_SHOWS(s, "/read note.txt", "attached: note.txt");
	PRESS_WAIT(s, "and these", chat_line_has(s, "and these"));
	PRESS_SHOWS(s, "<F9>", "What fills the context");
	EXPECT(row_of(s, "Draft in the input line") == 2, " ");
	EXPECT(row_of(s, "attached files") > 3, "with its name and fences");
	EXPECT(row_of(s, "attached files") + row_of(s, "Free") == 60 - 15 - (3 + 4 + 3 + 6 + 2), "it sums up");
	PRESS_HIDES(s, "<Esc>", "What fills the context");
	screen_keys(s, "<C-a><C-k>");
	SAY_HIDES(s, "/detach", "note.txt");
	SAY_SHOWS(s, "/context text", "Context: 15 of 60 tokens");
	EXPECT(screen_has(s, "       3  You: three four five"), " ");
	chat_quit(s);
	/* A small screen has the rows, and scrolls them. */
	s = CHAT_OPEN(.model = "synthetic:tokens=3,n_ctx=60", .rows = 6, .cols = 30,
	              .args = {"-C"});
	PRESS_SHOWS(s, "<F9>", "3  System: Be brief");
	PRESS_SHOWS(s, "<End>", "Free");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<Esc>", "Free");
	chat_quit(s);
}

/* F9 pins and drops what is selected; the table is counted anew each time. */
static void test_panel_marks(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=3,n_ctx=60", .rows = 30, .cols = 90,
	                             .args = {"-sys", "Be brief now.", "--mouse"});
	long with, without;

	chat_ask(s, "one two");
	chat_ask(s, "three four five");
	PRESS_SHOWS(s, "<F9>", "select  p pin  d drop (again: undo)  Esc close");
	with = row_of(s, "Free");
	PRESS_SHOWS(s, "p", "nothing else can be pinned or dropped"); /* the system message */
	EXPECT(!screen_has(s, "(pinned)"), " ");
	PRESS_SHOWS(s, "<Down><Down>d", "dropped  You: one two");
	WAIT_TEXT(s, "this message (1) will no longer be sent");
	without = row_of(s, "Free");
	EXPECT(without == with + 3, "%ld, %ld before: the message and its markup", without, with);
	EXPECT(chat_journal_has("dropped: \"yes\""), "it is kept");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "p", "dropped  You (pinned): one two"); /* the same row is still selected */
	PRESS_SHOWS(s, "d", "2  You (pinned): one two");
	EXPECT(row_of(s, "Free") == with, " ");
	PRESS_HIDES(s, "p", "(pinned)");
	PRESS_SHOWS(s, "<Down>d", "dropped  synthetic (words): warm 0");
	EXPECT(screen_has(s, "2  You: one two"), "the reply alone");
	PRESS_SHOWS(s, "<End>d", "nothing else can be pinned or dropped");
	screen_click(s, screen_row_of(s, "You: three four five"), 30);
	PRESS_SHOWS(s, "d", "dropped  You: three four five");
	PRESS_HIDES(s, "<Esc>", "What fills the context");
	WAIT_TEXT(s, "You (dropped)");
	chat_quit(s);
}

/* In a context of 60 of which 15 are reserved, turns of 10 tokens: five fit. */
static struct screen *open_small(const char *policy)
{
	return CHAT_OPEN(.model = "synthetic:tokens=2,n_ctx=60", .rows = 60, .cols = 130,
	                 .args = {"--context-policy", policy});
}

static void say(struct screen *s, int n)
{
	char text[40];

	snprintf(text, sizeof(text), "turn %d has words", n);
	chat_ask(s, text);
}

/* A reply that fills the context: what the next message does is told once, by the policy. */
static void test_full(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=500,n_ctx=200", .rows = 30,
	                             .cols = 130);

	SAY_SHOWS(s, "go", "The context of 200 tokens is full, so the reply stops here.");
	WAIT_TEXT(s, "The context is full: with your next message the oldest 2 messages may be left out.");
	EXPECT(!screen_has(s, "nearly full"), " ");
	chat_quit(s);
	s = CHAT_OPEN(.model = "synthetic:tokens=500,n_ctx=200", .rows = 30, .cols = 130,
	              .args = {"--context-policy", "stop"});
	SAY_SHOWS(s, "go", "The context of 200 tokens is full, so the reply stops here.");
	WAIT_TEXT(s, "The context is full: your next message may not fit. /drop N leaves out one of your messages");
	EXPECT(!screen_has(s, "left out."), "nothing is");
	chat_quit(s);
}

static void test_stop(void)
{
	struct screen *s = open_small("stop");

	for (int i = 1; i <= 4; i++)
		say(s, i);
	EXPECT(!screen_has(s, "may not fit"), "not yet");
	say(s, 5);
	WAIT_TEXT(s, "your next message may not fit"); /* it is said before it happens */
	SAY_SHOWS(s, "one that is too much", "the context policy 'stop' leaves nothing out");
	WAIT_TEXT(s, "Your message is back in the input line. /drop N");
	WAIT(s, chat_line_has(s, "one that is too much"));
	EXPECT(!screen_has(s, "(left out)"), "nothing is");
	chat_expect_fresh(s);
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/drop 5", "You (dropped)");
	chat_say(s, "/drop 4");
	chat_ask(s, "now it fits again");
	WAIT_GONE(s, "prefill");
	EXPECT(chat_journal_has("now it fits again"), " ");
	chat_quit(s);
}

/* The message that does not fit comes back, whatever has been picked meanwhile. */
static void test_stop_while_picking(void)
{
	struct screen *s = open_small("stop");

	for (int i = 1; i <= 5; i++)
		say(s, i);
	PRESS_WAIT(s, "one that is too much", chat_line_has(s, "one that is too much"));
	screen_quiet(s, 30);
	PRESS_SHOWS(s, "<Enter><M-Up><M-Up>", "Your message is back in the input line. /drop N");
	EXPECT(chat_line_has(s, "one that is too much") && !screen_has(s, "editing:"), " ");
	chat_quit(s);
}

/* The nth row from the top that begins with "You". */
static const char *label(struct screen *s, int n)
{
	for (int row = 0; row < s->rows; row++)
		if (strncmp(screen_row(s, row), "You", 3) == 0 && --n == 0)
			return screen_row(s, row);
	return "";
}

static void test_ends(void)
{
	struct screen *s = open_small("ends");

	for (int i = 1; i <= 5; i++)
		say(s, i);
	WAIT_TEXT(s, "messages after the first ones may be left out");
	say(s, 6);
	WAIT_TEXT(s, "messages after the first ones are left out");
	PRESS_SHOWS(s, "<C-Home>", "(left out)");
	EXPECT(!strstr(label(s, 1), "left out"), "the first stays: %s", label(s, 1));
	EXPECT(strstr(label(s, 2), "left out"), "the second goes: %s", label(s, 2));
	chat_quit_fresh(s);
}

static void test_pin(void)
{
	struct screen *s = open_small("roll");

	for (int i = 1; i <= 4; i++)
		say(s, i);
	SAY_SHOWS(s, "/pin 4", "You (pinned)");
	for (int i = 5; i <= 7; i++)
		say(s, i);
	PRESS_SHOWS(s, "<C-Home>", "(left out)");
	EXPECT(strstr(label(s, 1), "(pinned)"), "the pinned one stays: %s", label(s, 1));
	EXPECT(strstr(label(s, 2), "(left out)"), "the next one goes: %s", label(s, 2));
	SAY_SHOWS(s, "/pin 7", "no longer pinned");
	PRESS_WAIT(s, "<C-Home>", strstr(label(s, 1), "(left out)"));
	EXPECT(chat_journal_has("pinned: \"no\""), " ");
	chat_quit(s);
}

/* A message of 31 tokens, with its markup. */
static void say_much(struct screen *s, int n)
{
	char text[100];
	int len = snprintf(text, sizeof(text), "turn %d", n);

	for (int i = 0; i < 28; i++)
		len += snprintf(text + len, sizeof(text) - (size_t)len, " w");
	chat_say(s, text);
}

static void test_summary(void)
{
	const struct chat_options options = {
		.model = "synthetic:tokens=2,n_ctx=200", .rows = 60, .cols = 130,
		.args = {"--context-policy", "summary"}};
	struct chat_options again = options;
	struct screen *s = chat_open_with(&options);

	PRESS_SHOWS(s, "/edit summary<Enter>", "there is no summary");
	screen_keys(s, "<C-a><C-k>");
	for (int i = 1; i <= 4; i++) {
		say_much(s, i);
		chat_wait_ready(s);
	}
	WAIT_TEXT(s, "with your next message the oldest 4 messages may be summed up");
	say_much(s, 5);
	WAIT_TEXT(s, "The context is full: the oldest 4 messages are being summed up.");
	WAIT_TEXT(s, "Summary, sent instead of the messages before it");
	WAIT_TEXT(s, "Summary of the conversation so far: warm 0 warm 1");
	chat_wait_ready(s);
	PRESS_WAIT(s, "<C-Home>", strstr(label(s, 1), "(summed up)"));
	EXPECT(strstr(label(s, 2), "(summed up)"), "%s", label(s, 2));
	EXPECT(!strstr(label(s, 3), "("), "%s", label(s, 3));
	chat_expect_fresh(s);
	screen_keys(s, "<C-End>");
	EXPECT(chat_journal_count("sums_up: \"4\"") == 1, "it is kept");
	/* Of 31 + 5, two of which are left, the question, its reply and the summary. */
	WAIT(s, chat_tokens_in_bar(s, 200) == 3 * 36 + 11);
	PRESS_SHOWS(s, "<F9>", "What fills the context");
	EXPECT(row_of(s, "Summary: Summary of the conversation") == 10, " ");
	EXPECT(screen_has(s, "summed up  You: turn 2"), " ");
	PRESS_HIDES(s, "<Esc>", "What fills the context");
	/* Another reply keeps it. */
	SEND_SHOWS(s, "<M-r>", "2/2");
	EXPECT(chat_journal_count("sums_up: \"4\"") == 1, "no other one was made");
	PRESS_WAIT(s, "/edit summary<Enter>", chat_line_has(s, "so far: warm 0 warm 1"));
	PRESS_WAIT(s, " and more<Enter>", chat_shows(s, "so far: warm 0 warm 1 and more"));
	EXPECT(chat_journal_count("sums_up: \"4\"") == 2, "the old one is kept");
	WAIT(s, chat_tokens_in_bar(s, 200) == 3 * 36 + 13);
	chat_quit(s);
	again.args[2] = "-C";
	s = chat_open_with(&again);
	WAIT(s, chat_shows(s, "so far: warm 0 warm 1 and more"));
	WAIT(s, chat_tokens_in_bar(s, 200) == 3 * 36 + 13);
	SAY_HIDES(s, "/undrop summary", "(summed up)");
	WAIT_TEXT(s, "No summary from here on");
	WAIT(s, chat_tokens_in_bar(s, 200) == 5 * 36);
	chat_quit(s);
}

static void test_summary_stopped(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=400,rate=4,n_ctx=200", .rows = 60,
	                             .cols = 130,
	                             .args = {"--context-policy", "summary", "-n", "2"});

	for (int i = 1; i <= 5; i++) {
		say_much(s, i);
		WAIT(s, !chat_is_ready(s));
		chat_wait_ready(s);
	}
	say_much(s, 6);
	WAIT_TEXT(s, "messages are being summed up");
	SEND_SHOWS(s, "<Esc>", "No summary was made (it was stopped).");
	EXPECT(!screen_has(s, "Summary, sent"), " ");
	EXPECT(!screen_has(s, "(summed up)"), " ");
	EXPECT(chat_journal_has("turn 6"), "the message is kept");
	WAIT_GONE(s, "(left out)");
	chat_expect_fresh(s);
	/* What the notice offers. */
	PRESS_WAIT(s, "<M-r>", screen_count(s, "messages are being summed up") == 2);
	SEND_WAIT(s, "<Esc>", screen_count(s, "No summary was made (it was stopped).") == 2);
	chat_say(s, "/context-policy roll");
	SEND_SHOWS(s, "<M-r>", "messages are left out");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"drop", test_drop, 0},
		{"drop-and-the-cache", test_drop_and_the_cache, 0},
		{"panel", test_panel, 0},
		{"full", test_full, 0},
		{"panel-marks", test_panel_marks, 0},
		{"stop", test_stop, 0},
		{"stop-while-picking", test_stop_while_picking, 0},
		{"summary", test_summary, 0},
		{"summary-stopped", test_summary_stopped, 60},
		{"ends", test_ends, 0},
		{"pin", test_pin, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
