#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "chat_support.h"
#include "support/cpu_time.h"

TestSuite(journal_list, .init = chat_folder_make, .fini = chat_folder_remove, .timeout = 120);

static struct error err;

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, err.text)

/* A chat with a system prompt and one user message; `age` seconds old. */
static void make_chat(const char *system_prompt, const char *text, const char *title, long age,
                      char *id, size_t size)
{
	struct tree *tree = tree_create();
	struct timespec times[2] = {{.tv_sec = 2000000000 - age}, {.tv_sec = 2000000000 - age}};
	struct journal *journal;
	uint32_t parent = 0;

	OK(journal_create(&journal, &err));
	if (system_prompt) {
		parent = chat_add(tree, 0, ROLE_SYSTEM, system_prompt);
		OK(journal_message(journal, tree_node(tree, parent), &err));
	}
	OK(journal_message(journal, tree_node(tree, chat_add(tree, parent, ROLE_USER, text)), &err));
	if (title)
		OK(journal_title(journal, title, &err));
	parent = chat_add(tree, tree_leaf(tree), ROLE_ASSISTANT, "a\nreply \"with\ntitle: \"x\"");
	OK(tree_set_model(tree_node(tree, parent), "Tiny \"1\""));
	OK(journal_reply_end(journal, tree_node(tree, parent), &err));
	snprintf(id, size, "%s", journal_id(journal));
	cr_assert_eq(utimensat(AT_FDCWD, journal_path(journal), times, 0), 0);
	journal_close(journal);
	tree_free(tree);
}

Test(journal_list, no_folder_is_no_chats)
{
	struct journal_entry *entries;
	char *path;
	size_t n;

	OK(journal_list(&entries, &n, &err));
	cr_assert_eq(n, 0);
	journal_list_free(entries, n);
	cr_assert_eq(journal_resolve("x", &path, &err), STATUS_NOTFOUND);
}

static int damaged_last(const void *a, const void *b)
{
	const struct journal_entry *x = a, *y = b;

	if (x->is_damaged != y->is_damaged)
		return x->is_damaged - y->is_damaged;
	return x->modified < y->modified ? 1 : -1;
}

Test(journal_list, newest_first_with_their_first_lines)
{
	static const struct {
		const char *system, *text, *title, *shown;
	} cases[] = {
		{NULL, "Hello\nthere", NULL, "Hello"},
		{"Be brief.\nrole: \"user\"\ntext: \"no\"", "a \"quoted\" \\ line", NULL, "a \"quoted\" \\ line"},
		{NULL, "\n\n  indented", NULL, "  indented"},
		{NULL, "named", "my name \xc3\xa9\x1b[31m\n", "my name \xc3\xa9 [31m "},
		{NULL, "", NULL, ""},
		{NULL, "tab\tand \xf0\x9f\x98\x80 \xc2\x80", NULL, "tab\tand \xf0\x9f\x98\x80 \xc2\x80"},
	};
	enum { N = sizeof cases / sizeof cases[0] };
	struct journal_entry *entries;
	char ids[N][64], path[200];
	size_t n;

	for (size_t i = 0; i < N; i++)
		make_chat(cases[i].system, cases[i].text, cases[i].title, (long)i * 10, ids[i], 64);
	snprintf(path, sizeof path, "%s/no-chat.yaml", chat_folder());
	chat_write(path, "hello: world\n", 13);
	snprintf(path, sizeof path, "%s/empty.yaml", chat_folder());
	chat_write(path, "", 0);
	snprintf(path, sizeof path, "%s/dir.yaml", chat_folder());
	mkdir(path, 0700);
	OK(journal_list(&entries, &n, &err));
	cr_assert_eq(n, N + 2, "what is no chat is named as damaged");
	qsort(entries, n, sizeof *entries, damaged_last);
	for (size_t i = 0; i < N; i++) {
		cr_assert_str_eq(entries[i].id, ids[i]);
		cr_assert_str_eq(entries[i].title, cases[i].shown);
		cr_assert_str_eq(entries[i].model, "Tiny \"1\"");
		cr_assert_eq(entries[i].n_messages, 2, "system messages do not count");
		cr_assert_eq(entries[i].modified, 2000000000 - (long)i * 10);
		cr_assert_eq(access(entries[i].path, R_OK), 0);
	}
	journal_list_free(entries, n);
}

Test(journal_list, long_first_messages_are_cut_and_found_behind_long_prompts)
{
	struct journal_entry *entries;
	char id[64], *text = malloc(200001);
	size_t n;

	memset(text, 'x', 200000);
	text[200000] = '\0';
	make_chat(NULL, text, NULL, 0, id, sizeof id);
	text[20000] = '\0';
	make_chat(text, "behind", NULL, 10, id, sizeof id);
	OK(journal_list(&entries, &n, &err));
	cr_assert_eq(n, 2);
	cr_assert_eq(strlen(entries[0].title), LIMIT_TITLE);
	cr_assert_str_eq(entries[1].title, "behind");
	journal_list_free(entries, n);
	free(text);
}

/* As written before there were models and numbers in the records. */
Test(journal_list, what_is_not_told_is_left_out)
{
	static const char old[] = "--- # r seq=1 len=1 crc32c=0\ntype: \"message\"\nid: \"1\"\n"
	                          "parent: \"0\"\nrole: \"user\"\ntext: \"Hello\"\n...\n";
	struct journal_entry *entries;
	struct tree *tree;
	char path[200], id[64];
	size_t n;

	make_chat(NULL, "x", NULL, 0, id, sizeof id); /* makes the folder */
	snprintf(path, sizeof path, "%s/%s.yaml", chat_folder(), id);
	chat_write(path, old, sizeof old - 1);
	OK(journal_list(&entries, &n, &err));
	cr_assert_eq(n, 1);
	cr_assert_str_eq(entries[0].title, "Hello");
	cr_assert_null(entries[0].model);
	cr_assert_eq(entries[0].n_messages, 0);
	journal_list_free(entries, n);
	OK(journal_parse(old, sizeof old - 1, &tree, NULL, NULL, &err));
	cr_assert_null(tree_node(tree, 1)->model);
	tree_free(tree);
}

Test(journal_list, a_chat_is_found_by_what_it_is_called)
{
	char a[64], b[64], prefix[8], *path;

	make_chat(NULL, "first", "trip to Rome", 20, a, sizeof a);
	make_chat(NULL, "second", NULL, 10, b, sizeof b);
	OK(journal_resolve(a, &path, &err));
	cr_assert_not_null(strstr(path, a));
	free(path);
	OK(journal_resolve("trip to Rome", &path, &err));
	cr_assert_not_null(strstr(path, a));
	free(path);
	OK(journal_resolve("second", &path, &err));
	cr_assert_not_null(strstr(path, b));
	free(path);
	OK(journal_resolve("./x", &path, &err));
	cr_assert_str_eq(path, "./x");
	free(path);
	OK(journal_resolve("x.yaml", &path, &err));
	cr_assert_str_eq(path, "x.yaml");
	free(path);
	snprintf(prefix, sizeof prefix, "%.4s", a);
	cr_assert_eq(journal_resolve(prefix, &path, &err), STATUS_USAGE);
	cr_assert_eq(strncmp(err.text, "2 chats begin with", 18), 0);
	cr_assert_eq(journal_resolve("", &path, &err), STATUS_NOTFOUND);
	cr_assert_eq(journal_resolve("trip to Roma", &path, &err), STATUS_NOTFOUND);
	cr_assert_str_eq(err.text, "there is no chat 'trip to Roma', did you mean 'trip to Rome'?");
	make_chat(NULL, "paths", "pros/cons of notes.yaml", 30, b, sizeof b);
	OK(journal_resolve("pros/cons of notes.yaml", &path, &err));
	cr_assert_not_null(strstr(path, b), "a title that could be a path");
	free(path);
	make_chat(NULL, "third", "trip to Rome", 5, b, sizeof b);
	OK(journal_resolve("trip to Rome", &path, &err));
	cr_assert_not_null(strstr(path, b), "the newest of that name");
	free(path);
}

Test(journal_list, ten_thousand_are_listed_quickly_and_not_one_more)
{
	struct journal_entry *entries;
	char id[64], path[200], *text;
	uint64_t start;
	size_t n, len;

	make_chat("Be brief.", "The first line", NULL, 0, id, sizeof id);
	snprintf(path, sizeof path, "%s/%s.yaml", chat_folder(), id);
	text = chat_read(path, &len);
	for (int i = 0; i < LIMIT_TRANSCRIPTS; i++) {
		snprintf(path, sizeof path, "%s/copy-%05d.yaml", chat_folder(), i);
		chat_write(path, text, len);
	}
	start = test_cpu_ms();
	OK(journal_list(&entries, &n, &err));
	start = test_cpu_ms() - start;
	cr_assert_eq(n, LIMIT_TRANSCRIPTS);
	cr_assert_str_eq(entries[0].title, "The first line");
	fprintf(stderr, "listed %zu chats in %d ms\n", n, (int)start);
	cr_assert_lt(start, 5000);
	journal_list_free(entries, n);
	free(text);
}

/* The file's bytes after what an editor, a copy or a version control makes of them. */
static size_t disguise(int kind, const char *text, size_t len, char *out)
{
	static const char *const before[] = {"\xEF\xBB\xBF", "", "\n\n\n", "# a note\n", "\xEF\xBB\xBF\n# a note\n\n", "\t\n", "\xEF\xBB\xBF"};
	bool crlf = kind == 1 || kind == 6 || kind == 7;
	size_t n = kind < 7 ? strlen(before[kind]) : 0;

	if (n)
		memcpy(out, before[kind], n);
	if (kind == 7)
		n = (size_t)sprintf(out, "\r\n# a note\r\n");
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n' && crlf)
			out[n++] = '\r';
		out[n++] = text[i];
	}
	return n;
}

Test(journal_list, what_editors_make_of_a_chat_is_found_and_mended)
{
	for (int kind = 0; kind < 8; kind++) {
		struct journal_entry *entries;
		struct journal *journal;
		struct tree *tree, *before;
		char id[64], path[300], what[32], *text, *changed;
		size_t n, len, n_damaged;
		bool forked;

		snprintf(what, sizeof what, "kind %d", kind);
		make_chat(kind % 2 ? "a prompt" : NULL, "apples\nand \"pears\"\r\n\tand plums", kind % 3 ? NULL : "a name", 0, id,
		          sizeof id);
		snprintf(path, sizeof path, "%s/%s.yaml", chat_folder(), id);
		OK(journal_load(path, &before, &n_damaged, NULL, &err));
		text = chat_read(path, &len);
		changed = malloc(len * 2 + 64);
		chat_write(path, changed, disguise(kind, text, len, changed));
		free(text);
		free(changed);
		OK(journal_list(&entries, &n, &err));
		cr_assert_eq(n, 1, "%s", what);
		cr_assert_not(entries[0].is_damaged, "%s: %s", what, entries[0].title);
		cr_assert_str_eq(entries[0].title, kind % 3 ? "apples" : "a name", "%s", what);
		cr_assert_eq(entries[0].n_messages, 2, "%s", what);
		journal_list_free(entries, n);
		OK(journal_load(path, &tree, &n_damaged, NULL, &err));
		chat_assert_same(before, tree, what);
		tree_free(tree);
		OK(journal_open(&journal, &tree, path, &forked, &n_damaged, &err));
		chat_assert_same(before, tree, what);
		cr_assert(n_damaged + journal_n_edited(journal) == 0 && !forked, "%s", what);
		OK(journal_message(journal, tree_node(tree, chat_add(tree, tree_leaf(tree), ROLE_USER, "on")), &err));
		OK(journal_message(journal, tree_node(tree, chat_add(tree, tree_leaf(tree), ROLE_USER, "and on")), &err));
		cr_assert_str_eq(journal_path(journal), path, "%s", what);
		journal_close(journal);
		text = chat_read(path, &len);
		cr_assert(!memchr(text, '\r', len) && text[0] != '\xEF' && text[0] != '\n', "%s: not mended", what);
		cr_assert(kind != 3 || strncmp(text, "# a note\n", 9) == 0, "a note stays");
		free(text);
		tree_free(before);
		OK(journal_load(path, &before, &n_damaged, NULL, &err));
		chat_assert_same(tree, before, what);
		cr_assert_eq(n_damaged, 0);
		tree_free(before);
		tree_free(tree);
		cr_assert_eq(unlink(path), 0);
	}
}

/* Whatever is in the folder under the name of a chat stands in the list. */
Test(journal_list, what_cannot_be_read_is_named)
{
	static const struct {
		const char *bytes;
		size_t len;
	} kinds[] = {
		{"", 0}, {"\0\0\0\0\0\0\0\0", 8}, {"hello: world\n", 13}, {"\xFF\xFE-\0-\0-\0", 8}, {"\n\n# nothing\n", 12},
		{"--- # r seq=1 len=300 crc32c=93c7b8cc\ntype: \"mess", 50},
		{"--- # r seq=1 len=48 crc32c=00000000\n\ttype: \"message\"\n...\n", 57},
	};
	enum { N = sizeof kinds / sizeof kinds[0] };
	struct journal_entry *entries;
	char id[64], path[300], *last;
	size_t n;

	make_chat(NULL, "apples", NULL, 1000000, id, sizeof id);
	for (size_t i = 0; i < N; i++) {
		snprintf(path, sizeof path, "%s/damaged-%zu.yaml", chat_folder(), i);
		chat_write(path, kinds[i].bytes, kinds[i].len);
	}
	snprintf(path, sizeof path, "%s/nowhere.yaml", chat_folder());
	cr_assert_eq(symlink("/nonexistent/x.yaml", path), 0);
	OK(journal_list(&entries, &n, &err));
	cr_assert_eq(n, N + 2);
	for (size_t i = 0; i < n; i++) {
		cr_assert_eq(entries[i].is_damaged, strcmp(entries[i].id, id) != 0, "%s", entries[i].id);
		cr_assert(!entries[i].is_damaged || entries[i].title[0] == '[', "%s: %s", entries[i].id, entries[i].title);
	}
	journal_list_free(entries, n);
	OK(journal_last(&last, &err));
	cr_assert(strstr(last, id), "what can be opened");
	free(last);
}

/* A first record that is cut, or zeros, hides nothing after it. */
Test(journal_list, a_damaged_beginning_hides_nothing)
{
	for (int kind = 0; kind < 3; kind++) {
		struct journal_entry *entries;
		char id[64], path[300], *text;
		struct tree *tree;
		size_t n, len, cut, n_damaged;

		make_chat(NULL, "apples", NULL, 0, id, sizeof id);
		snprintf(path, sizeof path, "%s/%s.yaml", chat_folder(), id);
		text = chat_read(path, &len);
		cut = (size_t)(strstr(text, "...\n") - text);
		if (kind == 0)
			chat_write(path, text + 20, len - 20);
		else if (kind == 1)
			memset(text, 0, cut), chat_write(path, text, len);
		else
			memcpy(text + cut, "\t\t\t", 3), chat_write(path, text, len);
		OK(journal_list(&entries, &n, &err));
		cr_assert(n == 1 && !entries[0].is_damaged, "%d", kind);
		cr_assert_str_eq(entries[0].title, "apples", "%d", kind);
		journal_list_free(entries, n);
		OK(journal_load(path, &tree, &n_damaged, NULL, &err));
		cr_assert_eq(tree_n(tree), 2, "%d: %zu", kind, tree_n(tree));
		tree_free(tree);
		free(text);
		cr_assert_eq(unlink(path), 0);
	}
}
