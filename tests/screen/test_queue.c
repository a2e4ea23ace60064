/* Messages that wait for a reply to end: each can be reached, changed and removed, and they are sent in
 * their order. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/turns.h"

/* A reply that goes on until it is stopped, and one that ends when the messages have been queued. */
#define ENDLESS "synthetic:tokens=100000,rate=2"
#define SLOW "synthetic:tokens=80,rate=20"

static void queue(struct screen *s, const char *text)
{
	char row[64];

	chat_say(s, text);
	snprintf(row, sizeof row, "queued: %s", text);
	WAIT_TEXT(s, row);
}

static void begin(struct screen *s)
{
	SAY_SHOWS(s, "go", "warm 1");
	queue(s, "one");
	queue(s, "two");
	queue(s, "three");
}

/* The user's messages, in their order. */
static void expect_messages(const char *expected)
{
	struct tree *tree = chat_tree();
	struct buf all = {.max = 4096};

	for (uint32_t id = 1; id <= tree_n(tree); id++)
		if (tree_node(tree, id)->role == ROLE_USER)
			buf_printf(&all, "%s%s", all.len ? "|" : "", tree_node(tree, id)->text);
	EXPECT(strcmp(buf_text(&all), expected) == 0, "%s", buf_text(&all));
	buf_free(&all);
	tree_free(tree);
}

static void test_each_is_reached(void)
{
	struct screen *s = CHAT_OPEN(.model = ENDLESS, .cols = 100);

	begin(s);
	EXPECT(screen_has(s, "Up edits"), " ");
	PRESS_WAIT(s, "<Up>", screen_has(s, "editing 3 of 3: three") && chat_line_has(s, "three"));
	EXPECT(screen_has(s, "Enter keeps, Esc cancels, an empty line removes"), " ");
	EXPECT(!screen_has(s, "Esc stops"), " ");
	PRESS_WAIT(s, "<Up>", screen_has(s, "editing 2 of 3: two") && chat_line_has(s, "two"));
	PRESS_WAIT(s, "<Up>", screen_has(s, "editing 1 of 3: one") && chat_line_has(s, "one"));
	PRESS_QUIET(s, "<Up>", 50); /* the first one */
	EXPECT(chat_line_has(s, "one"), " ");
	PRESS_WAIT(s, "<Down>", chat_line_has(s, "two"));
	PRESS_WAIT(s, "<C-a>t<C-e>!", chat_line_has(s, "ttwo!")); /* changed */
	EXPECT(screen_has(s, "editing 2 of 3: two"), "it is as it was until Enter");
	PRESS_WAIT(s, "<Enter>", screen_has(s, "queued: ttwo!") && chat_line_is_empty(s));
	EXPECT(screen_row_of(s, "queued: one") < screen_row_of(s, "queued: ttwo!"), " ");
	EXPECT(screen_row_of(s, "queued: ttwo!") < screen_row_of(s, "queued: three"), "in its place");
	PRESS_HIDES(s, "<Up><Up><C-a><C-k>", "ttwo!");
	EXPECT(screen_has(s, "queued: one") && screen_has(s, "queued: three"), " ");
	screen_keys(s, "<Up><Down>"); /* past the last one: back to an empty line */
	WAIT(s, chat_line_is_empty(s) && !screen_has(s, "editing"));
	PRESS_WAIT(s, "<Up>", chat_line_has(s, "three"));
	PRESS_WAIT(s, " more", chat_line_has(s, "three more"));
	screen_keys(s, "<Esc>"); /* it stays as it was, and the reply runs on */
	WAIT(s, chat_line_is_empty(s) && !screen_has(s, "editing"));
	EXPECT(screen_has(s, "queued: one") && screen_has(s, "queued: three"), " ");
	WAIT_TEXT(s, "Esc stops");
	PRESS_SHOWS(s, "<M-Up>", "unpick"); /* the same while a message is picked */
	PRESS_SHOWS(s, "<Esc>", "Esc stops");
	screen_keys(s, "<Up> more<Enter>");
	WAIT(s, screen_has(s, "queued: three more") && chat_line_is_empty(s));
	screen_keys(s, "<Esc>"); /* stops the reply: all of them are in the line, with the change */
	WAIT(s, chat_line_has(s, "three more") && !screen_has(s, "queued:"));
	PRESS_SHOWS(s, "<Enter>", "three more");
	screen_quiet(s, 50);
	expect_messages("go|one\nthree more");
	chat_send(s, "<Esc>");
	chat_quit(s);
}

/* What is being changed waits, with what follows it, until that has an end. */
static void test_held(void)
{
	struct screen *s = CHAT_OPEN(.model = SLOW, .cols = 100);

	SAY_SHOWS(s, "go", "warm 1");
	/* All at once: the reply must not end before. */
	screen_keys(s, "one<Enter>two<Enter>three<Enter><Up><Up><Up> changed");
	WAIT(s, chat_line_has(s, "one changed"));
	WAIT_TEXT(s, "warm 79", CHAT_READY);
	screen_quiet(s, 100);
	EXPECT(screen_has(s, "editing 1 of 3: one"), "it is not sent");
	expect_messages("go");
	PRESS_HIDES(s, "<Enter>", "editing");
	WAIT_TEXT(s, "queued: two");
	screen_keys(s, "<Up>"); /* the ones before it are sent meanwhile */
	WAIT(s, screen_has(s, "editing 1 of 1: three"));
	PRESS_HIDES(s, "<C-u>", "editing"); /* emptied */
	WAIT(s, chat_shows(s, "two"));
	WAIT_TEXT(s, "warm 79");
	chat_wait_ready(s);
	expect_messages("go|one changed|two");
	chat_quit(s);
}

/* Quitting keeps all of them, the changed one as it was last. */
static void test_kept(void)
{
	struct screen *s = CHAT_OPEN(.model = ENDLESS, .cols = 100);

	begin(s);
	PRESS_WAIT(s, "<Up><Up>", chat_line_has(s, "two"));
	PRESS_WAIT(s, "-and-a-half", chat_line_has(s, "two-and-a-half"));
	screen_quiet(s, 30);
	EXPECT(kill(s->job.program, SIGTERM) == 0, " ");
	screen_finish(s, 128 + SIGTERM);
	s = CHAT_OPEN(.model = SLOW, .args = {"-C"});
	WAIT_TEXT(s, "two-and-a-half");
	EXPECT(screen_has(s, "> one") && chat_line_has(s, "three"), " ");
	chat_quit(s);
}

/* A folded paste is folded again where it comes back: to be changed, and when the reply is stopped. */
static void test_paste(void)
{
	struct screen *s = CHAT_OPEN(.model = ENDLESS, .cols = 100);
	struct buf text = {.max = 4096};

	for (int i = 1; i <= 40; i++)
		buf_printf(&text, "line %d\n", i);
	SAY_SHOWS(s, "go", "warm 1");
	screen_quiet(s, 30);
	screen_paste(s, buf_text(&text), text.len);
	WAIT(s, chat_line_has(s, "[40 lines pasted]"));
	screen_quiet(s, 30);
	PRESS_WAIT(s, "and this<Enter>", screen_has(s, "queued: line 1") && chat_line_is_empty(s));
	PRESS_WAIT(s, "<Up>", chat_line_has(s, "[40 lines pasted]and this"));
	PRESS_WAIT(s, ", too<Enter>", screen_has(s, "queued: line 1") && chat_line_is_empty(s));
	SEND_WAIT(s, "<Esc>", chat_line_has(s, "[40 lines pasted]and this, too"));
	PRESS_WAIT(s, "<Enter>", chat_line_is_empty(s));
	WAIT_TEXT(s, "and this, too");
	chat_send(s, "<Esc>");
	EXPECT(chat_journal_has("text: \"go\"") && chat_journal_has("text: \"line 1"), " ");
	EXPECT(chat_journal_has("line 40\\nand this, too"), "unfolded in the chat");
	buf_free(&text);
	chat_quit(s);
}

/* What waits to be changed is for the next chat, where this one is not kept. */
static void test_another_chat(void)
{
	struct screen *s = chat_open("synthetic:tokens=3");

	chat_ask(s, "kept");
	chat_quit(s);
	s = CHAT_OPEN(.model = "synthetic:tokens=40,rate=20", .cols = 100, .args = {"--no-save"});
	SAY_SHOWS(s, "go", "warm 1");
	PRESS_WAIT(s, "one<Enter><Up> changed", chat_line_has(s, "one changed"));
	WAIT_TEXT(s, "warm 39", CHAT_READY);
	PRESS_SHOWS(s, "<F5>", "1 chat");
	PRESS_WAIT(s, "<Enter>", chat_shows(s, "kept"));
	WAIT(s, chat_line_has(s, "one changed"));
	EXPECT(!screen_has(s, CHAT_QUEUED), "it would be sent after the next reply");
	chat_quit(s);
}

/* A change for which the queue has no room stays in the line. */
static void test_too_long(void)
{
	enum { LONG = (8 << 20) - 45 }; /* it fits into a message, with its name and the words */
	char *text = malloc(LONG + 1);
	struct screen *s;

	memset(text, 'x', LONG);
	text[LONG] = '\0';
	test_write_text(test_path("big.txt"), text);
	free(text);
	s = CHAT_OPEN(.model = ENDLESS, .cols = 100);
	begin(s);
	PRESS_WAIT(s, "<Up>", chat_line_has(s, "three"));
	PRESS_SHOWS(s, " @big.txt", "attached: big.txt");
	PRESS_SHOWS(s, "<C-c>", CHAT_READY); /* stops the reply, whatever is being changed */
	WAIT(s, screen_has(s, "> one") && chat_line_has(s, "three @big.txt"));
	EXPECT(!screen_has(s, CHAT_QUEUED), "all of them are in the line");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"each-is-reached", test_each_is_reached, 0},
		{"held", test_held, 0},
		{"kept", test_kept, 0},
		{"paste", test_paste, 0},
		{"another-chat", test_another_chat, 0},
		{"too-long", test_too_long, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
