/* Files that go with a message: by /read and @path, how they are shown, sent, kept, edited and taken
 * off again, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "screen/turns.h"

#define ECHO "synthetic:mode=echo,rate=2000"
#define ATTACHED "attached:"
/* A message may be sent before its files are counted: where a test looks for the counts it waits for them. */
#define COUNTED_A "attached: src/a.c  11 B, 7 tokens"
#define COUNTED_B "attached: src/b.c  10 B, 7 tokens"
#define COUNTED_NOTES "attached: my notes.txt  10 B, 7 tokens"
#define ZERO_WIDTH "\xe2\x80\x8b"

static void make_files(void)
{
	test_make_directory(test_path("src"));
	test_write_text(test_path("src/a.c"), "int alpha;\n");
	test_write_text(test_path("src/b.c"), "int beta;\n");
	test_write_text(test_path("src/c.h"), "int gamma;\n");
	test_write_text(test_path("my notes.txt"), "one" ZERO_WIDTH "two\n");
	test_write_file(test_path("src/logo.c"), "\x89PNG\r\n\x1a\n\0\0", 10);
}

/* A last message that has these files, by name; checks that its text begins with the words. */
static void expect_sent(const char *words, const char *const names[], size_t n)
{
	struct tree *tree = chat_tree();
	const struct node *node = tree_node(tree, tree_node(tree, tree_leaf(tree))->parent);

	EXPECT(node && node->role == ROLE_USER, " ");
	EXPECT(attachments_words(&node->attachments, node->len) == strlen(words) &&
	       strncmp(node->text, words, strlen(words)) == 0, "%s", node->text);
	EXPECT(node->attachments.n == n, "%zu files", node->attachments.n);
	for (size_t i = 0; i < n; i++) {
		EXPECT(strcmp(node->attachments.items[i].name, names[i]) == 0, "%s",
		       node->attachments.items[i].name);
		EXPECT(node->attachments.items[i].tokens > 0, "%s is not counted", names[i]);
	}
	tree_free(tree);
}

/* With its size, the tokens and what is hidden in it, before and after it is sent. */
static void test_read(void)
{
	struct screen *s;

	make_files();
	s = chat_open(ECHO);
	SAY_SHOWS(s, "/read src/a.c 'my notes.txt'", "attached: src/a.c  11 B, 7 tokens");
	WAIT_TEXT(s, "attached: my notes.txt  10 B, 7 tokens, 1 invisible character");
	EXPECT(screen_has(s, "Alt+X removes"), " ");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "<Enter>", "write a message to go with the file");
	SAY_HIDES(s, "compare", ATTACHED);
	chat_wait_ready(s);
	/* The reply is what the model was sent. */
	EXPECT(screen_has(s, "File: src/a.c") && screen_has(s, "int alpha;"), " ");
	EXPECT(screen_row_of(s, "int alpha;") < screen_row_of(s, "one<U+200B>two"), "in their order");
	PRESS_SHOWS(s, "<C-Home>", "src/a.c  11 B, 7 tokens");
	EXPECT(screen_has(s, "my notes.txt  10 B, 7 tokens, 1 invisible character (Alt+T unfolds)"), " ");
	EXPECT(screen_count(s, "int alpha;") == 1, "folded: only the echo");
	PRESS_SHOWS(s, "<M-t>", "int alpha;");
	EXPECT(!screen_has(s, "Alt+T unfolds"), " ");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "<M-t>", "Alt+T unfolds");
	expect_sent("compare", (const char *const[]){"src/a.c", "my notes.txt"}, 2);

	/* The file may change: the chat has what was sent. */
	EXPECT(unlink(test_path("src/a.c")) == 0, " ");
	chat_quit(s);
	s = CHAT_OPEN(.model = ECHO, .args = {"-C"});
	PRESS_SHOWS(s, "<C-Home>", "src/a.c  11 B, 7 tokens");
	PRESS_SHOWS(s, "<M-t>", "int alpha;");
	chat_quit(s);
}

/* While it is typed; in place of a file that changes before it is sent. */
static void test_mention(void)
{
	struct screen *s;

	make_files();
	s = chat_open(ECHO);
	PRESS_WAIT(s, "see @src/a.", chat_line_has(s, "see @src/a."));
	EXPECT(!screen_has(s, ATTACHED), " ");
	PRESS_SHOWS(s, "c", "attached: src/a.c  11 B, 7 tokens");
	PRESS_SHOWS(s, ", (@my\\ notes.txt) and me@example.org", "attached: my notes.txt");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "<M-x>", "this file comes from the @ in your message");
	test_write_text(test_path("src/a.c"), "int other, longer;\n");
	PRESS_SHOWS(s, "!", "attached: src/a.c  19 B, 8 tokens", COUNTED_NOTES);
	PRESS_HIDES(s, "<Enter>", ATTACHED);
	chat_wait_ready(s);
	expect_sent("see @src/a.c, (@my\\ notes.txt) and me@example.org!",
	            (const char *const[]){"src/a.c", "my notes.txt"}, 2);
	PRESS_SHOWS(s, "@src/b.c and more", "attached: src/b.c");
	PRESS_HIDES(s, "<C-a><C-k>", ATTACHED);
	chat_quit(s);
}

/* Where words have no blanks between them. */
static void test_mention_cjk(void)
{
	struct screen *s;

	make_files();
	s = chat_open(ECHO);
	PRESS_SHOWS(s, "\u8bf7\u9605\u8bfb@src/a.c\u3002", "attached: src/a.c  11 B, 7 tokens");
	PRESS_SHOWS(s, "\u300c@src/b.c\u300d\u7136\u540e\u603b\u7ed3", COUNTED_B);
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<Enter>", ATTACHED);
	chat_wait_ready(s);
	expect_sent("\u8bf7\u9605\u8bfb@src/a.c\u3002\u300c@src/b.c\u300d\u7136\u540e\u603b\u7ed3",
	            (const char *const[]){"src/a.c", "src/b.c"}, 2);
	screen_keys(s, "\u8bf7\u770b@src/lost.c\uff0c\u8c22\u8c22<Enter>");
	WAIT_TEXT(s, "src/lost.c: there is no such file; Enter again sends");
	PRESS_SHOWS(s, "<C-a><C-k>\u8bf7\u9605\u8bfb@src/c<Tab>", "attached: src/c.h");
	chat_quit(s);
}

/* In ASCII's quotation marks a file that is there is meant, and code stays code. */
static void test_mention_in_quotes(void)
{
	struct screen *s;

	make_files();
	s = chat_open(ECHO);
	PRESS_SHOWS(s, "sum up \"@src/a.c\".", "attached: src/a.c  11 B, 7 tokens");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<Enter>", ATTACHED);
	chat_wait_ready(s);
	expect_sent("sum up \"@src/a.c\".", (const char *const[]){"src/a.c"}, 1);
	PRESS_SHOWS(s, "import x from \"@angular/core.js\"", "core.js\"");
	chat_expect_fresh(s);
	chat_send(s, "<Enter>");
	expect_sent("import x from \"@angular/core.js\"", NULL, 0);
	chat_quit(s);
}

/* A pattern is looked up when it is complete; files that are no text are left out. */
static void test_patterns(void)
{
	struct screen *s;

	make_files();
	s = chat_open(ECHO);
	screen_keys(s, "what is in @src/*.c");
	WAIT(s, chat_line_has(s, "@src/*.c"));
	EXPECT(!screen_has(s, ATTACHED), " ");
	screen_keys(s, "<Enter>"); /* shown first */
	WAIT_TEXT(s, "2 files attached, 1 left out because it is not text; Enter sends");
	EXPECT(screen_has(s, "attached: src/a.c") && screen_has(s, "attached: src/b.c"), " ");
	EXPECT(chat_line_has(s, "@src/*.c"), " ");
	screen_quiet(s, 30);
	WAIT_TEXT(s, COUNTED_A, COUNTED_B);
	PRESS_HIDES(s, "<Enter>", ATTACHED);
	chat_wait_ready(s);
	expect_sent("what is in @src/*.c", (const char *const[]){"src/a.c", "src/b.c"}, 2);
	chat_say(s, "/read src/** 'my notes.txt'");
	WAIT_TEXT(s, "4 files attached; 1 left out because it is not text");
	WAIT_TEXT(s, "and 2 more: 42 B, 28 tokens in all");
	EXPECT(screen_has(s, "attached: src/a.c") && screen_has(s, "attached: src/b.c"), " ");
	PRESS_SHOWS(s, "<M-x>", "no longer attached: my notes.txt", "attached: src/c.h");
	SAY_HIDES(s, "/detach all", ATTACHED);
	chat_quit(s);
}

static void refuse(struct screen *s, const char *line, const char *why)
{
	screen_keys(s, "<C-a><C-k>");
	PRESS_QUIET(s, line, 30);
	PRESS_SHOWS(s, "<Enter>", why);
	EXPECT(!chat_line_is_empty(s), "the line stays: %s", line);
}

static void test_refused(void)
{
	struct screen *s;

	make_files();
	test_write_text(test_path("empty"), "");
	EXPECT(mkfifo(test_path("pipe"), 0600) == 0, " ");
	s = CHAT_OPEN(.model = ECHO ",n_ctx=40", .cols = 120);
	refuse(s, "/read none.txt", "none.txt: cannot open");
	refuse(s, "/read src/logo.c", "src/logo.c: is a binary file, not text");
	refuse(s, "/read src", "src: is a folder; src/* attaches its files, src/** also those in its folders");
	refuse(s, "/read empty", "empty: is empty");
	refuse(s, "/read pipe", "pipe: not a regular file");
	refuse(s, "/read src/*.q", "src/*.q: no file has a name like this");
	refuse(s, "/read \"src/a.c", "quote");
	EXPECT(!screen_has(s, ATTACHED), "nothing of all this is attached");
	refuse(s, "see @src/logo.c", "src/logo.c: is a binary file, not text; Enter again sends");
	refuse(s, "see @src/none.c", "src/none.c: there is no such file; Enter again sends");
	screen_quiet(s, 30);
	SEND_WAIT(s, "<Enter>", screen_count(s, "see @src/none.c") == 2); /* as it is, then */
	EXPECT(!screen_has(s, "see @src/logo.c"), " ");
	/* More than the context holds: told as soon as it is known, and not sent. */
	test_write_text(test_path("long"), "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i "
	                "j k l m n o p q r s t u v w x y z\n");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/read long", "tokens, the context 40; /detach one");
	refuse(s, "now", "the context 40");
	PRESS_HIDES(s, "<M-x>", ATTACHED);
	SEND_WAIT(s, "<Enter>", screen_count(s, "now") == 2);
	chat_quit(s);
}

/* The words come into the line, the files wait beside it. */
static void test_edited(void)
{
	static const char *const a[] = {"src/a.c"};
	struct screen *s;

	make_files();
	s = chat_open(ECHO);
	SAY_SHOWS(s, "/read src/a.c", COUNTED_A);
	chat_ask(s, "frist");
	chat_say(s, "/read src/b.c"); /* is for the next message, not for the edited one */
	WAIT_TEXT(s, "attached: src/b.c");
	PRESS_SHOWS(s, "<M-e>", "editing: frist");
	EXPECT(chat_line_has(s, "frist") && screen_has(s, "attached: src/a.c"), " ");
	EXPECT(!screen_has(s, "attached: src/b.c"), " ");
	PRESS_SHOWS(s, "<Esc>", "attached: src/b.c");
	EXPECT(!screen_has(s, "attached: src/a.c"), " ");
	PRESS_SHOWS(s, "<M-e>", COUNTED_A);
	PRESS_WAIT(s, "<C-a><C-k>first", chat_line_has(s, "first"));
	SEND_SHOWS(s, "<Enter>", "attached: src/b.c");
	expect_sent("first", a, 1);
	SAY_HIDES(s, "/detach", ATTACHED);
	PRESS_SHOWS(s, "<M-e>", COUNTED_A);
	PRESS_HIDES(s, "<M-x>", ATTACHED);
	PRESS_HIDES(s, "<Enter>", "editing:");
	chat_wait_ready(s);
	expect_sent("first", NULL, 0);
	PRESS_SHOWS(s, "<M-Left>", "int alpha;"); /* another wording has its file */
	SAY_SHOWS(s, "/undo", COUNTED_A);
	EXPECT(chat_line_has(s, "first"), " ");
	PRESS_HIDES(s, "<Enter>", ATTACHED);
	chat_wait_ready(s);
	expect_sent("first", a, 1);
	SAY_SHOWS(s, "/fork", "A new chat from here");
	expect_sent("first", a, 1);
	SAY_SHOWS(s, "/export md chat.md", "written to");
	{
		size_t n;
		char *text = test_read_file(test_path("chat.md"), &n);

		EXPECT(text && strstr(text, "first\n\nFile: src/a.c\n```\nint alpha;\n```\n"), "%s", text);
		free(text);
	}
	chat_quit(s);
}

/* What does not fit beside those that are attached changes nothing. */
static void test_too_many(void)
{
	struct screen *s;

	for (int i = 0; i < 120; i++) {
		char name[16];

		snprintf(name, sizeof name, "%c%02d.txt", i % 2 ? 'p' : 'q', i / 2);
		test_write_text(test_path(name), i % 2 ? "one\n" : "two\n");
	}
	test_write_text(test_path("r.txt"), "three\n");
	s = CHAT_OPEN(.model = ECHO, .cols = 110);
	SAY_SHOWS(s, "/read p*.txt r.txt", "and 59 more");
	PRESS_WAIT(s, "/read q*.txt r.txt", chat_line_has(s, "r.txt"));
	screen_quiet(s, 30);
	PRESS_SHOWS(s, "<Enter>", "a message takes at most 100 files");
	EXPECT(screen_has(s, "and 59 more"), " ");
	PRESS_SHOWS(s, "<C-a><C-k>/detach<Enter>", "no longer attached: r.txt");
	chat_quit(s);
}

/* A command as it is typed ends the edit first: /detach is about the files of the next message, and those that
 * /undo brings back are for it. */
static void test_commands_in_an_edit(void)
{
	struct screen *s;

	make_files();
	s = chat_open(ECHO);
	SAY_SHOWS(s, "/read src/a.c src/b.c", "attached: src/b.c");
	chat_ask(s, "two files");
	SAY_SHOWS(s, "/read src/c.h", "attached: src/c.h");
	PRESS_SHOWS(s, "<M-e>", "attached: src/b.c");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/detach", "no longer attached: src/c.h");
	WAIT_GONE(s, "attached: src/");
	PRESS_SHOWS(s, "<M-e>", "attached: src/b.c");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/temp 99", "expected");
	EXPECT(screen_has(s, "editing:") && screen_has(s, "attached: src/b.c"), "a failing command ends nothing");
	screen_keys(s, "<C-a><C-k>");
	SAY_HIDES(s, "/undo", "editing:");
	WAIT(s, chat_line_has(s, "two files") && screen_has(s, "attached: src/a.c"));
	chat_quit(s);
}

/* Queued messages have their own files, and what is not sent is there again after the end. */
static void test_queued(void)
{
	struct screen *s;

	make_files();
	s = chat_open("synthetic:tokens=100000,rate=20");
	SAY_SHOWS(s, "go", "warm 1");
	SAY_SHOWS(s, "/read src/a.c", "attached: src/a.c");
	SAY_HIDES(s, "with a", ATTACHED);
	WAIT_TEXT(s, "queued: with a");
	SAY_SHOWS(s, "and @src/b.c", "queued: and @src/b.c");
	EXPECT(!screen_has(s, ATTACHED), " ");
	screen_keys(s, "<Up>");
	WAIT(s, chat_line_has(s, "and @src/b.c") && screen_has(s, "attached: src/b.c"));
	PRESS_SHOWS(s, "<Enter>", "queued: and @src/b.c");
	screen_keys(s, "<Esc>");
	WAIT(s, screen_has(s, "attached: src/a.c") && screen_has(s, "attached: src/b.c"));
	EXPECT(unlink(test_path("src/a.c")) == 0, " ");
	PRESS_WAIT(s, "<C-c>", chat_line_is_empty(s)); /* the line is cleared; the files stay */
	chat_quit(s);
	s = CHAT_OPEN(.model = ECHO, .args = {"-C"});
	WAIT_TEXT(s, COUNTED_A, COUNTED_B);
	chat_ask(s, "after all");
	expect_sent("after all", (const char *const[]){"src/a.c", "src/b.c"}, 2);
	chat_quit(s);
}

/* Names and contents that try to steer the terminal, or to look like something else. */
static void test_hostile(void)
{
	struct screen *s;

	test_write_text(test_path("x\033]0;evil\a\nattached: y"), "```\nFile: b\n\033[2J\033]52;c;ZXZpbA==\a");
	s = CHAT_OPEN(.model = ECHO, .cols = 110);
	SAY_SHOWS(s, "/read x*", "attached: x^[]0;evil^G attached: y");
	chat_ask(s, "look");
	PRESS_SHOWS(s, "<C-Home><M-t>", "File: x^[]0;evil^G attached: y");
	EXPECT(screen_has(s, "^[[2J^[]52;c;ZXZpbA==^G"), " ");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "<M-t>", "Alt+T unfolds");
	screen_keys(s, "<Tab>@x<Tab>"); /* the name is no text for the line, but it is harmless */
	screen_quiet(s, 50);
	chat_quit_fresh(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"read", test_read, 0},
		{"mention", test_mention, 0},
		{"mention-cjk", test_mention_cjk, 0},
		{"mention-quotes", test_mention_in_quotes, 0},
		{"patterns", test_patterns, 0},
		{"refused", test_refused, 0},
		{"edited", test_edited, 0},
		{"too-many", test_too_many, 0},
		{"commands-in-an-edit", test_commands_in_an_edit, 0},
		{"queued", test_queued, 0},
		{"hostile", test_hostile, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
