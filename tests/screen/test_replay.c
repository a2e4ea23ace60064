/* What the chat records of how a reply is made: `sotto replay --verify` makes it again, whatever was
 * done to it meanwhile. With a model whose replies depend on every parameter. */
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "screen/turns.h"
#include "support/tiny_model.h"

#define NO_END "2-inf" /* </s> never comes, so that a reply lasts */

/* Slow enough that a reply of its whole context takes minutes. */
static const char *save_model(void)
{
	struct tiny_model tiny = tiny_model_default();
	static char path[4096]; /* test_path's buffers are used again */
	struct error err;

	snprintf(path, sizeof path, "%s", test_path("tiny.gguf"));
	tiny.n_embd = 192;
	tiny.n_head = 8;
	tiny.n_head_kv = 4;
	tiny.n_ff = 512;
	tiny.n_layer = 8;
	tiny.n_ctx = 65536; /* nor does the context end it */
	EXPECT(tiny_model_save(&tiny, path, &err) == STATUS_OK, "%s", err.text);
	return path;
}

static size_t count_runs(const struct tree *tree, size_t *n_changes)
{
	size_t n = 0;

	*n_changes = 0;
	for (uint32_t id = 1; id <= tree_n(tree); id++)
		for (size_t i = 0; i < tree_node(tree, id)->n_runs; i++) {
			*n_changes += tree_node(tree, id)->runs[i].n_changes;
			n++;
		}
	return n;
}

/* All that the newest chat has recorded comes out the same, with that many threads. */
static void verify(const char *model, const char *threads, size_t n_runs)
{
	struct screen *s;
	size_t n_same = 0;
	glob_t chats;

	EXPECT(glob(screen_home("data/sotto/chats/*.yaml"), 0, NULL, &chats) == 0 && chats.gl_pathc == 1,
	       "one chat");
	s = SCREEN_START(
		.rows = 50, .cols = 120,
		.args = {"replay", "-m", model, "-t", threads, "--verify", chats.gl_pathv[0]});
	s->lenient = true;
	WAIT_FOR(s, 120000, s->job.state == JOB_ENDED);
	for (int row = 0; row < 50; row++)
		n_same += strstr(screen_row(s, row), ", the same") != NULL;
	EXPECT(n_same == n_runs && !screen_has(s, "another"), "%zu of %zu", n_same, n_runs);
	globfree(&chats);
	screen_free(s);
}

/* Until another token is on the screen. */
static void wait_for_more(struct screen *s)
{
	char *before = screen_snapshot(s);

	WAIT(s, screen_has(s, "tok/s") && strcmp(screen_text(s), before) != 0);
	free(before);
}

/* In the middle of a reply that only Esc ends. */
static void test_changed_in_mid_reply(void)
{
	static const char *const changes[] = {"/temp 0.3", "/top-k 3", "/temp 2"};
	const char *model = save_model();
	struct screen *s = CHAT_OPEN(
		.model = model,
		.args = {"-c", "50000", "-l", NO_END, "--temp", "1.3", "--no-markdown"});
	size_t n_changes;
	struct tree *tree;

	chat_say(s, "first");
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		wait_for_more(s);
		SAY_WAIT(s, changes[i], chat_line_is_empty(s));
	}
	wait_for_more(s);
	chat_send(s, "<Esc>");
	chat_quit(s);
	tree = chat_tree();
	EXPECT(count_runs(tree, &n_changes) == 1 && n_changes >= 1, "%zu changes in mid-reply", n_changes);
	tree_free(tree);
	verify(model, "1", 1);
	verify(model, "3", 1);
}

static void test_changed(void)
{
	const char *model = save_model();
	struct screen *s = CHAT_OPEN(
		.model = model,
		.args = {"-c", "700", "-n", "150", "-l", NO_END, "--temp", "1.3", "--no-markdown"});
	size_t n_changes, n_runs;
	struct tree *tree;

	chat_ask(s, "first");
	chat_ask(s, "/set predict 30");
	chat_ask(s, "second");
	chat_ask(s, "/set predict 150");
	chat_send(s, "<M-c>"); /* goes on with it */
	chat_send(s, "<M-r>"); /* another take */
	PRESS_SHOWS(s, "<M-e>", "editing:");
	chat_send(s, " in other words<Enter>");
	chat_ask(s, "third"); /* the first ones no longer fit */
	/* What is marked meanwhile does not change what was sent: then none, then the second message, then both. */
	SAY_SHOWS(s, "/drop 2", "will no longer be sent");
	chat_send(s, "<M-r>");
	SAY_WAIT(s, "/drop 3", chat_line_is_empty(s));
	SAY_SHOWS(s, "/pin 1", "pinned: this message and its reply");
	SAY_SHOWS(s, "/edit reply", "Enter continues from it");
	chat_send(s, "<C-a><C-k>My own words<Enter>");
	chat_quit(s);
	tree = chat_tree();
	n_runs = count_runs(tree, &n_changes);
	EXPECT(n_runs >= 7, "%zu runs", n_runs);
	tree_free(tree);
	EXPECT(chat_journal_count("    marks: \"\"") >= 2 && chat_journal_has("d\"") , "before and after /drop");
	verify(model, "1", n_runs);
	verify(model, "3", n_runs);
}

/* A program that was killed leaves what it had recorded so far, which is verified as far as it
 * goes. */
static void test_killed(void)
{
	const char *model = save_model();
	struct screen *s = CHAT_OPEN(.model = model,
	                             .args = {"-l", NO_END, "--temp", "1.3", "--no-markdown"});
	char *text = NULL;

	chat_say(s, "first");
	WAIT(s, (free(text), (text = chat_journal()) != NULL) && strstr(text, "assistant-part"));
	free(text);
	kill(s->job.program, SIGKILL);
	WAIT(s, s->job.state == JOB_ENDED);
	screen_free(s);
	verify(model, "2", 1);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"changed-in-mid-reply", test_changed_in_mid_reply, 180},
		{"changed", test_changed, 180},
		{"killed", test_killed, 180},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
