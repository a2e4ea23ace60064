#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"

static enum status fail_exists(const char *path, struct error *err)
{
	return error_set(err, STATUS_BUSY, "%s: already exists", path);
}

/* Checks that nothing is there, or a file that may be replaced, and takes its permissions. */
static enum status look_at(const struct io_ops *io, const char *path, bool replace, mode_t *mode,
                           struct error *err)
{
	struct stat st;

	if (io->stat(path, &st) != 0)
		return errno == ENOENT ? STATUS_OK : error_errno(err, errno, "%s: cannot look at it", path);
	if (S_ISDIR(st.st_mode))
		return error_set(err, STATUS_IO, "%s: is a folder: give the name of a file in it", path);
	if (!replace)
		return fail_exists(path, err);
	if (!S_ISREG(st.st_mode))
		return error_set(err, STATUS_IO, "%s: not a regular file", path);
	*mode = st.st_mode & 0777;
	return STATUS_OK;
}

enum { NAME_TRIES = 16 };

/* `how`: O_EXCL, which fails if a file of that name exists, or O_TRUNC. *made: there is a file, which
 * is removed again after an error. */
static int write_temporary(const struct io_ops *io, const char *path, int how, const void *bytes,
                           size_t n, mode_t mode, bool *made)
{
	size_t done;
	int fd, closed, error = io_open(io, path, O_WRONLY | O_CREAT | how | O_NOFOLLOW, mode, &fd);

	*made = !error;
	if (error)
		return error;
	error = io_write_all(io, fd, bytes, n, &done);
	if (!error)
		error = io_fdatasync(io, fd);
	closed = io_close(io, fd);
	if (!error)
		error = closed;
	if (error)
		io->unlink(path);
	return error;
}

int file_replace(const struct io_ops *io, const char *path, const void *bytes, size_t n)
{
	struct buf temporary = {.max = KIB(64)};
	bool made;
	int error;

	if (buf_printf(&temporary, "%s.%ld", path, (long)getpid())) {
		buf_free(&temporary);
		return ENOMEM;
	}
	error = write_temporary(io, buf_text(&temporary), O_TRUNC, bytes, n, 0600, &made);
	if (!error && io->rename(buf_text(&temporary), path) != 0) {
		error = errno;
		io->unlink(buf_text(&temporary));
	}
	buf_free(&temporary);
	return error;
}

/* Reserves the name with an empty file, which the rename then replaces: for file systems that know no
 * links. Only here can a crash leave an empty file. */
static int take_name(const struct io_ops *io, const char *path, mode_t mode)
{
	int fd, error = io_open(io, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode, &fd);

	if (error)
		return error;
	error = io_close(io, fd);
	if (error)
		io->unlink(path);
	return error;
}

static bool knows_no_links(int error)
{
	return error == EPERM || error == EOPNOTSUPP || error == ENOTSUP || error == ENOSYS ||
	       error == EMLINK;
}

/* Gives the temporary file its name, which nobody may have taken meanwhile (EEXIST). */
static int name_new(const struct io_ops *io, const char *temporary, const char *path, mode_t mode)
{
	int error = io->link(temporary, path) == 0 ? 0 : errno;

	if (!error) {
		io->unlink(temporary);
		return 0;
	}
	if (!knows_no_links(error) || (error = take_name(io, path, mode)))
		return error;
	if (io->rename(temporary, path) == 0)
		return 0;
	error = errno;
	io->unlink(path);
	return error;
}

static int name_over(const struct io_ops *io, const char *temporary, const char *path)
{
	return io->rename(temporary, path) == 0 ? 0 : errno;
}

/* Writes the new file beside the old one, under a free name: a killed program may have left one.
 * Returns 0 or errno. */
static int write_beside(const struct io_ops *io, const char *target, const void *bytes, size_t n,
                        mode_t mode, struct buf *temporary, bool *made)
{
	int error = EEXIST;

	*made = false;
	for (int i = 0; i < NAME_TRIES && error == EEXIST; i++) {
		buf_clear(temporary);
		if (buf_printf(temporary, "%s.%ld.%d.part", target, (long)getpid(), i))
			return ENAMETOOLONG;
		error = write_temporary(io, buf_text(temporary), O_EXCL, bytes, n, mode, made);
	}
	return error;
}

enum status file_write(const struct io_ops *io, const char *path, const void *bytes, size_t n,
                       bool replace, mode_t mode, struct error *err)
{
	char *real = replace ? realpath(path, NULL) : NULL; /* of a link: what it points to */
	const char *target = real ? real : path;
	enum status status = look_at(io, target, replace, &mode, err);
	struct buf temporary = {.max = KIB(64)};
	bool made;
	int error;

	if (status)
		goto out;
	error = write_beside(io, target, bytes, n, mode, &temporary, &made);
	if (error) {
		status = error_errno(err, error, made ? "%s: cannot write" : "%s: cannot create", target);
		goto out;
	}
	error = replace ? name_over(io, buf_text(&temporary), target)
	                : name_new(io, buf_text(&temporary), target, mode);
	if (error) {
		io->unlink(buf_text(&temporary));
		status = error == EEXIST ? fail_exists(target, err)
		                         : error_errno(err, error, "%s: cannot write", target);
		goto out;
	}
	error = io_sync_folder(io, target);
	if (error)
		status = error_errno(err, error, "%s: cannot sync", target);
out:
	buf_free(&temporary);
	free(real);
	return status;
}
