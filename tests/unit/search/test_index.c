/* Whatever happens to the index's file or while it is written, no chat is hidden by it. */
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "chat_support.h"
#include "search/index_internal.h"
#include "search/search.h"

TestSuite(search_index, .init = chat_folder_make, .fini = chat_folder_remove, .timeout = 300);

static struct error err;

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, err.text)

enum { CHATS = 20 };

static const char *index_path(const char *ending)
{
	static char path[4096];

	snprintf(path, sizeof path, "%s/../index.db%s", chat_folder(), ending);
	return path;
}

static bool never(void *context)
{
	(void)context;
	return false;
}

static void add_chats(int n)
{
	char text[64];

	for (int i = 0; i < n; i++) {
		struct tree *tree = tree_create();
		char *path;

		snprintf(text, sizeof text, "a title\nthe number %d of many needles", i);
		chat_add(tree, 0, ROLE_USER, text);
		OK(journal_add(tree, "", &path, &err));
		free(path);
		tree_free(tree);
	}
}

static enum status update(struct index *index, size_t *n_left)
{
	struct journal_entry *entries;
	enum status status;
	size_t n;

	OK(index_list(index, &entries, &n, &err));
	cr_expect_eq(n, CHATS);
	status = index_update(index, entries, n, never, NULL, n_left, &err);
	journal_list_free(entries, n);
	return status;
}

static bool count(const struct search_hit *hit, void *context)
{
	(void)hit;
	++*(size_t *)context;
	return true;
}

static void expect_all(struct index *index, const char *what)
{
	struct journal_entry *entries;
	size_t n, n_found = 0;
	struct search_use use = {count, never, &n_found};

	OK(index_list(index, &entries, &n, &err));
	cr_expect_eq(n, CHATS, "%s: %zu listed", what, n);
	OK(search_chats(index, entries, n, "Needle", 6, &use, &err));
	cr_expect_eq(n_found, CHATS, "%s: %zu found", what, n_found);
	journal_list_free(entries, n);
}

static void make_index(void)
{
	struct index *index;
	size_t n_left;

	OK(index_open_file(&index, index_path(""), &err));
	OK(update(index, &n_left));
	index_close(index);
}

/* A text that is fifteen times as long when it is folded, and tripled, is in no index; that costs the
 * other chats nothing, and it is found all the same. */
Test(search_index, a_text_that_grows_beyond_bounds)
{
	enum { N = LIMIT_MESSAGE / 3 };
	struct tree *tree = tree_create();
	struct index *index;
	char *text = malloc(3 * N + 1), *path;
	size_t n_left;

	cr_assert_not_null(text);
	for (size_t i = 0; i < N; i++)
		memcpy(text + 3 * i, "\xe3\x8c\x80", 3);
	memcpy(text, "Needle ", 7);
	memcpy(text + 7, "ab", 2);
	text[3 * N] = '\0';
	chat_add(tree, 0, ROLE_USER, text);
	OK(journal_add(tree, "", &path, &err));
	free(path);
	free(text);
	tree_free(tree);
	add_chats(CHATS - 1);
	OK(index_open_file(&index, index_path(""), &err));
	OK(update(index, &n_left));
	cr_expect_eq(n_left, 0);
	OK(index_read(index, &err));
	cr_expect_eq(index->n_chats, CHATS - 1);
	expect_all(index, "a text that grows");
	index_close(index);
}

/* Opened, asked, updated and asked again. */
static void try_index(const char *what)
{
	struct index *index = NULL;
	size_t n_left;

	if (index_open_file(&index, index_path(""), &err))
		index = NULL;
	expect_all(index, what);
	for (int i = 0; index && i < 3 && update(index, &n_left); i++)
		expect_all(index, what); /* an error empties it: the next try works */
	if (index)
		OK(update(index, &n_left));
	expect_all(index, what);
	index_close(index);
}

Test(search_index, a_file_that_is_no_database)
{
	struct index *index;

	add_chats(CHATS);
	chat_write(index_path(""), "This was a text.\n", 17);
	try_index("text");
	chat_write(index_path(""), "", 0);
	try_index("empty");
	chat_write(index_path("-wal"), "This was a text.\n", 17);
	try_index("log");
	cr_assert_eq(unlink(index_path("")), 0);
	cr_assert_eq(mkdir(index_path(""), 0700), 0);
	cr_assert_neq(index_open_file(&index, index_path(""), &err), STATUS_OK);
	expect_all(NULL, "folder");
}

/* Cut, and overwritten in places. SQLite notices damage of its structures only: what it takes for
 * text is not in danger here, since the texts are in the chats. */
Test(search_index, a_damaged_file)
{
	size_t len, cut_len;
	char *bytes, *cut, what[64];

	add_chats(CHATS);
	make_index();
	bytes = chat_read(index_path(""), &len);
	cr_assert(len > 4096 * 4);
	for (size_t at = 0; at < len; at += 4096) {
		snprintf(what, sizeof what, "cut at %zu", at);
		chat_write(index_path(""), bytes, at);
		unlink(index_path("-wal"));
		unlink(index_path("-shm"));
		try_index(what);
		snprintf(what, sizeof what, "page at %zu", at);
		cut = malloc(len);
		memcpy(cut, bytes, len);
		cut_len = len - at < 4096 ? len - at : 4096;
		memset(cut + at, 0xA5, cut_len);
		chat_write(index_path(""), cut, len);
		unlink(index_path("-wal"));
		unlink(index_path("-shm"));
		try_index(what);
		free(cut);
	}
	free(bytes);
}

Test(search_index, nobody_else_can_read_it)
{
	static const char *const endings[] = {"", "-wal", "-shm"};
	const mode_t mask = umask(0);
	struct index *index;
	struct stat st;
	size_t n_left;

	add_chats(CHATS);
	OK(index_open_file(&index, index_path(""), &err));
	OK(update(index, &n_left));
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		cr_assert_eq(stat(index_path(endings[i]), &st), 0, "%s", endings[i]);
		cr_expect_eq(st.st_mode & 0777, 0600, "%s: %o", endings[i], (unsigned)st.st_mode);
	}
	index_close(index);
	umask(mask);
}

Test(search_index, one_of_another_version)
{
	struct index *index;
	sqlite3 *db;
	size_t n_left;

	add_chats(CHATS);
	make_index();
	cr_assert_eq(sqlite3_open(index_path(""), &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, "PRAGMA user_version = 77; DROP TABLE chats", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	OK(index_open_file(&index, index_path(""), &err));
	expect_all(index, "before");
	OK(update(index, &n_left));
	expect_all(index, "after");
	index_close(index);
}

/* Another process writes: this one goes on without. */
static bool is_refused(void *context)
{
	size_t n_left;
	enum status status = update(context, &n_left);

	cr_expect_eq(status, STATUS_BUSY, "%s", err.text);
	expect_all(context, "while another one writes");
	return true;
}

Test(search_index, one_process_writes)
{
	struct index *a, *b;
	struct journal_entry *entries;
	size_t n, n_left;

	add_chats(CHATS);
	OK(index_open_file(&a, index_path(""), &err));
	OK(index_open_file(&b, index_path(""), &err));
	OK(index_list(a, &entries, &n, &err));
	OK(index_update(a, entries, n, is_refused, b, &n_left, &err));
	cr_expect_eq(n_left, CHATS, "it was stopped");
	journal_list_free(entries, n);
	OK(update(b, &n_left));
	expect_all(a, "a");
	index_close(a);
	index_close(b);
}

/* Empties the index through another handle, and fills it in the other order: its numbers are others. */
static int begin_anew(unsigned event, void *context, void *statement, void *text)
{
	struct index *other = context;
	struct journal_entry *entries;
	size_t n, n_left;

	(void)event;
	(void)statement;
	if (strncmp(text, "SELECT rowid FROM texts", 23) != 0)
		return 0;
	cr_assert_eq(sqlite3_exec(other->db, "DELETE FROM chats; DELETE FROM parts;"
	                          "INSERT INTO texts (texts) VALUES ('delete-all');"
	                          "DELETE FROM sqlite_sequence", NULL, NULL, NULL), SQLITE_OK);
	other->is_read = false;
	OK(index_list(other, &entries, &n, &err));
	for (size_t i = 0; i < n / 2; i++) {
		struct journal_entry moved = entries[i];

		entries[i] = entries[n - 1 - i];
		entries[n - 1 - i] = moved;
	}
	OK(index_update(other, entries, n, never, NULL, &n_left, &err));
	journal_list_free(entries, n);
	return 0;
}

/* Another process does that while this one asks: what was read of the index and what it answers are of
 * one moment. */
Test(search_index, another_process_begins_anew)
{
	struct search_use use = {.stop = never};
	struct journal_entry *entries;
	struct index *a, *b;
	size_t n, n_found;
	char text[64];

	add_chats(CHATS);
	make_index();
	OK(index_open_file(&a, index_path(""), &err));
	OK(index_open_file(&b, index_path(""), &err));
	OK(index_list(a, &entries, &n, &err));
	use.found = count;
	use.context = &n_found;
	cr_assert_eq(sqlite3_trace_v2(a->db, SQLITE_TRACE_STMT, begin_anew, b), SQLITE_OK);
	for (int i = 0; i < CHATS; i++) {
		n_found = 0;
		snprintf(text, sizeof text, "number %d of", i);
		OK(search_chats(a, entries, n, text, strlen(text), &use, &err));
		cr_expect_eq(n_found, 1, "%s: %zu", text, n_found);
	}
	journal_list_free(entries, n);
	index_close(a);
	index_close(b);
}

/* Its writer is killed at any moment. */
Test(search_index, killed)
{
	add_chats(CHATS);
	for (int i = 0; i < 40; i++) {
		pid_t child = fork();

		if (child == 0) {
			struct index *index;
			size_t n_left;

			if (index_open_file(&index, index_path(""), NULL) == STATUS_OK && !update(index, &n_left))
				pause();
			_exit(0);
		}
		cr_assert(child > 0);
		usleep((useconds_t)(i * 500));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		try_index("killed");
		unlink(index_path(""));
		unlink(index_path("-wal"));
		unlink(index_path("-shm"));
	}
}

/* Calls that write, one of which fails. */
static struct faults {
	const sqlite3_io_methods *real;
	sqlite3_io_methods methods[2]; /* of the database, which has locks; of its log */
	size_t calls, at;
	int code;
	int (*open)(sqlite3_vfs *, const char *, sqlite3_file *, int, int *);
} faults;

static bool fails(void)
{
	return ++faults.calls == faults.at;
}

static int fail_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at)
{
	if (!fails())
		return faults.real->xWrite(file, bytes, n, at);
	faults.real->xWrite(file, bytes, n / 2, at); /* short */
	return faults.code;
}

static int fail_sync(sqlite3_file *file, int flags)
{
	return fails() ? faults.code : faults.real->xSync(file, flags);
}

static int fail_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return fails() ? faults.code : faults.real->xTruncate(file, size);
}

static int fail_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	int code = fails() ? SQLITE_CANTOPEN : faults.open(vfs, name, file, flags, out);

	if (code == SQLITE_OK && file->pMethods) {
		sqlite3_io_methods *methods = &faults.methods[!(flags & SQLITE_OPEN_MAIN_DB)];

		faults.real = file->pMethods; /* the calls that fail are the same for both */
		*methods = *file->pMethods;
		methods->xWrite = fail_write;
		methods->xSync = fail_sync;
		methods->xTruncate = fail_truncate;
		file->pMethods = methods;
	} else if (code != SQLITE_OK) {
		file->pMethods = NULL;
	}
	return code;
}

Test(search_index, each_call_fails_once)
{
	static const int codes[] = {SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC, SQLITE_READONLY};
	sqlite3_vfs vfs = *sqlite3_vfs_find(NULL);
	bool fired = true;

	add_chats(CHATS);
	faults.open = vfs.xOpen;
	vfs.zName = "faulty";
	vfs.xOpen = fail_open;
	cr_assert_eq(sqlite3_vfs_register(&vfs, 1), SQLITE_OK);
	for (size_t c = 0; c < sizeof codes / sizeof codes[0]; c++) {
		fired = true;
		for (size_t at = 1; fired; at++) {
			struct index *index = NULL;
			char what[64];
			size_t n_left;

			snprintf(what, sizeof what, "code %d at call %zu", codes[c], at);
			faults.calls = 0;
			faults.at = at;
			faults.code = codes[c];
			if (index_open_file(&index, index_path(""), NULL))
				index = NULL;
			expect_all(index, what);
			if (index && update(index, &n_left))
				expect_all(index, what);
			expect_all(index, what);
			index_close(index);
			fired = faults.calls >= at;
			faults.at = 0;
			cr_assert_eq(index_open_file(&index, index_path(""), &err), STATUS_OK, "%s: %s", what, err.text);
			expect_all(index, what);
			cr_assert_eq(update(index, &n_left), STATUS_OK, "%s: %s", what, err.text);
			expect_all(index, what);
			index_close(index);
			unlink(index_path(""));
			unlink(index_path("-wal"));
			unlink(index_path("-shm"));
			cr_assert(at < 1000);
		}
	}
	sqlite3_vfs_unregister(&vfs);
}
