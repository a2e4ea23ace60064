#include "base/name_list.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/data_name.h"
#include "base/nearest.h"

enum { FOLDER_MAX = 1000, LIST_MAX = 1000000 };

bool name_list_add(struct name_list *list, const char *name, size_t len)
{
	char *copy = alloc_strndup(name, len);

	if (!copy || !alloc_grow(&list->items, &list->cap, list->n + 1, sizeof *list->items, LIST_MAX)) {
		free(copy);
		return false;
	}
	list->items[list->n++] = copy;
	return true;
}

void name_list_add_folder(struct name_list *list, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && list->n < FOLDER_MAX && (entry = readdir(dir))) {
		size_t len;
		const char *name = data_name_of_path(entry->d_name, &len);

		if (data_name_is_file(entry->d_name) && !name_list_add(list, name, len))
			break;
	}
	if (dir)
		closedir(dir);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void name_list_sort(struct name_list *list)
{
	size_t kept = 0;

	if (list->n)
		qsort(list->items, list->n, sizeof *list->items, compare);
	for (size_t i = 0; i < list->n; i++) {
		if (kept && strcmp(list->items[kept - 1], list->items[i]) == 0)
			free(list->items[i]);
		else
			list->items[kept++] = list->items[i];
	}
	list->n = kept;
}

void name_list_free(struct name_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct name_list){.n = 0};
}

enum status name_list_unknown(struct name_list *list, const char *kind, const char *name, size_t len,
                              enum status status, struct error *err)
{
	int shown = (int)(len < 60 ? len : 60);
	struct buf all = {.max = ERROR_TEXT_MAX};
	struct nearest nearest;

	nearest_init(&nearest, name, len);
	for (size_t i = 0; i < list->n; i++) {
		nearest_offer(&nearest, list->items[i]);
		buf_printf(&all, "%s%s", i ? ", " : "; there are ", list->items[i]);
	}
	error_set(err, status, "there is no %s '%.*s'%s", kind, shown, name,
	          nearest_best(&nearest) ? nearest_hint(&nearest) : buf_status(&all) ? "" : buf_text(&all));
	buf_free(&all);
	name_list_free(list);
	return status;
}
