/* Writes a whole tree as one transcript; the file appears complete or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/sys.h"
#include "journal/journal_internal.h"

/* An existing file may be replaced if it is a transcript, or empty. */
static enum status check_target(const struct io_ops *io, const char *path, struct error *err)
{
	enum status status;
	struct stat st;
	int fd, error;

	if (io->stat(path, &st) != 0)
		return errno == ENOENT ? STATUS_OK
		                       : error_errno(err, errno, "%s: cannot look at it", path);
	if (S_ISDIR(st.st_mode))
		return error_set(err, STATUS_IO, "%s: is a folder", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, STATUS_IO, "%s: not a regular file", path);
	error = io_open(io, path, O_RDONLY | O_NONBLOCK, 0, &fd);
	if (error)
		return error_errno(err, error, "%s: cannot open", path);
	status = journal_check_mark(io, fd, path, true, err);
	io_close(io, fd);
	return status == STATUS_FORMAT
	               ? error_set(err, STATUS_USAGE, "%s: exists and is not a chat saved by sotto: not overwritten", path)
	               : status;
}

/* `replace`: the file that is there. */
static enum status write_tree(const struct tree *tree, const char *title, const char *path, bool replace,
                              const struct io_ops *io, struct error *err)
{
	struct buf all = {.max = LIMIT_TRANSCRIPT};
	struct record_source last;
	enum status status = record_put_tree(&all, tree, title[0] ? title : NULL, &last);

	if (status == STATUS_LIMIT)
		error_set(err, status, "%s: a chat's file holds at most %zu bytes", path, (size_t)LIMIT_TRANSCRIPT);
	else if (status)
		error_set(err, status, "%s: not enough memory", path);
	else
		status = file_write(io, path, all.data, all.len, replace, 0600, err);
	buf_free(&all);
	return status;
}

enum status journal_export_io(const struct tree *tree, const char *title, const char *path,
                              const struct io_ops *io, struct error *err)
{
	enum status status = check_target(io, path, err);

	return status ? status : write_tree(tree, title, path, true, io, err);
}

enum status journal_export(const struct tree *tree, const char *title, const char *path,
                           struct error *err)
{
	return journal_export_io(tree, title, path, &io_system, err);
}

enum status journal_add(const struct tree *tree, const char *title, char **path,
                        struct error *err)
{
	enum { TRIES = 16 };
	char *clean = journal_clean_title(title), id[JOURNAL_ID_MAX];
	struct buf folder = {.max = KIB(64)};
	struct buf file = {.max = KIB(64)};
	enum status status;
	struct error own;

	*path = NULL;
	status = clean ? chats_dir(&folder, &own) : error_no_memory(&own, "for the chat");
	if (!status)
		status = sys_make_dirs(buf_text(&folder), &own);
	for (int i = 0; !status && i < TRIES; i++) {
		journal_make_id(id);
		buf_clear(&file);
		status = buf_printf(&file, "%s/%s.yaml", buf_text(&folder), id)
		                 ? error_no_memory(&own, "for the chat")
		                 : write_tree(tree, clean, buf_text(&file), false, &io_system, &own);
		if (status && status != STATUS_BUSY && buf_text(&file)[0])
			unlink(buf_text(&file)); /* if it could not be synced: the next try would add it twice */
		if (status != STATUS_BUSY || i + 1 == TRIES) /* otherwise the name is taken: another one */
			break;
		status = STATUS_OK;
	}
	if (!status && !(*path = buf_take(&file, NULL)))
		status = error_no_memory(&own, "for the chat");
	if (status && err)
		*err = own;
	buf_free(&folder);
	buf_free(&file);
	free(clean);
	return status;
}
