/* What Tab offers for the text before the caret: a list that is filled by whoever knows what fits, and
 * the names of files. */
#ifndef SOTTO_LINE_COMPLETE_LIST_H
#define SOTTO_LINE_COMPLETE_LIST_H

#include <stdbool.h>
#include <stddef.h>

enum { COMPLETE_MAX = 1000 };

struct complete_list {
	char **items; /* owned */
	size_t n, cap;
	size_t start; /* what they replace begins at this byte of the line ... */
	size_t shown; /* ... and this many bytes of each need not be shown in a list */
	bool has_failed; /* there was not enough memory for one */
};

/* Adds a copy of `text` when it begins with the n bytes of `prefix`. */
void complete_add(struct complete_list *list, const char *text, const char *prefix, size_t n);

/* complete_files.c: names of files that begin with a path. Folders end in a slash; `shown` becomes the
 * length of the folder's part. */
void complete_add_files(struct complete_list *list, const char *prefix, size_t n);
/* The same for a word as it is typed among others: blanks in names have backslashes. Its first `before`
 * bytes are no part of the name. */
void complete_add_escaped(struct complete_list *list, const char *word, size_t n, size_t before);
/* Where the last word begins: behind the last blank without a backslash. */
size_t complete_last_word(const char *text, size_t n);
void complete_free(struct complete_list *list);
/* The candidates as readline wants them, from malloc: [0] what all have in common, then each, NULL; [0]
 * alone for a single one. Readline replaces the word that begins at byte `word` of the line, so what
 * they have before that is cut off. NULL: there are none, or no memory. */
char **complete_matches(const struct complete_list *list, size_t word);

/* The matches that Tab has found, as they are listed above the input line, page by page. */
struct tab_list {
	struct complete_list found;
	size_t shown;        /* this many bytes of each match need not be shown */
	size_t page, page_n; /* the first one on the screen, and how many there are of them */
	bool listed;         /* by the current key */
};

void tab_list_clear(struct tab_list *candidates);
/* Copies n matches. If they are shown already, the next of them are shown, and after the last
 * ones the first again. */
void tab_list_show(struct tab_list *candidates, char *const *matches, size_t n);

#endif
