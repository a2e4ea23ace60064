#include "crash/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FDS = 1024, FILES = 4096, OPS = 65536 };

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int fd, const void *bytes, size_t n);
ssize_t __real_pwrite(int fd, const void *bytes, size_t n, off_t at);
int __real_fdatasync(int fd);
int __real_fsync(int fd);
int __real_ftruncate(int fd, off_t length);
int __real_rename(const char *from, const char *to);
int __real_link(const char *from, const char *to);
int __real_unlink(const char *path);
int __real_mkdir(const char *path, mode_t mode);
int __real_rmdir(const char *path);
int __real_close(int fd);
int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_write(int fd, const void *bytes, size_t n);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t n, off_t at);
int __wrap_fdatasync(int fd);
int __wrap_fsync(int fd);
int __wrap_ftruncate(int fd, off_t length);
int __wrap_rename(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __wrap_unlink(const char *path);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_rmdir(const char *path);
int __wrap_close(int fd);

static struct {
	char root[200];
	bool on, fired;
	struct disk_fault fault;
	size_t n_calls, n_syncs, left_out_at;
	char left_out_name[300];
	struct disk_op *ops;
	size_t n_ops;
	/* Open files of the root: the file's number + 1, or the folder's path. */
	int file_of[FDS];
	char *folder_of[FDS];
	ino_t inodes[FILES]; /* by file number; 0: gone */
	int n_files;
} disk;

_Noreturn static void stop(const char *why)
{
	fprintf(stderr, "the recorded disk: %s\n", why);
	abort();
}

/* The path below the root; NULL: it is elsewhere. */
static const char *below(const char *path)
{
	size_t n = strlen(disk.root);

	if (!disk.on || strncmp(path, disk.root, n) != 0 || (path[n] != '/' && path[n] != '\0'))
		return NULL;
	return path[n] ? path + n + 1 : path + n;
}

static bool is_ours(int fd)
{
	return disk.on && fd >= 0 && fd < FDS && (disk.file_of[fd] || disk.folder_of[fd]);
}

static char *copy(const char *text)
{
	char *new = text ? strdup(text) : NULL;

	if (text && !new)
		stop("no memory");
	return new;
}

static struct disk_op *note(enum disk_kind kind, int file, const char *path, const char *to)
{
	struct disk_op *op;

	if (!disk.ops && !(disk.ops = calloc(OPS, sizeof *disk.ops)))
		stop("no memory");
	if (disk.n_ops == OPS)
		stop("too many calls");
	op = &disk.ops[disk.n_ops++];
	*op = (struct disk_op){.kind = kind, .file = file, .path = copy(path), .to = copy(to),
	                       .durable_at = SIZE_MAX};
	return op;
}

static int file_number(ino_t inode)
{
	for (int i = disk.n_files; i-- > 0;)
		if (disk.inodes[i] == inode)
			return i;
	return -1;
}

static int new_file(int fd)
{
	struct stat st;
	int old;

	if (fstat(fd, &st) != 0 || disk.n_files == FILES)
		stop("too many files");
	old = file_number(st.st_ino);
	if (old >= 0)
		disk.inodes[old] = 0; /* removed since, and its number used again */
	disk.inodes[disk.n_files] = st.st_ino;
	return disk.n_files++;
}

/* Counts a call; true: it is to fail. */
static bool fails(void)
{
	disk.n_calls++;
	if (disk.n_calls != disk.fault.at || !disk.fault.error)
		return false;
	disk.fired = true;
	errno = disk.fault.error;
	return true;
}

/* Counts a sync or rename; true: it is to be left out. */
static bool left_out(const char *call, const char *path)
{
	if (++disk.n_syncs != disk.fault.leave_out)
		return false;
	disk.fired = true;
	disk.left_out_at = disk.n_ops;
	snprintf(disk.left_out_name, sizeof disk.left_out_name, "%s %s", call, path ? path : "");
	return true;
}

/* "": the root. */
static size_t folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

static void make_durable(const struct disk_op *sync)
{
	size_t at = (size_t)(sync - disk.ops), n;

	for (size_t i = 0; i < at; i++) {
		struct disk_op *op = &disk.ops[i];
		const char *name = op->to ? op->to : op->path;

		if (op->durable_at != SIZE_MAX)
			continue;
		if (sync->kind == DISK_SYNC) {
			if ((op->kind == DISK_WRITE || op->kind == DISK_CUT) && op->file == sync->file)
				op->durable_at = at;
			continue;
		}
		if (!name)
			continue;
		n = folder_len(name);
		if (strlen(sync->path) == n && strncmp(name, sync->path, n) == 0)
			op->durable_at = at;
	}
}

int __wrap_open(const char *path, int flags, ...)
{
	const char *name = below(path);
	struct stat st;
	mode_t mode = 0;
	bool was_there;
	int fd;

	if (flags & O_CREAT) {
		va_list args;

		va_start(args, flags);
		mode = (mode_t)va_arg(args, int);
		va_end(args);
	}
	if (!name)
		return __real_open(path, flags, mode);
	if (fails())
		return -1;
	was_there = stat(path, &st) == 0;
	fd = __real_open(path, flags, mode);
	if (fd < 0)
		return fd;
	if (fd >= FDS)
		stop("too many open files");
	if (was_there && S_ISDIR(st.st_mode)) {
		disk.folder_of[fd] = copy(name);
		return fd;
	}
	if (!was_there) {
		int file = new_file(fd);

		note(DISK_MAKE_FILE, file, name, NULL);
		disk.file_of[fd] = file + 1;
	} else {
		disk.file_of[fd] = file_number(st.st_ino) + 1;
		if (!disk.file_of[fd])
			stop("a file that it has not seen being made");
		if ((flags & O_TRUNC) && st.st_size)
			note(DISK_CUT, disk.file_of[fd] - 1, NULL, NULL);
	}
	return fd;
}

/* How many bytes a write takes. */
static size_t shortened(size_t n)
{
	if (disk.n_calls == disk.fault.at && disk.fault.shorten && n > 1) {
		n = disk.fault.shorten > 0 && (size_t)disk.fault.shorten < n ? (size_t)disk.fault.shorten
		                                                             : n - 1;
		disk.fired = true;
	}
	return disk.fault.write_max && n > disk.fault.write_max ? disk.fault.write_max : n;
}

static void note_write(int fd, const void *bytes, size_t n, off_t at)
{
	struct disk_op *op = note(DISK_WRITE, disk.file_of[fd] - 1, NULL, NULL);

	op->offset = (size_t)at;
	op->n = n;
	op->bytes = malloc(n ? n : 1);
	if (!op->bytes)
		stop("no memory");
	memcpy(op->bytes, bytes, n);
}

ssize_t __wrap_write(int fd, const void *bytes, size_t n)
{
	struct stat st;
	ssize_t wrote;
	off_t at;

	if (!is_ours(fd))
		return __real_write(fd, bytes, n);
	if (fails())
		return -1;
	n = shortened(n);
	if (fcntl(fd, F_GETFL) & O_APPEND)
		at = fstat(fd, &st) == 0 ? st.st_size : -1;
	else
		at = lseek(fd, 0, SEEK_CUR);
	wrote = __real_write(fd, bytes, n);
	if (at < 0 || wrote != (ssize_t)n)
		stop("a write that was not to fail");
	note_write(fd, bytes, n, at);
	return wrote;
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	if (!is_ours(fd))
		return __real_pwrite(fd, bytes, n, at);
	if (fails())
		return -1;
	n = shortened(n);
	if (__real_pwrite(fd, bytes, n, at) != (ssize_t)n)
		stop("a write that was not to fail");
	note_write(fd, bytes, n, at);
	return (ssize_t)n;
}

static int sync_file(int fd, int (*real)(int), const char *call)
{
	if (disk.root[0] && !disk.on)
		return 0; /* states are looked at: no power will be cut there */
	if (!is_ours(fd))
		return real(fd);
	if (fails())
		return -1;
	if (left_out(call, disk.folder_of[fd]))
		return 0;
	if (disk.folder_of[fd])
		make_durable(note(DISK_SYNC_FOLDER, -1, disk.folder_of[fd], NULL));
	else
		make_durable(note(DISK_SYNC, disk.file_of[fd] - 1, NULL, NULL));
	return 0;
}

int __wrap_fdatasync(int fd)
{
	return sync_file(fd, __real_fdatasync, "fdatasync");
}

int __wrap_fsync(int fd)
{
	return sync_file(fd, __real_fsync, "fsync");
}

int __wrap_ftruncate(int fd, off_t length)
{
	int result;

	if (!is_ours(fd))
		return __real_ftruncate(fd, length);
	if (fails())
		return -1;
	result = __real_ftruncate(fd, length);
	if (!result)
		note(DISK_CUT, disk.file_of[fd] - 1, NULL, NULL)->n = (size_t)length;
	return result;
}

static void note_rename(const char *from, const char *to)
{
	size_t n = folder_len(from);

	if (n == folder_len(to) && strncmp(from, to, n) == 0) {
		note(DISK_RENAME, -1, from, to);
		return;
	}
	note(DISK_LINK, -1, from, to);
	note(DISK_UNLINK, -1, from, NULL)->needs_previous = true;
}

static int name_file(const char *from, const char *to, int (*real)(const char *, const char *),
                     enum disk_kind kind, const char *call)
{
	int result;

	if (!below(from) || !below(to))
		return real(from, to);
	if (fails())
		return -1;
	if (left_out(call, below(to)))
		return 0;
	result = real(from, to);
	if (!result && kind == DISK_RENAME)
		note_rename(below(from), below(to));
	else if (!result)
		note(kind, -1, below(from), below(to));
	return result;
}

int __wrap_rename(const char *from, const char *to)
{
	return name_file(from, to, __real_rename, DISK_RENAME, "rename");
}

int __wrap_link(const char *from, const char *to)
{
	return name_file(from, to, __real_link, DISK_LINK, "link");
}

static int take_name(const char *path, int (*real)(const char *))
{
	int result;

	if (!below(path))
		return real(path);
	if (fails())
		return -1;
	result = real(path);
	if (!result)
		note(DISK_UNLINK, -1, below(path), NULL);
	return result;
}

int __wrap_unlink(const char *path)
{
	return take_name(path, __real_unlink);
}

int __wrap_rmdir(const char *path)
{
	return take_name(path, __real_rmdir);
}

int __wrap_mkdir(const char *path, mode_t mode)
{
	int result;

	if (!below(path))
		return __real_mkdir(path, mode);
	if (fails())
		return -1;
	result = __real_mkdir(path, mode);
	if (!result)
		note(DISK_MAKE_FOLDER, -1, below(path), NULL);
	return result;
}

int __wrap_close(int fd)
{
	bool ours = is_ours(fd);

	if (fd >= 0 && fd < FDS) {
		disk.file_of[fd] = 0;
		free(disk.folder_of[fd]);
		disk.folder_of[fd] = NULL;
	}
	if (!ours)
		return __real_close(fd);
	__real_close(fd); /* closed in any case, as Linux does */
	return fails() ? -1 : 0;
}

void disk_record(const char *root)
{
	for (size_t i = 0; i < disk.n_ops; i++) {
		free(disk.ops[i].path);
		free(disk.ops[i].to);
		free(disk.ops[i].bytes);
	}
	for (size_t i = 0; i < FDS; i++) {
		free(disk.folder_of[i]);
		disk.folder_of[i] = NULL;
		disk.file_of[i] = 0;
	}
	snprintf(disk.root, sizeof disk.root, "%s", root);
	disk.n_ops = 0;
	disk.n_files = 0;
	disk.on = true;
	disk_set_fault(NULL);
}

void disk_set_fault(const struct disk_fault *fault)
{
	disk.fault = fault ? *fault : (struct disk_fault){0};
	disk.n_calls = disk.n_syncs = disk.left_out_at = 0;
	disk.left_out_name[0] = '\0';
	disk.fired = false;
}

void disk_pause(void)
{
	disk.on = false;
}

void disk_resume(void)
{
	disk.on = true;
}

void disk_settle(void)
{
	for (size_t i = 0; i < disk.n_ops; i++)
		if (disk.ops[i].durable_at == SIZE_MAX)
			disk.ops[i].durable_at = i;
}

void disk_promise(void)
{
	note(DISK_PROMISE, -1, NULL, NULL);
}

void disk_withdraw(void)
{
	note(DISK_WITHDRAW, -1, NULL, NULL);
}

bool disk_is_withdrawn(void)
{
	size_t i = disk.n_ops;

	while (i && disk.ops[i - 1].kind != DISK_PROMISE && disk.ops[i - 1].kind != DISK_WITHDRAW)
		i--;
	return i && disk.ops[i - 1].kind == DISK_WITHDRAW;
}

const struct disk_op *disk_ops(size_t *n)
{
	*n = disk.n_ops;
	return disk.ops;
}

size_t disk_n_calls(void)
{
	return disk.n_calls;
}

size_t disk_n_syncs(void)
{
	return disk.n_syncs;
}

bool disk_has_fired(void)
{
	return disk.fired;
}

size_t disk_left_out_at(void)
{
	return disk.left_out_at;
}

const char *disk_left_out_name(void)
{
	return disk.left_out_name;
}
