/* Tab completes the names of files. */
#include "line/complete_list.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/home_path.h"
#include "base/limits.h"

void complete_add_files(struct complete_list *list, const char *prefix, size_t n)
{
	struct buf directory = {.max = KIB(8)};
	struct buf path = {.max = KIB(16)};
	size_t base = n; /* where the last component begins */
	struct dirent *entry;
	struct stat st;
	DIR *dir;

	while (base > 0 && prefix[base - 1] != '/')
		base--;
	buf_append(&path, prefix, base);
	home_path_put(&directory, base ? buf_text(&path) : "./");
	list->shown = base;
	dir = buf_status(&directory) ? NULL : opendir(buf_text(&directory));
	while (dir && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;
		size_t directory_len = directory.len;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		if (name[0] == '.' && (base == n || prefix[base] != '.'))
			continue;
		if (strncmp(name, prefix + base, n - base) != 0)
			continue;
		buf_puts(&directory, name);
		buf_clear(&path);
		buf_append(&path, prefix, base);
		buf_puts(&path, name);
		if (stat(buf_text(&directory), &st) == 0 && S_ISDIR(st.st_mode))
			buf_putc(&path, '/');
		if (!buf_status(&path))
			complete_add(list, buf_text(&path), prefix, n);
		buf_remove(&directory, directory_len, directory.len);
	}
	if (dir)
		closedir(dir);
	buf_free(&directory);
	buf_free(&path);
}

size_t complete_last_word(const char *text, size_t n)
{
	size_t start = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\\')
			i++;
		else if (text[i] == ' ' || text[i] == '\n')
			start = i + 1;
	}
	return start;
}

static void put_escaped(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(" \\\"'", *text))
			buf_putc(out, '\\');
		buf_putc(out, *text);
	}
}

void complete_add_escaped(struct complete_list *list, const char *word, size_t n, size_t before)
{
	struct complete_list plain = {.n = 0};
	struct buf name = {.max = KIB(8)};
	struct buf item = {.max = KIB(16)};

	for (size_t i = before; i < n; i++) {
		i += word[i] == '\\' && i + 1 < n;
		buf_putc(&name, word[i]);
	}
	if (!buf_status(&name))
		complete_add_files(&plain, buf_text(&name), name.len);
	for (size_t i = 0; i < plain.n; i++) {
		buf_clear(&item);
		buf_append(&item, word, before);
		put_escaped(&item, plain.items[i]);
		if (!buf_status(&item))
			complete_add(list, buf_text(&item), "", 0);
	}
	if (plain.n) { /* the folder is the same for all */
		plain.items[0][plain.shown] = '\0';
		buf_clear(&item);
		put_escaped(&item, plain.items[0]);
		list->shown = before + item.len;
	}
	list->has_failed |= plain.has_failed;
	complete_free(&plain);
	buf_free(&name);
	buf_free(&item);
}
