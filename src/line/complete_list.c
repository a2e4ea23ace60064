#include "line/complete_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void complete_add(struct complete_list *list, const char *text, const char *prefix, size_t n)
{
	if (strncmp(text, prefix, n) != 0 || list->n == COMPLETE_MAX)
		return;
	if (alloc_grow(&list->items, &list->cap, list->n + 1, sizeof *list->items, COMPLETE_MAX) &&
	    (list->items[list->n] = alloc_strndup(text, strlen(text))))
		list->n++;
	else
		list->has_failed = true;
}

void complete_free(struct complete_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct complete_list){.n = 0};
}

/* How many of the bytes of [0] all have, in whole characters. */
static size_t common_length(const struct complete_list *list)
{
	size_t common = strlen(list->items[0]);

	for (size_t i = 1; i < list->n; i++) {
		size_t n = 0;

		while (n < common && list->items[i][n] == list->items[0][n])
			n++;
		common = n;
	}
	while (common && ((unsigned char)list->items[0][common] & 0xc0) == 0x80)
		common--;
	return common;
}

char **complete_matches(const struct complete_list *list, size_t word)
{
	size_t skip, common, n = 0;
	char **matches;

	if (!list->n || list->start > word)
		return NULL;
	skip = word - list->start;
	common = common_length(list);
	matches = common >= skip ? alloc_array(list->n + 2, sizeof *matches) : NULL;
	if (!matches)
		return NULL;
	matches[n] = alloc_strndup(list->items[0] + skip, common - skip);
	while (matches[n] && n < list->n && list->n > 1) {
		const char *item = list->items[n] + skip;

		matches[++n] = alloc_strndup(item, strlen(item));
	}
	if (matches[n])
		return matches;
	while (n)
		free(matches[--n]);
	free(matches);
	return NULL;
}

void tab_list_clear(struct tab_list *candidates)
{
	complete_free(&candidates->found);
	candidates->page = 0;
}

/* What a list shows of a match. */
static const char *shown_of(const struct tab_list *candidates, const char *match)
{
	return strlen(match) < candidates->shown ? match : match + candidates->shown;
}

static bool are_listed(const struct tab_list *candidates, char *const *matches, size_t n)
{
	if (n != candidates->found.n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(candidates->found.items[i], shown_of(candidates, matches[i])) != 0)
			return false;
	return true;
}

void tab_list_show(struct tab_list *candidates, char *const *matches, size_t n)
{
	candidates->listed = true;
	if (are_listed(candidates, matches, n)) {
		size_t next = candidates->page + candidates->page_n;

		candidates->page = next < n ? next : 0;
		return;
	}
	tab_list_clear(candidates);
	for (size_t i = 0; i < n; i++)
		complete_add(&candidates->found, shown_of(candidates, matches[i]), "", 0);
}
