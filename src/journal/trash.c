#include "journal/trash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "journal/beside.h"
#include "journal/journal_internal.h"

enum { NAME_TRIES = 16 };

static enum status trash_dir(struct buf *out, struct error *err)
{
	return data_folder(out, "/trash", err);
}

/* Opens and locks a chat. *fd -1: it cannot be locked, but may be moved all the same. */
static enum status lock(const struct io_ops *io, const char *path, int *fd, struct error *err)
{
	int error = io_open(io, path, O_RDWR | O_APPEND | O_NONBLOCK | O_NOFOLLOW, 0, fd);

	if (error == EACCES || error == EROFS || error == EPERM)
		error = io_open(io, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, 0, fd);
	if (error) {
		*fd = -1;
		return error_errno(err, error, "%s: cannot open", path);
	}
	error = io_flock(io, *fd, LOCK_EX | LOCK_NB);
	if (error == 0 || error == ENOLCK || error == EOPNOTSUPP || error == ENOSYS || error == EINVAL ||
	    error == EBADF)
		return STATUS_OK;
	io_close(io, *fd);
	*fd = -1;
	if (error == EWOULDBLOCK)
		return error_set(err, STATUS_BUSY, "this chat is open in another sotto");
	return error_errno(err, error, "%s: cannot lock", path);
}

/* A free name in the folder: the chat's own, or one with a number. */
static enum status find_target(const struct io_ops *io, const char *folder, const char *path,
                               struct buf *target, struct error *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t stem = strlen(name);
	struct stat st;

	if (stem > 5 && strcmp(name + stem - 5, ".yaml") == 0)
		stem -= 5;
	for (int i = 1; i <= NAME_TRIES; i++) {
		buf_clear(target);
		if (i == 1)
			buf_printf(target, "%s/%.*s.yaml", folder, (int)stem, name);
		else
			buf_printf(target, "%s/%.*s-%d.yaml", folder, (int)stem, name, i);
		if (buf_status(target))
			return error_set(err, STATUS_LIMIT, "the path of the chat is too long");
		if (io->stat(buf_text(target), &st) != 0)
			return errno == ENOENT ? STATUS_OK
			                       : error_errno(err, errno, "%s: cannot look at it", buf_text(target));
	}
	return error_set(err, STATUS_IO, "%s: already exists", buf_text(target));
}

/* Between two file systems: the rescue folder may be on another one. */
static enum status copy_chat(const struct io_ops *io, int fd, const char *from, const char *to,
                             struct error *err)
{
	enum status status = STATUS_OK;
	struct buf bytes = {.max = LIMIT_TRANSCRIPT};
	int error;

	error = lseek(fd, 0, SEEK_SET) < 0 ? errno : io_read_all(io, fd, &bytes);
	if (error)
		status = error_errno(err, error, "%s: cannot read", from);
	if (!status)
		status = file_write(io, to, bytes.data, bytes.len, false, 0600, err);
	if (!status && io->unlink(from) != 0)
		status = error_errno(err, errno, "%s: cannot remove", from);
	buf_free(&bytes);
	return status;
}

/* First syncs the new name, so that a crash cannot lose it, then the removal of the old one. */
static enum status rename_chat(const struct io_ops *io, int fd, const char *from, const char *to,
                               struct error *err)
{
	int error;

	if (io->rename(from, to) != 0) {
		enum status status = errno == EXDEV ? copy_chat(io, fd, from, to, err)
		                                    : error_errno(err, errno, "%s: cannot move to %s", from, to);

		if (status)
			return status;
	}
	journal_beside_remove(to, io); /* of a chat that was there before */
	journal_beside_move(from, to, io);
	error = io_sync_folder(io, to);
	if (error)
		return error_errno(err, error, "%s: is there, but cannot be synced", to);
	error = io_sync_folder(io, from);
	return error ? error_errno(err, error, "%s: was moved, but that cannot be synced", from) : STATUS_OK;
}

static enum status move(const struct io_ops *io, const char *path, const char *folder,
                        struct error *err)
{
	enum status status;
	struct buf target = {.max = KIB(64)};
	int fd, error;

	status = lock(io, path, &fd, err);
	if (status)
		return status;
	status = journal_check_mark(io, fd, path, false, err); /* a path may name any file */
	error = status ? 0 : io_make_dirs(io, folder);
	if (error)
		status = error_errno(err, error, "%s: cannot make the folder", folder);
	if (!status)
		status = find_target(io, folder, path, &target, err);
	if (!status)
		status = rename_chat(io, fd, path, buf_text(&target), err);
	io_close(io, fd);
	buf_free(&target);
	return status;
}

static enum status move_to(const struct io_ops *io, const char *path,
                           enum status (*find_folder)(struct buf *, struct error *), struct error *err)
{
	struct buf folder = {.max = KIB(64)};
	enum status status;

	status = find_folder(&folder, err);
	if (!status)
		status = move(io, path, buf_text(&folder), err);
	buf_free(&folder);
	return status;
}

enum status trash_put(const char *path, const struct io_ops *io, struct error *err)
{
	enum status status;
	struct buf original = {.max = KIB(64)};

	status = rescue_original(path, &original, err);
	/* What the list shows goes last. */
	if (!status && original.len)
		status = move_to(io, buf_text(&original), trash_dir, err);
	if (!status)
		status = move_to(io, path, trash_dir, err);
	buf_free(&original);
	return status;
}

enum status trash_restore(const char *path, const struct io_ops *io, struct error *err)
{
	return move_to(io, path, chats_dir, err);
}

enum status trash_list(struct journal_entry **entries, size_t *n, struct error *err)
{
	struct buf folder = {.max = KIB(64)};
	enum status status;

	status = trash_dir(&folder, err);
	if (!status)
		status = journal_list_folder(buf_text(&folder), entries, n, NULL, NULL, err);
	buf_free(&folder);
	return status;
}

enum status trash_empty(const struct journal_entry *entries, size_t n, size_t *n_removed,
                        const struct io_ops *io, struct error *err)
{
	enum status status = STATUS_OK;

	*n_removed = 0;
	for (size_t i = 0; !status && i < n; i++) {
		int fd;

		status = lock(io, entries[i].path, &fd, err);
		if (status == STATUS_BUSY || status == STATUS_NOTFOUND) { /* another process has it, or it is gone */
			status = STATUS_OK;
			continue;
		}
		if (status)
			break;
		if (io->unlink(entries[i].path) == 0) {
			journal_beside_remove(entries[i].path, io);
			++*n_removed;
		} else if (errno != ENOENT) {
			status = error_errno(err, errno, "%s: cannot remove", entries[i].path);
		}
		io_close(io, fd);
	}
	if (*n_removed) {
		int error = io_sync_folder(io, entries[0].path);

		if (error && !status)
			status = error_errno(err, error, "%s: cannot sync", entries[0].path);
	}
	return status;
}
