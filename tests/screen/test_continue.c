/* Going on with a reply that was cut: by Esc, by its limit, by the end of the program; what is kept
 * of it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "screen/served.h"
#include "screen/turns.h"
#include "support/tiny_model.h"

#define SLOW "synthetic:rate=20,tokens=12"
#define CUT "(interrupted)"

/* "warm 0 warm 1 ... " to `n`, and nothing twice. */
static void expect_whole(int n, size_t n_messages, enum node_state state)
{
	struct tree *tree = chat_tree();
	const struct node *node;
	struct buf expected = {.max = KIB(4)};

	EXPECT(tree_n(tree) == n_messages, "%zu messages", tree_n(tree));
	node = tree_node(tree, 2);
	for (int i = 0; i < n; i++)
		buf_printf(&expected, "warm %d ", i);
	if (served_dialect())
		buf_remove(&expected, expected.len - 1, 1); /* blanks stand before words, there */
	EXPECT(strcmp(node->text, buf_text(&expected)) == 0, "\"%s\"", node->text);
	EXPECT(node->n_ids == (size_t)n || (served_dialect() && !node->n_ids), "%zu tokens", node->n_ids);
	EXPECT(node->state == state, "state %d", (int)node->state);
	buf_free(&expected);
	tree_free(tree);
}

static struct screen *cut_by_esc(const char *model)
{
	struct screen *s = chat_open(model);

	SAY_SHOWS(s, "hello", "warm 3");
	SEND_SHOWS(s, "<Esc>", CUT);
	return s;
}

static void test_stopped(void)
{
	struct screen *s = cut_by_esc(SLOW);

	EXPECT(screen_has(s, CUT " Alt+C goes on"), "the key is named");
	PRESS_HIDES(s, "<M-c>", CUT);
	WAIT_TEXT(s, "warm 11");
	chat_wait_ready(s);
	EXPECT(screen_count(s, "warm 3") == 1, "nothing is said twice");
	EXPECT(!screen_has(s, "1/2"), "it is the same reply");
	chat_expect_fresh(s);
	expect_whole(12, 2, NODE_COMPLETE);
	SEND_SHOWS(s, "<M-c>", "The model has nothing to add");
	expect_whole(12, 2, NODE_COMPLETE);
	ASK_WAIT(s, "and then?", screen_count(s, "warm 11") == 2);
	expect_whole(12, 4, NODE_COMPLETE);
	chat_quit(s);
}

static void test_reopened(void)
{
	struct screen *s = cut_by_esc(SLOW);

	chat_quit(s);
	s = CHAT_OPEN(.model = SLOW, .args = {"-C"});
	WAIT_TEXT(s, CUT);
	SAY_SHOWS(s, "/continue", "warm 7");
	chat_quit(s); /* in the middle of it */
	s = CHAT_OPEN(.model = SLOW, .args = {"-C"});
	WAIT_TEXT(s, CUT);
	chat_say(s, "/stats"); /* what the file has of it */
	WAIT_TEXT(s, "nothing was measured since this chat was opened");
	EXPECT(screen_has(s, served_label("words", ", ")) && screen_has(s, "prompt   "), " ");
	EXPECT(screen_has(s, "warm 7") && screen_count(s, "warm 3") == 1, " ");
	ASK_SHOWS(s, "/continue", "warm 11");
	expect_whole(12, 2, NODE_COMPLETE);
	chat_quit(s);
}

/* Nothing of what was saved goes when sotto is killed while it goes on. */
static void test_killed(void)
{
	struct screen *s = cut_by_esc("synthetic:rate=20,tokens=200");
	struct tree *tree;
	size_t n;

	tree = chat_tree();
	n = tree_node(tree, 2)->len;
	tree_free(tree);
	PRESS_SHOWS(s, "<M-c>", "warm 60"); /* 2 s later a part is written */
	kill(s->job.program, SIGKILL);
	WAIT(s, s->job.state == JOB_ENDED);
	screen_free(s);
	tree = chat_tree();
	EXPECT(tree_n(tree) == 2 && tree_node(tree, 2)->len > n, "%zu bytes, %zu before",
	       tree_node(tree, 2)->len, n);
	EXPECT(strncmp(tree_node(tree, 2)->text, "warm 0 warm 1 warm 2 ", 21) == 0, " ");
	EXPECT(tree_node(tree, 2)->state == NODE_INTERRUPTED, " ");
	tree_free(tree);
}

static void test_limit(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=2000,tokens=12", .args = {"-n", "5"});

	ASK_SHOWS(s, "hello", "Alt+C continues");
	expect_whole(5, 2, NODE_COMPLETE);
	ASK_SHOWS(s, "/continue", "warm 9");
	EXPECT(screen_count(s, "Stopped after 5 tokens") == 1, "how it ended first is no longer said");
	SEND_SHOWS(s, "<M-c>", "warm 11");
	EXPECT(!screen_has(s, "Stopped after"), " ");
	expect_whole(12, 2, NODE_COMPLETE);
	chat_quit(s);
}

/* Stopped before the first new token, the reply is as it was, on the screen and in the file. */
static void test_stopped_again(void)
{
	struct screen *s = cut_by_esc("synthetic:rate=20,tokens=12,prefill_ms=700");
	char *before = chat_journal(), *after;

	PRESS_SHOWS(s, "<M-c>", "reading");
	chat_send(s, "<Esc>");
	WAIT_TEXT(s, CUT);
	after = chat_journal();
	EXPECT(before && after && strcmp(before, after) == 0, "nothing was written");
	free(before);
	free(after);
	chat_quit(s);
}

static void test_thought(void)
{
	struct screen *s = chat_open("synthetic:mode=think,think=20,tokens=5,rate=20");
	struct tree *tree;

	SAY_SHOWS(s, "hello", "thought 4");
	SEND_SHOWS(s, "<Esc>", CUT);
	SEND_SHOWS(s, "<M-c>", "warm 4");
	tree = chat_tree();
	EXPECT(tree_n(tree) == 2 && tree_node(tree, 2)->n_ids == 27 &&
	       tree_node(tree, 2)->n_reasoning_ids == 22, " ");
	EXPECT(strstr(tree_node(tree, 2)->reasoning, "thought 3 thought 4 thought 5 ") &&
	       strstr(tree_node(tree, 2)->reasoning, "thought 19 "), "%s", tree_node(tree, 2)->reasoning);
	EXPECT(strcmp(tree_node(tree, 2)->text, "warm 0 warm 1 warm 2 warm 3 warm 4 ") == 0, " ");
	tree_free(tree);
	chat_quit(s);
}

/* A reply is changed, and the model goes on from there; the old one is kept. */
static void test_edited(void)
{
	struct screen *s = chat_open(SLOW);
	struct tree *tree;

	SAY_SHOWS(s, "/edit reply", "there is no reply yet");
	SAY_SHOWS(s, "hello", "warm 3");
	SEND_SHOWS(s, "<Esc>", CUT);
	SAY_SHOWS(s, "/edit reply", "Enter continues from it");
	WAIT(s, chat_line_has(s, "warm 3"));
	PRESS_HIDES(s, "<Esc>", "editing:");
	PRESS_SHOWS(s, "<M-Up>", "Alt+E edit  Alt+R another reply");
	PRESS_WAIT(s, "<M-e>", screen_has(s, "editing:") && chat_line_has(s, "warm 3"));
	PRESS_SHOWS(s, "<C-a><C-k>My own words: <Enter>", "My own words:", served_label("words", " 2/2"));
	WAIT_TEXT(s, "warm 11"); /* without the ids of its beginning, it counts from 0 */
	chat_wait_ready(s);
	tree = chat_tree();
	EXPECT(tree_n(tree) == 3 && tree_leaf(tree) == 3 && tree_node(tree, 3)->parent == 1, " ");
	EXPECT(strncmp(tree_node(tree, 3)->text, "My own words: warm 0 warm 1 ", 28) == 0, "%s",
	       tree_node(tree, 3)->text);
	EXPECT(tree_node(tree, 3)->state == NODE_COMPLETE && tree_node(tree, 3)->model, " ");
	EXPECT(strncmp(tree_node(tree, 2)->text, "warm 0 ", 7) == 0, "the old one is kept");
	tree_free(tree);
	PRESS_SHOWS(s, "<M-Left>", CUT);
	EXPECT(!screen_has(s, "My own words"), " ");
	chat_quit(s);
}

static void test_refused(void)
{
	struct screen *s = chat_open("synthetic:rate=20,tokens=40,prefill_ms=500");

	PRESS_SHOWS(s, "<M-c>", "there is no reply to continue");
	SAY_SHOWS(s, "hello", "reading");
	PRESS_SHOWS(s, "<M-c>", "a reply is under way");
	SEND_SHOWS(s, "<Esc>", "Stopped before the reply began");
	SAY_SHOWS(s, "/continue", "Alt+R or /regen asks for one");
	chat_quit(s);
}

/* All of a cut reply is in the cache, however long the chat is. */
static void test_evaluated(void)
{
	struct tiny_model tiny = tiny_model_default();
	const char *model = test_path("tiny.gguf");
	struct chat_counts counts;
	struct error err;
	struct screen *s;

	tiny.n_ctx = 2048;
	EXPECT(tiny_model_save(&tiny, model, &err) == STATUS_OK, "%s", err.text);
	s = CHAT_OPEN(.model = model, .cols = 100, .args = {"-n", "6", "--temp", "0"});
	chat_ask(s, "a question that is not quite so short");
	chat_ask(s, "/continue");
	counts = chat_counts(s);
	EXPECT(counts.prompt > 20 && counts.evaluated == 1, " ");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"stopped", test_stopped, 0},
		{"reopened", test_reopened, 0},
		{"killed", test_killed, 0},
		{"limit", test_limit, 0},
		{"stopped-again", test_stopped_again, 0},
		{"thought", test_thought, 0},
		{"edited", test_edited, 0},
		{"refused", test_refused, 0},
		{"evaluated", test_evaluated, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
