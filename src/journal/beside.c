#include "journal/beside.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

bool journal_beside(const char *chat, char *out, size_t size)
{
	static const char own[] = ".yaml";
	size_t len = strlen(chat), n = sizeof own - 1;

	if (len <= n || strcmp(chat + len - n, own) != 0)
		return false;
	return snprintf(out, size, "%.*s.kept", (int)(len - n), chat) < (int)size;
}

static bool is_there(const char *path, const struct io_ops *io)
{
	struct stat st;

	return io->stat(path, &st) == 0;
}

void journal_beside_move(const char *from, const char *to, const struct io_ops *io)
{
	char old[PATH_MAX], new[PATH_MAX];

	if (is_there(from, io) || !journal_beside(from, old, sizeof old) || !is_there(old, io))
		return;
	if (!journal_beside(to, new, sizeof new) || io->rename(old, new) != 0)
		io->unlink(old);
}

void journal_beside_remove(const char *chat, const struct io_ops *io)
{
	char path[PATH_MAX];

	if (journal_beside(chat, path, sizeof path) && is_there(path, io))
		io->unlink(path);
}
