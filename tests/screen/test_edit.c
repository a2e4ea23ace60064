/* A message of one's own back in the input line: what comes there, how it is sent and
 * left, what is kept of the old one, and how little is evaluated again. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/turns.h"
#include "support/family_model.h"
#include "support/tiny_model.h"

#define ECHO "synthetic:mode=echo,rate=2000"
#define EDITING "editing:"

static void edit(struct screen *s)
{
	PRESS_SHOWS(s, "<M-e>", EDITING);
}

/* The line as it is; waits until the reply has ended. */
static void send_edited(struct screen *s)
{
	PRESS_HIDES(s, "<Enter>", EDITING);
	chat_wait_ready(s);
}

/* Enter comes when the text stands in the line: close behind a paste it would be part of it. */
static void paste_and_send(struct screen *s, const char *text, size_t n)
{
	WAIT(s, chat_line_is_empty(s));
	screen_quiet(s, 30); /* while a frame is drawn the cursor is elsewhere */
	screen_paste(s, text, n);
	WAIT(s, !chat_line_is_empty(s));
	SEND_WAIT(s, "<Enter>", chat_line_is_empty(s));
}

static void test_last(void)
{
	struct screen *s = chat_open(ECHO);
	struct tree *tree;

	chat_ask(s, "the frist one");
	WAIT(s, screen_count(s, "the frist one") == 2); /* and its echo */
	edit(s);
	EXPECT(chat_line_has(s, "the frist one"), "it is in the line");
	EXPECT(screen_has(s, "Enter sends it again, Esc cancels"), " ");
	chat_expect_fresh(s);
	PRESS_WAIT(s, "<C-w><C-w>first one", chat_line_has(s, "the first one"));
	EXPECT(screen_count(s, "the frist one") == 3, "the old one stands until it is sent");
	send_edited(s);
	WAIT(s, screen_count(s, "the first one") == 2);
	EXPECT(!screen_has(s, "frist"), "the old path is left");
	chat_expect_fresh(s);
	tree = chat_tree();
	EXPECT(tree_n(tree) == 4, "%zu messages", tree_n(tree));
	EXPECT(strcmp(tree_node(tree, 1)->text, "the frist one") == 0, "the old one is kept");
	EXPECT(strcmp(tree_node(tree, 3)->text, "the first one") == 0 &&
	       tree_node(tree, 3)->parent == tree_node(tree, 1)->parent, "a sibling");
	EXPECT(tree_leaf(tree) == 4 && tree_node(tree, 4)->parent == 3, " ");
	tree_free(tree);
	chat_quit(s);

	s = CHAT_OPEN(.model = ECHO, .args = {"-C"});
	WAIT(s, screen_count(s, "the first one") == 2);
	EXPECT(!screen_has(s, "frist"), "-C goes on with the edited branch");
	edit(s);
	EXPECT(chat_line_has(s, "the first one"), " ");
	chat_quit(s);
}

static void test_earlier(void)
{
	struct screen *s = chat_open(ECHO);
	struct tree *tree;

	chat_ask(s, "alpha");
	chat_ask(s, "beta");
	chat_ask(s, "gamma");
	SAY_WAIT(s, "/edit 2", screen_has(s, EDITING) && chat_line_has(s, "beta"));
	PRESS_WAIT(s, "<C-a>other ", chat_line_has(s, "other beta"));
	send_edited(s);
	WAIT(s, screen_count(s, "other beta") == 2);
	EXPECT(screen_count(s, "alpha") == 2 && !screen_has(s, "gamma"), "all that came after is left");
	tree = chat_tree();
	EXPECT(tree_n(tree) == 8 && tree_node(tree, 7)->parent == 2, " ");
	tree_free(tree);
	PRESS_SHOWS(s, "/edit 3<Enter>", "you have written only ");
	EXPECT(chat_line_has(s, "/edit 3"), "the line stays editable");
	PRESS_SHOWS(s, "<C-a><C-k>/edit 0<Enter>", "/edit takes a number");
	screen_keys(s, "<C-a><C-k>/edit last<Enter>");
	WAIT(s, chat_line_has(s, "/edit last") && screen_has(s, "/edit takes a number"));
	EXPECT(!screen_has(s, EDITING), " ");
	chat_quit(s);
}

/* Without any change, and nothing written is lost. */
static void test_left(void)
{
	static const char *const keys[] = {"<Esc>", "<C-c>"};
	struct screen *s = chat_open(ECHO);
	struct tree *tree;

	chat_ask(s, "hello there");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		edit(s);
		PRESS_HIDES(s, keys[i], EDITING);
		EXPECT(!chat_line_has(s, "hello"), "the line is empty");
		edit(s);
		PRESS_WAIT(s, " and more", chat_line_has(s, "hello there and more"));
		PRESS_HIDES(s, keys[i], EDITING);
		EXPECT(!chat_line_has(s, "hello"), " ");
		PRESS_WAIT(s, "<Up>", chat_line_has(s, "hello there and more"));
		PRESS_WAIT(s, "<C-c>", !chat_line_has(s, "hello"));
	}
	edit(s); /* an emptied line is no end of it, a command is */
	PRESS_WAIT(s, "<C-a><C-k>", !chat_line_has(s, "hello"));
	PRESS_QUIET(s, "<Enter>", 50);
	EXPECT(screen_has(s, EDITING), " ");
	SAY_HIDES(s, "/stats", EDITING);
	chat_ask(s, "the next");
	tree = chat_tree();
	EXPECT(tree_n(tree) == 4 && tree_node(tree, 3)->parent == 2, "no branch was made");
	tree_free(tree);
	edit(s);
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<C-a><C-k>/new<Enter>", "hello there");
	EXPECT(!screen_has(s, EDITING), "a new chat has no old message");
	chat_quit(s);
}

static void test_refused(void)
{
	struct screen *s = chat_open("synthetic:rate=20,tokens=40");

	PRESS_SHOWS(s, "<M-e>", "you have not written a message yet");
	SAY_SHOWS(s, "/edit", "you have not written a message yet");
	SAY_SHOWS(s, "hello", "warm 2");
	PRESS_SHOWS(s, "<M-e>", "a reply is under way");
	EXPECT(!screen_has(s, EDITING), " ");
	PRESS_WAIT(s, "/edit<Enter>", chat_line_has(s, "/edit"));
	chat_send(s, "<C-a><C-k><Esc>");
	PRESS_WAIT(s, "a draft", chat_line_has(s, "a draft"));
	PRESS_QUIET(s, "<M-e>", 50);
	EXPECT(chat_line_has(s, "a draft") && !screen_has(s, EDITING), "a draft is not lost");
	screen_keys(s, "<C-a><C-k>");
	/* What is edited is not queued behind a reply that began meanwhile. */
	edit(s);
	PRESS_HIDES(s, "<C-a><C-k><M-r>", "interrupted");
	PRESS_SHOWS(s, "other<Enter>", "a reply is under way");
	EXPECT(chat_line_has(s, "other") && screen_has(s, EDITING), " ");
	EXPECT(!screen_has(s, CHAT_QUEUED), " ");
	chat_quit(s);
}

/* Any text comes back to the line as it was sent: sent unchanged, it is the same. */
static void test_texts(void)
{
	enum { LARGE = 32768 };
	static char large[LARGE + 1], edges[] = "  blanks and a tab\tat both ends \n\n";
	const char *const texts[] = {
		"one\ntwo\n\n  four", "/slash", "//two slashes", edges,
		"\xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb e\xcc\x81 \xd7\x90",
		"\\n \\ \"quoted\" # : {", large,
	};
	size_t n = sizeof(texts) / sizeof(texts[0]);
	struct screen *s = chat_open("synthetic:rate=5000,tokens=2");
	struct tree *tree;

	for (size_t i = 0; i < LARGE; i += 16)
		snprintf(large + i, 17, "%-8zu \xe4\xb8\x96%s", i, i % 256 ? "abcd" : "end\n");
	for (size_t i = 0; i < n; i++) {
		if (texts[i][0] == '/') { /* doubled, as a person has to */
			char line[40];

			snprintf(line, sizeof(line), "/%s", texts[i]);
			paste_and_send(s, line, strlen(line));
		} else {
			paste_and_send(s, texts[i], strlen(texts[i]));
		}
		edit(s);
		send_edited(s);
	}
	chat_expect_fresh(s);
	tree = chat_tree();
	EXPECT(tree_n(tree) == 4 * n, "%zu messages", tree_n(tree));
	for (size_t i = 0; i < n; i++) {
		const struct node *sent = tree_node(tree, (uint32_t)(4 * i + 1));
		const struct node *edited = tree_node(tree, (uint32_t)(4 * i + 3));

		EXPECT(strcmp(sent->text, texts[i]) == 0, "%zu was sent: %.60s", i, sent->text);
		EXPECT(edited->len == sent->len && memcmp(edited->text, sent->text, sent->len) == 0 &&
		       edited->parent == sent->parent, "%zu came back as: %.60s", i, edited->text);
	}
	tree_free(tree);
	chat_quit(s);
}

/* A template that was chosen after the message does not hold in the new branch. */
static void test_template_left(void)
{
	struct screen *s;

	test_make_directory(screen_home("config/sotto/prompts"));
	test_write_text(screen_home("config/sotto/prompts/calm.yaml"),
	                "system: You are calm.\noptions: {temp: 0}\n");
	s = chat_open("synthetic:rate=2000,tokens=10");
	chat_ask(s, "before");
	WAIT_TEXT(s, "warm 9");
	SAY_SHOWS(s, "/template calm", "from here on");
	chat_ask(s, "after");
	WAIT_TEXT(s, "cold 9");
	SAY_SHOWS(s, "/edit", EDITING);
	send_edited(s);
	WAIT_TEXT(s, "cold 9");
	SAY_SHOWS(s, "/edit 2", EDITING);
	send_edited(s);
	WAIT(s, screen_has(s, "warm 9") && !screen_has(s, "cold 9"));
	EXPECT(!screen_has(s, "from here on"), " ");
	chat_quit(s);
}

/* What a template opens a chat with was not said by the user. */
static void test_opening(void)
{
	struct screen *s;

	test_make_directory(screen_home("config/sotto/prompts"));
	test_write_text(screen_home("config/sotto/prompts/opener.yaml"),
	                "system: Begin.\nmessages:\n  - user: Say.\n  - assistant: Said.\n");
	s = CHAT_OPEN(.model = ECHO, .args = {"-T", "opener"});
	WAIT_TEXT(s, "Said.");
	PRESS_SHOWS(s, "<M-e>", "you have not written a message yet");
	chat_ask(s, "mine");
	edit(s);
	EXPECT(chat_line_has(s, "mine"), " ");
	PRESS_WAIT(s, "<C-w>yours", chat_line_has(s, "yours"));
	send_edited(s);
	WAIT(s, screen_count(s, "yours") == 2);
	EXPECT(screen_has(s, "Said.") && !screen_has(s, "mine"), "the opening is before both");
	chat_quit(s);
}

/* Killed right after Enter: the edited message is there, and the old one. */
static void test_killed(void)
{
	struct screen *s = chat_open("synthetic:rate=1000,tokens=10");
	struct tree *tree;

	chat_ask(s, "the old question");
	WAIT_TEXT(s, "warm 9");
	chat_wait_ready(s);
	chat_quit(s);
	s = CHAT_OPEN(.model = "synthetic:prefill_ms=20000", .args = {"-C"});
	edit(s);
	PRESS_WAIT(s, "<C-a><C-k>a new question", chat_line_has(s, "a new question"));
	PRESS_SHOWS(s, "<Enter>", "reading");
	kill(s->job.program, SIGKILL);
	WAIT(s, s->job.state == JOB_ENDED);
	screen_free(s);
	tree = chat_tree();
	EXPECT(tree_n(tree) == 3 && tree_leaf(tree) == 3 && tree_node(tree, 3)->parent == 0, " ");
	tree_free(tree);
	s = CHAT_OPEN(.model = ECHO, .args = {"-C"});
	EXPECT(chat_shows(s, "a new question") && !screen_has(s, "the old question"), " ");
	SAY_WAIT(s, "/regen", screen_count(s, "a new question") == 2);
	chat_quit(s);
	EXPECT(chat_journal_has("the old question"), "the old branch is in the file");
}

/* Asks, asks again and edits behind `n` bytes of talk. Gives how many tokens the edit made
 * the model evaluate; [0] a letter more at the end, [1] another one in its place. */
static unsigned edit_after(const char *model, size_t n, struct chat_counts edited[2])
{
	struct screen *s = CHAT_OPEN(
		.model = model, .cols = 100,
		.args = {"-n", "3", "--temp", "0", "--system-prompt", "Be brief."});
	char *talk = malloc(n + 1);
	struct chat_counts again;

	EXPECT(talk, " ");
	for (size_t i = 0; i < n; i++)
		talk[i] = i % 7 == 6 ? ' ' : (char)('a' + i * i % 26);
	talk[n] = '\0';
	paste_and_send(s, talk, n);
	free(talk);
	chat_ask(s, "and a short question at the end");
	chat_ask(s, "/regen");
	again = chat_counts(s);
	EXPECT(again.evaluated == 1, "/regen: all but the last token was there");
	for (int i = 0; i < 2; i++) {
		edit(s);
		EXPECT(chat_line_has(s, "question at the end"), " ");
		PRESS_WAIT(s, i ? "<BS>w" : "q", chat_line_has(s, i ? "endw" : "endq"));
		send_edited(s);
		edited[i] = chat_counts(s);
	}
	chat_quit(s);
	return again.prompt;
}

/* However long the chat is, an edited message costs what differs, and what follows it. */
static void test_evaluated(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct chat_counts brief[2], lengthy[2];
	const char *model = test_path("tiny.gguf");
	struct error err;

	tiny.n_ctx = 4096;
	if (tiny_model_save(&tiny, model, &err) != STATUS_OK)
		test_fail(__FILE__, __LINE__, "%s", err.text);
	EXPECT(edit_after(model, 30, brief) < 300, " ");
	EXPECT(edit_after(model, 3100, lengthy) > 3000, " ");
	for (int i = 0; i < 2; i++) {
		EXPECT(lengthy[i].evaluated == brief[i].evaluated, "%u tokens, in a short chat %u",
		       lengthy[i].evaluated, brief[i].evaluated);
		/* A letter, and what the chat template puts behind a message. */
		EXPECT(lengthy[i].evaluated < 20, "%u tokens", lengthy[i].evaluated);
	}
}

/* The same chat with a recurrent model, which remembers states and no positions: a second turn,
 * another reply, an edited message, a template. What /stats says of each; the tree. */
static struct tree *recurrent_chat(const char *model, const char *cache, struct chat_counts seen[5])
{
	struct screen *s = CHAT_OPEN(
		.model = model, .rows = 50, .cols = 100,
		.args = {"-n", "9", "--temp", "0", "--system-prompt", "Be brief.", cache});
	struct tree *tree;

	chat_ask(s, "a first question");
	chat_ask(s, "a second one");
	seen[0] = chat_counts(s);
	chat_ask(s, "/regen");
	seen[1] = chat_counts(s);
	edit(s);
	EXPECT(chat_line_has(s, "a second one"), " ");
	PRESS_WAIT(s, "<C-w>question", chat_line_has(s, "a second question"));
	send_edited(s);
	seen[2] = chat_counts(s);
	SAY_SHOWS(s, "/template calm", "from here on");
	chat_ask(s, "a third");
	seen[3] = chat_counts(s);
	chat_ask(s, "a fourth");
	seen[4] = chat_counts(s);
	chat_quit(s);
	tree = chat_tree();
	EXPECT(tree, " ");
	return tree;
}

/* The nearest states are gone on from, and the replies are those of no cache at all. */
static void test_recurrent(void)
{
	static const char *const families[] = {"qwen35", "lfm2", "granitehybrid"};

	test_make_directory(screen_home("config/sotto/prompts"));
	test_write_text(screen_home("config/sotto/prompts/calm.yaml"), "system: You are calm.\n");
	for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
		struct family_model made = family_model_of(families[f]);
		struct chat_counts kept[5], none[5];
		struct tree *with, *without;
		struct error err;

		made.vocabulary = FAMILY_ALL_BYTES;
		made.sizes.n_ctx = 2048;
		EXPECT(family_model_save(&made, test_path("recurrent.gguf"), &err) == STATUS_OK, "%s", err.text);
		with = recurrent_chat(test_path("recurrent.gguf"), NULL, kept);
		without = recurrent_chat(test_path("recurrent.gguf"), "--no-kv-cache", none);
		EXPECT(tree_n(with) == tree_n(without), " ");
		for (uint32_t i = 1; i <= tree_n(with); i++)
			EXPECT(strcmp(tree_node(with, i)->text, tree_node(without, i)->text) == 0,
			       "%s: message %u: \"%s\", without the cache \"%s\"", families[f], (unsigned)i,
			       tree_node(with, i)->text, tree_node(without, i)->text);
		tree_free(with);
		tree_free(without);
		EXPECT(kept[0].cached > 0, "a turn goes on behind the last reply");
		EXPECT(kept[1].evaluated == 1, "/regen: all but the last token was there");
		EXPECT(kept[2].cached > 0 && kept[2].cached == kept[0].cached,
		       "an edited message goes on from where the old one did");
		EXPECT(kept[3].cached > 0 && kept[4].cached > kept[3].cached, "after a template, too");
		for (size_t i = 0; i < 5; i++)
			EXPECT(none[i].cached == 0 && none[i].prompt == kept[i].prompt, "%zu", i);
	}
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"last", test_last, 0},
		{"earlier", test_earlier, 0},
		{"left", test_left, 0},
		{"refused", test_refused, 0},
		{"texts", test_texts, 0},
		{"template-left", test_template_left, 0},
		{"opening", test_opening, 0},
		{"killed", test_killed, 0},
		{"evaluated", test_evaluated, 0},
		{"recurrent", test_recurrent, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
