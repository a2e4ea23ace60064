/* F5: searching all chats, sorting, titles, the trash, exports. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "screen/chat.h"

#define ECHO "synthetic:mode=echo"
#define CHATS "data/sotto/chats"
#define TRASH "data/sotto/trash"

/* A chat of two messages, used so many days after some day. The texts are as YAML's double quotes have
 * them. */
static void put_chat(const char *id, const char *said, const char *reply, int day, const char *count)
{
	char name[100], text[4096];
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1700000000 + day * 86400}};

	test_make_directory(screen_home(CHATS));
	snprintf(name, sizeof name, CHATS "/%s.yaml", id);
	snprintf(text, sizeof text,
	         "--- # r seq=1 len=1 crc32c=00000000\ntype: \"message\"\nid: \"1\"\nparent: \"0\"\n"
	         "role: \"user\"\ntext: \"%s\"\n...\n"
	         "--- # r seq=2 len=1 crc32c=00000000\ntype: \"assistant-end\"\nid: \"2\"\nparent: \"1\"\n"
	         "role: \"assistant\"\nstate: \"complete\"\ntext: \"%s\"\nmodel: \"parrot\"\nmessages: \"%s\"\n...\n",
	         said, reply, count);
	test_write_text(screen_home(name), text);
	EXPECT(utimensat(AT_FDCWD, screen_home(name), times, 0) == 0, " ");
}

static void put_three(void)
{
	put_chat("20240101-000000-0001", "Zebras", "They have stripes.", 1, "2");
	put_chat("20240101-000000-0002", "mice", "An \xc3\x89" "crevisse\\n\\\n  is no mouse.", 2, "40");
	put_chat("20240101-000000-0003", "apples", "Of \\\"apples\\\" and pears, mostly of apples", 3, "8");
}

static size_t count_files(const char *folder)
{
	DIR *dir = opendir(screen_home(folder));
	struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		n += entry->d_name[0] != '.' && !strstr(entry->d_name, ".kept");
	if (dir)
		closedir(dir);
	return n;
}

/* The text is below the line that is typed, reversed from its first cell to its last. */
static bool is_marked(struct screen *s, const char *text)
{
	for (int row = 3; row < s->rows; row++) {
		int col = strstr(screen_row(s, row), text) ? screen_col_of(s, row, text) : -1;

		if (col > 0 && screen_cell(s, row, col).attrs.reverse && !screen_cell(s, row, col - 1).attrs.reverse)
			return true;
	}
	return false;
}

static void close_panel(struct screen *s)
{
	PRESS_HIDES(s, "<Esc>", "Search:");
}

static bool in_order(struct screen *s, const char *a, const char *b, const char *c)
{
	int x = screen_row_of(s, a), y = screen_row_of(s, b), z = screen_row_of(s, c);

	return x >= 0 && x < y && y < z;
}

static struct screen *open_panel(int rows, int cols)
{
	struct screen *s = CHAT_OPEN(.model = ECHO, .rows = rows, .cols = cols);

	PRESS_SHOWS(s, "<F5>", "Chats, newest first");
	return s;
}

static void test_search(void)
{
	struct screen *s;
	int row;

	put_three();
	s = open_panel(24, 80);
	WAIT_TEXT(s, "3 chats");
	EXPECT(in_order(s, "apples", "mice", "Zebras"), " ");
	EXPECT(screen_has(s, "parrot") && screen_has(s, "40") && screen_has(s, "Nov 1"), "model, length, time");
	PRESS_SHOWS(s, "ECRE", "1 of 3 chats");
	EXPECT(screen_has(s, "reply: An \xc3\x89" "crevisse") && !screen_has(s, "Zebras"), " ");
	EXPECT(is_marked(s, "\xc3\x89" "cre"), " ");
	PRESS_SHOWS(s, "visse is", "ECREvisse is", "1 of 3 chats"); /* across the end of a line */
	PRESS_SHOWS(s, "x", "no chat contains that");
	PRESS_SHOWS(s, "<BS>", "1 of 3 chats");
	PRESS_SHOWS(s, "<C-u>", "3 chats");
	PRESS_SHOWS(s, "zeb", "you: Zebras", "1 of 3 chats"); /* in a first line, which is the title, too */
	screen_keys(s, "<C-u>");
	screen_paste(s, "and pears\nmore", 14);
	WAIT_TEXT(s, "1 of 3 chats");
	screen_resize(s, 12, 50);
	WAIT_TEXT(s, "reply: Of \"apples\" and pears");
	chat_expect_fresh(s);
	screen_resize(s, 24, 80);
	PRESS_SHOWS(s, "<Enter>", "match 1 of 1"); /* opens it at the place */
	row = screen_row_of(s, "and pears"); /* of Markdown the whole line is marked */
	EXPECT(row >= 0 && screen_cell(s, row, screen_col_of(s, row, "and pears")).attrs.reverse, " ");
	PRESS_SHOWS(s, "<F5>", "open here");
	close_panel(s);
	chat_quit(s);
}

/* A damaged index, and none. */
static void test_index(void)
{
	struct screen *s;

	put_three();
	test_make_directory(screen_home("cache/sotto"));
	test_write_text(screen_home("cache/sotto/chats.db"), "this is no database, though it is where one should be\n");
	for (int i = 0; i < 2; i++) {
		s = open_panel(24, 80);
		WAIT_TEXT(s, "3 chats");
		PRESS_SHOWS(s, "stripes", "1 of 3 chats");
		EXPECT(is_marked(s, "stripes"), " ");
		close_panel(s);
		chat_quit(s);
		unlink(screen_home("cache/sotto/chats.db"));
		unlink(screen_home("cache/sotto/chats.db-wal"));
		unlink(screen_home("cache/sotto/chats.db-shm"));
		test_make_directory(screen_home("cache/sotto/chats.db"));
	}
}

/* What another sotto writes appears by itself. */
static void test_new_files(void)
{
	struct screen *s;

	put_three();
	s = open_panel(24, 80);
	WAIT_TEXT(s, "3 chats");
	PRESS_SHOWS(s, "gnu", "no chat contains that");
	put_chat("20240101-000000-0004", "A gnu", "yes", 4, "2");
	WAIT_TEXT(s, "1 of 4 chats");
	EXPECT(is_marked(s, "gnu"), " ");
	put_chat("20240101-000000-0001", "Zebras", "And gnus.", 5, "2");
	WAIT_TEXT(s, "2 of 4 chats");
	close_panel(s);
	chat_quit(s);
}

static void test_orders(void)
{
	struct screen *s;

	put_three();
	s = open_panel(24, 80);
	WAIT_TEXT(s, "3 chats");
	screen_keys(s, "<Down><C-s>");
	WAIT(s, screen_has(s, "Chats, oldest first") && in_order(s, "Zebras", "mice", "apples"));
	EXPECT(screen_has(s, "20240101-000000-0002"), "the same one is selected");
	screen_keys(s, "<C-s>");
	WAIT(s, screen_has(s, "Chats, by title") && in_order(s, "apples", "mice", "Zebras"));
	screen_keys(s, "<C-s>");
	WAIT(s, screen_has(s, "Chats, longest first") && in_order(s, "mice", "apples", "Zebras"));
	screen_keys(s, "e"); /* the answers, too */
	WAIT(s, screen_has(s, "3 of 3 chats") && in_order(s, "mice ", "apples ", "Zebras "));
	screen_keys(s, "<C-s>");
	WAIT(s, screen_has(s, "Chats, newest first") && in_order(s, "apples ", "mice ", "Zebras "));
	close_panel(s);
	chat_quit(s);
}

static void test_trash(void)
{
	struct screen *s;

	put_three();
	s = open_panel(24, 80);
	WAIT_TEXT(s, "3 chats");
	PRESS_SHOWS(s, "<Down><Del>", "moved to the trash", "2 chats");
	EXPECT(!screen_has(s, "mice") && count_files(CHATS) == 2 && count_files(TRASH) == 1, " ");
	PRESS_SHOWS(s, "<C-t>", "Trash, newest first", "1 chat");
	EXPECT(screen_has(s, "mice"), " ");
	PRESS_SHOWS(s, "<Del>crev", "1 of 1 chat"); /* nothing more to delete; it can be searched */
	PRESS_SHOWS(s, "<Enter>", "restored: F5 lists it again");
	EXPECT(count_files(CHATS) == 3 && count_files(TRASH) == 0, " ");
	PRESS_SHOWS(s, "<F5>", "3 chats");
	EXPECT(screen_has(s, "mice"), " ");
	PRESS_SHOWS(s, "<Del><Del>", "1 chat ");
	PRESS_SHOWS(s, "<C-t>", "2 chats");
	PRESS_SHOWS(s, "<C-x>", "Delete all chats in the trash for good? y/n");
	PRESS_HIDES(s, "n", "for good?");
	EXPECT(count_files(TRASH) == 2, " ");
	PRESS_SHOWS(s, "<C-x>", "for good?");
	PRESS_HIDES(s, "<Esc>", "for good?");
	EXPECT(screen_has(s, "Trash") && count_files(TRASH) == 2, " ");
	PRESS_SHOWS(s, "<C-x>y", "2 chats were deleted for good", "the trash is empty");
	EXPECT(count_files(TRASH) == 0 && count_files(CHATS) == 1, " ");
	PRESS_SHOWS(s, "<C-t>", "Chats, newest first", "1 chat ");
	close_panel(s);
	chat_quit(s);
}

/* What is open, here or elsewhere, stays. */
static void test_open_chats(void)
{
	struct screen *a = chat_open(ECHO), *b;

	ASK_WAIT(a, "of the first", screen_count(a, "of the first") == 2);
	b = chat_open(ECHO);
	ASK_WAIT(b, "of the second", screen_count(b, "of the second") == 2);
	PRESS_SHOWS(b, "<F5>", "2 chats");
	EXPECT(screen_has(b, "open here"), " ");
	PRESS_SHOWS(b, "<Del>", "this chat is open here");
	PRESS_SHOWS(b, "<Down><Del>", "not deleted: this chat is open in another sotto");
	PRESS_SHOWS(b, "<C-r> too<Enter>", "not renamed: this chat is open in another sotto");
	EXPECT(count_files(CHATS) == 2 && count_files(TRASH) == 0, " ");
	PRESS_SHOWS(b, "<Up><C-r> (mine)<Enter>", "of the second (mine)");
	close_panel(b);
	chat_quit(b);
	chat_quit(a);
	EXPECT(count_files(CHATS) == 2, " ");
}

/* Chats that begin alike, and other titles for them. */
static void test_titles(void)
{
	struct screen *s;

	put_chat("20240101-000000-0001", "Hello", "one", 3, "2");
	put_chat("20240101-000000-0002", "Hello", "two", 2, "2");
	put_chat("20240101-000000-0003", "Other", "three", 1, "2");
	s = open_panel(24, 80);
	WAIT_TEXT(s, "3 chats");
	EXPECT(in_order(s, "Hello (1)", "Hello (2)", "Other"), "numbered by age");
	PRESS_SHOWS(s, "<C-r>", "Title: Hello");
	PRESS_SHOWS(s, "<C-u>Gr\xc3\xbc\xc3\x9f" "e<BS>e<Enter>", "Gr\xc3\xbc\xc3\x9f" "e  ");
	WAIT_GONE(s, "Hello (2)");
	EXPECT(in_order(s, "Gr\xc3\xbc\xc3\x9f" "e", "Hello", "Other"), "its time stays");
	PRESS_SHOWS(s, "<C-r> no", "Title: Gr\xc3\xbc\xc3\x9f" "e no");
	PRESS_SHOWS(s, "<Esc>", "Search:");
	PRESS_SHOWS(s, "GRUSSE", "1 of 3 chats"); /* found by its title, which is in no message */
	close_panel(s);
	chat_quit(s);
	EXPECT(count_files(CHATS) == 3, " ");
}

static void test_export(void)
{
	struct screen *s;
	char *text, typed[600];
	size_t n;

	put_three();
	s = open_panel(24, 200);
	WAIT_TEXT(s, "3 chats");
	PRESS_SHOWS(s, "<C-e>", "Export to: 20240101-000000-0003.md");
	snprintf(typed, sizeof typed, "<C-u>%s<Enter>", test_path("out.txt"));
	PRESS_SHOWS(s, typed, "exported to ");
	text = test_read_file(test_path("out.txt"), &n);
	EXPECT(text && strstr(text, "Of \"apples\" and pears"), "%s", text ? text : "no file");
	free(text);
	PRESS_SHOWS(s, "<Down><C-e>", "Export to: ");
	PRESS_SHOWS(s, typed, "not exported: ");
	text = test_read_file(test_path("out.txt"), &n);
	EXPECT(text && strstr(text, "Of \"apples\" and pears"), "not overwritten");
	free(text);
	PRESS_SHOWS(s, "<C-e><C-u>name.pdf<Enter>", "must end in .md, .json, .txt or .html");
	close_panel(s);
	chat_quit(s);
}

/* Escapes in titles, texts and models do not reach the terminal, which the harness checks. */
static void test_foreign_text(void)
{
	struct screen *s;

	put_chat("20240101-000000-0001", "\\e[31mred\\a\\u202e", "text \\x9b31m \\e]0;title\\a end", 1, "2");
	s = open_panel(24, 80);
	WAIT_TEXT(s, "1 chat ");
	PRESS_SHOWS(s, "end", "1 of 1 chat");
	PRESS_SHOWS(s, "<C-u>red", "1 of 1 chat");
	PRESS_SHOWS(s, "<C-r>", "Title: ");
	PRESS_HIDES(s, "<Esc>", "Title: ");
	close_panel(s);
	chat_quit(s);
}

static void test_sizes(void)
{
	static const int sizes[][2] = {{1, 1}, {2, 10}, {5, 20}, {7, 30}, {12, 40}, {50, 200}};
	struct screen *s;

	put_three();
	s = open_panel(24, 80);
	WAIT_TEXT(s, "3 chats");
	PRESS_SHOWS(s, "apples", "1 of 3 chats");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		screen_resize(s, sizes[i][0], sizes[i][1]);
		screen_quiet(s, 60);
		if (sizes[i][0] >= 5)
			chat_expect_fresh(s);
	}
	WAIT_TEXT(s, "1 of 3 chats");
	screen_resize(s, 24, 80);
	WAIT_TEXT(s, "1 of 3 chats");
	close_panel(s);
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"search", test_search, 0},
		{"index", test_index, 0},
		{"new-files", test_new_files, 0},
		{"orders", test_orders, 0},
		{"trash", test_trash, 0},
		{"open-chats", test_open_chats, 0},
		{"titles", test_titles, 0},
		{"export", test_export, 0},
		{"foreign-text", test_foreign_text, 0},
		{"sizes", test_sizes, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
