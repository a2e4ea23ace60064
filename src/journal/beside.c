#include "journal/beside.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *const suffixes[] = {".kept"}; /* kept/kept_file.h */

bool journal_beside(const char *chat, const char *suffix, char *out, size_t size)
{
	static const char own[] = ".yaml";
	size_t len = strlen(chat), n = sizeof own - 1;

	if (len <= n || strcmp(chat + len - n, own) != 0)
		return false;
	return snprintf(out, size, "%.*s%s", (int)(len - n), chat, suffix) < (int)size;
}

static bool is_there(const char *path, const struct io_ops *io)
{
	struct stat st;

	return io->stat(path, &st) == 0;
}

static void remove_file(const char *path, const struct io_ops *io)
{
	if (is_there(path, io))
		io->unlink(path);
}

void journal_beside_move(const char *from, const char *to, const struct io_ops *io)
{
	char old[PATH_MAX], new[PATH_MAX];

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		bool has_new = journal_beside(to, suffixes[i], new, sizeof new);

		if (!journal_beside(from, suffixes[i], old, sizeof old))
			continue;
		if (has_new && is_there(old, io) && io->rename(old, new) == 0)
			continue;
		remove_file(old, io);
		if (has_new)
			remove_file(new, io); /* of a chat that was there before */
	}
}

void journal_beside_remove(const char *chat, const struct io_ops *io)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (journal_beside(chat, suffixes[i], path, sizeof path))
			remove_file(path, io);
}
