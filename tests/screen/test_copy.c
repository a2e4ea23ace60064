/* Taking along: /copy, through the terminal and through programs, /write, /export and /import. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "screen/chat.h"

#define ECHO "synthetic:mode=echo,tokens=100000,n_ctx=100000"

static const char reply[] = "Two ways:\n\n```sh\nls -l\n```\n\nor\n\n- a list:\n\n  ```c\n  int x;\n\n"
                            "  int y;\n  ```\n\nthe end";

/* A chat in which the model has said the text. */
static struct screen *chat_with(const struct chat_options *options, const char *text)
{
	struct screen *s = chat_open_with(options);

	s->checker.wants_copies = true;
	chat_paste(s, text, strlen(text));
	SEND_WAIT(s, "<Enter>", chat_journal_has("state: \"complete\""));
	return s;
}

#define CHAT_WITH(text, ...) chat_with(&(struct chat_options){__VA_ARGS__}, text)

static unsigned n_copies(const struct screen *s)
{
	return s->checker.copied.n_direct + s->checker.copied.n_tmux + s->checker.copied.n_screen;
}

static const char *copied_text(const struct screen *s)
{
	return buf_text(&s->checker.copied.text);
}

#define EXPECT_COPIED(s, expected) \
	EXPECT(strcmp(copied_text(s), (expected)) == 0, "copied '%s'", copied_text(s))

static void test_reply_and_blocks(void)
{
	struct screen *s = CHAT_WITH(reply, .model = ECHO, .cols = 100);

	SAY_SHOWS(s, "/copy", "copied the last reply: 83 characters, by the terminal (OSC 52)");
	EXPECT(s->checker.copied.n_direct == 1 && n_copies(s) == 1, " ");
	EXPECT_COPIED(s, reply);
	SAY_SHOWS(s, "/copy 1", "copied code block 1 (sh): 5 characters");
	EXPECT_COPIED(s, "ls -l"); /* a line break would run it */
	SAY_SHOWS(s, "/copy code 2", "copied code block 2 (c): 14 characters");
	EXPECT_COPIED(s, "int x;\n\nint y;");
	PRESS_SHOWS(s, "<M-y>", "copied the last reply");
	EXPECT_COPIED(s, reply);
	EXPECT(s->checker.copied.n_direct == 4, " ");
	PRESS_SHOWS(s, "<M-Y>", "copied code block 2 (c)");
	PRESS_SHOWS(s, "<M-Y>", "copied code block 1 (sh)");
	EXPECT_COPIED(s, "ls -l");
	PRESS_SHOWS(s, "<M-Y>", "copied code block 2 (c)");
	EXPECT_COPIED(s, "int x;\n\nint y;");
	SAY_SHOWS(s, "/copy all", "copied the chat");
	EXPECT(strncmp(copied_text(s), "You:\nTwo ways:", 14) == 0, " ");
	EXPECT(strstr(copied_text(s), "the end\n\nsynthetic (echo):\nTwo ways:"), " ");
	chat_quit_fresh(s);
}

/* Which block comes next is a matter of one chat. */
static void test_block_of_another_chat(void)
{
	static const char three[] = "```\na\n```\n```\nb\n```\n```\nc\n```", one[] = "only\n```\nd\n```";
	struct screen *s = CHAT_WITH(three, .model = ECHO, .cols = 100);

	PRESS_SHOWS(s, "<M-Y>", "copied code block 3");
	SAY_SHOWS(s, "/new", CHAT_EMPTY);
	chat_paste(s, one, strlen(one));
	SEND_WAIT(s, "<Enter>", screen_count(s, "only") == 2);
	PRESS_SHOWS(s, "<M-Y>", "copied code block 1");
	EXPECT_COPIED(s, "d");
	chat_quit(s);
}

static void test_nothing_to_copy(void)
{
	struct screen *s = chat_open(ECHO);

	PRESS_SHOWS(s, "/copy<Enter>", "there is no reply yet");
	PRESS_SHOWS(s, "/copy all<Enter>", "this chat is empty");
	screen_keys(s, "<C-a><C-k>");
	ASK_WAIT(s, "hello there", screen_count(s, "hello there") == 2);
	PRESS_SHOWS(s, "/copy 1<Enter>", "the last reply has no code block");
	EXPECT(chat_line_has(s, "/copy 1"), "the line stays editable");
	PRESS_SHOWS(s, "<C-a><C-k>/copy that<Enter>", "/copy 2 its second code block");
	screen_keys(s, "<C-a><C-k>/set copy /nowhere/prog -x<Enter>");
	WAIT_TEXT(s, "copy: there is no program '/nowhere/prog'");
	chat_quit(s); /* with OSC 52 all along a violation */
	s = CHAT_OPEN(.model = ECHO, .args = {"--copy", "/nowhere/prog -x"});
	ASK_WAIT(s, "hello there", screen_count(s, "hello there") == 2);
	PRESS_SHOWS(s, "/copy<Enter>", "cannot start '/nowhere/prog' to copy: No such file");
	chat_quit(s);
}

static void test_no_terminal_clipboard(void)
{
	struct screen *s = CHAT_OPEN(.model = ECHO, .env = {"TERM=linux", "PATH=/nowhere"},
	                             .other_terminal = true);

	s->lenient = true;
	ASK_WAIT(s, "hello there", screen_count(s, "hello there") == 2);
	PRESS_SHOWS(s, "/copy<Enter>", "there is no clipboard: a terminal of type linux has none");
	chat_quit(s);
}

/* What a terminal would act on when it is pasted does not come along. */
static void test_hostile_reply(void)
{
	struct screen *s = chat_open("synthetic:mode=escape,tokens=60");

	s->checker.wants_copies = true;
	ASK_WAIT(s, "go", chat_journal_has("state: \"complete\""));
	SAY_SHOWS(s, "/copy", "329 characters (50 controls left out, 10 hidden)");
	EXPECT(s->checker.copied.n_direct == 1, " ");
	EXPECT(strstr(copied_text(s), "[31mred]0;title"), "%s", copied_text(s));
	for (size_t i = 0; i < s->checker.copied.text.len; i++) {
		unsigned char c = (unsigned char)s->checker.copied.text.data[i];

		EXPECT(c >= 0x20 || c == '\n' || c == '\t', "byte %02x", c);
		EXPECT(c != 0x7f && c != 0x9b, "byte %02x", c);
	}
	chat_quit(s);
}

/* A tmux that does not answer: both forms, one of which its options let through. */
static void test_through_tmux(void)
{
	struct screen *s = CHAT_WITH("a \xc3\xa9 text", .model = ECHO, .cols = 100,
	                             .env = {"TMUX=/nowhere/socket,1,0"});

	SAY_SHOWS(s, "/copy", "8 characters, by the terminal (OSC 52, tmux)");
	EXPECT(s->checker.copied.n_direct == 1 && s->checker.copied.n_tmux == 1, " ");
	EXPECT(!s->checker.copied.n_screen, " ");
	EXPECT_COPIED(s, "a \xc3\xa9 text");
	chat_quit(s);
}

static char *long_text(size_t n)
{
	char *text = malloc(n + 1);

	EXPECT(text, " ");
	for (size_t i = 0; i < n; i++)
		text[i] = i % 61 == 60 ? '\n' : (char)('a' + i % 26);
	text[n - 1] = 'x';
	text[n] = '\0';
	return text;
}

static void test_through_screen(void)
{
	char *text = long_text(2000);
	struct screen *s = CHAT_WITH(text, .model = ECHO, .cols = 100, .env = {"STY=1.pts-0.host"});

	SAY_SHOWS(s, "/copy", "2000 characters, by the terminal (OSC 52, screen)");
	EXPECT(s->checker.copied.n_screen == 1 && n_copies(s) == 1, " ");
	EXPECT(s->checker.copied.n_pieces == 12, "%u pieces", s->checker.copied.n_pieces);
	EXPECT(s->checker.copied.longest < 256, "%zu bytes", s->checker.copied.longest);
	EXPECT_COPIED(s, text);
	chat_quit(s);
	free(text);
}

/* Some terminals stop at 100,000 bytes of a sequence. */
static void test_long_for_terminal(void)
{
	char *text = long_text(75000);
	struct screen *s = CHAT_WITH(text, .model = ECHO, .cols = 120);

	chat_say(s, "/copy");
	WAIT_TEXT(s, "75000 characters (some terminals take less), by the terminal (OSC 52)");
	EXPECT_COPIED(s, text);
	chat_quit(s);
	free(text);
}

static void make_program(const char *name, const char *script)
{
	char path[64];

	test_make_directory(test_path("bin"));
	snprintf(path, sizeof path, "bin/%s", name);
	test_write_text(test_path(path), script);
	EXPECT(chmod(test_path(path), 0755) == 0, " ");
}

/* PATH with the test's programs first. */
static const char *path_with_programs(void)
{
	static char variable[4096];

	snprintf(variable, sizeof variable, "PATH=%s:%s", test_path("bin"), getenv("PATH"));
	return variable;
}

static void expect_file(const char *name, const char *expected)
{
	size_t n;
	char *got = test_read_file(test_path(name), &n);

	EXPECT(got && n == strlen(expected) && memcmp(got, expected, n) == 0, "%s", got ? got : "(none)");
	free(got);
}

/* More than a pipe holds. */
static void test_by_program(void)
{
	char script[600], *text = long_text(200000);
	struct screen *s;

	snprintf(script, sizeof script, "#!/bin/sh\necho noise; echo noise >&2\necho \"$@\" >%s\ncat >%s\n",
	         test_path("arguments"), test_path("clipboard"));
	make_program("wl-copy", script);
	s = CHAT_WITH(text, .model = ECHO,
	              .env = {path_with_programs(), "WAYLAND_DISPLAY=wayland-0"});
	SAY_SHOWS(s, "/copy", "copied the last reply: 200000 characters, by wl-copy");
	expect_file("clipboard", text);
	expect_file("arguments", "--type text/plain\n");
	EXPECT(n_copies(s) == 0, "the terminal got it, too");
	chat_quit_fresh(s);
	free(text);
}

/* A display that is none any more; and one that is the other machine's. */
static void test_program_fails(void)
{
	struct screen *s;

	make_program("wl-copy", "#!/bin/sh\nexit 1\n");
	make_program("xclip", "#!/bin/sh\ncat >/dev/null; exit 3\n");
	s = CHAT_WITH("a text", .model = ECHO,
	              .env = {path_with_programs(), "WAYLAND_DISPLAY=gone", "DISPLAY=:7"});
	SAY_SHOWS(s, "/copy", "6 characters, by the terminal (OSC 52)");
	EXPECT_COPIED(s, "a text");
	chat_quit(s);
}

static void test_over_ssh(void)
{
	char script[300];
	struct screen *s;

	snprintf(script, sizeof script, "#!/bin/sh\ncat >%s\n", test_path("clipboard"));
	make_program("wl-copy", script);
	make_program("pbcopy", script);
	s = CHAT_WITH("a text", .model = ECHO,
	              .env = {path_with_programs(), "WAYLAND_DISPLAY=w", "SSH_CONNECTION=1 2 3 4"});
	SAY_SHOWS(s, "/copy", "6 characters, by the terminal (OSC 52)");
	EXPECT_COPIED(s, "a text");
	chat_quit(s);
}

/* Words, and no shell between them. */
static void test_chosen_program(void)
{
	char script[600], how[300];
	struct screen *s;

	snprintf(script, sizeof script, "#!/bin/sh\nprintf '%%s|' \"$@\" >%s\ncat >%s\n",
	         test_path("arguments"), test_path("clipboard"));
	make_program("my clip", script);
	snprintf(how, sizeof how, "--copy='%s' a \"b c\" $(id) ;", test_path("bin/my clip"));
	s = CHAT_WITH("a text", .model = ECHO, .args = {how});
	SAY_SHOWS(s, "/copy", "6 characters, by my clip");
	expect_file("clipboard", "a text");
	expect_file("arguments", "a|b c|$(id)|;|");
	EXPECT(n_copies(s) == 0, " ");
	chat_say(s, "/set copy osc52");
	SAY_SHOWS(s, "/copy", "6 characters, by the terminal (OSC 52)");
	EXPECT(s->checker.copied.n_direct == 1, " ");
	chat_quit(s);
}

/* One that takes nothing is given up; meanwhile keys are answered. One that has all of it, and
 * stays to serve it, is not. */
static void test_program_that_stays(void)
{
	char *text = long_text(200000);
	struct screen *s = CHAT_WITH(text, .model = ECHO, .args = {"--copy=sleep 60"});

	chat_say(s, "/copy");
	screen_keys(s, "still here");
	WAIT_FOR(s, 1500, chat_line_has(s, "still here"));
	WAIT_TEXT(s, "'sleep' failed: the text was not copied");
	screen_keys(s, "<C-a><C-k>");
	make_program("serve", "#!/bin/sh\ncat >/dev/null\nexec sleep 60\n");
	screen_keys(s, "/set copy ");
	screen_keys(s, test_path("bin/serve"));
	PRESS_QUIET(s, "<Enter>", 30);
	SAY_SHOWS(s, "/copy", "200000 characters, by serve");
	chat_quit(s);
	free(text);
}

static void test_write(void)
{
	struct screen *s = CHAT_WITH(reply, .model = ECHO, .cols = 100);
	char whole[200];

	SAY_SHOWS(s, "/write 2 two.c", "Code block 2 (c) written to two.c (in ");
	expect_file("two.c", "int x;\n\nint y;\n");
	PRESS_SHOWS(s, "/write 1 two.c<Enter>", "two.c: already exists; /write! overwrites it");
	EXPECT(chat_line_has(s, "/write 1 two.c"), "the line stays editable");
	expect_file("two.c", "int x;\n\nint y;\n");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/write! 1 two.c", "Code block 1 (sh) written to two.c (in ");
	expect_file("two.c", "ls -l\n");
	SAY_SHOWS(s, "/write \"the reply\"", "Last reply written to the reply (in ");
	snprintf(whole, sizeof whole, "%s\n", reply);
	expect_file("the reply", whole);
	PRESS_SHOWS(s, "/write 1<Enter>", "/write 1 needs a file's name, too");
	PRESS_SHOWS(s, "<C-a><C-k>/write 3 three<Enter>", "the last reply has 2 code blocks");
	screen_keys(s, "<C-a><C-k>/write nowhere/file<Enter>");
	WAIT_TEXT(s, "nowhere/file: cannot create: No such file");
	PRESS_SHOWS(s, "<C-a><C-k>/write! /<Enter>", "/: is a folder");
	EXPECT(n_copies(s) == 0, " ");
	chat_quit_fresh(s);
}

static char *read_text(const char *name)
{
	size_t n;
	char *got = test_read_file(test_path(name), &n);

	EXPECT(got, "no %s", name);
	return got;
}

/* What is in the files is tested in tests/unit/chat/test_export.c. */
static void test_export(void)
{
	struct screen *s = CHAT_WITH(reply, .model = ECHO, .cols = 100);
	char *text, name[64];
	int n;

	chat_say(s, "/save About lists");
	SAY_SHOWS(s, "/export md chat.txt", "Chat written to chat.txt (in ");
	text = read_text("chat.txt");
	EXPECT(strstr(text, "# About lists\n\n## You\n\nTwo ways:") == text, "%s", text);
	free(text);
	screen_keys(s, "/export chat.txt<Enter>");
	WAIT_TEXT(s, "chat.txt: already exists; /export! overwrites it");
	screen_keys(s, "<C-a><C-k>");
	SAY_WAIT(s, "/export! chat.txt", screen_count(s, "Chat written to chat.txt (in ") == 2);
	text = read_text("chat.txt");
	EXPECT(strstr(text, "About lists\n\nYou:\nTwo ways:") == text, "%s", text);
	free(text);
	SAY_SHOWS(s, "/export ./chat.html", "Chat written to ./chat.html (in ");
	text = read_text("chat.html");
	EXPECT(strstr(text, "<code>ls -l\n</code>"), "%s", text);
	free(text);
	SAY_SHOWS(s, "/export json", ".json (in "); /* named after the chat */
	n = sscanf(strstr(screen_text(s), "Chat written to 2") + 16, "%60[^ ]", name);
	EXPECT(n == 1, " ");
	text = read_text(name);
	EXPECT(strstr(text, "{\"role\": \"user\", \"content\": \"Two ways:\\n"), "%s", text);
	free(text);
	PRESS_SHOWS(s, "/export pdf<Enter>", "/export takes md, json, txt or html");
	PRESS_WAIT(s, "<C-a><C-k>/exp<Tab>", chat_line_has(s, "/export "));
	PRESS_WAIT(s, "h<Tab>", chat_line_has(s, "/export html"));
	screen_keys(s, "<C-a><C-k>");
	chat_say(s, "/new");
	PRESS_SHOWS(s, "/export md none.md<Enter>", "this chat is empty");
	chat_quit(s);
}

static void test_import(void)
{
	struct screen *s = CHAT_OPEN(.model = ECHO, .cols = 100);

	test_write_text(test_path("chat.json"), "[{\"role\":\"user\",\"content\":\"an old question\"},\n"
	                "{\"role\":\"assistant\",\"content\":\"an old answer\"},{\"role\":\"tool\"}]");
	test_write_text(test_path("two.json"), "{\"messages\":[{\"role\":\"user\",\"content\":\"first\"}]}\n"
	                "{\"messages\":[{\"role\":\"user\",\"content\":\"second\"}]}\n");
	test_write_text(test_path("broken.json"), "[{\"role\":\n\"user\"");
	SAY_SHOWS(s, "/import ./chat.json", "keep the file. Taken: 2 messages.");
	EXPECT(chat_shows(s, "an old question") && chat_shows(s, "an old answer"), " ");
	EXPECT(screen_has(s, "Left out: 1 tool result."), " ");
	EXPECT(!screen_has(s, "importing"), "it is over");
	EXPECT(chat_n_journals() == 1 && chat_journal_has("an old answer"), " ");
	ASK_WAIT(s, "go on", screen_count(s, "go on") == 2); /* in the imported chat */
	EXPECT(chat_n_journals() == 1 && chat_journal_has("go on"), " ");
	screen_keys(s, "/import broken.json<Enter>");
	WAIT_TEXT(s, "broken.json:2: not JSON: ',' or '}' was expected");
	EXPECT(chat_line_has(s, "/import broken.json"), "the line stays editable");
	PRESS_SHOWS(s, "<C-a><C-k>/import nowhere.json<Enter>", "nowhere.json: ");
	screen_keys(s, "<C-a><C-k>");
	chat_say(s, "/import two.json");
	WAIT_TEXT(s, "Imported. You may delete the file. Taken: 2 chats, 2 messages. F5 lists them.");
	EXPECT(chat_shows(s, "an old answer") && chat_n_journals() == 3, " ");
	chat_quit_fresh(s);
}

/* A large file is read beside everything else; Esc stops it, and nothing of it is there. */
static void test_import_large(void)
{
	struct screen *s = CHAT_OPEN(.model = ECHO, .cols = 100);
	struct buf text = {.max = MIB(16)};

	for (int i = 0; i < 8000; i++)
		buf_printf(&text, "{\"messages\":[{\"role\":\"user\",\"content\":\"question %d\"}]}\n", i);
	test_write_text(test_path("large.json"), buf_text(&text));
	buf_free(&text);
	SAY_SHOWS(s, "/import large.json", "; Esc stops");
	PRESS_WAIT(s, "meanwhile", chat_line_has(s, "meanwhile"));
	PRESS_SHOWS(s, "<Esc>", "the import was stopped; no chat was added");
	EXPECT(chat_n_journals() == 0, "%zu chats", chat_n_journals());
	EXPECT(chat_line_has(s, "meanwhile"), " ");
	SEND_WAIT(s, "<Enter>", screen_count(s, "meanwhile") == 2);
	/* Leaving stops it, too. */
	SAY_SHOWS(s, "/import large.json", "; Esc stops");
	chat_quit(s);
	EXPECT(chat_n_journals() == 1, "%zu chats", chat_n_journals());
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"reply-and-blocks", test_reply_and_blocks, 0},
		{"block-of-another-chat", test_block_of_another_chat, 0},
		{"nothing-to-copy", test_nothing_to_copy, 0},
		{"no-terminal-clipboard", test_no_terminal_clipboard, 0},
		{"hostile-reply", test_hostile_reply, 0},
		{"through-tmux", test_through_tmux, 0},
		{"through-screen", test_through_screen, 0},
		{"long-for-terminal", test_long_for_terminal, 0},
		{"by-program", test_by_program, 0},
		{"program-fails", test_program_fails, 0},
		{"over-ssh", test_over_ssh, 0},
		{"chosen-program", test_chosen_program, 0},
		{"program-that-stays", test_program_that_stays, 0},
		{"write", test_write, 0},
		{"export", test_export, 0},
		{"import", test_import, 0},
		{"import-large", test_import_large, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
