/* Writes a whole tree as one transcript; the file appears complete or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "journal/journal_internal.h"

/* Appends to `all`; a record on its own first, for its own limit. */
static enum status add(struct buf *all, struct buf *record)
{
	enum status status = buf_status(record);

	if (!status)
		status = buf_append(all, record->data, record->len);
	buf_clear(record);
	return status;
}

static enum status put_tree(const struct tree *tree, const char *title, struct buf *all)
{
	struct record_source source = {.seq = 1, .title = title[0] ? title : NULL};
	enum status status;
	struct buf record;

	buf_init(&record, LIMIT_RECORD);
	record_put_meta(&record, &source);
	status = add(all, &record);
	for (uint32_t id = 1; !status && id <= tree_n(tree); id++) {
		const struct node *node = tree_node(tree, id);

		source.seq++;
		source.n_messages += node->role != ROLE_SYSTEM;
		if (node->role == ROLE_ASSISTANT)
			record_put_reply(&record, &source, node);
		else
			record_put_message(&record, &source, node);
		status = add(all, &record);
	}
	if (!status) {
		source.seq++;
		record_put_leaf(&record, &source, tree_leaf(tree));
		status = add(all, &record);
	}
	buf_free(&record);
	return status;
}

/* An existing file may be replaced if it is a transcript, or empty. */
static enum status check_target(const struct io_ops *io, const char *path, struct error *err)
{
	char start[sizeof RECORD_MARK - 1];
	struct stat st;
	size_t have = 0;
	int fd, error, interruptions = 0;

	if (io->stat(io->ctx, path, &st) != 0)
		return errno == ENOENT ? STATUS_OK
		                       : error_errno(err, errno, "%s: cannot stat", path);
	if (S_ISDIR(st.st_mode))
		return error_set(err, STATUS_IO, "%s: is a directory", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, STATUS_IO, "%s: not a regular file", path);
	error = io_open(io, path, O_RDONLY | O_NONBLOCK, 0, &fd);
	if (error)
		return error_errno(err, error, "%s: cannot open", path);
	while (have < sizeof start) {
		ssize_t n = io->read(io->ctx, fd, start + have, sizeof start - have);

		if (n < 0 && errno == EINTR && ++interruptions < 100)
			continue;
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	io_close(io, fd);
	if (have && (have < sizeof start || memcmp(start, RECORD_MARK, sizeof start) != 0))
		return error_set(err, STATUS_USAGE, "%s: exists and is not a transcript: not overwritten",
		                 path);
	return STATUS_OK;
}

static enum status write_file(const struct io_ops *io, const char *temporary, const char *path,
                              const struct buf *all, struct error *err)
{
	size_t done;
	int fd, error, closed;

	error = io_open(io, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600, &fd);
	if (error)
		return error_errno(err, error, "%s: cannot create", path);
	error = io_write_all(io, fd, all->data, all->len, &done);
	if (!error)
		error = io_fdatasync(io, fd);
	closed = io_close(io, fd);
	if (!error)
		error = closed;
	if (!error && io->rename(io->ctx, temporary, path) != 0)
		error = errno;
	if (error) {
		io->unlink(io->ctx, temporary);
		return error_errno(err, error, "%s: cannot write", path);
	}
	error = io_sync_folder(io, path);
	return error ? error_errno(err, error, "%s: cannot sync", path) : STATUS_OK;
}

enum status journal_export_io(const struct tree *tree, const char *title, const char *path,
                              const struct io_ops *io, struct error *err)
{
	char *real = realpath(path, NULL); /* replaces what a link points to, not the link */
	const char *target = real ? real : path;
	struct buf all, temporary;
	enum status status;

	buf_init(&all, LIMIT_TRANSCRIPT);
	buf_init(&temporary, KIB(64));
	status = check_target(io, target, err);
	if (!status && (put_tree(tree, title, &all) || buf_printf(&temporary, "%s.part", target)))
		status = buf_status(&all) == STATUS_LIMIT
		                 ? error_set(err, STATUS_LIMIT, "%s: a transcript holds at most %zu bytes",
		                             path, (size_t)LIMIT_TRANSCRIPT)
		                 : error_set(err, STATUS_NOMEM, "%s: not enough memory", path);
	if (!status)
		status = check_target(io, buf_text(&temporary), err);
	if (!status) {
		io->unlink(io->ctx, buf_text(&temporary)); /* from an earlier try */
		status = write_file(io, buf_text(&temporary), target, &all, err);
	}
	buf_free(&temporary);
	buf_free(&all);
	free(real);
	return status;
}

enum status journal_export(const struct tree *tree, const char *title, const char *path,
                           struct error *err)
{
	return journal_export_io(tree, title, path, &io_system, err);
}

/* What could not be synced may still be there: the next try would add it twice. */
static enum status export_new(const struct tree *tree, const char *title, const char *path,
                              struct error *err)
{
	enum status status = journal_export(tree, title, path, err);

	if (status)
		io_system.unlink(io_system.ctx, path);
	return status;
}

enum status journal_add(const struct tree *tree, const char *title, char **path,
                        struct error *err)
{
	enum { TRIES = 16 };
	char *clean = journal_clean_title(title), id[JOURNAL_ID_MAX];
	struct buf folder, file;
	enum status status;
	struct stat st;

	*path = NULL;
	buf_init(&folder, KIB(64));
	buf_init(&file, KIB(64));
	status = clean ? chats_dir(&folder, err) : journal_no_memory(err);
	if (!status)
		status = sys_make_dirs(buf_text(&folder), err);
	for (int i = 0; !status && i < TRIES && (i == 0 || lstat(buf_text(&file), &st) == 0); i++) {
		journal_make_id(id);
		buf_clear(&file);
		if (buf_printf(&file, "%s/%s.yaml", buf_text(&folder), id))
			status = journal_no_memory(err);
	}
	if (!status && lstat(buf_text(&file), &st) == 0)
		status = error_set(err, STATUS_IO, "%s: exists already", buf_text(&file));
	if (!status)
		status = export_new(tree, clean, buf_text(&file), err);
	if (!status && !(*path = buf_take(&file, NULL)))
		status = journal_no_memory(err);
	buf_free(&folder);
	buf_free(&file);
	free(clean);
	return status;
}
