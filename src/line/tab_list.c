#include "line/tab_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void tab_list_clear(struct tab_list *candidates)
{
	for (size_t i = 0; i < candidates->n; i++)
		free(candidates->items[i]);
	free(candidates->items);
	candidates->items = NULL;
	candidates->n = candidates->page = 0;
}

/* What a list shows of a match. */
static const char *shown_of(const struct tab_list *candidates, const char *match)
{
	return strlen(match) < candidates->shown ? match : match + candidates->shown;
}

static bool are_listed(const struct tab_list *candidates, char *const *matches, size_t n)
{
	if (n != candidates->n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(candidates->items[i], shown_of(candidates, matches[i])) != 0)
			return false;
	return true;
}

void tab_list_show(struct tab_list *candidates, char *const *matches, size_t n)
{
	candidates->listed = true;
	if (are_listed(candidates, matches, n)) {
		size_t next = candidates->page + candidates->page_n;

		candidates->page = next < candidates->n ? next : 0;
		return;
	}
	tab_list_clear(candidates);
	candidates->items = alloc_array(n, sizeof *candidates->items);
	for (size_t i = 0; candidates->items && i < n; i++) {
		const char *text = shown_of(candidates, matches[i]);

		candidates->items[i] = alloc_strndup(text, strlen(text));
		if (!candidates->items[i])
			break;
		candidates->n++;
	}
}

const char *const *tab_list_page(const struct tab_list *candidates, size_t *n)
{
	*n = candidates->n - candidates->page;
	return candidates->items ? (const char *const *)candidates->items + candidates->page : NULL;
}
