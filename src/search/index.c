#include "search/index_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"

enum {
	FORMAT = 1,       /* another one's index is made anew */
	BUSY_MS = 200,     /* how long to wait for another process */
	IDEOGRAPHS = 0x2E80, IDEOGRAPHS_LEAD = 0xE2, /* the first of them, and its first byte */
	CHATS_MAX = 100000000,
};

/* Texts are indexed without being kept (content=''), and without places (detail=none): the files
 * have both. */
static const char schema[] =
	"BEGIN IMMEDIATE;"
	"CREATE TABLE IF NOT EXISTS chats (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT UNIQUE NOT NULL,"
	" inode INTEGER, size INTEGER, modified INTEGER, modified_ns INTEGER, done INTEGER, crc INTEGER,"
	" title TEXT, model TEXT, messages INTEGER);"
	"CREATE TABLE IF NOT EXISTS parts (id INTEGER PRIMARY KEY AUTOINCREMENT, chat INTEGER NOT NULL,"
	" at INTEGER, len INTEGER);"
	"CREATE INDEX IF NOT EXISTS parts_chat ON parts (chat);"
	"CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(text, content='', detail=none,"
	" tokenize='trigram case_sensitive 1');"
	"PRAGMA user_version = 1;"
	"COMMIT;";

static const char *const queries[QUERY_COUNT] = {
	[QUERY_BEGIN] = "BEGIN IMMEDIATE",
	[QUERY_BEGIN_READING] = "BEGIN",
	[QUERY_COMMIT] = "COMMIT",
	[QUERY_CHATS] = "SELECT id, path, inode, size, modified, modified_ns, title, model, messages FROM chats"
	               " ORDER BY path",
	[QUERY_CHAT] = "SELECT id, inode, done, crc FROM chats WHERE path = ?",
	[QUERY_ADD_CHAT] = "INSERT INTO chats (path) VALUES (?)",
	[QUERY_SET_CHAT] = "UPDATE chats SET inode = ?2, size = ?3, modified = ?4, modified_ns = ?5, done = ?6,"
	                   " crc = ?7, title = ?8, model = ?9, messages = ?10 WHERE id = ?1",
	[QUERY_DROP_CHAT] = "DELETE FROM chats WHERE id = ?",
	[QUERY_DROP_PARTS] = "DELETE FROM parts WHERE chat = ?",
	[QUERY_ADD_PART] = "INSERT INTO parts (chat, at, len) VALUES (?, ?, ?)",
	[QUERY_ADD_TEXT] = "INSERT INTO texts (rowid, text) VALUES (?, ?)",
	[QUERY_MATCH] = "SELECT chat, at, len FROM texts JOIN parts ON parts.id = texts.rowid"
	                " WHERE texts MATCH ?",
};

static bool is_damage(int code)
{
	code &= 0xFF;
	return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT ||
	       code == SQLITE_SCHEMA || code == SQLITE_ERROR;
}

static void free_chat(struct index_chat *chat)
{
	free(chat->path);
	free(chat->title);
	free(chat->model);
}

static void forget(struct index *index)
{
	for (size_t i = 0; i < index->n_chats; i++)
		free_chat(&index->chats[i]);
	index->n_chats = 0;
	index->is_read = false;
}

static void finalize(struct index *index)
{
	for (int i = 0; i < QUERY_COUNT; i++) {
		sqlite3_finalize(index->queries[i]);
		index->queries[i] = NULL;
	}
}

/* Empties it where it is, since others may have it open. */
static enum status make_anew(struct index *index, struct error *err)
{
	bool ok;

	finalize(index);
	forget(index);
	sqlite3_exec(index->db, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_db_config(index->db, SQLITE_DBCONFIG_RESET_DATABASE, 1, NULL);
	ok = sqlite3_exec(index->db, "VACUUM", NULL, NULL, NULL) == SQLITE_OK;
	sqlite3_db_config(index->db, SQLITE_DBCONFIG_RESET_DATABASE, 0, NULL);
	if (ok && sqlite3_exec(index->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) == SQLITE_OK &&
	    sqlite3_exec(index->db, schema, NULL, NULL, NULL) == SQLITE_OK)
		return STATUS_OK;
	return error_set(err, STATUS_IO, "%s: %s", sqlite3_db_filename(index->db, NULL),
	                 sqlite3_errmsg(index->db));
}

enum status index_fail(struct index *index, struct error *err)
{
	int code = sqlite3_errcode(index->db);
	enum status status = (code & 0xFF) == SQLITE_BUSY || (code & 0xFF) == SQLITE_LOCKED ? STATUS_BUSY
	                     : (code & 0xFF) == SQLITE_NOMEM ? STATUS_NOMEM : STATUS_IO;

	status = error_set(err, status, "%s: %s", sqlite3_db_filename(index->db, NULL),
	                   sqlite3_errmsg(index->db));
	if (is_damage(code) && make_anew(index, NULL))
		forget(index);
	return status;
}

int64_t index_number(struct index *index, const char *sql)
{
	sqlite3_stmt *query;
	int64_t value = -1;

	if (sqlite3_prepare_v2(index->db, sql, -1, &query, NULL) == SQLITE_OK &&
	    sqlite3_step(query) == SQLITE_ROW)
		value = sqlite3_column_int64(query, 0);
	sqlite3_finalize(query);
	return value;
}

enum status index_open_file(struct index **out, const char *path, struct error *err)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	struct index *index = alloc_array(1, sizeof *index);
	enum status status = STATUS_OK;
	int64_t version;
	int fd;

	if (!index)
		return error_no_memory(err, NULL);
	/* It has titles: for the user only, as the chats are; SQLite gives its log the same mode. A file
	 * that is there is not opened here, since closing it would end this process's locks on it. */
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	if (sqlite3_open_v2(path, &index->db, flags, NULL) != SQLITE_OK) {
		status = error_set(err, STATUS_IO, "%s: %s", path,
		                   index->db ? sqlite3_errmsg(index->db) : "not enough memory");
		index_close(index);
		return status;
	}
	sqlite3_busy_timeout(index->db, BUSY_MS);
	/* With a write-ahead log this survives a power cut, without waiting for the disk each time. */
	sqlite3_exec(index->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
	version = index_number(index, "PRAGMA user_version");
	if (version == 0)
		status = sqlite3_exec(index->db, schema, NULL, NULL, NULL) == SQLITE_OK ? STATUS_OK
		                                                               : index_fail(index, err);
	else if (version != FORMAT)
		status = sqlite3_errcode(index->db) == SQLITE_BUSY ? index_fail(index, err)
		                                                  : make_anew(index, err);
	if (status) {
		index_close(index);
		return status;
	}
	*out = index;
	return STATUS_OK;
}

enum status index_open(struct index **out, struct error *err)
{
	struct buf path = {.max = KIB(64)};
	enum status status;

	status = sys_user_path(SYS_DIR_CACHE, "", &path, err);
	if (!status)
		status = sys_make_dirs(buf_text(&path), err);
	if (!status && buf_puts(&path, "/chats.db"))
		status = error_set(err, STATUS_LIMIT, "the path of the index is too long");
	if (!status)
		status = index_open_file(out, buf_text(&path), err);
	buf_free(&path);
	return status;
}

void index_close(struct index *index)
{
	if (!index)
		return;
	finalize(index);
	sqlite3_close(index->db);
	forget(index);
	free(index->chats);
	free(index);
}

sqlite3_stmt *index_query(struct index *index, enum index_query query)
{
	sqlite3_stmt **prepared = &index->queries[query];

	if (*prepared)
		sqlite3_reset(*prepared);
	else if (sqlite3_prepare_v3(index->db, queries[query], -1, SQLITE_PREPARE_PERSISTENT, prepared,
	                            NULL) != SQLITE_OK)
		*prepared = NULL;
	return *prepared; /* to bind and step NULL is an error that SQLite reports */
}

enum status index_step(struct index *index, sqlite3_stmt *query, struct error *err)
{
	bool done = query && sqlite3_step(query) == SQLITE_DONE;
	enum status status = done ? STATUS_OK : index_fail(index, err);

	if (done)
		sqlite3_reset(query);
	return status;
}

/* NULL without memory, or for NULL. */
static char *copy_column(sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);

	return text ? alloc_strndup(text, strlen(text)) : NULL;
}

static bool add_chat(struct index *index, sqlite3_stmt *row)
{
	struct index_chat *chat;

	if (!alloc_grow(&index->chats, &index->cap_chats, index->n_chats + 1, sizeof *index->chats,
	                CHATS_MAX))
		return false;
	chat = &index->chats[index->n_chats];
	*chat = (struct index_chat){
		.id = sqlite3_column_int64(row, 0), .path = copy_column(row, 1),
		.inode = (uint64_t)sqlite3_column_int64(row, 2), .size = sqlite3_column_int64(row, 3),
		.modified = sqlite3_column_int64(row, 4), .modified_ns = sqlite3_column_int64(row, 5),
		.title = copy_column(row, 6), .model = copy_column(row, 7),
		.n_messages = (size_t)sqlite3_column_int64(row, 8)};
	if (chat->path) {
		index->n_chats++;
		return true;
	}
	free_chat(chat);
	return false;
}

enum status index_read(struct index *index, struct error *err)
{
	int64_t version = index_number(index, "PRAGMA data_version");
	sqlite3_stmt *query;
	int code;

	if (index->is_read && version == index->version)
		return STATUS_OK;
	forget(index);
	query = index_query(index, QUERY_CHATS);
	while ((code = sqlite3_step(query)) == SQLITE_ROW)
		if (!add_chat(index, query))
			return error_no_memory(err, "for the index");
	if (code != SQLITE_DONE)
		return index_fail(index, err);
	sqlite3_reset(query);
	index->is_read = true;
	index->version = version;
	return STATUS_OK;
}

struct index_chat *index_find_chat(const struct index *index, const char *path)
{
	size_t at = 0;

	BISECT(at, index->n_chats, i, strcmp(index->chats[i].path, path) < 0);
	return at < index->n_chats && strcmp(index->chats[at].path, path) == 0 ? &index->chats[at] : NULL;
}

bool index_is_fresh(const struct index_chat *chat, const struct journal_entry *entry)
{
	return chat->size == entry->size && chat->modified == entry->modified &&
	       chat->modified_ns == entry->modified_ns && chat->inode == entry->inode;
}

/* A journal_known_fn. */
static bool recall(struct journal_entry *entry, void *context)
{
	const struct index_chat *chat = index_find_chat(context, entry->path);

	if (!chat || !chat->title || !index_is_fresh(chat, entry))
		return false;
	entry->title = alloc_strndup(chat->title, strlen(chat->title));
	entry->model = chat->model ? alloc_strndup(chat->model, strlen(chat->model)) : NULL;
	entry->n_messages = chat->n_messages;
	return entry->title && (entry->model || !chat->model);
}

enum status index_list(struct index *index, struct journal_entry **entries, size_t *n,
                       struct error *err)
{
	if (!index || index_read(index, NULL))
		return journal_list(entries, n, err);
	return journal_list_known(entries, n, recall, index, err);
}

enum status index_put_text(struct buf *out, const struct buf *folded)
{
	const char *text = buf_text(folded);

	for (size_t at = 0; at < folded->len;) {
		size_t start = at, n;
		int32_t cp;

		while (at < folded->len && (unsigned char)text[at] < IDEOGRAPHS_LEAD)
			at++;
		buf_append(out, text + start, at - start);
		if (at == folded->len)
			break;
		n = utf8_decode(text + at, folded->len - at, &cp);
		for (int i = 0; i < (cp >= IDEOGRAPHS ? 3 : 1); i++)
			buf_append(out, text + at, n);
		at += n;
	}
	return buf_status(out);
}
