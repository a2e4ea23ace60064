/* The candidates that Tab has found, as they are listed above the input line, page by page. UI thread
 * only. */
#ifndef SOTTO_LINE_TAB_LIST_H
#define SOTTO_LINE_TAB_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct tab_list {
	char **items; /* owned */
	size_t n;
	size_t shown;        /* this many bytes of each match need not be shown */
	size_t page, page_n; /* the first one on the screen, and how many there are of them */
	bool listed;         /* by the current key */
};

void tab_list_clear(struct tab_list *candidates);
/* Copies n matches. If they are shown already, the next of them are shown, and after the last ones the
 * first again. */
void tab_list_show(struct tab_list *candidates, char *const *matches, size_t n);
/* Those from the page's first one on; NULL: there are none. Borrowed. */
const char *const *tab_list_page(const struct tab_list *candidates, size_t *n);

#endif
