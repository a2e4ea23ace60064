/* Whatever comes from a model, a file, a clipboard or a hand, and wherever it is shown: the terminal
 * gets nothing outside the list of what a program may send (checker.c, which fails the test at the
 * first byte that is not on it). A new place where foreign text is shown is a new row. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "journal/journal.h"
#include "screen/chat.h"
#include "screen/foreign.h"

#define ECHO "synthetic:mode=echo,tokens=1000000,n_ctx=10000000"

/* A panel or list with the text is open; back to the line. */
static void close_panel(struct screen *s)
{
	screen_keys(s, "<Esc>");
	screen_sync(s);
}

static void expect_shown(struct screen *s)
{
	WAIT(s, screen_has(s, FOREIGN_MARK));
}

/* What is typed, and then pasted; Enter a little later, since what comes with a paste is pasted. */
static void type_and_paste(struct screen *s, const char *typed, const struct buf *text)
{
	screen_keys(s, "<C-a><C-k>");
	PRESS_QUIET(s, typed, 25);
	chat_paste(s, text->data, text->len);
}

static void clear(struct screen *s)
{
	PRESS_QUIET(s, "<C-a><C-k><C-c>", 25);
}

static void feed_line(struct screen *s, const struct buf *text)
{
	type_and_paste(s, "", text);
	screen_keys(s, "<M-v>"); /* a long one is folded; with the characters that stand for one, it stays so */
	screen_quiet(s, 25);
	WAIT(s, screen_has(s, FOREIGN_MARK) || screen_has(s, " pasted]"));
	clear(s);
}

/* As a message, and as the reply, which says the same. */
static void feed_reply(struct screen *s, const struct buf *text)
{
	PRESS_QUIET(s, "/new<Enter>", 25);
	type_and_paste(s, "", text);
	PRESS_QUIET(s, "<Enter>", 25);
	chat_wait_ready(s);
	for (int page = 0; page < 40 && !screen_has(s, FOREIGN_MARK); page++)
		PRESS_QUIET(s, "<PgUp>", 10);
	expect_shown(s);
}

static void feed_command(struct screen *s, const char *command, const struct buf *text)
{
	type_and_paste(s, command, text);
	PRESS_QUIET(s, "<Enter>", 25);
	expect_shown(s);
	close_panel(s);
	clear(s);
}

static void feed_title(struct screen *s, const struct buf *text)
{
	type_and_paste(s, "/save ", text); /* names the chat */
	PRESS_QUIET(s, "<Enter>", 25);
	expect_shown(s); /* as the name, or in the line if it is none (a file that cannot be written) */
	PRESS_QUIET(s, "/list<Enter>", 25);
	PRESS_QUIET(s, "<F5>", 25);
	close_panel(s);
	clear(s);
}

static void feed_find(struct screen *s, const struct buf *text)
{
	feed_command(s, "/find ", text);
}

static void feed_unknown(struct screen *s, const struct buf *text)
{
	feed_command(s, "/", text);
}

static void feed_set(struct screen *s, const struct buf *text)
{
	feed_command(s, "/set temp ", text);
}

static void feed_export(struct screen *s, const struct buf *text)
{
	feed_command(s, "/export! md ./", text);
}

static void feed_model(struct screen *s, const struct buf *text)
{
	feed_command(s, "/model ./", text);
}

static void feed_template(struct screen *s, const struct buf *text)
{
	feed_command(s, "/template ", text);
}

static void feed_import(struct screen *s, const struct buf *text)
{
	feed_command(s, "/import ./", text);
}

/* Folded and unfolded, and as the reply, which says the same. What is no UTF-8 is refused, by the file's
 * name. */
static void feed_file(struct screen *s, const struct buf *text)
{
	test_write_file(test_path("foreign.txt"), text->data, text->len);
	PRESS_QUIET(s, "/new<Enter>", 25);
	screen_keys(s, "/read foreign.txt<Enter>");
	WAIT(s, screen_has(s, "attached: foreign.txt") || screen_has(s, "foreign.txt:"));
	if (!screen_has(s, "attached: foreign.txt")) {
		clear(s);
		return;
	}
	PRESS_HIDES(s, "look<Enter>", "attached: foreign.txt");
	chat_wait_ready(s);
	PRESS_QUIET(s, "<M-t>", 25);
	for (int page = 0; page < 40 && !screen_has(s, FOREIGN_MARK); page++)
		PRESS_QUIET(s, "<PgUp>", 10);
	expect_shown(s);
}

/* The system message, and what the model sees. */
static void feed_system(struct screen *s, const struct buf *text)
{
	type_and_paste(s, "/system ", text);
	PRESS_QUIET(s, "<Enter>", 25);
	PRESS_QUIET(s, "<F8>", 50);
	expect_shown(s);
	close_panel(s);
	clear(s);
}

static void feed_filter(struct screen *s, const struct buf *text)
{
	PRESS_QUIET(s, "<F5>", 25);
	screen_paste(s, text->data, text->len);
	screen_quiet(s, 25);
	close_panel(s);
	close_panel(s);
	clear(s);
}

static const struct sink {
	const char *name;
	void (*feed)(struct screen *s, const struct buf *text);
	size_t most; /* bytes at once */
	bool takes_all; /* in the long form every code point, elsewhere samples */
	bool has_lines;
	const char *begin; /* keys before the first */
} sinks[] = {
	{"the input line", feed_line, 6000, true, true, ""},
	{"a reply as Markdown", feed_reply, 6000, true, true, ""},
	{"a reply as it is", feed_reply, 6000, true, true, "/plain on<Enter>"},
	{"the title and the list of chats", feed_title, 180, false, false, "hello<Enter>"},
	{"the filter of the list", feed_filter, 150, false, false, "hello<Enter>"},
	{"what is looked for", feed_find, 100, false, false, "hello<Enter>"},
	{"an unknown command", feed_unknown, 60, false, false, ""},
	{"a value that is none", feed_set, 60, false, false, ""},
	{"the name of an export", feed_export, 120, false, false, "hello<Enter>"},
	{"the name of an import", feed_import, 120, false, false, ""},
	{"the name of a model", feed_model, 120, false, false, ""},
	{"the name of a template", feed_template, 100, false, false, ""},
	{"the system message and the prompt", feed_system, 2000, false, false, ""},
	{"an attached file", feed_file, 6000, true, true, ""},
};

static void try_sink(const struct sink *sink)
{
	struct foreign foreign = {.most = sink->most, .all = sink->takes_all && test_is_long(),
	                          .every = sink->takes_all || test_is_long() ? 0 : 9,
	                          .has_lines = sink->has_lines};
	struct screen *s = CHAT_OPEN(.model = ECHO, .rows = 50, .cols = 160);
	struct buf text = {.max = MIB(1)};
	int n = 0;

	PRESS_QUIET(s, sink->begin, 50);
	chat_wait_ready(s);
	while (foreign_next(&foreign, &text)) {
		sink->feed(s, &text);
		n++;
	}
	printf("%s: %zu code points and all escapes in %d pieces\n", sink->name, foreign.n_cps, n);
	chat_quit(s);
	buf_free(&text);
}

#define SINK(number) static void test_sink_##number(void) { try_sink(&sinks[number]); }
SINK(0) SINK(1) SINK(2) SINK(3) SINK(4) SINK(5) SINK(6) SINK(7) SINK(8) SINK(9) SINK(10) SINK(11) SINK(12) SINK(13)

/* A chat that somebody else has written, with the text everywhere, under the name. */
static void put_chat(const char *name, const struct buf *text, const struct buf *title)
{
	struct tree *tree = tree_create();
	struct error err;
	char path[800];
	uint32_t id;

	EXPECT(tree && tree_add(tree, 0, ROLE_SYSTEM, text->data, text->len, &id, &err) == STATUS_OK &&
	       tree_set_origin(tree_node(tree, id), title->data) == STATUS_OK &&
	       tree_add(tree, id, ROLE_USER, text->data, text->len, &id, &err) == STATUS_OK &&
	       tree_add(tree, id, ROLE_ASSISTANT, text->data, text->len, &id, &err) == STATUS_OK &&
	       tree_append_reasoning(tree_node(tree, id), text->data, text->len) == STATUS_OK &&
	       tree_set_model(tree_node(tree, id), title->data) == STATUS_OK, "memory");
	test_make_directory(screen_home("data/sotto/chats"));
	snprintf(path, sizeof path, "%s/%s.yaml", screen_home("data/sotto/chats"), name);
	EXPECT(journal_export(tree, buf_text(title), path, &err) == STATUS_OK, "%s", err.text);
	tree_free(tree);
}

/* All of a chat's pages, to its beginning; its thoughts unfolded. */
static void leaf_through(struct screen *s)
{
	char *before = NULL, *now = NULL;

	screen_keys(s, "<M-t>");
	for (int page = 0; page < 2000; page++) {
		PRESS_QUIET(s, "<PgUp>", 6);
		now = screen_snapshot(s);
		if (before && strcmp(before, now) == 0)
			break;
		free(before);
		before = now;
	}
	EXPECT(before != now, "it does not end");
	free(before);
	free(now);
}

static void test_chat_from_disk(void)
{
	struct foreign foreign = {.most = 40000, .all = test_is_long(), .has_lines = true};
	struct foreign titles = {.most = 180, .has_lines = false};
	struct buf text = {.max = MIB(1)}, title = {.max = MIB(1)};
	int n = 0;

	while (foreign_next(&foreign, &text)) {
		struct screen *s;

		(void)foreign_next(&titles, &title);
		put_chat("20261125-000000-0000", &text, &title);
		s = CHAT_OPEN(.model = ECHO, .args = {"-C"}, .rows = 50, .cols = 160);
		leaf_through(s);
		PRESS_QUIET(s, "<F5>", 30);
		close_panel(s);
		PRESS_QUIET(s, "/branches<Enter>", 30);
		close_panel(s);
		chat_quit(s);
		n++;
	}
	printf("%zu code points in %d chats\n", foreign.n_cps, n);
	buf_free(&text);
	buf_free(&title);
}

/* A file's name may have everything but a slash. */
static void test_names_of_files(void)
{
	struct foreign foreign = {.most = 200, .has_lines = false};
	struct buf name = {.max = MIB(1)}, text = {.max = MIB(1)};
	struct screen *s;
	int n = 0;

	buf_puts(&text, "hello");
	while (foreign_next(&foreign, &name)) {
		for (size_t i = 0; i < name.len; i++)
			if (name.data[i] == '/')
				name.data[i] = '_';
		put_chat(buf_text(&name), &text, &text);
		n++;
	}
	for (int kind = 0; kind < 3; kind++) {
		static const char *const arguments[][3] = {{"chats"}, {"chats", "hello"}, {"chats", "--json"}};

		s = SCREEN_START(.args = {arguments[kind][0], arguments[kind][1]}, .rows = 50,
		                 .cols = 200);

		screen_finish(s, 0);
	}
	s = CHAT_OPEN(.model = ECHO, .args = {"-C"}, .cols = 160);
	screen_keys(s, "<F5>");
	for (int i = 0; i < n; i++) {
		screen_keys(s, "<Down>");
		screen_pump(s, 5);
	}
	close_panel(s);
	PRESS_QUIET(s, "/list<Enter>", 50);
	PRESS_QUIET(s, "/show<Enter>", 50);
	chat_quit(s);
	buf_free(&name);
	buf_free(&text);
}

/* Titles and replies on the terminal of a shell. */
static void test_shell(void)
{
	struct foreign foreign = {.most = 3000, .has_lines = true}, titles = {.most = 190};
	struct buf text = {.max = MIB(1)}, title = {.max = MIB(1)};
	char name[40];
	int n = 0;

	while (foreign_next(&foreign, &text)) {
		struct screen *s = SCREEN_START(.args = {"run", "-m", ECHO, "-p", buf_text(&text)},
		                                .rows = 50, .cols = 200);

		screen_finish(s, 0);
		(void)foreign_next(&titles, &title);
		snprintf(name, sizeof name, "20261125-000000-%04d", n++);
		put_chat(name, &text, &title);
	}
	while (foreign_next(&titles, &title)) {
		snprintf(name, sizeof name, "20261125-000000-%04d", n++);
		put_chat(name, &title, &title);
	}
	for (int kind = 0; kind < 3; kind++) {
		static const char *const arguments[][3] = {{"chats"}, {"chats", FOREIGN_MARK},
		                                           {"chats", "--json"}};
		struct screen *s = SCREEN_START(.args = {arguments[kind][0], arguments[kind][1]},
		                                .rows = 50, .cols = 200);

		screen_finish(s, 0);
	}
	buf_free(&text);
	buf_free(&title);
}

/* Into the clipboard goes the text itself, and only as the terminal's clipboard takes it. */
static void test_clipboard(void)
{
	struct foreign foreign = {.most = 3000, .has_lines = true};
	struct buf text = {.max = MIB(1)};
	struct screen *s = CHAT_OPEN(.model = ECHO, .cols = 100);

	s->checker.wants_copies = true;
	while (foreign_next(&foreign, &text)) {
		unsigned before = s->checker.copied.n_direct;

		feed_reply(s, &text);
		PRESS_WAIT(s, "<End>/copy<Enter>", s->checker.copied.n_direct > before);
		screen_quiet(s, 20);
	}
	chat_quit(s);
	buf_free(&text);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"input-line", test_sink_0, 900},      {"markdown", test_sink_1, 900},
		{"plain", test_sink_2, 900},           {"title", test_sink_3, 900},
		{"filter", test_sink_4, 900},          {"find", test_sink_5, 900},
		{"unknown-command", test_sink_6, 900}, {"value", test_sink_7, 900},
		{"export-name", test_sink_8, 900},     {"import-name", test_sink_9, 900},
		{"model-name", test_sink_10, 900},     {"template-name", test_sink_11, 900},
		{"system", test_sink_12, 900},         {"attached-file", test_sink_13, 900},
		{"chat-from-disk", test_chat_from_disk, 900},
		{"names-of-files", test_names_of_files, 300}, {"shell", test_shell, 300},
		{"clipboard", test_clipboard, 300},
	};

	return run_tests(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
