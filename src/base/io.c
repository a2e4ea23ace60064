#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/alloc.h"

enum { INTERRUPTIONS_MAX = 100 };

static int system_open(const char *path, int flags, mode_t mode)
{
	return open(path, flags, mode);
}

const struct io_ops io_system = {
	.open = system_open, .read = read, .write = write, .pwrite = pwrite, .fdatasync = fdatasync, .fsync = fsync,
	.ftruncate = ftruncate, .fstat = fstat, .stat = stat, .flock = flock, .rename = rename,
	.link = link, .unlink = unlink, .mkdir = mkdir, .rmdir = rmdir, .close = close,
};

static bool interrupted(int result, int *times)
{
	return result < 0 && errno == EINTR && ++*times < INTERRUPTIONS_MAX;
}

int io_open(const struct io_ops *io, const char *path, int flags, mode_t mode, int *fd)
{
	int times = 0;

	do
		*fd = io->open(path, flags | O_CLOEXEC, mode);
	while (interrupted(*fd, &times));
	return *fd < 0 ? errno : 0;
}

int io_write_all(const struct io_ops *io, int fd, const void *bytes, size_t n, size_t *done)
{
	int times = 0;

	*done = 0;
	while (*done < n) {
		ssize_t wrote = io->write(fd, (const char *)bytes + *done, n - *done);

		if (wrote < 0 && errno == EINTR && ++times < INTERRUPTIONS_MAX)
			continue;
		if (wrote < 0)
			return errno;
		if (wrote == 0) /* never expected: do not loop forever */
			return EIO;
		*done += (size_t)wrote;
	}
	return 0;
}

int io_pwrite_all(const struct io_ops *io, int fd, const void *bytes, size_t n, off_t at)
{
	int times = 0;

	while (n > 0) {
		ssize_t wrote = io->pwrite(fd, bytes, n, at);

		if (wrote < 0 && errno == EINTR && ++times < INTERRUPTIONS_MAX)
			continue;
		if (wrote < 0)
			return errno;
		if (wrote == 0) /* never expected: do not loop forever */
			return EIO;
		bytes = (const char *)bytes + wrote;
		n -= (size_t)wrote;
		at += wrote;
	}
	return 0;
}

int io_read_all(const struct io_ops *io, int fd, struct buf *out)
{
	char chunk[16384];
	int times = 0;

	for (;;) {
		ssize_t n = io->read(fd, chunk, sizeof chunk);

		if (n < 0 && errno == EINTR && ++times < INTERRUPTIONS_MAX)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			return 0;
		if (buf_append(out, chunk, (size_t)n))
			return buf_status(out) == STATUS_LIMIT ? EFBIG : ENOMEM;
	}
}

int io_fdatasync(const struct io_ops *io, int fd)
{
	int result, times = 0;

	do
		result = io->fdatasync(fd);
	while (interrupted(result, &times));
	return result < 0 ? errno : 0;
}

int io_flock(const struct io_ops *io, int fd, int operation)
{
	int result, times = 0;

	do
		result = io->flock(fd, operation);
	while (interrupted(result, &times));
	return result < 0 ? errno : 0;
}

int io_ftruncate(const struct io_ops *io, int fd, off_t length)
{
	int result, times = 0;

	do
		result = io->ftruncate(fd, length);
	while (interrupted(result, &times));
	return result < 0 ? errno : 0;
}

int io_sync_folder(const struct io_ops *io, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? alloc_strndup(path, slash == path ? 1 : (size_t)(slash - path))
	                     : alloc_strndup(".", 1);
	int fd, error, result, times = 0;

	if (!folder)
		return ENOMEM;
	error = io_open(io, folder, O_RDONLY | O_DIRECTORY, 0, &fd);
	free(folder);
	if (error)
		return error;
	do
		result = io->fsync(fd);
	while (interrupted(result, &times));
	error = result < 0 && errno != EINVAL ? errno : 0;
	io_close(io, fd);
	return error;
}

/* Without this a power cut could take the folder, and the synced files in it. One may be allowed to
 * make names in a folder and not to open it: then it cannot be synced. After an error the new folder
 * goes again, so that the next try makes and syncs it. */
static int sync_made_folder(const struct io_ops *io, const char *path)
{
	int error = io_sync_folder(io, path);

	if (error && error != EACCES)
		io->rmdir(path);
	return error == EACCES ? 0 : error;
}

int io_make_dirs(const struct io_ops *io, const char *path)
{
	char *copy = alloc_strndup(path, strlen(path));
	int error = 0;

	if (!copy)
		return ENOMEM;
	for (char *p = copy + 1; !error; p++) {
		char c = *p;
		struct stat st;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		/* Checked first: a parent may exist although we may not create it. */
		if (io->stat(copy, &st) != 0) {
			if (io->mkdir(copy, 0700) == 0)
				error = sync_made_folder(io, copy);
			else if (errno != EEXIST)
				error = errno;
		}
		*p = c;
		if (c == '\0')
			break;
	}
	free(copy);
	return error;
}

int io_close(const struct io_ops *io, int fd)
{
	return io->close(fd) < 0 && errno != EINTR ? errno : 0;
}
