/* The branches of a chat: walking through takes and wordings, the tree, taking turns back, another
 * chat from here; what is kept of it all, and how little is evaluated again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/served.h"
#include "screen/turns.h"
#include "support/tiny_model.h"

#define ECHO "synthetic:mode=echo,rate=2000"
#define WORDS "synthetic:rate=2000,tokens=5"

/* "warm" and another take, "cold", which is shown. */
static struct screen *two_takes(void)
{
	struct screen *s = chat_open(WORDS);

	chat_ask(s, "hello");
	WAIT_TEXT(s, "warm 3");
	EXPECT(!screen_has(s, "1/1"), "one take has no number");
	chat_say(s, served_cold());
	SEND_SHOWS(s, "<M-r>", "cold 3", served_label("words", " 2/2"));
	return s;
}

static void test_takes(void)
{
	struct screen *s = two_takes();
	struct tree *tree;

	PRESS_SHOWS(s, "<M-Right>", "this is the last one: version 2 of 2");
	PRESS_SHOWS(s, "<M-Left>", served_label("words", " 1/2"));
	EXPECT(screen_has(s, "warm 3") && !screen_has(s, "cold 3"), " ");
	EXPECT(screen_has(s, "version 1 of 2"), " ");
	PRESS_SHOWS(s, "<M-Left>", "this is the first one");
	chat_expect_fresh(s);
	tree = chat_tree();
	EXPECT(tree_n(tree) == 3 && tree_leaf(tree) == 2, "the file knows where the chat stands");
	tree_free(tree);
	chat_ask(s, "go on"); /* below the first take */
	WAIT(s, screen_count(s, served_label("words", "")) > 1);
	PRESS_SHOWS(s, "<M-Right>", served_label("words", " 2/2"));
	EXPECT(!screen_has(s, "go on"), "what followed the other take is not here");
	SAY_SHOWS(s, "/prev", "go on");
	EXPECT(screen_has(s, served_label("words", " 1/2")), "the branch as it was left");
	chat_quit(s);

	s = CHAT_OPEN(.model = WORDS, .args = {"-C"});
	EXPECT(screen_has(s, "go on") && screen_has(s, "1/2"), "it is opened where it stood");
	SAY_SHOWS(s, "/next", "2/2");
	chat_quit(s);
	s = CHAT_OPEN(.model = WORDS, .args = {"-C"});
	EXPECT(screen_has(s, "2/2") && screen_has(s, "cold 3") && !screen_has(s, "go on"), " ");
	chat_quit(s);
}

/* The place that is walked stays the same while forks below it come and go. */
static void test_nested(void)
{
	struct screen *s = two_takes();

	PRESS_SHOWS(s, "<M-Left>", "1/2");
	chat_ask(s, "below");
	chat_ask(s, "/regen"); /* a fork below the first take */
	WAIT_TEXT(s, "reply");
	PRESS_SHOWS(s, "<M-Left>", "version 1 of 2"); /* the last fork is walked first */
	SAY_WAIT(s, "/undo 2", chat_line_has(s, "hello"));
	PRESS_WAIT(s, "<C-a><C-k>", chat_line_is_empty(s));
	chat_ask(s, "hello again");
	WAIT_TEXT(s, "You 2/2");
	PRESS_WAIT(s, "<M-Left>", screen_has(s, "You 1/2") && screen_has(s, "below"));
	screen_keys(s, "<M-Right>"); /* not the fork below it, though that is the last now */
	WAIT(s, screen_has(s, "You 2/2") && screen_has(s, "hello again"));
	EXPECT(screen_has(s, "version 2 of 2"), " ");
	chat_quit(s);
}

static bool is_marked(struct screen *s, int row)
{
	return screen_cell(s, row, 0).attrs.reverse;
}

static void test_picked(void)
{
	struct screen *s = chat_open(ECHO);
	struct tree *tree;

	PRESS_SHOWS(s, "<M-Up>", "there is no message yet");
	chat_ask(s, "alpha");
	chat_ask(s, "beta");
	PRESS_WAIT(s, "<M-Up>", is_marked(s, 9)); /* the last reply's label */
	EXPECT(screen_has(s, "Alt+R another reply"), "what can be done with it");
	PRESS_WAIT(s, "<M-Up><M-Up><M-Up>", is_marked(s, 0) && !is_marked(s, 9));
	PRESS_SHOWS(s, "<M-Up>", "this is the first message");
	PRESS_WAIT(s, "<M-Down>", is_marked(s, 3));
	chat_expect_fresh(s);
	screen_keys(s, "<M-Down><M-Down><M-Down>"); /* behind the last: none */
	WAIT(s, !is_marked(s, 3) && !is_marked(s, 6) && !is_marked(s, 9));
	PRESS_WAIT(s, "<M-Up>", is_marked(s, 9));
	PRESS_WAIT(s, "<Esc>", !is_marked(s, 9));
	/* Edited, without counting. */
	PRESS_WAIT(s, "<M-Up><M-Up><M-Up><M-Up>", is_marked(s, 0));
	PRESS_WAIT(s, "<M-e>", screen_has(s, "editing:") && chat_line_has(s, "alpha"));
	EXPECT(!is_marked(s, 0), " ");
	screen_keys(s, "<C-w>omega<Enter>");
	WAIT(s, screen_count(s, "omega") == 2 && screen_has(s, "You 2/2"));
	chat_wait_ready(s);
	/* Walked through, and still picked. */
	PRESS_SHOWS(s, "<M-Left>", "beta");
	chat_ask(s, "/undo");
	PRESS_WAIT(s, "<C-a><C-k>", chat_line_is_empty(s));
	screen_keys(s, "<M-r>"); /* another reply to alpha: a fork below the picked message */
	WAIT_TEXT(s, served_label("echo", " 2/2"));
	chat_wait_ready(s);
	PRESS_WAIT(s, "<M-Up><M-Up>", is_marked(s, 0));
	PRESS_WAIT(s, "<M-Right>", screen_has(s, "You 2/2") && is_marked(s, 0));
	PRESS_WAIT(s, "<M-Left>", screen_has(s, "You 1/2") && is_marked(s, 0));
	tree = chat_tree();
	EXPECT(tree_n(tree) == 7 && tree_node(tree, 5)->parent == 0 && tree_node(tree, 7)->parent == 1, " ");
	tree_free(tree);
	chat_quit(s);
}

/* Another reply to an earlier message, and a chat that begins there. */
static void test_picked_reply(void)
{
	struct screen *s = chat_open("synthetic:rate=2000,tokens=5,prefill_ms=200");
	struct tree *tree;

	chat_ask(s, "alpha");
	chat_ask(s, "beta");
	PRESS_WAIT(s, "<M-Up><M-Up><M-Up>", is_marked(s, 3));
	PRESS_HIDES(s, "<M-r>", "beta");
	SEND_SHOWS(s, "<Esc>", "beta"); /* before it begins: all is as it was */
	EXPECT(!screen_has(s, "2/2"), " ");
	PRESS_WAIT(s, "<M-Up><M-Up><M-Up>", is_marked(s, 3));
	SEND_SHOWS(s, "<M-r>", served_label("words", " 2/2"));
	EXPECT(!screen_has(s, "beta"), " ");
	tree = chat_tree();
	EXPECT(tree_n(tree) == 5 && tree_node(tree, 5)->parent == 1 && tree_leaf(tree) == 5, " ");
	tree_free(tree);
	PRESS_SHOWS(s, "<M-Left>", "beta");
	PRESS_WAIT(s, "<M-Up><M-Up><M-Up>", is_marked(s, 3));
	SAY_SHOWS(s, "/fork", "A new chat from here");
	EXPECT(!screen_has(s, "beta") && screen_has(s, "warm 4"), "up to the picked one");
	chat_quit(s);
}

/* A take that is followed by much is shown, not its end. */
static void test_scrolled(void)
{
	struct screen *s = two_takes();

	PRESS_SHOWS(s, "<M-Left>", "1/2");
	for (int i = 0; i < 6; i++)
		chat_ask(s, "more and more");
	EXPECT(!screen_has(s, "1/2"), "it has scrolled away");
	PRESS_SHOWS(s, "<M-Right>", "2/2");
	PRESS_SHOWS(s, "<M-Left>", served_label("words", " 1/2"));
	EXPECT(strstr(screen_row(s, 0), "1/2"), "the take is at the top: %s", screen_row(s, 0));
	chat_quit_fresh(s);
}

static void test_refused(void)
{
	static const char *const commands[] = {"/prev", "/next", "/undo", "/fork"};
	struct screen *s = chat_open("synthetic:rate=20,tokens=40");
	size_t n = sizeof commands / sizeof commands[0];

	PRESS_SHOWS(s, "<M-Left>", "there is only one version");
	SAY_SHOWS(s, "/undo", "you have not written a message yet");
	SAY_SHOWS(s, "/fork", "there is no message to begin another chat with");
	SAY_SHOWS(s, "/branches", "there is no message yet");
	SAY_SHOWS(s, "hello", "warm 2");
	PRESS_SHOWS(s, "<M-Left>", "a reply is under way");
	for (size_t i = 0; i < n; i++) {
		PRESS_WAIT(s, commands[i], chat_line_has(s, commands[i]));
		PRESS_SHOWS(s, "<Enter>", "a reply is under way");
		EXPECT(chat_line_has(s, commands[i]), "the line stays editable");
		PRESS_WAIT(s, "<C-a><C-k>", chat_line_is_empty(s));
	}
	chat_send(s, "<Esc>");
	PRESS_SHOWS(s, "/undo 2<Enter>", "you have written only ");
	EXPECT(chat_line_has(s, "/undo 2"), " ");
	PRESS_SHOWS(s, "<C-a><C-k>/undo x<Enter>", "/undo takes a number");
	PRESS_WAIT(s, "<C-a><C-k>a draft", chat_line_has(s, "a draft"));
	PRESS_QUIET(s, "<M-Left>", 50);
	EXPECT(chat_line_has(s, "a draft"), "the key is readline's in a line with text");
	chat_quit(s);
}

static void test_undo(void)
{
	struct screen *s = chat_open(ECHO);
	struct tree *tree;

	chat_ask(s, "alpha");
	chat_ask(s, "/" "/beta"); /* with a slash of its own */
	chat_ask(s, "gamma");
	SAY_WAIT(s, "/undo", chat_line_has(s, "gamma"));
	EXPECT(screen_count(s, "gamma") == 1 && screen_count(s, "/beta") == 2, "the turn is gone");
	EXPECT(screen_has(s, "taken back"), " ");
	tree = chat_tree();
	EXPECT(tree_n(tree) == 6 && tree_leaf(tree) == 4, "nothing is deleted");
	tree_free(tree);
	PRESS_WAIT(s, "<C-w>delta<Enter>", screen_count(s, "delta") == 2);
	WAIT_TEXT(s, "You 2/2");
	chat_wait_ready(s);
	PRESS_WAIT(s, "<M-Left>", screen_count(s, "gamma") == 2);
	SAY_WAIT(s, "/pop 2", chat_line_has(s, "//beta"));
	PRESS_WAIT(s, "<C-a><C-k>", chat_line_is_empty(s));
	chat_quit(s);
	s = CHAT_OPEN(.model = ECHO, .args = {"-C"});
	EXPECT(screen_count(s, "alpha") == 2 && !screen_has(s, "beta"), "it is opened there");
	SAY_WAIT(s, "/undo", chat_line_has(s, "alpha")); /* the first message, too */
	EXPECT(!chat_shows(s, "alpha"), "the chat is empty again");
	chat_quit_fresh(s);
	s = CHAT_OPEN(.model = ECHO, .args = {"-C"});
	EXPECT(screen_has(s, CHAT_EMPTY), "it is opened empty");
	SAY_SHOWS(s, "/branches", "You 1/2: gamma");
	PRESS_HIDES(s, "<Esc>", "Branches");
	PRESS_WAIT(s, "omega<Enter>", screen_count(s, "omega") == 2);
	WAIT_TEXT(s, "You 2/2");
	chat_wait_ready(s);
	tree = chat_tree();
	EXPECT(tree_n(tree) == 10 && tree_node(tree, 9)->parent == 0, "%zu", tree_n(tree));
	tree_free(tree);
	chat_quit(s);
}

static void test_tree(void)
{
	struct screen *s = two_takes();

	chat_ask(s, "below the second");
	SAY_SHOWS(s, "/branches", "Branches");
	EXPECT(screen_has(s, "You: hello"), " ");
	EXPECT(screen_has(s, served_label("words", " 1/2: warm 0")), "the first take");
	EXPECT(screen_has(s, served_label("words", " 2/2: cold 0")), "the second, on the main line");
	EXPECT(screen_has(s, "\u2502 You: below the second"), "what follows it");
	EXPECT(screen_count(s, "here") == 1, "where the chat stands");
	chat_expect_fresh(s);
	screen_keys(s, "warm"); /* a filter */
	WAIT(s, !screen_has(s, "below the second:") && !screen_has(s, "2/2: cold"));
	PRESS_HIDES(s, "<Enter>", "Branches");
	WAIT_TEXT(s, served_label("words", " 1/2"));
	EXPECT(!screen_has(s, "below the second"), " ");
	PRESS_SHOWS(s, "<M-Right>", "below the second");
	SAY_SHOWS(s, "/branches", "Branches");
	PRESS_HIDES(s, "<Home><Enter>", "Branches"); /* on the path: nothing moves */
	EXPECT(screen_has(s, "below the second"), " ");
	chat_quit(s);
}

static void test_fork(void)
{
	struct screen *s = two_takes();
	struct tree *tree;
	char *old;

	PRESS_SHOWS(s, "<M-Left>", "1/2");
	old = chat_journal();
	EXPECT(old && chat_n_journals() == 1, " ");
	SAY_SHOWS(s, "/fork", "A new chat from here: \"hello (fork)\"");
	EXPECT(screen_has(s, "warm 3") && !screen_has(s, "1/2"), "with the shown path alone");
	EXPECT(chat_n_journals() == 2, " ");
	chat_ask(s, "only there");
	tree = chat_tree();
	EXPECT(tree_n(tree) == 4 && tree_leaf(tree) == 4 && tree_node(tree, 3)->parent == 2, " ");
	EXPECT(strncmp(tree_node(tree, 2)->text, "warm", 4) == 0 && tree_node(tree, 2)->n_ids == 5, " ");
	tree_free(tree);
	EXPECT(!strstr(old, "only there"), " ");
	free(old);
	SAY_SHOWS(s, "/load hello (fork)", "already open");
	SAY_SHOWS(s, "/fork by name", "A new chat from here: \"by name\"");
	EXPECT(chat_n_journals() == 3, " ");
	SAY_HIDES(s, "/load hello (fork)", "by name");
	chat_quit(s);
	s = CHAT_OPEN(.model = WORDS, .args = {"--no-save"});
	chat_ask(s, "unkept");
	SAY_SHOWS(s, "/fork", "A new chat from here");
	EXPECT(chat_n_journals() == 3 && screen_has(s, "unkept"), " ");
	chat_quit(s);
}

/* Walks between two takes behind `n` bytes of talk and goes on from the first one; gives what the
 * message there made the model evaluate. */
static struct chat_counts walk_after(const char *model, size_t n)
{
	struct screen *s = CHAT_OPEN(
		.model = model, .cols = 100,
		.args = {"-n", "8", "--temp", "0", "--system-prompt", "Be brief."});
	char *talk = malloc(n + 1);
	struct chat_counts after;

	EXPECT(talk, " ");
	for (size_t i = 0; i < n; i++)
		talk[i] = i % 7 == 6 ? ' ' : (char)('a' + i * i % 26);
	talk[n] = '\0';
	screen_quiet(s, 30);
	screen_paste(s, talk, n);
	WAIT(s, !chat_line_is_empty(s));
	SEND_WAIT(s, "<Enter>", chat_line_is_empty(s));
	free(talk);
	chat_ask(s, "a question");
	chat_say(s, "/temp 1.5");
	chat_ask(s, "/regen");
	PRESS_SHOWS(s, "<M-Left>", "1/2");
	chat_ask(s, "go on");
	after = chat_counts(s);
	chat_quit(s);
	return after;
}

static void test_evaluated(void)
{
	struct tiny_model tiny = tiny_model_default();
	const char *model = test_path("tiny.gguf");
	struct chat_counts brief, lengthy;
	struct error err;

	tiny.n_ctx = 4096;
	EXPECT(tiny_model_save(&tiny, model, &err) == STATUS_OK, "%s", err.text);
	brief = walk_after(model, 30);
	lengthy = walk_after(model, 3100);
	EXPECT(lengthy.prompt > brief.prompt + 2900, " ");
	/* The replies differ, by eight tokens at the most. */
	EXPECT(lengthy.evaluated <= brief.evaluated + 8, "%u tokens, in a short chat %u", lengthy.evaluated,
	       brief.evaluated);
	/* A reply of eight tokens, a message of six, and their markup. */
	EXPECT(lengthy.evaluated < 60, "%u tokens", lengthy.evaluated);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"takes", test_takes, 0},
		{"nested", test_nested, 0},
		{"picked", test_picked, 0},
		{"picked-reply", test_picked_reply, 0},
		{"scrolled", test_scrolled, 0},
		{"refused", test_refused, 0},
		{"undo", test_undo, 0},
		{"tree", test_tree, 0},
		{"fork", test_fork, 0},
		{"evaluated", test_evaluated, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
