/* The journal's file: its name, its lock, and writing to its end what only the mirror has. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "journal/journal_internal.h"

enum { NAME_TRIES = 16 };

/* "20261121-093000-ab12": the time, and random digits to tell apart two of the same second. */
void journal_make_id(char id[JOURNAL_ID_MAX])
{
	time_t now = (time_t)sys_wall_time();
	unsigned chance = 0;
	char when[32] = "00000000-000000";
	struct tm tm;

	if (getrandom(&chance, sizeof chance, GRND_NONBLOCK) != (ssize_t)sizeof chance)
		chance = (unsigned)sys_now_us();
	if (localtime_r(&now, &tm))
		strftime(when, sizeof when, "%Y%m%d-%H%M%S", &tm);
	snprintf(id, JOURNAL_ID_MAX, "%s-%04x", when, chance & 0xFFFF);
}

static bool set_path(struct journal *journal, const char *path, const char *id)
{
	char *new_path = alloc_strndup(path, strlen(path)), *new_id = alloc_strndup(id, strlen(id));

	if (!new_path || !new_id) {
		free(new_path);
		free(new_id);
		return false;
	}
	free(journal->path);
	free(journal->id);
	journal->path = new_path;
	journal->id = new_id;
	return true;
}

/* Closes a file that will not be written again. If nothing was ever saved in it, it is removed,
 * since all of it is written elsewhere. */
static void leave_file(struct journal *journal)
{
	if (journal->fd < 0)
		return;
	if (!journal->was_durable)
		journal->io->unlink(journal->io->ctx, journal->path);
	io_close(journal->io, journal->fd);
	journal->fd = -1;
}

/* Makes a new, empty file in `folder`, in place of the old one. */
static enum status start_file(struct journal *journal, const char *folder, struct error *err)
{
	int error = io_make_dirs(journal->io, folder), fd = -1;
	struct stat st;
	struct buf path;
	char id[JOURNAL_ID_MAX] = "";

	if (error)
		return error_errno(err, error, "%s: cannot make the directory", folder);
	buf_init(&path, KIB(64));
	for (int tries = 0; tries < NAME_TRIES; tries++) {
		if (tries == 0 && journal->copy_id[0])
			snprintf(id, sizeof id, "%s", journal->copy_id);
		else
			journal_make_id(id);
		buf_clear(&path);
		if (buf_printf(&path, "%s/%s.yaml", folder, id))
			break;
		error = io_open(journal->io, buf_text(&path),
		                O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0600, &fd);
		if (error != EEXIST)
			break;
	}
	if (buf_status(&path) || error || fd < 0) {
		error = error ? error : ENAMETOOLONG;
		error_errno(err, error, "%s: cannot create", buf_text(&path));
		goto fail;
	}
	/* Nobody else knows the name yet, and a file system without locks is no reason not to
	 * save. */
	error = io_flock(journal->io, fd, LOCK_EX | LOCK_NB);
	if (error && error != ENOLCK && error != EOPNOTSUPP && error != ENOSYS && error != EINVAL) {
		error_errno(err, error, "%s: cannot lock", buf_text(&path));
		goto fail_open;
	}
	if (journal->io->fstat(journal->io->ctx, fd, &st) != 0) {
		error_errno(err, errno, "%s: cannot stat", buf_text(&path));
		goto fail_open;
	}
	leave_file(journal);
	if (!set_path(journal, buf_text(&path), id)) {
		journal_no_memory(err);
		goto fail_open;
	}
	buf_free(&path);
	journal->fd = fd;
	journal->device = st.st_dev;
	journal->inode = st.st_ino;
	journal->copy_id[0] = '\0';
	journal->file_len = 0;
	journal->written = 0;
	journal->spoiled = journal->has_tear = journal->folder_synced = journal->was_durable = false;
	return STATUS_OK;
fail_open:
	journal->io->unlink(journal->io->ctx, buf_text(&path));
	io_close(journal->io, fd);
fail:
	buf_free(&path);
	return err ? err->status : STATUS_IO;
}

/* Whether the file is still the one that was written last, and complete. *ours = false: it was
 * replaced, removed or cut; continue in a new one. */
static enum status check_file(struct journal *journal, bool *ours, struct error *err)
{
	const struct io_ops *io = journal->io;
	struct stat st, named;

	*ours = true;
	if (io->fstat(io->ctx, journal->fd, &st) != 0)
		return error_errno(err, errno, "%s: cannot stat", journal->path);
	if (io->stat(io->ctx, journal->path, &named) != 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			return error_errno(err, errno, "%s: cannot stat", journal->path);
		*ours = false;
		return STATUS_OK;
	}
	if (named.st_ino != journal->inode || named.st_dev != journal->device ||
	    st.st_size < journal->file_len) {
		*ours = false;
	} else if (st.st_size > journal->file_len) {
		/* Somebody has added to it: that stays, ours begins on a new line. */
		journal->file_len = st.st_size;
		journal->has_tear = true;
	}
	return STATUS_OK;
}

static enum status write_failed(struct journal *journal, int error, size_t done, struct error *err)
{
	if (error == EIO)
		journal->spoiled = true;
	/* Cut back to the last whole record; if that fails, the reader can handle the tear. */
	if (done && io_ftruncate(journal->io, journal->fd, journal->file_len) != 0) {
		journal->file_len += (off_t)done;
		journal->has_tear = true;
	}
	return error_errno(err, error, "%s: cannot write", journal->path);
}

/* Writes what the mirror has and the file does not. */
static enum status write_rest(struct journal *journal, struct error *err)
{
	const struct io_ops *io = journal->io;
	size_t n = journal->mirror.len - journal->written, done = 0, before = 0;
	int error = 0;

	if (n) {
		if (journal->has_tear)
			error = io_write_all(io, journal->fd, "\n", 1, &before);
		if (!error)
			error = io_write_all(io, journal->fd,
			                     journal->mirror.data + journal->written, n, &done);
		if (error)
			return write_failed(journal, error, before + done, err);
		journal->has_tear = false;
		journal->file_len += (off_t)(n + before);
		journal->written += n;
	}
	error = io_fdatasync(io, journal->fd);
	if (!error && !journal->folder_synced)
		error = io_sync_folder(io, journal->path);
	if (error) {
		/* The system may have dropped the pages and report success next time: never use
		 * this file again. */
		journal->spoiled = true;
		return error_errno(err, error, "%s: cannot sync", journal->path);
	}
	journal->folder_synced = true;
	journal->was_durable = true;
	return STATUS_OK;
}

enum status journal_save_in(struct journal *journal,
                            enum status (*find_folder)(struct buf *, struct error *),
                            struct error *err)
{
	struct buf folder;
	enum status status;

	buf_init(&folder, KIB(64));
	status = find_folder(&folder, err);
	if (!status)
		status = start_file(journal, buf_text(&folder), err);
	if (!status)
		status = write_rest(journal, err);
	buf_free(&folder);
	return status;
}

enum status journal_save(struct journal *journal, struct error *err)
{
	enum status status = STATUS_OK;
	struct error local;
	bool ours = true;

	if (!err)
		err = &local;
	if (journal->fd >= 0 && !journal->spoiled)
		status = check_file(journal, &ours, err);
	if (!status) {
		if (journal->fd < 0 || journal->spoiled || !ours)
			status = journal_save_in(journal, chats_dir, err);
		else
			status = write_rest(journal, err);
	}
	journal->failed = status != STATUS_OK || journal->lost;
	return status;
}

/* Opens the file for writing, or if that fails for reading, to continue in a copy. */
static enum status open_file(struct journal *journal, const char *path, struct error *err)
{
	const struct io_ops *io = journal->io;
	int error = io_open(io, path, O_RDWR | O_APPEND | O_NONBLOCK, 0, &journal->fd);

	if (error == EACCES || error == EROFS || error == EPERM) {
		journal->why_copy = "may not be written to";
		error = io_open(io, path, O_RDONLY | O_NONBLOCK, 0, &journal->fd);
	}
	if (error)
		return error_errno(err, error, "%s: cannot open", path);
	if (journal->why_copy)
		return STATUS_OK;
	error = io_flock(io, journal->fd, LOCK_EX | LOCK_NB);
	if (error)
		journal->why_copy = error == EWOULDBLOCK ? "is open in another sotto" : "cannot be locked";
	return STATUS_OK;
}

static enum status read_file(struct journal *journal, const char *path, struct error *err)
{
	const struct io_ops *io = journal->io;
	struct stat st;
	int error;

	if (io->fstat(io->ctx, journal->fd, &st) != 0)
		return error_errno(err, errno, "%s: cannot stat", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, STATUS_IO, S_ISDIR(st.st_mode) ? "%s: is a directory"
		                                                     : "%s: not a regular file", path);
	error = io_read_all(io, journal->fd, &journal->mirror);
	journal->mirror.status = STATUS_OK;
	if (error == EFBIG)
		return error_set(err, STATUS_LIMIT, "%s: larger than %zu bytes", path,
		                 (size_t)LIMIT_TRANSCRIPT);
	if (error)
		return error_errno(err, error, "%s: cannot read", path);
	journal->device = st.st_dev;
	journal->inode = st.st_ino;
	journal->file_len = (off_t)journal->mirror.len;
	journal->written = journal->mirror.len;
	journal->folder_synced = journal->was_durable = true;
	return STATUS_OK;
}

static enum status name_from_path(struct journal *journal, const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t n = strlen(base);
	char id[256];

	if (n > 5 && strcmp(base + n - 5, ".yaml") == 0)
		n -= 5;
	snprintf(id, sizeof id, "%.*s", (int)n, base);
	return set_path(journal, path, id) ? STATUS_OK : journal_no_memory(err);
}

enum status journal_load(const char *path, struct tree **tree, size_t *n_damaged, struct buf *title,
                         struct error *err)
{
	struct parse_report report = {.draft = NULL};
	enum status status;
	char *bytes;
	size_t len;

	*tree = NULL;
	status = sys_read_file(path, LIMIT_TRANSCRIPT, &bytes, &len, err);
	if (status)
		return status;
	status = transcript_parse(bytes, len, tree, title, &report, err);
	if (!status)
		status = transcript_check(path, *tree, &report, len, err);
	if (status) {
		tree_free(*tree);
		*tree = NULL;
	}
	*n_damaged = report.n_damaged;
	free(report.draft);
	attachments_free(&report.draft_files);
	free(bytes);
	return status;
}

enum status journal_check_mark(const struct io_ops *io, int fd, const char *path, bool may_be_empty,
                               struct error *err)
{
	char start[sizeof RECORD_MARK - 1];
	size_t have = 0;
	int interruptions = 0;

	while (have < sizeof start) {
		ssize_t n = io->read(io->ctx, fd, start + have, sizeof start - have);

		if (n < 0 && errno == EINTR && ++interruptions < 100)
			continue;
		if (n < 0)
			return error_errno(err, errno, "%s: cannot read", path);
		if (n == 0)
			break;
		have += (size_t)n;
	}
	if ((have == 0 && may_be_empty) || (have == sizeof start && memcmp(start, RECORD_MARK, have) == 0))
		return STATUS_OK;
	return error_set(err, STATUS_FORMAT, "%s: not a transcript", path);
}

enum status journal_read(struct journal *journal, const char *path, struct error *err)
{
	enum status status = open_file(journal, path, err);

	if (!status)
		status = read_file(journal, path, err);
	return status ? status : name_from_path(journal, path, err);
}
