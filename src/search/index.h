/* An index of the text of all chats: which parts of which files may contain a text. SQLite's FTS5 keeps
 * the set of letter triples that occur in each part: words are found from any of their letters on, and
 * the text itself is not stored again (the index takes 20 % of its size).
 *
 * The transcripts are the truth. The index is a cache: it can be deleted at any time, is made again
 * when it is damaged, and its answers are checked against the files. It says what it does not know.
 * Several processes may have it open; one of them writes. A handle belongs to one thread. */
#ifndef SOTTO_SEARCH_INDEX_H
#define SOTTO_SEARCH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "journal/journal.h"

struct index;

/* Opens the index in the user's cache directory, or makes it. */
enum status index_open(struct index **out, struct error *err) MUST_CHECK;
enum status index_open_file(struct index **out, const char *path, struct error *err) MUST_CHECK;
void index_close(struct index *index);

/* The chats, as journal_list gives them: files that have not changed are not read. `index` NULL: all
 * are. */
enum status index_list(struct index *index, struct journal_entry **entries, size_t *n,
                       struct error *err) MUST_CHECK;

/* Takes in what has changed in these chats, in the order of the list, and forgets chats that are no
 * longer there. `stop` is asked often; what was done until then stays. *n_left: chats that are still
 * to be done (0: none). STATUS_BUSY: another process is updating it. */
typedef bool index_stop_fn(void *context);
enum status index_update(struct index *index, const struct journal_entry *entries, size_t n,
                         index_stop_fn *stop, void *context, size_t *n_left,
                         struct error *err) MUST_CHECK;

/* What may have a text. */
struct index_answer {
	/* Parts of the chats' files, of whole records. */
	struct index_part {
		int64_t at, len;
		size_t next; /* another one of the same chat, as `first` below */
	} *parts; /* owned */
	size_t n_parts, cap_parts;
	/* Of each chat that was asked for: */
	struct {
		bool is_known; /* the index has all of its file */
		size_t first;  /* its first part, counted from 1; 0: none */
	} *chats; /* owned; NULL: nothing is known */
};
/* The shortest text that an index helps with, in characters. */
enum { INDEX_QUERY_MIN = 3 };
/* `folded` is what text_find_fold made. If it is too short, nothing is known. */
enum status index_ask(struct index *index, const struct journal_entry *entries, size_t n,
                      const struct buf *folded, struct index_answer *answer,
                      struct error *err) MUST_CHECK;
void index_answer_free(struct index_answer *answer);

#endif
