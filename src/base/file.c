#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"

/* Takes the name with an empty file, so that nobody else's file can be written over. */
static enum status take_name(const struct io_ops *io, const char *path, mode_t mode,
                             struct error *err)
{
	int fd, error = io_open(io, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode, &fd);

	if (error == EEXIST)
		return error_set(err, STATUS_BUSY, "%s: exists already", path);
	if (error)
		return error_errno(err, error, "%s: cannot create", path);
	error = io_close(io, fd);
	if (error) {
		io->unlink(io->ctx, path);
		return error_errno(err, error, "%s: cannot create", path);
	}
	return STATUS_OK;
}

/* Whether there is a file to be replaced, and its permissions. */
static enum status look_at(const struct io_ops *io, const char *path, bool *is_there, mode_t *mode,
                           struct error *err)
{
	struct stat st;

	*is_there = io->stat(io->ctx, path, &st) == 0;
	if (!*is_there)
		return errno == ENOENT ? STATUS_OK : error_errno(err, errno, "%s: cannot stat", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, STATUS_IO, "%s: not a regular file", path);
	*mode = st.st_mode & 0777;
	return STATUS_OK;
}

/* `how`: O_EXCL where a file of that name is in the way, or O_TRUNC. */
static int write_temporary(const struct io_ops *io, const char *path, int how, const void *bytes,
                           size_t n, mode_t mode)
{
	size_t done;
	int fd, closed, error = io_open(io, path, O_WRONLY | O_CREAT | how | O_NOFOLLOW, mode, &fd);

	if (error)
		return error;
	error = io_write_all(io, fd, bytes, n, &done);
	if (!error)
		error = io_fdatasync(io, fd);
	closed = io_close(io, fd);
	if (!error)
		error = closed;
	if (error)
		io->unlink(io->ctx, path);
	return error;
}

int file_replace(const struct io_ops *io, const char *path, const void *bytes, size_t n)
{
	struct buf temporary;
	int error;

	buf_init(&temporary, KIB(64));
	if (buf_printf(&temporary, "%s.%ld", path, (long)getpid())) {
		buf_free(&temporary);
		return ENOMEM;
	}
	error = write_temporary(io, buf_text(&temporary), O_TRUNC, bytes, n, 0600);
	if (!error && io->rename(io->ctx, buf_text(&temporary), path) != 0) {
		error = errno;
		io->unlink(io->ctx, buf_text(&temporary));
	}
	buf_free(&temporary);
	return error;
}

enum status file_write(const struct io_ops *io, const char *path, const void *bytes, size_t n,
                       bool replace, mode_t mode, struct error *err)
{
	char *real = replace ? realpath(path, NULL) : NULL; /* of a link: what it points to */
	const char *target = real ? real : path;
	enum status status = STATUS_OK;
	bool is_there = false;
	struct buf temporary;
	int error;

	buf_init(&temporary, KIB(64));
	if (buf_printf(&temporary, "%s.part", target))
		status = error_set(err, STATUS_LIMIT, "the file's name is too long");
	if (!status && replace)
		status = look_at(io, target, &is_there, &mode, err);
	if (!status && !is_there)
		status = take_name(io, target, mode, err);
	if (status)
		goto out;
	error = write_temporary(io, buf_text(&temporary), O_EXCL, bytes, n, mode);
	if (error) {
		status = error_errno(err, error, "%s: cannot write", buf_text(&temporary));
	} else if (io->rename(io->ctx, buf_text(&temporary), target) != 0) {
		status = error_errno(err, errno, "%s: cannot write", target);
		io->unlink(io->ctx, buf_text(&temporary));
	}
	if (status) {
		if (!is_there)
			io->unlink(io->ctx, target);
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
