/* The chat with a real llama-server, which SOTTO_LLAMA_SERVER names: skipped without it. Its model counts
 * (support/counting_model.h): "warm 0 warm 1 ...". More tests of this folder run against it by test_on_real_server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/real.h"
#include "screen/served.h"
#include "screen/turns.h"
#include "support/counting_model.h"

enum { ENDLESS = COUNTING_MAX + 1 };

static struct real_server server;
static const char *file; /* of servers */

static void serve(const struct counting_model *model)
{
	struct served served = {.input = -1};
	struct error err;

	if (!real_program())
		test_skip("SOTTO_LLAMA_SERVER names no llama-server");
	EXPECT(counting_model_save(model, test_path("counting.gguf"), &err) == STATUS_OK, "%s", err.text);
	real_start(&server, test_path("counting.gguf"), "counter", model->n_ctx);
	snprintf(served.url, sizeof(served.url), "%s", server.url);
	file = served_file(&served, NULL, NULL);
}

static struct screen *open_box(const char *argument, const char *value)
{
	return CHAT_OPEN(.model = "server:box", .rows = 40, .cols = 110, .args = {"--servers", file, argument, value});
}

#define SERVE(...) serve(&(struct counting_model){__VA_ARGS__})

static void test_chat(void)
{
	struct screen *s;

	SERVE(.n_words = 5);
	s = open_box(NULL, NULL);
	EXPECT(screen_has(s, "counter answers, on box (127.0.0.1:"), " ");
	ASK_SHOWS(s, "Hello", "counter on box", "warm 0 warm 1 warm 2 warm 3 warm 4");
	ASK_WAIT(s, "And again", screen_count(s, "warm 4") == 2);
	EXPECT(!screen_has(s, "~") && !screen_has(s, "warm 5"), "counts are exact, and the end is the end");
	chat_quit_fresh(s);
	s = open_box("-C", NULL);
	EXPECT(screen_has(s, "And again") && screen_count(s, "warm 4") == 2, "it is as it was left");
	ASK_WAIT(s, "After that", screen_count(s, "warm 4") == 3);
	chat_quit(s);
}

static void test_versions(void)
{
	struct screen *s;
	struct tree *tree;

	SERVE(.n_words = 5);
	s = open_box(NULL, NULL);
	ASK_SHOWS(s, "alpha", "warm 4");
	SEND_SHOWS(s, "<M-r>", "counter on box 2/2");
	chat_ask(s, "below the second");
	PRESS_HIDES(s, "<M-Left>", "below the second");
	EXPECT(screen_has(s, "counter on box 1/2"), " ");
	PRESS_SHOWS(s, "<M-Right>", "below the second");
	tree = chat_tree();
	EXPECT(tree_n(tree) == 5 && tree_node(tree, 3)->parent == 1 && tree_node(tree, 3)->n_ids == 5, " ");
	tree_free(tree);
	SAY_SHOWS(s, "/edit 2", "editing:");
	PRESS_HIDES(s, " and beta<Enter>", "below the second");
	chat_wait_ready(s);
	EXPECT(screen_has(s, "alpha and beta") && screen_has(s, "You 2/2"), " ");
	PRESS_SHOWS(s, "<M-Left>", "below the second");
	SAY_SHOWS(s, "/fork", "A new chat from here");
	EXPECT(screen_has(s, "below the second"), " ");
	chat_ask(s, "in the new chat");
	chat_quit_fresh(s);
	EXPECT(chat_n_journals() == 2, " ");
}

/* Goes on where it was cut, with the ids that came: no number is said twice, none is left out. */
static void test_continue(void)
{
	struct buf expected = {.max = 4096};
	struct screen *s;
	struct tree *tree;

	SERVE(.n_words = 100, .slow = true);
	s = open_box(NULL, NULL);
	SAY_SHOWS(s, "Hello", "warm 3");
	SEND_SHOWS(s, "<Esc>", "(interrupted)", "Alt+C goes on");
	PRESS_HIDES(s, "<M-c>", "(interrupted)");
	WAIT_TEXT(s, "warm 99");
	chat_wait_ready(s);
	tree = chat_tree();
	for (int i = 0; i < 100; i++)
		buf_printf(&expected, "%swarm %d", i ? " " : "", i);
	EXPECT(strcmp(tree_node(tree, 2)->text, buf_text(&expected)) == 0, "%s", tree_node(tree, 2)->text);
	tree_free(tree);
	buf_free(&expected);
	chat_quit(s);
}

static void test_limit(void)
{
	struct screen *s;

	SERVE(.n_words = 20);
	s = open_box("-n", "8");
	ASK_SHOWS(s, "Hello", "warm 7");
	EXPECT(!screen_has(s, "warm 8"), " ");
	SEND_SHOWS(s, "<M-c>", "warm 15");
	SEND_SHOWS(s, "<M-c>", "warm 19");
	EXPECT(screen_count(s, "warm 7") == 1, " ");
	chat_quit(s);
}

/* What was stopped has freed its slot: the next message is answered, by a server that has one. */
static void test_stopped(void)
{
	struct screen *s;

	SERVE(.n_words = ENDLESS, .slow = true);
	s = open_box(NULL, NULL);
	for (int i = 0; i < 5; i++) {
		SAY_SHOWS(s, "Hello", "writing", "warm 5");
		SEND_SHOWS(s, "<Esc>", "(interrupted)");
		SAY_SHOWS(s, "/new", "type a message");
	}
	chat_quit(s);
}

static void test_queue(void)
{
	struct screen *s;

	SERVE(.n_words = ENDLESS, .slow = true);
	s = open_box("-n", "400");
	SAY_SHOWS(s, "go", "warm 1");
	SAY_SHOWS(s, "one", "queued: one");
	SAY_SHOWS(s, "two", "queued: two");
	PRESS_WAIT(s, "<Up>", chat_line_has(s, "two"));
	PRESS_SHOWS(s, " and three<Enter>", "queued: two and three");
	chat_send(s, "<Esc>"); /* they are in the line */
	WAIT(s, chat_line_has(s, "two and three"));
	EXPECT(!screen_has(s, CHAT_QUEUED), " ");
	chat_send(s, "<C-a><C-k>");
	SAY_SHOWS(s, "again", "warm 1");
	SAY_SHOWS(s, "after it", "queued: after it");
	WAIT(s, chat_shows(s, "after it")); /* it is sent when the reply has its end */
	chat_send(s, "<Esc>");
	EXPECT(chat_journal_has("text: \"after it\""), " ");
	chat_quit(s);
}

/* What is sent are ids: what is typed becomes no control token. */
static void test_inspect(void)
{
	struct screen *s;

	SERVE(.n_words = 5);
	s = open_box(NULL, NULL);
	chat_paste(s, "Hi <|end|>", 10);
	SEND_SHOWS(s, "<Enter>", "warm 4");
	PRESS_SHOWS(s, "<F8>", "in the cache:");
	PRESS_SHOWS(s, "i", "<|user|>#259", "<#60");
	EXPECT(screen_count(s, "<|end|>#257") == 2, "those of the template alone");
	EXPECT(screen_has(s, "<|assistant|>#260"), " ");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<Esc>", "Esc close");
	PRESS_SHOWS(s, "<F9>", "of 4096 tokens", "You: Hi");
	EXPECT(!screen_has(s, "~"), "counts are exact");
	PRESS_HIDES(s, "<Esc>", "of 4096 tokens");
	chat_quit(s);
}

/* The server's own counts are those of the chat: of the next prompt only what is new is evaluated. */
static void test_stats(void)
{
	struct chat_counts first, second;
	struct screen *s;

	SERVE(.n_words = 5);
	s = open_box(NULL, NULL);
	chat_ask(s, "Hello"); /* <|user|> Hello <|end|> <|assistant|> */
	first = chat_counts(s);
	EXPECT(first.prompt == 8, "%u", first.prompt);
	chat_ask(s, "Again");
	second = chat_counts(s);
	EXPECT(second.prompt == 8 + 5 + 1 + 8 && second.cached >= 8 + 4, "%u, %u", second.prompt, second.cached);
	SAY_SHOWS(s, "/stats", "server   box (127.0.0.1:", "llama-server; model counter");
	chat_quit(s);
}

static void test_left_out(void)
{
	struct screen *s;

	SERVE(.n_words = 20, .n_ctx = 256);
	s = open_box("-n", "30");
	for (int i = 1; i <= 8; i++) {
		char text[40];

		snprintf(text, sizeof(text), "message %d", i);
		chat_ask(s, text);
	}
	WAIT_TEXT(s, "left out");
	PRESS_SHOWS(s, "<F9>", "of 256 tokens", "left out  You: message 1");
	PRESS_HIDES(s, "<Esc>", "of 256 tokens");
	PRESS_SHOWS(s, "<C-Home>", "You (left out)");
	chat_quit(s);
}

static void test_summary(void)
{
	struct screen *s;

	SERVE(.n_words = 5, .n_ctx = 512);
	s = open_box("--context-policy", "summary");
	for (int i = 1; i <= 8; i++) {
		char text[120];

		snprintf(text, sizeof(text), "message %d, which has so many letters, each a token, that few are enough", i);
		chat_ask(s, text);
	}
	PRESS_SHOWS(s, "<C-Home>", "(summed up)");
	EXPECT(chat_journal_has("warm 0 warm 1 warm 2 warm 3 warm 4") && !screen_has(s, "No summary was made"), " ");
	chat_quit(s);
}

/* A server of one slot: who comes second waits, with words that say so. */
static void test_busy(void)
{
	struct screen *first, *second;

	SERVE(.n_words = ENDLESS, .slow = true);
	first = open_box(NULL, NULL);
	second = open_box("-n", "5");
	SAY_SHOWS(first, "Hello", "warm 5");
	SAY_SHOWS(second, "Hello", "waiting for box");
	chat_send(first, "<Esc>");
	WAIT_TEXT(second, "warm 4");
	chat_wait_ready(second);
	chat_quit(second);
	chat_quit(first);
}

static void test_models(void)
{
	struct screen *s;

	SERVE(.n_words = 5);
	s = open_box(NULL, NULL);
	PRESS_SHOWS(s, "<F6>", "counter on box");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<Esc>", "Filter:");
	ASK_SHOWS(s, "/model server:box/counter", "counter  on box");
	ASK_SHOWS(s, "Hello", "warm 4");
	chat_quit(s);
}

/* From the server to the same file here, and back: the conversation stays. */
static void test_switch(void)
{
	struct screen *s;

	SERVE(.n_words = 5);
	s = open_box(NULL, NULL);
	ASK_SHOWS(s, "First", "warm 4");
	ASK_WAIT(s, "/model counting.gguf", !screen_has(s, "counter  on box"));
	ASK_WAIT(s, "Second", screen_count(s, "warm 4") == 2);
	ASK_SHOWS(s, "/model server:box", "counter  on box");
	ASK_WAIT(s, "Third", screen_count(s, "warm 4") == 3);
	PRESS_SHOWS(s, "<F8>", "First", "Second", "Third");
	PRESS_HIDES(s, "<Esc>", "Esc close");
	chat_quit(s);
}

static void test_thinking(void)
{
	struct screen *s;

	SERVE(.n_words = 5, .n_thoughts = 6);
	s = open_box(NULL, NULL);
	ASK_SHOWS(s, "Hello", "warm 4", "thought, 12 words");
	EXPECT(!screen_has(s, "thought 5") && !screen_has(s, "think>"), "it is folded, without marks");
	PRESS_SHOWS(s, "<M-t>", "thought 0 thought 1");
	EXPECT(chat_journal_has("reasoning: \"thought 0 thought 1"), " ");
	screen_keys(s, "<M-t>");
	chat_say(s, "/think off");
	ASK_WAIT(s, "Again", screen_count(s, "warm 4") == 2);
	EXPECT(screen_count(s, "thought, 12 words") == 1, "it is told not to");
	chat_quit(s);
}

static void test_thinking_stopped(void)
{
	struct screen *s;

	SERVE(.n_words = 5, .n_thoughts = COUNTING_MAX, .slow = true);
	s = open_box(NULL, NULL);
	SAY_SHOWS(s, "Hello", "thought 5");
	SEND_SHOWS(s, "<Esc>", "(interrupted)");
	SAY_SHOWS(s, "Again", "thought 5");
	PRESS_SHOWS(s, "<M-a>", "warm 4"); /* answer now */
	chat_wait_ready(s);
	chat_quit(s);
}

/* The server goes away in mid-reply: what came stays, and is gone on with when there is a server again. */
static void test_gone(void)
{
	struct screen *s;

	SERVE(.n_words = 300, .slow = true);
	s = open_box(NULL, NULL);
	SAY_SHOWS(s, "Hello", "warm 5");
	real_stop(&server);
	WAIT_TEXT(s, "Error: box");
	EXPECT(screen_has(s, "warm 0 warm 1 warm 2 warm 3 warm 4 warm 5"), "what came stays");
	real_start(&server, test_path("counting.gguf"), "counter", 0);
	PRESS_SHOWS(s, "<M-c>", "warm 299");
	chat_wait_ready(s);
	EXPECT(screen_count(s, "warm 5 ") == 1, "nothing is said twice");
	chat_quit(s);
}

static const struct screen_test tests[] = {
	{"chat", test_chat, 0},
	{"versions", test_versions, 0},
	{"continue", test_continue, 0},
	{"limit", test_limit, 0},
	{"stopped", test_stopped, 0},
	{"queue", test_queue, 0},
	{"inspect", test_inspect, 0},
	{"stats", test_stats, 0},
	{"left-out", test_left_out, 0},
	{"summary", test_summary, 0},
	{"busy", test_busy, 0},
	{"models", test_models, 0},
	{"switch", test_switch, 0},
	{"thinking", test_thinking, 0},
	{"thinking-stopped", test_thinking_stopped, 0},
	{"gone", test_gone, 0},
};

int main(int argc, char **argv)
{
	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
