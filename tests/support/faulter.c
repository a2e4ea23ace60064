#include "support/faulter.h"

#include <errno.h>

static bool is_due(const struct faulter *faulter)
{
	return faulter->at && (faulter->calls == faulter->at || (faulter->forever && faulter->calls > faulter->at));
}

bool faulter_fails(void *ctx, char letter)
{
	struct faulter *faulter = ctx;

	if (faulter->calls < sizeof faulter->called - 1)
		faulter->called[faulter->calls] = letter;
	faulter->calls++;
	if (!faulter->error || !is_due(faulter))
		return false;
	faulter->fired = true;
	errno = faulter->error;
	return true;
}

static ssize_t fault_write(void *ctx, int fd, const void *bytes, size_t n)
{
	struct faulter *faulter = ctx;

	if (faulter_fails(ctx, 'w'))
		return -1;
	if (faulter->shorten && is_due(faulter)) {
		size_t most = faulter->shorten > 0 ? (size_t)faulter->shorten : n - 1;

		faulter->fired = true;
		n = n > most && most ? most : n;
	}
	return io_system.write(NULL, fd, bytes, n);
}

static int fault_fdatasync(void *ctx, int fd)
{
	(void)fd;
	return faulter_fails(ctx, 'd') ? -1 : 0;
}

static int fault_fsync(void *ctx, int fd)
{
	(void)fd;
	return faulter_fails(ctx, 'f') ? -1 : 0;
}

static int fault_close(void *ctx, int fd)
{
	int result = io_system.close(NULL, fd);

	return faulter_fails(ctx, 'c') ? -1 : result;
}

/* Those that do nothing but fail. */
#define FAULT(type, name, letter, parameters, ...)                               \
	static type fault_##name parameters                                      \
	{                                                                        \
		return faulter_fails(ctx, letter) ? -1 : io_system.name(NULL, __VA_ARGS__); \
	}

FAULT(int, open, 'o', (void *ctx, const char *path, int flags, mode_t mode), path, flags, mode)
FAULT(ssize_t, read, 'R', (void *ctx, int fd, void *bytes, size_t n), fd, bytes, n)
FAULT(int, ftruncate, 't', (void *ctx, int fd, off_t length), fd, length)
FAULT(int, fstat, 'S', (void *ctx, int fd, struct stat *st), fd, st)
FAULT(int, stat, 's', (void *ctx, const char *path, struct stat *st), path, st)
FAULT(int, flock, 'k', (void *ctx, int fd, int operation), fd, operation)
FAULT(int, rename, 'r', (void *ctx, const char *from, const char *to), from, to)
FAULT(int, link, 'l', (void *ctx, const char *from, const char *to), from, to)
FAULT(int, unlink, 'u', (void *ctx, const char *path), path)
FAULT(int, mkdir, 'm', (void *ctx, const char *path, mode_t mode), path, mode)
FAULT(int, rmdir, 'M', (void *ctx, const char *path), path)

void faulter_init(struct faulter *faulter)
{
	faulter->ops = (struct io_ops){
		.open = fault_open, .read = fault_read, .write = fault_write, .fdatasync = fault_fdatasync,
		.fsync = fault_fsync, .ftruncate = fault_ftruncate, .fstat = fault_fstat, .stat = fault_stat,
		.flock = fault_flock, .rename = fault_rename, .link = fault_link, .unlink = fault_unlink,
		.mkdir = fault_mkdir, .rmdir = fault_rmdir, .close = fault_close, .ctx = faulter};
}
