/* The system calls of everything that has to survive a crash, behind one table, so that tests
 * can make each of them fail at each call, and the few loops around them that all callers
 * need. */
#ifndef SOTTO_BASE_IO_H
#define SOTTO_BASE_IO_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/buf.h"

/* Each is the call of its name, or behaves like it: -1 and errno. */
struct io_ops {
	int (*open)(const char *path, int flags, mode_t mode);
	ssize_t (*read)(int fd, void *bytes, size_t n);
	ssize_t (*write)(int fd, const void *bytes, size_t n);
	ssize_t (*pwrite)(int fd, const void *bytes, size_t n, off_t at);
	int (*fdatasync)(int fd);
	int (*fsync)(int fd);
	int (*ftruncate)(int fd, off_t length);
	int (*fstat)(int fd, struct stat *st);
	int (*stat)(const char *path, struct stat *st);
	int (*flock)(int fd, int operation);
	int (*rename)(const char *from, const char *to);
	int (*link)(const char *from, const char *to);
	int (*unlink)(const char *path);
	int (*mkdir)(const char *path, mode_t mode);
	int (*rmdir)(const char *path);
	int (*close)(int fd);
};

extern const struct io_ops io_system;

/* These start again after EINTR (a hundred times) and return 0 or errno. */
int io_open(const struct io_ops *io, const char *path, int flags, mode_t mode, int *fd);
/* All n bytes; *done is how many were written, also after an error. */
int io_write_all(const struct io_ops *io, int fd, const void *bytes, size_t n, size_t *done);
/* All n bytes, from an offset on; the file's position stays. */
int io_pwrite_all(const struct io_ops *io, int fd, const void *bytes, size_t n, off_t at);
/* Everything from the file's position on, at most out->max bytes (EFBIG). */
int io_read_all(const struct io_ops *io, int fd, struct buf *out);
int io_fdatasync(const struct io_ops *io, int fd);
int io_flock(const struct io_ops *io, int fd, int operation);
int io_ftruncate(const struct io_ops *io, int fd, off_t length);
/* Syncs the folder of `path`, so that its names survive a crash. A file system that cannot
 * sync a folder is no error. */
int io_sync_folder(const struct io_ops *io, const char *path);
/* mkdir -p with mode 0700; what it makes survives a crash. */
int io_make_dirs(const struct io_ops *io, const char *path);
/* Closes the file in every case and returns close's error; after EINTR it is closed, too. */
int io_close(const struct io_ops *io, int fd);

#endif
