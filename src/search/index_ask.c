/* Asking the index: which parts of the files contain all letter triples of a text. */
#include "search/index_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"

enum {
	TRIPLES_MAX = 24, /* of a text: more would hardly leave out more */
	ANSWER_MAX = 100000000,
};

/* A chat that is asked for, by its number in the index. */
struct asked {
	int64_t id;
	size_t entry;
};

static int compare_ids(const void *a, const void *b)
{
	int64_t x = ((const struct asked *)a)->id, y = ((const struct asked *)b)->id;

	return (x > y) - (x < y);
}

/* "abc" AND "bcd" ... False: the text has not three characters. */
static bool put_query(struct buf *out, const struct buf *text)
{
	size_t starts[INDEX_QUERY_MIN + 1] = {0}, n = 0, n_triples = 0;

	for (size_t at = 0; at <= text->len && n_triples < TRIPLES_MAX;) {
		int32_t cp;

		if (n >= INDEX_QUERY_MIN) {
			buf_puts(out, n_triples++ ? " AND \"" : "\"");
			for (size_t i = starts[(n - INDEX_QUERY_MIN) % INDEX_QUERY_MIN]; i < at; i++) {
				if (text->data[i] == '"')
					buf_putc(out, '"');
				buf_putc(out, text->data[i]);
			}
			buf_putc(out, '"');
		}
		if (at == text->len)
			break;
		starts[n++ % INDEX_QUERY_MIN] = at;
		at += utf8_decode(text->data + at, text->len - at, &cp);
	}
	return n_triples > 0;
}

/* Each part that the index names goes to its chat. */
static enum status take_rows(struct index *index, sqlite3_stmt *query, const struct asked *asked,
                             size_t n_asked, struct index_answer *answer, struct error *err)
{
	int code;

	while ((code = sqlite3_step(query)) == SQLITE_ROW) {
		struct asked key = {.id = sqlite3_column_int64(query, 0)};
		const struct asked *chat = n_asked ? bsearch(&key, asked, n_asked, sizeof key, compare_ids)
		                                   : NULL;
		size_t *first;

		if (!chat)
			continue;
		if (!alloc_grow(&answer->parts, &answer->cap_parts, answer->n_parts + 1, sizeof *answer->parts,
		                ANSWER_MAX))
			return error_no_memory(err, "for the search");
		first = &answer->chats[chat->entry].first;
		answer->parts[answer->n_parts++] = (struct index_part){
			sqlite3_column_int64(query, 1), sqlite3_column_int64(query, 2), *first};
		*first = answer->n_parts;
	}
	if (code != SQLITE_DONE)
		return index_fail(index, err);
	sqlite3_reset(query);
	return STATUS_OK;
}

/* Within a transaction: the numbers in the answer are those that were read. */
static enum status ask(struct index *index, const struct journal_entry *entries, size_t n,
                       const char *text, size_t len, struct index_answer *answer, struct error *err)
{
	struct asked *asked = alloc_array(n, sizeof *asked);
	enum status status = asked ? index_step(index, index_query(index, QUERY_BEGIN_READING), err)
	                           : error_no_memory(err, "for the search");
	sqlite3_stmt *query;
	size_t n_asked = 0;

	if (!status)
		status = index_read(index, err);
	for (size_t i = 0; !status && i < n; i++) {
		const struct index_chat *chat = index_find_chat(index, entries[i].path);

		answer->chats[i].is_known = chat && index_is_fresh(chat, &entries[i]);
		if (answer->chats[i].is_known)
			asked[n_asked++] = (struct asked){chat->id, i};
	}
	if (!status && n_asked)
		qsort(asked, n_asked, sizeof *asked, compare_ids);
	if (!status) {
		query = index_query(index, QUERY_MATCH);
		sqlite3_bind_text64(query, 1, text, len, SQLITE_STATIC, SQLITE_UTF8);
		status = take_rows(index, query, asked, n_asked, answer, err);
	}
	sqlite3_exec(index->db, "ROLLBACK", NULL, NULL, NULL); /* nothing was written */
	free(asked);
	return status;
}

enum status index_ask(struct index *index, const struct journal_entry *entries, size_t n,
                      const struct buf *folded, struct index_answer *answer, struct error *err)
{
	struct buf text = {.max = LIMIT_MESSAGE * 3};
	struct buf query = {.max = KIB(4)};
	enum status status;

	*answer = (struct index_answer){.chats = alloc_array(n, sizeof *answer->chats)};
	status = answer->chats && !index_put_text(&text, folded)
	                 ? STATUS_OK : error_no_memory(err, "for the search");
	if (!status && put_query(&query, &text))
		status = ask(index, entries, n, buf_text(&query), query.len, answer, err);
	buf_free(&text);
	buf_free(&query);
	if (status)
		index_answer_free(answer);
	return status;
}

void index_answer_free(struct index_answer *answer)
{
	free(answer->parts);
	free(answer->chats);
	*answer = (struct index_answer){.n_parts = 0};
}
