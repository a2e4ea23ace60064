#include "quantize/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"

/* Any error about the file is a failure to write. */
static enum status failed(const char *path, const char *what, int errnum, struct error *err)
{
	error_errno(err, errnum, "%s: cannot %s", path, what);
	if (err)
		err->status = STATUS_IO;
	return STATUS_IO;
}

/* The folder of `path`, or ".". NULL without memory. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? alloc_strndup(path, slash == path ? 1 : (size_t)(slash - path))
	             : alloc_strndup(".", 1);
}

/* A file system that does not tell its free space is assumed to have enough. */
static enum status check_room(const char *path, uint64_t need, struct error *err)
{
	char *folder = folder_of(path);
	struct statvfs fs;
	uint64_t room;
	enum status status = STATUS_OK;

	if (!folder)
		return error_no_memory(err, NULL);
	if (statvfs(folder, &fs) == 0 && fs.f_blocks > 0 &&
	    !__builtin_mul_overflow((uint64_t)fs.f_bavail, (uint64_t)fs.f_frsize, &room) && room < need)
		status = error_set(err, STATUS_IO, "%s: no room on the disk: %" PRIu64 " MiB are needed, %" PRIu64
		                   " MiB are free", path, need >> 20, room >> 20);
	free(folder);
	return status;
}

enum status part_file_check(const struct io_ops *io, const char *path, uint64_t n_bytes, struct error *err)
{
	struct stat st;

	if (io->stat(path, &st) == 0 && S_ISDIR(st.st_mode)) /* else to be created, or opening it gives the error */
		return error_set(err, STATUS_USAGE, "%s is a folder: name an output file", path);
	if (io->stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return error_set(err, STATUS_USAGE, "%s is not a regular file", path);
	return check_room(path, n_bytes, err);
}

enum status part_file_begin(struct part_file *part, const struct io_ops *io, const char *path, struct error *err)
{
	int errnum;

	*part = (struct part_file){.io = io, .path = path, .temp = {.max = MIB(1)}, .fd = -1};
	if (buf_printf(&part->temp, "%s.%ld.part", path, (long)getpid()))
		return error_set(err, buf_status(&part->temp), "%s: the name is too long", path);
	errnum = io_open(io, part->temp.data, O_WRONLY | O_CREAT | O_EXCL, 0666, &part->fd);
	if (!errnum)
		return STATUS_OK;
	part->fd = -1;
	buf_free(&part->temp); /* it may be another's */
	return failed(path, "create", errnum, err);
}

enum status part_file_write(struct part_file *part, const void *bytes, size_t n, struct error *err)
{
	size_t done;
	int errnum = io_write_all(part->io, part->fd, bytes, n, &done);

	return errnum ? failed(part->path, "write", errnum, err) : STATUS_OK;
}

enum status part_file_pad(struct part_file *part, uint64_t n_bytes, uint32_t alignment, struct error *err)
{
	static const char zeros[256];
	uint64_t n = (alignment - n_bytes % alignment) % alignment;
	enum status status = STATUS_OK;

	for (; n > 0 && !status; n -= n < sizeof zeros ? n : sizeof zeros)
		status = part_file_write(part, zeros, n < sizeof zeros ? (size_t)n : sizeof zeros, err);
	return status;
}

static enum status close_it(struct part_file *part, struct error *err)
{
	int errnum = io_close(part->io, part->fd);

	part->fd = -1;
	return errnum ? failed(part->path, "close", errnum, err) : STATUS_OK;
}

enum status part_file_end(struct part_file *part, struct error *err)
{
	if (part->io->fsync(part->fd) != 0)
		return failed(part->path, "sync", errno, err);
	return close_it(part, err);
}

enum status part_file_publish(struct part_file *part, struct error *err)
{
	int errnum;

	if (part->io->rename(part->temp.data, part->path) != 0)
		return failed(part->path, "rename", errno, err);
	buf_free(&part->temp);
	errnum = io_sync_folder(part->io, part->path);
	return errnum ? failed(part->path, "sync the folder of", errnum, err) : STATUS_OK;
}

void part_file_drop(struct part_file *part)
{
	if (part->fd >= 0)
		(void)close_it(part, NULL);
	if (part->temp.len)
		part->io->unlink(part->temp.data);
	buf_free(&part->temp);
}
