/* A model on a server, as the test backend plays one: what it cannot do and does not say, and what it is
 * waited for. */
#include <stdio.h>
#include <string.h>

#include "screen/chat.h"

#define CHAT_SERVER "synthetic:remote=1,tokens=5"
#define ID_SERVER "synthetic:remote=2,tokens=5"

/* ---- waiting ---- */

static void test_waiting_to_load(void)
{
	struct screen *s = CHAT_START(.model = CHAT_SERVER ",wait_load=1000000");

	WAIT_TEXT(s, "box loads the model (0 s)", "Esc stops");
	PRESS_SHOWS(s, "<Esc>", "Loading was stopped");
	EXPECT(!screen_has(s, "box loads"), " ");
	chat_ask(s, "/model " CHAT_SERVER);
	chat_quit_fresh(s);
}

static void test_waiting_for_a_reply(void)
{
	struct screen *s = chat_open(CHAT_SERVER ",wait=1000000");

	SAY_SHOWS(s, "hello", "waiting for box: no answer yet", "Esc stops");
	SEND_SHOWS(s, "<Esc>", "Stopped before the reply began");
	EXPECT(!screen_has(s, "no answer yet"), " ");
	chat_quit_fresh(s);
}

static void test_waiting_is_over(void)
{
	struct screen *s = chat_open(CHAT_SERVER ",wait=100,hold=3");

	SAY_SHOWS(s, "hello", "warm 2", "writing");
	EXPECT(!screen_has(s, "no answer yet"), " ");
	chat_send(s, "<Esc>");
	chat_quit_fresh(s);
}

/* ---- what is known ---- */

static void test_where_it_runs(void)
{
	struct screen *s = chat_open(CHAT_SERVER);

	EXPECT(screen_has(s, "toy-7b  on box"), " ");
	EXPECT(screen_has(s, "toy-7b answers, on box (127.0.0.1:8080). F6 shows other models."), " ");
	EXPECT(!screen_has(s, "own machine"), " ");
	EXPECT(!screen_has(s, "not verified"), " ");
	chat_quit(s);
	s = chat_open(CHAT_SERVER ",unverified=1");
	EXPECT(screen_has(s, "not verified"), " ");
	screen_resize(s, 10, 20);
	WAIT(s, s->rows == 10 && screen_has(s, "not verified"));
	chat_quit(s);
}

static void test_estimates_are_marked(void)
{
	struct screen *s = chat_open(CHAT_SERVER);

	ASK_SHOWS(s, "hello", "warm 4", "~13/4096");
	chat_quit(s);
	s = chat_open(ID_SERVER);
	ASK_SHOWS(s, "hello", "warm 4", "13/4096");
	EXPECT(!screen_has(s, "~"), " ");
	chat_quit(s);
}

static void test_unknown_context(void)
{
	struct screen *s = chat_open(CHAT_SERVER ",unknown_ctx=1");

	ASK_SHOWS(s, "hello", "warm 4", "~13 tokens");
	EXPECT(!screen_has(s, "/0"), " ");
	ASK_SHOWS(s, "/model synthetic:fail=load", "toy-7b stays loaded");
	chat_quit_fresh(s);
}

static void test_ledger(void)
{
	struct screen *s = chat_open(CHAT_SERVER);

	ASK_SHOWS(s, "hello", "warm 4");
	PRESS_SHOWS(s, "<F9>", "~13 of 4096 tokens, as far as it can be estimated", "~2  Chat template");
	PRESS_HIDES(s, "<Esc>", "Chat template");
	chat_quit(s);
	s = chat_open(CHAT_SERVER ",unknown_ctx=1");
	ASK_SHOWS(s, "hello", "warm 4");
	PRESS_SHOWS(s, "<F9>", "~13 tokens, as far");
	EXPECT(!screen_has(s, "Free") && !screen_has(s, "Reserved"), " ");
	PRESS_HIDES(s, "<Esc>", "Chat template");
	chat_quit(s);
}

static void test_estimated_files(void)
{
	struct screen *s;

	test_write_text(test_path("notes.txt"), "one two three\n");
	s = chat_open(CHAT_SERVER);
	SAY_SHOWS(s, "/read notes.txt", "notes.txt", "14 B, ~");
	ASK_SHOWS(s, "and this?", "warm 4");
	chat_quit(s);
}

/* What is sent, where the server makes the prompt of it. */
static void test_request(void)
{
	struct screen *s = chat_open(CHAT_SERVER);

	ASK_SHOWS(s, "say \"hello\"", "warm 4");
	PRESS_SHOWS(s, "<F8>", "~14 of 4096 tokens", "sent as chat messages: the server makes the prompt",
	            "\"model\": \"toy-7b\",", "\"role\": \"user\",", "\"content\": \"say \\\"hello\\\"\"",
	            "PgDn scroll  Esc close");
	PRESS_QUIET(s, "bi", 50);
	EXPECT(!screen_has(s, "evaluated"), " ");
	chat_expect_fresh(s);
	screen_resize(s, 12, 80);
	WAIT(s, s->rows == 12 && screen_has(s, "Esc close"));
	PRESS_SHOWS(s, "<End>", "\"stream\": true");
	EXPECT(!screen_has(s, "sent as chat messages"), " ");
	PRESS_SHOWS(s, "<Home>", "sent as chat messages");
	PRESS_HIDES(s, "<Esc>", "chat messages");
	chat_quit(s);
	s = chat_open(ID_SERVER);
	ASK_SHOWS(s, "hello", "warm 4");
	PRESS_SHOWS(s, "<F8>", "13 of 4096 tokens", "control token", "<user>");
	PRESS_HIDES(s, "<Esc>", "<user>");
	chat_quit(s);
}

/* With a reply more is learnt of the model. */
static void test_learning(void)
{
	struct screen *s = chat_open(CHAT_SERVER ",learns=1,unknown_ctx=1");

	ASK_SHOWS(s, "hello", "warm 4", "/8192", "The model's server does not take min-p: from now on it is left out.");
	ASK_WAIT(s, "again", screen_count(s, "warm 4") == 2);
	EXPECT(screen_count(s, "does not take") == 1, " ");
	chat_quit(s);
}

/* ---- how replies end ---- */

static void test_stats(void)
{
	struct screen *s = CHAT_OPEN(.model = CHAT_SERVER ",mode=think,think=2,cost=1500", .cols = 100);

	ASK_SHOWS(s, "hello", "warm 4");
	SAY_SHOWS(s, "/stats", "prompt   ~2 tokens; how many of them were in the cache, the server does not tell",
	          ", 4 of them thought", "context  ~11 of 4096 tokens", "cost     $0.0015",
	          "server   box (127.0.0.1:8080), synthetic; model toy-7b");
	chat_quit(s);
	s = CHAT_OPEN(.model = ID_SERVER ",unknown_ctx=1", .cols = 100);
	ASK_SHOWS(s, "hello", "warm 4");
	SAY_SHOWS(s, "/stats", "prompt   2 tokens, 0 of them in the cache", "context  7 tokens; how many there is room "
	          "for, the server does not tell");
	EXPECT(!screen_has(s, "cost "), " ");
	chat_quit(s);
}

static void test_ended_early(void)
{
	struct screen *s = CHAT_OPEN(.model = CHAT_SERVER ",end=early", .cols = 100);

	ASK_SHOWS(s, "hello", "The server ended early, without saying that the reply is complete. Alt+C goes on with it.");
	chat_quit(s);
	s = CHAT_OPEN(.model = CHAT_SERVER ",end=early,no_continue=1", .cols = 100);
	ASK_SHOWS(s, "hello", "The server ended early, without saying that the reply is complete.");
	EXPECT(!screen_has(s, "goes on"), " ");
	chat_quit(s);
	s = CHAT_OPEN(.model = CHAT_SERVER ",end=filtered", .cols = 100);
	ASK_SHOWS(s, "hello", "The server's content filter withheld the rest of the reply.");
	chat_quit(s);
}

static void test_cannot_continue(void)
{
	struct screen *s = CHAT_OPEN(.model = CHAT_SERVER ",hold=3,no_continue=1", .cols = 100);

	SAY_SHOWS(s, "hello", "warm 2");
	SEND_SHOWS(s, "<Esc>", "(interrupted)");
	EXPECT(!screen_has(s, "goes on"), " ");
	SAY_SHOWS(s, "/continue", "toy-7b runs on a server that cannot go on with a reply: Alt+R asks for another one");
	SAY_SHOWS(s, "/edit reply", "toy-7b cannot go on with an edited reply: edit your own message instead");
	EXPECT(!screen_has(s, "editing:"), " ");
	chat_quit(s);
}

static void test_answer_now(void)
{
	struct screen *s = CHAT_OPEN(.model = ID_SERVER ",mode=think,think=1000000,rate=200", .cols = 100);

	SAY_SHOWS(s, "hello", "thought 20", "Alt+A answers now  Esc stops");
	PRESS_SHOWS(s, "<M-a>", "warm 4");
	SAY_SHOWS(s, "/answer", "the model is not thinking");
	SAY_SHOWS(s, "again", "thought 30");
	SAY_WAIT(s, "/answer", screen_count(s, "warm 4") == 2);
	chat_quit(s);
	s = CHAT_OPEN(.model = CHAT_SERVER ",mode=think,think=1000000,rate=200", .cols = 100);
	SAY_SHOWS(s, "hello", "thought 20");
	EXPECT(!screen_has(s, "answers now"), " ");
	PRESS_SHOWS(s, "<M-a>", "this model cannot be told to stop thinking; Esc stops the reply");
	chat_send(s, "<Esc>");
	chat_quit(s);
}

/* What a server says of an error is foreign, and may be long. */
static void test_error_of_a_server(void)
{
	struct screen *s = CHAT_OPEN(.model = CHAT_SERVER ",fail=server", .cols = 100);

	SAY_SHOWS(s, "hello", "Error: box: the request was refused (400):", "^[[31mline two", "line three \u2026",
	          "Your message is back in the input line");
	EXPECT(!screen_has(s, "line four"), " ");
	screen_keys(s, "<C-a><C-k>");
	chat_quit_fresh(s);
}

/* From a file to a server and back: the conversation goes on. */
static void test_switching(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:tokens=3", .rows = 30, .cols = 100);

	ASK_SHOWS(s, "first", "warm 2");
	ASK_SHOWS(s, "/model " CHAT_SERVER, "toy-7b  on box");
	ASK_SHOWS(s, "second", "warm 4");
	EXPECT(chat_shows(s, "first") && chat_shows(s, "warm 2"), "the conversation is intact");
	ASK_SHOWS(s, "/model synthetic:tokens=3,mode=system", "synthetic (system)");
	EXPECT(!screen_has(s, "  on box  "), "it runs here");
	SAY_SHOWS(s, "/context", "You: first", "You: second");
	PRESS_HIDES(s, "<Esc>", "Chat template");
	chat_quit_fresh(s);
}

/* ---- the sliders ---- */

static void test_idle_sliders(void)
{
	struct screen *s = CHAT_OPEN(.model = CHAT_SERVER, .rows = 40);
	int row;

	PRESS_SHOWS(s, "<F2>", "temp ", "ignored");
	row = screen_row_of(s, "top-k");
	EXPECT(screen_col_of(s, row, "ignored") > 0, " ");
	PRESS_SHOWS(s, "<Down>", "the server ignores it: OpenAI's interface has no field for it");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<Esc>", "ignored");
	SAY_SHOWS(s, "/set top-k 5", "top-k is 5, but the model's server ignores it: OpenAI's");
	chat_quit(s);
}

/* What was set before the model was known. */
static void test_idle_options(void)
{
	struct screen *s = CHAT_OPEN(.model = CHAT_SERVER, .cols = 120, .args = {"--top-k", "5"});

	EXPECT(screen_has(s, "The model's server ignores top-k, which is set: OpenAI's interface has no field for it."), " ");
	SAY_SHOWS(s, "/show top-k", "The model's server ignores it: OpenAI's");
	chat_quit(s);
	s = CHAT_OPEN(.model = CHAT_SERVER, .cols = 120, .args = {"--top-k", "5", "--mirostat", "2"});
	EXPECT(screen_has(s, "ignores what is set for top-k, mirostat: /show NAME says why."), " ");
	chat_quit(s);
	s = CHAT_OPEN(.model = CHAT_SERVER, .cols = 120, .args = {"--temp", "0.5"});
	EXPECT(!screen_has(s, "ignores"), " ");
	chat_quit(s);
}

static void test_sliders_in_mid_reply(void)
{
	struct screen *s = CHAT_OPEN(.model = CHAT_SERVER ",hold=3", .rows = 40);

	SAY_SHOWS(s, "hello", "warm 2");
	PRESS_SHOWS(s, "<F2>", "ignored");
	PRESS_SHOWS(s, "<Down><Right>", " 41 ", "the server ignores it");
	EXPECT(!screen_has(s, "it holds"), "not even from the next reply on");
	PRESS_SHOWS(s, "<Up><Right>", "it holds from the next reply on");
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "ignored");
	SAY_SHOWS(s, "/temp 0.5", "temp is 0.5; it holds from the next reply on");
	chat_send(s, "<Esc>");
	SAY_SHOWS(s, "/temp 0.6", "temp is 0.6");
	EXPECT(!screen_has(s, "from the next reply"), " ");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"waiting-to-load", test_waiting_to_load, 0},
		{"waiting-for-a-reply", test_waiting_for_a_reply, 0},
		{"waiting-is-over", test_waiting_is_over, 0},
		{"where-it-runs", test_where_it_runs, 0},
		{"estimates-are-marked", test_estimates_are_marked, 0},
		{"unknown-context", test_unknown_context, 0},
		{"ledger", test_ledger, 0},
		{"request", test_request, 0},
		{"stats", test_stats, 0},
		{"ended-early", test_ended_early, 0},
		{"cannot-continue", test_cannot_continue, 0},
		{"error-of-a-server", test_error_of_a_server, 0},
		{"answer-now", test_answer_now, 0},
		{"switching", test_switching, 0},
		{"estimated-files", test_estimated_files, 0},
		{"idle-options", test_idle_options, 0},
		{"idle-sliders", test_idle_sliders, 0},
		{"sliders-in-mid-reply", test_sliders_in_mid_reply, 0},
		{"learning", test_learning, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
