/* Words are found in all chats, with the index and without it, and the index is what the files are. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "chat_support.h"
#include "search/search.h"

TestSuite(search, .init = chat_folder_make, .fini = chat_folder_remove, .timeout = 300);

static struct error err;

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, err.text)

static const char *index_path(void)
{
	static char path[4096];

	snprintf(path, sizeof path, "%s/../index.db", chat_folder());
	return path;
}

static bool never(void *context)
{
	(void)context;
	return false;
}

static char *add(const char *title, const char *const *texts, size_t n)
{
	struct tree *tree = tree_create();
	uint32_t id = 0;
	char *path;

	for (size_t i = 0; i < n; i++)
		id = chat_add(tree, id, i % 2 ? ROLE_ASSISTANT : ROLE_USER, texts[i]);
	OK(journal_add(tree, title, &path, &err));
	tree_free(tree);
	return path;
}

static void update(struct index *index)
{
	struct journal_entry *entries;
	size_t n, n_left;

	OK(index_list(index, &entries, &n, &err));
	OK(index_update(index, entries, n, never, NULL, &n_left, &err));
	cr_assert_eq(n_left, 0);
	journal_list_free(entries, n);
}

struct found {
	const struct journal_entry *entries;
	size_t n;
	char text[4096]; /* "title: line|" of each, the place in brackets */
};

static bool take(const struct search_hit *hit, void *context)
{
	struct found *found = context;
	size_t len = strlen(found->text);

	found->n++;
	snprintf(found->text + len, sizeof found->text - len, "%s: %.*s[%.*s]%.*s|", found->entries[hit->entry].title,
	         (int)hit->from, hit->line ? hit->line : "", (int)(hit->to - hit->from),
	         hit->line ? hit->line + hit->from : "", (int)(hit->len - hit->to),
	         hit->line ? hit->line + hit->to : "");
	return true;
}

static struct found look_for(struct index *index, const char *text)
{
	struct found found = {.n = 0};
	struct search_use use = {take, never, &found};
	struct journal_entry *entries;
	size_t n;

	OK(index_list(index, &entries, &n, &err));
	found.entries = entries;
	OK(search_chats(index, entries, n, text, strlen(text), &use, &err));
	journal_list_free(entries, n);
	return found;
}

static void add_three(void)
{
	static const char *const one[] = {"How does a hash table\ngrow?", "It is \"doubled\" \xE2\x80\x93 and rehashed: a\\b.\n"
	                                  "L'\xC3\x89" "cole Stra\xC3\x9F" "e"};
	static const char *const two[] = {"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x81\xAE\xE8\xBE\x9E\xE6\x9B\xB8", "e\xCC\x81t\xC3\xA9 table"};
	static const char *const three[] = {"nothing here", "really\tnothing, \xF0\x9F\x91\x8D"};

	free(add("one", one, 2));
	free(add("two", two, 2));
	free(add("three", three, 2));
}

static const struct {
	const char *text;
	size_t n;
	const char *hit; /* one of those that are found */
} rows[] = {
	{"hash table", 1, "one: How does a [hash table]|"},
	{"HASH TABLE GROW", 1, "one: How does a [hash table\ngrow]|"},
	{"ash tab", 1, "[ash tab]"},
	{"table", 2, NULL},
	{"\"doubled\"", 1, "It is [\"doubled\"]"},
	{"a\\b", 1, "[a\\b]"},
	{"ecole strasse", 1, "L'[\xC3\x89" "cole Stra\xC3\x9F" "e]"},
	{"ete", 1, "two: [e\xCC\x81t\xC3\xA9] table|"},
	{"\xC3\x89T\xC3\x89", 1, "two: [e\xCC\x81t\xC3\xA9] table|"},
	{"\xE6\x9C\xAC", 1, "[\xE6\x9C\xAC]"},
	{"\xE6\x9C\xAC\xE8\xAA\x9E", 1, "[\xE6\x9C\xAC\xE8\xAA\x9E]"},
	{"\xE6\x97\xA5\xE8\xAA\x9E", 0, NULL},
	{"\xF0\x9F\x91\x8D", 1, "[\xF0\x9F\x91\x8D]"},
	{"really nothing", 1, "[really\tnothing]"},
	{"hr", 1, "three: []|"}, /* in the title only */
	{"gr", 1, "[gr]ow?"},
	{"hash AND table", 0, NULL}, {"*", 0, NULL}, {"\"", 1, "[\"]doubled"}, {"", 0, NULL},
	{"type: \"message\"", 0, NULL},
};

static void check_rows(struct index *index, const char *how)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct found found = look_for(index, rows[i].text);

		cr_expect_eq(found.n, rows[i].n, "%s: '%s': %s", how, rows[i].text, found.text);
		cr_expect(!rows[i].hit || strstr(found.text, rows[i].hit), "%s: '%s': %s", how, rows[i].text, found.text);
	}
}

Test(search, finds_the_same_with_and_without_the_index)
{
	struct index *index;

	add_three();
	check_rows(NULL, "without");
	OK(index_open_file(&index, index_path(), &err));
	check_rows(index, "empty");
	update(index);
	check_rows(index, "full");
	index_close(index);
	OK(index_open_file(&index, index_path(), &err));
	check_rows(index, "opened again");
	index_close(index);
}

/* What the index says is found without a look at other files. */
Test(search, the_index_leaves_out_what_has_no_hit)
{
	struct index_answer answer;
	struct journal_entry *entries;
	struct index *index;
	struct buf folded = {.max = KIB(1)};
	size_t n, n_parts = 0;

	add_three();
	OK(index_open_file(&index, index_path(), &err));
	update(index);
	OK(index_list(index, &entries, &n, &err));
	buf_puts(&folded, "rehash");
	OK(index_ask(index, entries, n, &folded, &answer, &err));
	for (size_t i = 0; i < n; i++) {
		cr_expect(answer.chats[i].is_known);
		n_parts += answer.chats[i].first != 0;
		cr_expect_eq(answer.chats[i].first != 0, strcmp(entries[i].title, "one") == 0);
	}
	cr_expect_eq(n_parts, 1);
	index_answer_free(&answer);
	buf_free(&folded);
	journal_list_free(entries, n);
	index_close(index);
}

Test(search, a_chat_that_grows_is_found_at_once)
{
	static const char *const texts[] = {"apples"};
	char *path = add("fruit", texts, 1);
	struct journal *journal;
	struct index *index, *other;
	struct tree *tree;
	size_t n_damaged;
	bool forked;

	OK(index_open_file(&index, index_path(), &err));
	OK(index_open_file(&other, index_path(), &err));
	update(index);
	cr_expect_eq(look_for(other, "apples").n, 1);
	OK(journal_open(&journal, &tree, path, &forked, &n_damaged, &err));
	chat_add(tree, 1, ROLE_ASSISTANT, "and pears");
	OK(journal_reply_end(journal, tree_node(tree, 2), &err));
	cr_expect_eq(look_for(index, "pears").n, 1, "read, before it is indexed");
	update(index);
	cr_expect_eq(look_for(index, "pears").n, 1);
	cr_expect_eq(look_for(other, "apples").n, 1);
	cr_expect_eq(look_for(other, "pears").n, 1, "another process's index follows");
	OK(journal_title(journal, "vegetables", &err));
	update(index);
	cr_expect_str_eq(look_for(other, "pears").text, "vegetables: and [pears]|");
	journal_close(journal);
	tree_free(tree);
	index_close(index);
	index_close(other);
	free(path);
}

/* By hand, to the same length, with a later time; and removed. */
Test(search, a_chat_that_was_edited_or_removed_is_indexed_anew)
{
	static const char *const texts[] = {"apples"};
	char *path = add("fruit", texts, 1), *bytes;
	struct index *index;
	size_t len;

	OK(index_open_file(&index, index_path(), &err));
	update(index);
	bytes = chat_read(path, &len);
	memcpy(strstr(bytes, "apples"), "banana", 6);
	chat_write(path, bytes, len);
	update(index);
	cr_expect_eq(look_for(index, "banana").n, 1);
	cr_expect_eq(look_for(index, "apples").n, 0);
	cr_assert_eq(unlink(path), 0);
	update(index);
	cr_expect_eq(look_for(index, "banana").n, 0);
	chat_write(path, bytes, len);
	update(index);
	cr_expect_eq(look_for(index, "banana").n, 1);
	index_close(index);
	free(bytes);
	free(path);
}

/* A transcript that people wrote: other quotes, no frames. */
Test(search, foreign_yaml_is_read)
{
	static const char text[] =
		"--- # r seq=1 len=1 crc32c=00000000\ntype: message\nid: 1\nparent: 0\nrole: user\ntext: plain words\n...\n"
		"---\ntype: \"message\"\nid: \"2\"\nparent: \"1\"\nrole: \"assistant\"\ntext: \"with \\u0041pples\"\n...\n"
		"--- # r seq=3 len=1 crc32c=00000000\ntype: \"draft\"\ntext: \"a draft\"\n...\n"
		"--- # r seq=4 len=9999 crc32c=00000000\ntype: \"message\"\nid: \"3\"\nparent: \"0\"\nrole: \"user\"\ntext: \"torn";
	struct index *index;
	char path[4096];

	snprintf(path, sizeof path, "%s/hand.yaml", chat_folder());
	free(add("any", NULL, 0)); /* makes the folder */
	chat_write(path, text, sizeof text - 1);
	OK(index_open_file(&index, index_path(), &err));
	for (int i = 0; i < 2; i++) {
		cr_expect(strstr(look_for(index, "plain w").text, ": [plain w]ords|"));
		cr_expect_eq(look_for(index, "with apples").n, 1);
		cr_expect_eq(look_for(index, "a draft").n, 0);
		update(index);
	}
	index_close(index);
}

/* Texts that are no longer there do not fill the index for ever. */
Test(search, an_index_of_dead_texts_is_begun_anew)
{
	char *long_text = malloc(9001), *path, *bytes;
	const char *texts[100];
	struct index *index;
	sqlite3_stmt *query;
	sqlite3 *db;
	size_t len;

	for (size_t i = 0; i < 9000; i++)
		long_text[i] = "abcdefg "[i % 8];
	long_text[9000] = '\0';
	for (size_t i = 0; i < 100; i++)
		texts[i] = long_text;
	path = add("long", texts, 100);
	texts[0] = "the needle";
	free(add("short", texts, 1));
	bytes = chat_read(path, &len);
	OK(index_open_file(&index, index_path(), &err));
	for (int i = 0; i < 30; i++) {
		memcpy(strstr(bytes, "text: \"") + 7, (const char[]){(char)('A' + i), 'x', 'y'}, 3);
		chat_write(path, bytes, len);
		update(index);
		cr_expect_eq(look_for(index, "needle").n, 1, "%d", i);
		cr_expect_eq(look_for(index, "abcdefg ab").n, 1, "%d", i);
	}
	index_close(index);
	cr_assert_eq(sqlite3_open(index_path(), &db), SQLITE_OK);
	cr_assert_eq(sqlite3_prepare_v2(db, "SELECT max(id) FROM parts", -1, &query, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_step(query), SQLITE_ROW);
	cr_expect(sqlite3_column_int64(query, 0) < 1500, "part %lld", sqlite3_column_int64(query, 0));
	sqlite3_finalize(query);
	sqlite3_close(db);
	free(bytes);
	free(path);
	free(long_text);
}

/* The texts of a tree, to be met in order. */
struct expected {
	const struct tree *tree;
	uint32_t id;
};

static bool expect_text(const struct journal_text *text, void *context)
{
	struct expected *expected = context;
	const struct node *node = tree_node(expected->tree, ++expected->id);

	cr_assert(node, "more texts than messages");
	cr_expect_eq(text->id, node->id);
	cr_expect_eq(text->role, node->role);
	cr_expect(text->len == node->len && memcmp(text->text, node->text, node->len) == 0, "%u: '%s', not '%s'",
	          node->id, text->text, node->text);
	return true;
}

/* Whatever is written is read as it was: by the quick reader, or by libyaml where that gives up. */
Test(search, reads_what_is_written)
{
	static const char *const pieces[] = {
		"a", "word ", "\n", "\n\n", "\"", "\\", "\\n", "\t", "\r", " ", "  ", "\x01", "\x1B[0m", "...\n", "---\n",
		"--- # r seq=1 len=1 crc32c=00000000\n", "text: \"x\"\n", "\xC3\xA9", "\xE2\x80\xAE", "\xEF\xBB\xBF",
		"\xE2\x80\xA8", "\xF0\x9F\x91\x8D\xEF\xB8\x8F", "\xE6\x97\xA5", "\x7F", "'", ": ", "# ", "\xC2\x85"};
	struct tree *tree = tree_create();
	struct expected expected = {.tree = tree};
	uint64_t random = 28;
	uint32_t id = 0;
	size_t len;
	char *path, *bytes;

	for (int i = 0; i < 500; i++) {
		char text[2000] = "x"; /* an empty text is no text to find */

		for (int n = i % 40; n > 0; n--) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			strcat(text, pieces[(random >> 33) % (sizeof pieces / sizeof pieces[0])]);
		}
		id = chat_add(tree, id, i % 2 ? ROLE_ASSISTANT : ROLE_USER, text);
	}
	OK(journal_add(tree, "a \"title\"", &path, &err));
	bytes = chat_read(path, &len);
	cr_expect_eq(journal_texts(bytes, len, expect_text, &expected), len);
	cr_expect_eq(expected.id, 500);
	free(bytes);
	free(path);
	tree_free(tree);
}

/* True after so many questions. */
static bool after(void *context)
{
	size_t *left = context;

	return *left == 0 || --*left == 0;
}

Test(search, an_update_goes_on_where_it_was_stopped)
{
	char *long_text = malloc(20001);
	const char *texts[40];
	struct journal_entry *entries;
	struct index *index;
	size_t n, n_left = 1, rounds = 0;

	for (size_t i = 0; i < 20000; i++)
		long_text[i] = "abcdefg "[i % 8];
	long_text[20000] = '\0';
	for (size_t i = 0; i < 39; i++)
		texts[i] = long_text;
	texts[39] = "the needle";
	free(add("long", texts, 40));
	free(add("short", texts + 39, 1));
	OK(index_open_file(&index, index_path(), &err));
	OK(index_list(index, &entries, &n, &err));
	while (n_left && rounds < 100) {
		size_t left = 7;

		OK(index_update(index, entries, n, after, &left, &n_left, &err));
		cr_expect_eq(look_for(index, "needle").n, 2);
		rounds++;
	}
	cr_expect(rounds > 5 && rounds < 12, "%zu rounds", rounds);
	cr_expect_eq(n_left, 0);
	cr_expect_eq(look_for(index, "needle").n, 2);
	journal_list_free(entries, n);
	index_close(index);
	free(long_text);
}
