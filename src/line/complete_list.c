#include "line/complete_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum status complete_add(struct complete_list *list, const char *text, const char *prefix, size_t n)
{
	if (strncmp(text, prefix, n) != 0 || list->n == COMPLETE_MAX)
		return STATUS_OK;
	if (!alloc_grow(&list->items, &list->cap, list->n + 1, sizeof *list->items, COMPLETE_MAX))
		return STATUS_NOMEM;
	list->items[list->n] = alloc_strndup(text, strlen(text));
	if (!list->items[list->n])
		return STATUS_NOMEM;
	list->n++;
	return STATUS_OK;
}

void complete_free(struct complete_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct complete_list){.n = 0};
}
