/* The search of all chats in a thread of its own, so that neither a key nor a frame waits for the disk.
 * It lists the chats, searches them for the last query, and brings the index up to date while there is
 * none.
 *
 * Threads: one thread owns the finder and makes all calls; what finder_take gives it, it owns. */
#ifndef SOTTO_SEARCH_FINDER_H
#define SOTTO_SEARCH_FINDER_H

#include "search/search.h"

enum finder_order { ORDER_NEWEST, ORDER_OLDEST, ORDER_TITLE, ORDER_LONGEST, ORDER_COUNT };

/* Most rows of a search: nobody reads further. */
enum { FINDER_ROWS_MAX = 1000 };

/* A chat of the answer. */
struct finder_row {
	char *id, *path, *title, *model; /* owned; model NULL: not known */
	int64_t modified;
	size_t n_messages;
	size_t twin;  /* of several with this title, by age: from 1; 0: it is the only one */
	/* Where the text was found; `line` owned, NULL: in the title, or no text was asked for. */
	enum role role;
	char *line;
	size_t len, from, to; /* of the line; the text in it */
};

/* What came since the last call. */
struct finder_news {
	bool is_new;             /* the rows answer another query: earlier ones are void */
	struct finder_row *rows; /* owned */
	size_t n;
	bool is_done;            /* there will be no more */
	size_t n_chats;          /* that were looked through, or will be */
	struct error err;        /* status 0: none */
};

struct finder;

enum status finder_start(struct finder **out, struct error *err) MUST_CHECK;
/* Ends the thread, which may take a moment, and frees it. NULL is fine. */
void finder_end(struct finder *finder);
int finder_fd(const struct finder *finder); /* to be polled: there is news. -1 for NULL */
/* Searches the chats, or those in the trash, for a text; "": lists them. */
void finder_ask(struct finder *finder, const char *text, size_t len, enum finder_order order,
                bool in_trash);
/* Repeats the query if the files have changed. */
void finder_look(struct finder *finder);
void finder_pause(struct finder *finder); /* until the next query */
void finder_take(struct finder *finder, struct finder_news *news);
void finder_rows_free(struct finder_row *rows, size_t n);

#endif
