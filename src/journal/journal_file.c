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
#include "journal/beside.h"
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

static bool set_text(char **field, const char *text)
{
	char *copy = alloc_strndup(text, strlen(text));

	if (!copy)
		return false;
	free(*field);
	*field = copy;
	return true;
}

void journal_file_close(const struct io_ops *io, struct journal_file *file)
{
	if (file->fd >= 0)
		io_close(io, file->fd);
	free(file->path);
	*file = (struct journal_file){.fd = -1};
}

void journal_file_leave(const struct io_ops *io, struct journal_file *file)
{
	if (file->fd >= 0 && !file->was_durable)
		io->unlink(file->path);
	journal_file_close(io, file);
}

/* Makes a new, empty file in `folder`, in place of the old one. */
static enum status start_file(struct journal *journal, const char *folder, struct error *err)
{
	int error = io_make_dirs(journal->io, folder), fd = -1;
	struct stat st;
	struct buf path = {.max = KIB(64)};
	char id[JOURNAL_ID_MAX] = "", *own;

	if (error)
		return error_errno(err, error, "%s: cannot make the folder", folder);
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
	if (journal->io->fstat(fd, &st) != 0) {
		error_errno(err, errno, "%s: cannot look at it", buf_text(&path));
		goto fail_open;
	}
	own = alloc_strndup(buf_text(&path), path.len);
	if (!own || !set_text(&journal->id, id)) {
		free(own);
		error_no_memory(err, "for the chat");
		goto fail_open;
	}
	if (journal->file.path) /* somebody has removed it, say */
		journal_beside_move(journal->file.path, own, journal->io);
	journal_file_leave(journal->io, &journal->file);
	journal->file = (struct journal_file){.path = own, .fd = fd, .device = st.st_dev, .inode = st.st_ino};
	journal->copy_id[0] = '\0';
	buf_free(&path);
	return STATUS_OK;
fail_open:
	journal->io->unlink(buf_text(&path));
	io_close(journal->io, fd);
fail:
	buf_free(&path);
	return err ? err->status : STATUS_IO;
}

/* Whether the file is still the one that was written last, and complete. *ours = false: it was
 * replaced, removed or cut; continue in a new one. */
static enum status check_file(const struct io_ops *io, struct journal_file *file, bool *ours,
                              struct error *err)
{
	struct stat st, named;

	*ours = true;
	if (io->fstat(file->fd, &st) != 0)
		return error_errno(err, errno, "%s: cannot look at it", file->path);
	if (io->stat(file->path, &named) != 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			return error_errno(err, errno, "%s: cannot look at it", file->path);
		*ours = false;
		return STATUS_OK;
	}
	if (named.st_ino != file->inode || named.st_dev != file->device || st.st_size < file->len) {
		*ours = false;
	} else if (st.st_size > file->len) {
		/* Somebody has added to it: that stays, ours begins on a new line. */
		file->len = st.st_size;
		file->has_tear = true;
	}
	return STATUS_OK;
}

static enum status write_failed(const struct io_ops *io, struct journal_file *file, int error,
                                size_t done, struct error *err)
{
	if (error == EIO)
		file->spoiled = true;
	/* Cut back to the last whole record; if that fails, the reader can handle the tear. */
	if (done && io_ftruncate(io, file->fd, file->len) != 0) {
		file->len += (off_t)done;
		file->has_tear = true;
	}
	return error_errno(err, error, "%s: cannot write", file->path);
}

/* Writes what the mirror has and the file does not. */
static enum status write_rest(struct journal *journal, struct journal_file *file, struct error *err)
{
	const struct io_ops *io = journal->io;
	size_t n = journal->mirror.len - file->written, done = 0, before = 0;
	int error = 0;

	if (n) {
		if (file->has_tear)
			error = io_write_all(io, file->fd, "\n", 1, &before);
		if (!error)
			error = io_write_all(io, file->fd, journal->mirror.data + file->written, n, &done);
		if (error)
			return write_failed(io, file, error, before + done, err);
		file->has_tear = false;
		file->len += (off_t)(n + before);
		file->written += n;
	}
	error = io_fdatasync(io, file->fd);
	if (!error && !file->folder_synced)
		error = io_sync_folder(io, file->path);
	if (error) {
		/* The system may have dropped the pages and report success next time: never use
		 * this file again. */
		file->spoiled = true;
		return error_errno(err, error, "%s: cannot sync", file->path);
	}
	file->folder_synced = true;
	file->was_durable = true;
	return STATUS_OK;
}

/* Writes all of the mirror to a file that takes this name, and perhaps the place of another one, when
 * it is whole. */
static enum status write_whole(struct journal *journal, struct journal_file *file, const char *path,
                               struct error *err)
{
	struct journal_file made = {.fd = -1, .folder_synced = true};
	const struct io_ops *io = journal->io;
	char *own = alloc_strndup(path, strlen(path));
	enum status status = STATUS_OK;
	struct buf part = {.max = KIB(64)};
	struct stat st;
	int error;

	if (!own || buf_printf(&part, "%s.part", path) || !set_text(&made.path, buf_text(&part))) {
		status = error_no_memory(err, "for the chat");
		goto fail;
	}
	io->unlink(made.path); /* what a crash has left */
	error = io_open(io, made.path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0600, &made.fd);
	if (error) {
		made.fd = -1;
		status = error_errno(err, error, "%s: cannot create", made.path);
		goto fail;
	}
	(void)io_flock(io, made.fd, LOCK_EX | LOCK_NB); /* nobody else has it open */
	if (io->fstat(made.fd, &st) != 0)
		status = error_errno(err, errno, "%s: cannot look at it", made.path);
	if (!status)
		status = write_rest(journal, &made, err);
	if (!status && io->rename(made.path, path) != 0)
		status = error_errno(err, errno, "%s: cannot rename", made.path);
	if (status)
		goto fail;
	free(made.path);
	made.path = own;
	made.device = st.st_dev;
	made.inode = st.st_ino;
	buf_free(&part);
	journal_file_close(io, file); /* `path` may have been its own */
	*file = made;
	error = io_sync_folder(io, file->path);
	if (!error)
		return STATUS_OK;
	file->spoiled = true;
	return error_errno(err, error, "%s: cannot sync", file->path);
fail:
	if (made.fd >= 0)
		io->unlink(made.path);
	journal_file_close(io, &made);
	buf_free(&part);
	free(own);
	return status;
}

/* A name in the rescue folder: the chat's own, so that the two are known to belong together. */
static enum status find_spare(const struct journal *journal, struct buf *path, char id[JOURNAL_ID_MAX],
                              struct error *err)
{
	const char *wanted = journal->copy_id[0] ? journal->copy_id : journal->id;
	const struct io_ops *io = journal->io;
	enum status status = chats_spare_dir(path, err);
	size_t folder = path->len;
	struct stat st;
	int error;

	if (status)
		return status;
	error = io_make_dirs(io, buf_text(path));
	if (error)
		return error_errno(err, error, "%s: cannot make the folder", buf_text(path));
	for (int tries = 0; tries < NAME_TRIES; tries++) {
		if (tries == 0 && wanted[0] && strlen(wanted) < JOURNAL_ID_MAX)
			snprintf(id, JOURNAL_ID_MAX, "%s", wanted);
		else
			journal_make_id(id);
		buf_remove(path, folder, path->len - folder);
		if (buf_printf(path, "/%s.yaml", id))
			return error_set(err, STATUS_LIMIT, "the path of the chat is too long");
		if (io->stat(buf_text(path), &st) != 0)
			return errno == ENOENT ? STATUS_OK
			                       : error_errno(err, errno, "%s: cannot look at it", buf_text(path));
	}
	return error_set(err, STATUS_IO, "%s: already exists", buf_text(path));
}

static enum status make_spare(struct journal *journal, struct error *err)
{
	char id[JOURNAL_ID_MAX] = "";
	enum status status;
	struct buf path = {.max = KIB(64)};

	status = find_spare(journal, &path, id, err);
	if (!status)
		status = write_whole(journal, &journal->spare, buf_text(&path), err);
	buf_free(&path);
	if (status || journal->file.fd >= 0)
		return status;
	/* A spare that comes first gives the chat its name. */
	memcpy(journal->copy_id, id, sizeof id);
	return set_text(&journal->id, id) ? STATUS_OK : error_no_memory(err, "for the chat");
}

/* Whether there is a file to go on in. */
static enum status find_own(const struct io_ops *io, struct journal_file *file, bool *ours,
                            struct error *err)
{
	*ours = file->fd >= 0 && !file->spoiled;
	return *ours ? check_file(io, file, ours, err) : STATUS_OK;
}

static enum status save_at_home(struct journal *journal, struct error *err)
{
	struct buf folder;
	bool ours;
	enum status status = find_own(journal->io, &journal->file, &ours, err);

	if (!status && !ours) {
		buf_init(&folder, KIB(64));
		status = chats_dir(&folder, err);
		if (!status)
			status = start_file(journal, buf_text(&folder), err);
		buf_free(&folder);
	}
	if (!status && journal->file.is_old)
		return write_whole(journal, &journal->file, journal->file.path, err);
	return status ? status : write_rest(journal, &journal->file, err);
}

static enum status save_aside(struct journal *journal, struct error *err)
{
	bool ours;
	enum status status = find_own(journal->io, &journal->spare, &ours, err);

	if (!status)
		status = ours ? write_rest(journal, &journal->spare, err) : make_spare(journal, err);
	return status;
}

bool journal_file_cut(const struct io_ops *io, struct journal_file *file, size_t n)
{
	bool ours;

	if (find_own(io, file, &ours, NULL) || !ours || file->has_tear || file->is_old)
		return false;
	if (n == SIZE_MAX) {
		if (io->unlink(file->path) != 0)
			return false;
		journal_file_close(io, file);
		return true;
	}
	if (io_ftruncate(io, file->fd, file->len - (off_t)n) != 0)
		return false;
	file->len -= (off_t)n;
	file->written -= n;
	file->spoiled = io_fdatasync(io, file->fd) != 0;
	return true;
}

/* All of the chat is at home, and that is on the disk. */
static void end_spare(struct journal *journal)
{
	if (journal->spare.path) {
		journal->io->unlink(journal->spare.path);
		journal_beside_move(journal->spare.path, journal->file.path, journal->io);
		journal->rescued_len = journal->mirror.len;
	}
	journal_file_close(journal->io, &journal->spare);
	journal->is_aside = false;
}

enum status journal_save(struct journal *journal, struct error *err)
{
	struct error local;
	enum status status;
	bool aside;

	if (!err)
		err = &local;
	/* First the spare: at every moment one of the two has all. */
	aside = journal->is_aside && save_aside(journal, NULL) == STATUS_OK;
	status = save_at_home(journal, err);
	if (!status)
		end_spare(journal);
	else if (aside)
		status = STATUS_OK;
	journal->failed = status != STATUS_OK || journal->lost;
	return status;
}

enum status journal_go_aside(struct journal *journal, struct error *err)
{
	enum status status = save_aside(journal, err);

	journal->is_aside |= !status;
	return status;
}

/* Opens the file for writing, or if that fails for reading, to continue in a copy. */
static enum status open_file(const struct io_ops *io, struct journal_file *file, const char *path,
                             const char **why_copy, struct error *err)
{
	int error = io_open(io, path, O_RDWR | O_APPEND | O_NONBLOCK, 0, &file->fd);

	if (error == EACCES || error == EROFS || error == EPERM) {
		*why_copy = "may not be written to";
		error = io_open(io, path, O_RDONLY | O_NONBLOCK, 0, &file->fd);
	}
	if (error) {
		file->fd = -1;
		return error_errno(err, error, "%s: cannot open", path);
	}
	if (*why_copy)
		return STATUS_OK;
	error = io_flock(io, file->fd, LOCK_EX | LOCK_NB);
	if (error)
		*why_copy = error == EWOULDBLOCK ? "is open in another sotto" : "cannot be locked";
	return STATUS_OK;
}

static enum status read_file(const struct io_ops *io, struct journal_file *file, const char *path,
                             struct buf *bytes, struct error *err)
{
	struct stat st;
	int error;

	if (io->fstat(file->fd, &st) != 0)
		return error_errno(err, errno, "%s: cannot look at it", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, STATUS_IO, S_ISDIR(st.st_mode) ? "%s: is a folder"
		                                                     : "%s: not a regular file", path);
	error = io_read_all(io, file->fd, bytes);
	bytes->status = STATUS_OK;
	if (error == EFBIG)
		return error_set(err, STATUS_LIMIT, "%s: larger than %zu bytes", path,
		                 (size_t)LIMIT_TRANSCRIPT);
	if (error)
		return error_errno(err, error, "%s: cannot read", path);
	file->device = st.st_dev;
	file->inode = st.st_ino;
	file->len = (off_t)bytes->len;
	file->written = bytes->len;
	file->folder_synced = file->was_durable = true;
	return STATUS_OK;
}

enum status journal_file_open(const struct io_ops *io, struct journal_file *file, const char *path,
                              struct buf *bytes, const char **why_copy, struct error *err)
{
	enum status status = open_file(io, file, path, why_copy, err);

	if (!status)
		status = read_file(io, file, path, bytes, err);
	if (!status && !set_text(&file->path, path))
		status = error_no_memory(err, "for the chat");
	if (!status && bytes->len && transcript_mend(bytes->data, &bytes->len)) {
		file->is_old = true; /* mended with what is written next */
		file->written = 0;
	}
	return status;
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
	return set_text(&journal->id, id) ? STATUS_OK : error_no_memory(err, "for the chat");
}

enum status journal_read(struct journal *journal, const char *path, struct error *err)
{
	enum status status = journal_file_open(journal->io, &journal->file, path, &journal->mirror,
	                                       &journal->why_copy, err);

	return status ? status : name_from_path(journal, path, err);
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
	transcript_mend(bytes, &len);
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
	char start[4097];
	size_t have = 0;
	int interruptions = 0;

	while (have < sizeof start - 1) {
		ssize_t n = io->read(fd, start + have, sizeof start - 1 - have);

		if (n < 0 && errno == EINTR && ++interruptions < 100)
			continue;
		if (n < 0)
			return error_errno(err, errno, "%s: cannot read", path);
		if (n == 0)
			break;
		have += (size_t)n;
	}
	if (have == 0 && may_be_empty)
		return STATUS_OK;
	transcript_mend(start, &have);
	if (transcript_has_record(start, have))
		return STATUS_OK;
	return error_set(err, STATUS_FORMAT, "%s: not a chat saved by sotto", path);
}
