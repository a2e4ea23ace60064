#include "support/faulter.h"

#include <errno.h>

static bool is_due(const struct faulter *faulter)
{
	return faulter->at && (faulter->calls == faulter->at || (faulter->forever && faulter->calls > faulter->at));
}

static struct faulter *in_use;

bool faulter_fails(char letter)
{
	struct faulter *faulter = in_use;

	if (faulter->calls < sizeof faulter->called - 1)
		faulter->called[faulter->calls] = letter;
	faulter->calls++;
	if (!faulter->error || !is_due(faulter))
		return false;
	faulter->fired = true;
	errno = faulter->error;
	return true;
}

static ssize_t fault_write(int fd, const void *bytes, size_t n)
{
	struct faulter *faulter = in_use;

	if (faulter_fails('w'))
		return -1;
	if (faulter->shorten && is_due(faulter)) {
		size_t most = faulter->shorten > 0 ? (size_t)faulter->shorten : n - 1;

		faulter->fired = true;
		n = n > most && most ? most : n;
	}
	return io_system.write(fd, bytes, n);
}

static int fault_fdatasync(int fd)
{
	(void)fd;
	return faulter_fails('d') ? -1 : 0;
}

static int fault_fsync(int fd)
{
	(void)fd;
	return faulter_fails('f') ? -1 : 0;
}

static int fault_close(int fd)
{
	int result = io_system.close(fd);

	return faulter_fails('c') ? -1 : result;
}

/* Those that do nothing but fail. */
#define FAULT(type, name, letter, parameters, ...)                               \
	static type fault_##name parameters                                      \
	{                                                                        \
		return faulter_fails(letter) ? -1 : io_system.name(__VA_ARGS__);    \
	}

FAULT(int, open, 'o', (const char *path, int flags, mode_t mode), path, flags, mode)
FAULT(ssize_t, read, 'R', (int fd, void *bytes, size_t n), fd, bytes, n)
FAULT(ssize_t, pwrite, 'p', (int fd, const void *bytes, size_t n, off_t at), fd, bytes, n, at)
FAULT(int, ftruncate, 't', (int fd, off_t length), fd, length)
FAULT(int, fstat, 'S', (int fd, struct stat *st), fd, st)
FAULT(int, stat, 's', (const char *path, struct stat *st), path, st)
FAULT(int, flock, 'k', (int fd, int operation), fd, operation)
FAULT(int, rename, 'r', (const char *from, const char *to), from, to)
FAULT(int, link, 'l', (const char *from, const char *to), from, to)
FAULT(int, unlink, 'u', (const char *path), path)
FAULT(int, mkdir, 'm', (const char *path, mode_t mode), path, mode)
FAULT(int, rmdir, 'M', (const char *path), path)

void faulter_init(struct faulter *faulter)
{
	in_use = faulter;
	faulter->ops = (struct io_ops){
		.open = fault_open, .read = fault_read, .write = fault_write, .pwrite = fault_pwrite, .fdatasync = fault_fdatasync,
		.fsync = fault_fsync, .ftruncate = fault_ftruncate, .fstat = fault_fstat, .stat = fault_stat,
		.flock = fault_flock, .rename = fault_rename, .link = fault_link, .unlink = fault_unlink,
		.mkdir = fault_mkdir, .rmdir = fault_rmdir, .close = fault_close};
}
