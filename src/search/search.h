/* Searches all chats for a text, ignoring case and accents: the index says where it may be, the files
 * where it is. Chats that the index does not know are read whole. */
#ifndef SOTTO_SEARCH_SEARCH_H
#define SOTTO_SEARCH_SEARCH_H

#include "search/index.h"

/* The first match in a chat. */
struct search_hit {
	size_t entry;     /* the chat, in the list */
	bool in_title;    /* it is not in a message: there is no line */
	enum role role;   /* who says it */
	const char *line; /* the part of the line that has it; borrowed */
	size_t len;
	size_t from, to;  /* the text, in the line */
};

/* The part of a text to show a place in it, [start, end): of its line, `max` bytes at most, whole
 * characters, from a word on that is near. Returns where it begins, *n its bytes. */
size_t search_line(const char *text, size_t len, size_t start, size_t end, size_t max, size_t *n);

struct search_use {
	bool (*found)(const struct search_hit *hit, void *context); /* false: enough */
	index_stop_fn *stop; /* asked before each file */
	void *context;
};

/* Goes through the chats in the order of the list. `index` may be NULL. `text` empty: finds nothing.
 * A file that cannot be read is skipped. */
enum status search_chats(struct index *index, const struct journal_entry *entries, size_t n,
                         const char *text, size_t len, const struct search_use *use,
                         struct error *err) MUST_CHECK;

#endif
