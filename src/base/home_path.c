#include "base/home_path.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

/* The home folder of the user of that name; "": one's own. */
static bool put_home(struct buf *out, const char *name)
{
	enum { ROOM = 16384 }; /* for what the system says of a user */
	const char *home = getenv("HOME");
	struct passwd entry, *found = NULL;
	char *room;

	if (!name[0] && home && home[0])
		return buf_puts(out, home) == STATUS_OK;
	room = alloc_array(ROOM, 1);
	if (!room)
		return false;
	if (name[0] ? getpwnam_r(name, &entry, room, ROOM, &found)
	            : getpwuid_r(getuid(), &entry, room, ROOM, &found))
		found = NULL;
	if (found && found->pw_dir && found->pw_dir[0])
		buf_puts(out, found->pw_dir);
	else
		found = NULL;
	free(room);
	return found != NULL;
}

enum status home_path_put(struct buf *out, const char *path)
{
	size_t len = path[0] == '~' ? strcspn(path, "/") : 0;
	char *name;

	if (!len)
		return buf_puts(out, path);
	name = alloc_strndup(path + 1, len - 1);
	if (name && put_home(out, name))
		path += len;
	free(name);
	return buf_puts(out, path);
}

enum status home_path_put_short(struct buf *out, const char *path)
{
	const char *home = getenv("HOME");
	size_t len = home ? strlen(home) : 0;

	if (len < 2 || strncmp(path, home, len) != 0 || path[len] != '/')
		return buf_puts(out, path);
	buf_putc(out, '~');
	return buf_puts(out, path + len);
}

enum status home_path_put_typed(struct buf *out, const char *typed, struct error *err)
{
	size_t len = strlen(typed);
	bool quoted = len > 2 && (typed[0] == '"' || typed[0] == '\'') && typed[len - 1] == typed[0];
	char *plain = alloc_strndup(typed + quoted, len - 2 * (size_t)quoted);

	if (!plain)
		return error_set(err, STATUS_NOMEM, "not enough memory");
	home_path_put(out, plain);
	free(plain);
	return buf_status(out) ? error_set(err, STATUS_LIMIT, "the file's name is too long") : STATUS_OK;
}
