/* Bringing the index up to date with the files. Transcripts grow: what is new in one is
 * added; one that has changed in another way is indexed again. */
#include "search/index_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/text_find.h"

enum {
	PART_BYTES = 8192,  /* of text; a longer message is a part of its own */
	BATCH_BYTES = 4 << 20, /* of files, in one transaction */
};

/* A chat that is being taken in. */
struct chat_update {
	struct index *index;
	index_stop_fn *stop;
	void *context;
	int64_t chat;
	size_t base;            /* where in the file the walk began */
	size_t from, to;        /* the part, from there; empty: to <= from */
	size_t done;            /* the end of the last part that was added */
	struct buf text, folded; /* of the part; of a message */
	bool stopped;
	enum status status;
	struct error *err;
};

static enum status add_part(struct chat_update *update)
{
	struct index *index = update->index;
	sqlite3_stmt *part = index_query(index, QUERY_ADD_PART), *text;
	enum status status;

	sqlite3_bind_int64(part, 1, update->chat);
	sqlite3_bind_int64(part, 2, (int64_t)(update->base + update->from));
	sqlite3_bind_int64(part, 3, (int64_t)(update->to - update->from));
	status = index_step(index, part, update->err);
	if (status)
		return status;
	text = index_query(index, QUERY_ADD_TEXT);
	sqlite3_bind_int64(text, 1, sqlite3_last_insert_rowid(index->db));
	sqlite3_bind_text64(text, 2, buf_text(&update->text), update->text.len, SQLITE_STATIC, SQLITE_UTF8);
	status = index_step(index, text, update->err);
	update->done = update->from = update->to;
	buf_clear(&update->text);
	return status;
}

/* A journal_text_fn. */
static bool take_message(const struct journal_text *message, void *context)
{
	struct chat_update *update = context;

	if (!update->text.len)
		update->from = message->from;
	update->to = message->to;
	buf_clear(&update->folded);
	update->status = text_find_fold(&update->folded, message->text, message->len);
	if (!update->status)
		update->status = index_put_text(&update->text, &update->folded);
	if (!update->status)
		update->status = buf_putc(&update->text, '\n');
	if (update->status) {
		error_set(update->err, update->status, "not enough memory for the index");
		return false;
	}
	if (update->text.len >= PART_BYTES)
		update->status = add_part(update);
	update->stopped = update->stop(update->context);
	return !update->status && !update->stopped;
}

static enum status drop_chat(struct index *index, int64_t id, struct error *err)
{
	const enum index_query drops[] = {QUERY_DROP_PARTS, QUERY_DROP_CHAT};
	enum status status = STATUS_OK;

	for (int i = 0; !status && i < 2; i++) {
		sqlite3_stmt *query = index_query(index, drops[i]);

		sqlite3_bind_int64(query, 1, id);
		status = index_step(index, query, err);
	}
	return status;
}

/* Finds the chat's row, or makes one. *done: how much of the file it stands for. */
static enum status find_row(struct index *index, const struct journal_entry *entry, const char *bytes,
                            size_t len, int64_t *id, size_t *done, struct error *err)
{
	sqlite3_stmt *query = index_query(index, QUERY_CHAT);
	enum status status = STATUS_OK;
	int code;

	*done = 0;
	sqlite3_bind_text(query, 1, entry->path, -1, SQLITE_STATIC);
	code = sqlite3_step(query);
	if (code == SQLITE_ROW) {
		const size_t known = (size_t)sqlite3_column_int64(query, 2);
		const bool grown = (uint64_t)sqlite3_column_int64(query, 1) == entry->inode && known <= len &&
		                   crc32c(bytes, known) == (uint32_t)sqlite3_column_int64(query, 3);

		*id = sqlite3_column_int64(query, 0);
		sqlite3_reset(query);
		*done = known;
		if (grown)
			return STATUS_OK;
		*done = 0;
		status = drop_chat(index, *id, err);
	} else if (code != SQLITE_DONE) {
		return index_fail(index, err);
	}
	if (status)
		return status;
	query = index_query(index, QUERY_ADD_CHAT);
	sqlite3_bind_text(query, 1, entry->path, -1, SQLITE_STATIC);
	status = index_step(index, query, err);
	*id = sqlite3_last_insert_rowid(index->db);
	return status;
}

static enum status set_row(struct chat_update *update, const struct journal_entry *entry,
                           const char *bytes, size_t done)
{
	sqlite3_stmt *query = index_query(update->index, QUERY_SET_CHAT);

	sqlite3_bind_int64(query, 1, update->chat);
	sqlite3_bind_int64(query, 2, (int64_t)entry->inode);
	sqlite3_bind_int64(query, 3, update->stopped ? -1 : entry->size); /* -1: not all of it */
	sqlite3_bind_int64(query, 4, entry->modified);
	sqlite3_bind_int64(query, 5, entry->modified_ns);
	sqlite3_bind_int64(query, 6, (int64_t)done);
	sqlite3_bind_int64(query, 7, crc32c(bytes, done));
	sqlite3_bind_text(query, 8, entry->title, -1, SQLITE_STATIC);
	sqlite3_bind_text(query, 9, entry->model, -1, SQLITE_STATIC);
	sqlite3_bind_int64(query, 10, (int64_t)entry->n_messages);
	return index_step(update->index, query, update->err);
}

/* One chat. A file that cannot be read is left for the next time. */
static enum status take_chat(struct chat_update *update, const struct journal_entry *entry)
{
	size_t len, whole;
	char *bytes;

	if (sys_read_file(entry->path, LIMIT_TRANSCRIPT, &bytes, &len, NULL))
		return STATUS_OK;
	update->status = find_row(update->index, entry, bytes, len, &update->chat, &update->base,
	                          update->err);
	if (!update->status) {
		update->from = update->to = update->done = 0;
		buf_clear(&update->text);
		whole = journal_texts(bytes + update->base, len - update->base, take_message, update);
		if (!update->status && !update->stopped && update->text.len)
			update->status = add_part(update);
		if (!update->status)
			update->status = set_row(update, entry, bytes,
			                         update->base + (update->stopped ? update->done : whole));
	}
	free(bytes);
	/* A text that grows beyond all bounds when it is folded: this chat is read whole each time. */
	if (update->status == STATUS_LIMIT)
		update->status = drop_chat(update->index, update->chat, update->err);
	return update->status;
}

/* Which chats of the list the index lacks; and which of its own are neither in the list nor on the
 * disk: *n_gone. */
static size_t find_stale(struct index *index, const struct journal_entry *entries, size_t n, bool *stale,
                         size_t *n_gone)
{
	size_t n_stale = 0;

	*n_gone = 0;
	for (size_t i = 0; i < index->n_chats; i++)
		index->chats[i].is_listed = false;
	for (size_t i = 0; i < n; i++) {
		struct index_chat *chat = index_find_chat(index, entries[i].path);

		if (chat)
			chat->is_listed = true;
		stale[i] = !entries[i].is_damaged && (!chat || !index_is_fresh(chat, &entries[i]));
		n_stale += stale[i];
	}
	for (size_t i = 0; i < index->n_chats; i++) {
		struct index_chat *chat = &index->chats[i];

		chat->is_gone = !chat->is_listed && access(chat->path, F_OK) != 0 && errno == ENOENT;
		*n_gone += chat->is_gone;
	}
	return n_stale;
}

static enum status drop_gone(struct index *index, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < index->n_chats; i++)
		if (index->chats[i].is_gone)
			status = drop_chat(index, index->chats[i].id, err);
	return status;
}

/* Texts cannot be taken out of the index: when more are dead than alive, it is begun anew. */
static bool is_mostly_dead(struct index *index)
{
	return index_number(index, "SELECT max(id) > 2 * count(*) + 1000 FROM parts") > 0;
}

static enum status drop_all(struct index *index, struct error *err)
{
	return sqlite3_exec(index->db, "DELETE FROM chats; DELETE FROM parts;"
	                    "INSERT INTO texts (texts) VALUES ('delete-all');"
	                    "DELETE FROM sqlite_sequence", NULL, NULL, NULL) == SQLITE_OK
	               ? STATUS_OK : index_fail(index, err);
}

static enum status begin(struct index *index, struct error *err)
{
	return index_step(index, index_query(index, QUERY_BEGIN), err);
}

static enum status commit(struct index *index, struct error *err)
{
	index->is_read = false;
	return index_step(index, index_query(index, QUERY_COMMIT), err);
}

/* Those that are stale, in transactions of some size. */
static enum status take_stale(struct chat_update *update, const struct journal_entry *entries,
                              size_t n, const bool *stale, size_t *n_left)
{
	enum status status = STATUS_OK;
	int64_t batch = 0;

	for (size_t i = 0; !status && !update->stopped && i < n; i++) {
		if (!stale[i])
			continue;
		update->stopped = update->stop(update->context);
		if (!update->stopped)
			status = take_chat(update, &entries[i]);
		*n_left -= !update->stopped;
		batch += entries[i].size;
		if (!status && batch >= BATCH_BYTES) {
			batch = 0;
			status = commit(update->index, update->err);
			if (!status)
				status = begin(update->index, update->err);
		}
	}
	return status;
}

enum status index_update(struct index *index, const struct journal_entry *entries, size_t n,
                         index_stop_fn *stop, void *context, size_t *n_left, struct error *err)
{
	struct chat_update update = {.index = index, .stop = stop, .context = context, .err = err,
	                             .text = {.max = LIMIT_RECORD}, .folded = {.max = LIMIT_RECORD}};
	enum status status = index_read(index, err);
	size_t n_gone;
	bool *stale;

	*n_left = n;
	if (status)
		return status;
	stale = alloc_array(n, sizeof *stale);
	if (!stale)
		return error_no_memory(err, "for the index");
	*n_left = find_stale(index, entries, n, stale, &n_gone);
	if (*n_left || n_gone) {
		status = begin(index, err);
		if (!status)
			status = drop_gone(index, err);
		if (!status && is_mostly_dead(index)) {
			status = drop_all(index, err);
			memset(stale, true, n * sizeof *stale);
			*n_left = n;
		}
		if (!status)
			status = take_stale(&update, entries, n, stale, n_left);
		if (!status)
			status = commit(index, err);
		if (status)
			sqlite3_exec(index->db, "ROLLBACK", NULL, NULL, NULL);
	}
	buf_free(&update.text);
	buf_free(&update.folded);
	free(stale);
	return status;
}
