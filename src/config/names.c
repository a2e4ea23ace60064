#include "config/names.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/data_name.h"
#include "base/nearest.h"

enum { NAMES_MAX = 1000 };

void names_add(struct name_list *names, const char *name, size_t len)
{
	char *copy;

	if (!alloc_grow(&names->items, &names->cap, names->n + 1, sizeof *names->items, NAMES_MAX))
		return;
	copy = alloc_strndup(name, len);
	if (copy)
		names->items[names->n++] = copy;
}

void names_add_folder(struct name_list *names, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		size_t len;
		const char *name = data_name_of_path(entry->d_name, &len);

		if (data_name_is_file(entry->d_name))
			names_add(names, name, len);
	}
	if (dir)
		closedir(dir);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

enum status names_finish(struct name_list *names, struct error *err)
{
	size_t kept = 0;

	if (!names->n) {
		free(names->items);
		names->items = NULL;
		return error_no_memory(err, NULL);
	}
	qsort(names->items, names->n, sizeof *names->items, compare);
	for (size_t i = 0; i < names->n; i++) {
		if (kept && strcmp(names->items[kept - 1], names->items[i]) == 0)
			free(names->items[i]);
		else
			names->items[kept++] = names->items[i];
	}
	names->n = kept;
	return STATUS_OK;
}

void names_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

enum status names_unknown(const char *kind, const char *name, names_lister *list, enum status status,
                          struct error *err)
{
	struct nearest nearest;
	char **names = NULL;
	size_t n = 0;
	struct buf all;

	if (list(&names, &n, NULL))
		n = 0;
	nearest_init(&nearest, name, strlen(name));
	buf_init(&all, ERROR_TEXT_MAX);
	for (size_t i = 0; i < n; i++) {
		nearest_offer(&nearest, names[i]);
		buf_printf(&all, "%s%s", i ? ", " : "; there are ", names[i]);
	}
	if (nearest_best(&nearest))
		error_set(err, status, "there is no %s '%.60s', did you mean '%s'?", kind, name,
		          nearest_best(&nearest));
	else
		error_set(err, status, "there is no %s '%.60s'%s", kind, name, buf_status(&all) ? "" : buf_text(&all));
	buf_free(&all);
	names_free(names, n);
	return status;
}
