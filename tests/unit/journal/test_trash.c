/* The trash, and new titles: a chat is in one place whatever fails, and what is said to be done is on
 * the disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chat_support.h"
#include "journal/trash.h"
#include "support/faulter.h"

TestSuite(trash, .init = chat_folder_make, .fini = chat_folder_remove, .timeout = 300);

static struct error err;

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, err.text)

static char *add(const char *text)
{
	struct tree *tree = tree_create();
	char *path;

	chat_add(tree, 0, ROLE_USER, text);
	OK(journal_add(tree, "", &path, &err));
	tree_free(tree);
	return path;
}

/* How many chats have the title, here and there. */
static size_t count(bool in_trash, const char *title)
{
	struct journal_entry *entries;
	size_t n, found = 0;

	OK((in_trash ? trash_list : journal_list)(&entries, &n, &err));
	for (size_t i = 0; i < n; i++)
		found += strcmp(entries[i].title, title) == 0;
	journal_list_free(entries, n);
	return found;
}

static char *trashed_path(void)
{
	struct journal_entry *entries;
	char *path;
	size_t n;

	OK(trash_list(&entries, &n, &err));
	cr_assert(n > 0);
	path = strdup(entries[0].path);
	journal_list_free(entries, n);
	return path;
}

Test(trash, there_and_back)
{
	char *path = add("apples"), *there;
	struct journal_entry *entries;
	size_t n, n_removed;

	OK(trash_list(&entries, &n, &err));
	cr_expect_eq(n, 0, "no folder yet");
	journal_list_free(entries, n);
	OK(trash_put(path, &io_system, &err));
	cr_expect_eq(count(false, "apples"), 0);
	cr_expect_eq(count(true, "apples"), 1);
	cr_expect_eq(trash_put(path, &io_system, &err), STATUS_NOTFOUND, "twice");
	there = trashed_path();
	OK(trash_restore(there, &io_system, &err));
	cr_expect_eq(count(false, "apples"), 1);
	cr_expect_eq(count(true, "apples"), 0);
	OK(trash_put(path, &io_system, &err));
	OK(trash_list(&entries, &n, &err));
	OK(trash_empty(entries, n, &n_removed, &io_system, &err));
	cr_expect_eq(n_removed, 1);
	journal_list_free(entries, n);
	cr_expect_eq(count(true, "apples"), 0);
	free(there);
	free(path);
}

/* A path may name any file: from the trash it would not come back, since that lists chats. */
Test(trash, takes_chats_only)
{
	char path[4096], *chat = add("apples"), *bytes; /* which makes the folder */
	size_t len;

	free(chat);
	snprintf(path, sizeof path, "%s/notes.txt", chat_folder());
	chat_write(path, "precious", 8);
	cr_expect_eq(trash_put(path, &io_system, &err), STATUS_FORMAT);
	cr_expect_str_eq(err.text + strlen(err.text) - 36, "notes.txt: not a chat saved by sotto");
	bytes = chat_read(path, &len);
	cr_expect_str_eq(bytes, "precious");
	free(bytes);
	chat_write(path, "", 0);
	cr_expect_eq(trash_put(path, &io_system, &err), STATUS_FORMAT, "an empty one is not listed, either");
	cr_expect_eq(access(path, F_OK), 0);
}

/* Nothing is overwritten. */
Test(trash, two_of_one_name)
{
	char *path = add("apples"), *there;
	size_t len;
	char *bytes = chat_read(path, &len);

	OK(trash_put(path, &io_system, &err));
	chat_write(path, bytes, len);
	OK(trash_put(path, &io_system, &err));
	cr_expect_eq(count(true, "apples"), 2);
	there = trashed_path();
	chat_write(path, bytes, len);
	OK(trash_restore(there, &io_system, &err));
	cr_expect_eq(count(false, "apples"), 2);
	free(bytes);
	free(there);
	free(path);
}

Test(trash, an_open_chat_is_not_touched)
{
	char *path = add("apples"), *there;
	struct journal_entry *entries;
	struct journal *journal;
	struct tree *tree;
	size_t n_damaged, n, n_removed;
	bool forked;

	OK(journal_open(&journal, &tree, path, &forked, &n_damaged, &err));
	cr_expect_eq(trash_put(path, &io_system, &err), STATUS_BUSY);
	cr_expect_str_eq(err.text, "this chat is open in another sotto");
	cr_expect_eq(journal_rename(path, "pears", &io_system, &err), STATUS_BUSY);
	cr_expect_str_eq(err.text, "this chat is open in another sotto");
	cr_expect_eq(count(false, "apples"), 1);
	journal_close(journal);
	tree_free(tree);
	OK(trash_put(path, &io_system, &err));
	there = trashed_path();
	OK(journal_open(&journal, &tree, there, &forked, &n_damaged, &err));
	OK(trash_list(&entries, &n, &err));
	OK(trash_empty(entries, n, &n_removed, &io_system, &err));
	cr_expect_eq(n_removed, 0);
	cr_expect_eq(count(true, "apples"), 1);
	journal_list_free(entries, n);
	journal_close(journal);
	tree_free(tree);
	free(there);
	free(path);
}

Test(trash, a_link_is_not_followed)
{
	char *path = add("apples"), link_path[4096];

	snprintf(link_path, sizeof link_path, "%s/link.yaml", chat_folder());
	cr_assert_eq(symlink(path, link_path), 0);
	cr_expect_neq(trash_put(link_path, &io_system, &err), STATUS_OK);
	cr_expect_eq(access(path, F_OK), 0);
	free(path);
}

Test(trash, a_new_title)
{
	char *path = add("apples");
	struct stat before, after;
	const struct timespec old[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1700000000}};

	cr_assert_eq(utimensat(AT_FDCWD, path, old, 0), 0);
	cr_assert_eq(stat(path, &before), 0);
	OK(journal_rename(path, "pears\n\x1B[31m", &io_system, &err));
	cr_expect_eq(count(false, "pears  [31m"), 1);
	cr_assert_eq(stat(path, &after), 0);
	cr_expect_eq(after.st_mtim.tv_sec, before.st_mtim.tv_sec, "it was not used");
	cr_expect(after.st_size > before.st_size);
	OK(journal_rename(path, "", &io_system, &err));
	cr_expect_eq(count(false, "apples"), 1, "the first line again");
	free(path);
}

/* What was synced and renamed, in words. */
static struct {
	char log[4096];
	char names[64][512]; /* of open files */
} recorded;

static void note(const char *what, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t len = strlen(recorded.log);

	snprintf(recorded.log + len, sizeof recorded.log - len, "%s %s;", what, slash ? slash + 1 : path);
}

static int record_open(const char *path, int flags, mode_t mode)
{
	int fd = io_system.open(path, flags, mode);

	if (fd >= 0 && fd < 64)
		snprintf(recorded.names[fd], sizeof recorded.names[fd], "%s", path);
	return fd;
}

static int record_sync(int fd)
{
	note("sync", fd >= 0 && fd < 64 ? recorded.names[fd] : "?");
	return 0;
}

static int record_rename(const char *from, const char *to)
{
	note("rename", "chat");
	return io_system.rename(from, to);
}

static int record_unlink(const char *path)
{
	note("unlink", "chat");
	return io_system.unlink(path);
}

static const struct io_ops *record(void)
{
	static struct io_ops ops;

	ops = io_system;
	ops.open = record_open;
	ops.fdatasync = ops.fsync = record_sync;
	ops.rename = record_rename;
	ops.unlink = record_unlink;
	recorded.log[0] = '\0';
	return &ops;
}

static void set_up(struct faulter *faulter, size_t at, int error)
{
	*faulter = (struct faulter){.at = at, .error = error, .shorten = error ? 0 : -1};
	faulter_init(faulter);
}

/* A power cut leaves what was synced: the new place first. */
Test(trash, syncs_both_folders)
{
	char *path = add("apples"), *there;
	struct journal_entry *entries;
	size_t n, n_removed;

	OK(trash_put(path, record(), &err));
	cr_expect_str_eq(recorded.log, "sync data;rename chat;sync trash;sync chats;");
	there = trashed_path();
	OK(trash_restore(there, record(), &err));
	cr_expect_str_eq(recorded.log, "rename chat;sync chats;sync trash;");
	OK(journal_rename(path, "pears", record(), &err));
	cr_expect(strstr(recorded.log, "sync 2"), "the file: %s", recorded.log);
	OK(trash_put(path, &io_system, &err));
	OK(trash_list(&entries, &n, &err));
	OK(trash_empty(entries, n, &n_removed, record(), &err));
	cr_expect_str_eq(recorded.log, "unlink chat;sync trash;");
	journal_list_free(entries, n);
	free(there);
	free(path);
}

static const int errors[] = {ENOSPC, EIO, EINTR, EDQUOT, EROFS, EACCES, EMFILE, EFBIG, 0};

/* Each call fails once, there and back: the chat is in one of the places, and where it was said to be. */
Test(trash, each_call_fails_once)
{
	for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++)
		for (size_t at = 1, calls = 1; at <= calls; at++) {
			char *path = add("apples"), *there = NULL;
			struct faulter faulter;
			enum status status;

			set_up(&faulter, at, errors[e]);
			status = trash_put(path, &faulter.ops, &err);
			calls = faulter.calls;
			cr_expect_eq(count(false, "apples") + count(true, "apples"), 1, "error %d, call %zu", errors[e], at);
			cr_expect(status || count(true, "apples") == 1, "error %d, call %zu", errors[e], at);
			cr_expect(!status || err.text[0]);
			if (count(true, "apples") == 0)
				OK(trash_put(path, &io_system, &err));
			there = trashed_path();
			set_up(&faulter, at, errors[e]);
			status = trash_restore(there, &faulter.ops, &err);
			cr_expect_eq(count(false, "apples") + count(true, "apples"), 1, "error %d, call %zu", errors[e], at);
			cr_expect(status || count(false, "apples") == 1, "error %d, call %zu", errors[e], at);
			unlink(there);
			unlink(path);
			free(there);
			free(path);
		}
}

/* A title that could not be written leaves the chat as it was, and readable. */
Test(trash, each_call_fails_once_for_a_title)
{
	for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++)
		for (size_t at = 1, calls = 1; at <= calls; at++) {
			char *path = add("apples");
			struct faulter faulter;
			enum status status;
			size_t n_damaged;
			struct tree *tree;
			struct journal *journal;
			bool forked;

			set_up(&faulter, at, errors[e]);
			status = journal_rename(path, "pears", &faulter.ops, &err);
			calls = faulter.calls;
			cr_expect(status || count(false, "pears") == 1, "error %d, call %zu", errors[e], at);
			OK(journal_open(&journal, &tree, path, &forked, &n_damaged, &err));
			cr_expect_eq(tree_n(tree), 1, "error %d, call %zu", errors[e], at);
			cr_expect_str_eq(tree_node(tree, 1)->text, "apples");
			OK(journal_title(journal, "plums", &err));
			journal_close(journal);
			tree_free(tree);
			cr_expect_eq(count(false, "plums"), 1, "error %d, call %zu", errors[e], at);
			unlink(path);
			free(path);
		}
}

Test(trash, each_call_fails_once_while_it_is_emptied)
{
	for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++)
		for (size_t at = 1, calls = 1; at <= calls; at++) {
			struct journal_entry *entries;
			struct faulter faulter;
			size_t n, n_removed, n_left;
			enum status status;

			for (int i = 0; i < 3; i++) {
				char *path = add("apples");

				OK(trash_put(path, &io_system, &err));
				free(path);
			}
			OK(trash_list(&entries, &n, &err));
			set_up(&faulter, at, errors[e]);
			status = trash_empty(entries, n, &n_removed, &faulter.ops, &err);
			calls = faulter.calls;
			n_left = count(true, "apples");
			cr_expect_eq(n_left, n - n_removed, "error %d, call %zu", errors[e], at);
			cr_expect(status || n_left == 0, "error %d, call %zu", errors[e], at);
			OK(trash_empty(entries, n, &n_removed, &io_system, &err));
			cr_expect_eq(n_removed, n_left);
			journal_list_free(entries, n);
		}
}
