/* What the files of the index share. */
#ifndef SOTTO_SEARCH_INDEX_INTERNAL_H
#define SOTTO_SEARCH_INDEX_INTERNAL_H

#include <sqlite3.h>

#include "search/index.h"

enum index_query {
	QUERY_BEGIN, QUERY_BEGIN_READING, QUERY_COMMIT, QUERY_CHATS, QUERY_CHAT, QUERY_ADD_CHAT, QUERY_SET_CHAT,
	QUERY_DROP_CHAT, QUERY_DROP_PARTS, QUERY_ADD_PART, QUERY_ADD_TEXT, QUERY_MATCH,
	QUERY_COUNT
};

/* A chat as it was taken in. */
struct index_chat {
	int64_t id;
	char *path; /* owned */
	int64_t size, modified, modified_ns;
	uint64_t inode;
	char *title, *model; /* owned; model NULL: not known */
	size_t n_messages;
	bool is_listed, is_gone; /* index_update's */
};

struct index {
	sqlite3 *db;
	sqlite3_stmt *queries[QUERY_COUNT];
	/* What it has, read again when it has changed: */
	bool is_read;
	int64_t version; /* SQLite's data_version, of other processes' changes */
	struct index_chat *chats; /* by path */
	size_t n_chats, cap_chats;
};

/* A query with its values set anew: bind, step, and reset when done. */
sqlite3_stmt *index_query(struct index *index, enum index_query query);
/* Runs one that gives no rows, and resets it. */
enum status index_step(struct index *index, sqlite3_stmt *query, struct error *err) MUST_CHECK;
/* The answer that is one number; -1: it could not be read. */
int64_t index_number(struct index *index, const char *sql);
/* The error of SQLite's last call. After damage the index is emptied. */
enum status index_fail(struct index *index, struct error *err);
/* Reads what it has, if that has changed. */
enum status index_read(struct index *index, struct error *err) MUST_CHECK;
/* NULL: it has none. */
struct index_chat *index_find_chat(const struct index *index, const char *path);
bool index_is_fresh(const struct index_chat *chat, const struct journal_entry *entry);
/* Appends a text as it is indexed: folded, and characters that make words of one or two of them
 * three times each, so that there are three for such a word. */
enum status index_put_text(struct buf *out, const struct buf *folded);

#endif
