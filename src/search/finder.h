/* The search of all chats in a thread of its own, so that neither a key nor a frame waits for the disk.
 * It lists the chats, looks in them for what was asked last, and when nothing is asked brings the
 * index up to date.
 *
 * Threads: one thread owns the finder and makes all calls; what it takes is its own. */
#ifndef SOTTO_SEARCH_FINDER_H
#define SOTTO_SEARCH_FINDER_H

#include "search/search.h"

enum finder_order { ORDER_NEWEST, ORDER_OLDEST, ORDER_TITLE, ORDER_LONGEST, ORDER_COUNT };

/* Of an answer to a text: nobody reads on. */
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
	bool is_new;             /* the rows of another answer: those from before are void */
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
/* Looks for a text in the chats, or in those of the trash; "": lists them. */
void finder_ask(struct finder *finder, const char *text, size_t len, enum finder_order order,
                bool in_trash);
/* Asks the same again if the files have changed. */
void finder_look(struct finder *finder);
void finder_pause(struct finder *finder); /* until something is asked */
void finder_take(struct finder *finder, struct finder_news *news);
void finder_rows_free(struct finder_row *rows, size_t n);

#endif
