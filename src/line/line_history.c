#include "line/line_history.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <readline/history.h>

#include "base/file.h"
#include "base/io.h"
#include "base/limits.h"
#include "base/sys.h"

enum { FILE_MAX = 64 << 20 };

static enum status history_path(struct buf *path, struct error *err)
{
	enum status status = sys_user_path(SYS_DIR_STATE, "", path, err);

	if (!status)
		status = sys_make_dirs(buf_text(path), err);
	if (!status && buf_puts(path, "/history"))
		status = error_set(err, STATUS_LIMIT, "the history file's path is too long");
	return status;
}

/* One entry as a line of the file, and back. */
static enum status escape(struct buf *out, const char *line)
{
	for (; *line; line++) {
		if (*line == '\n')
			buf_puts(out, "\\n");
		else if (*line == '\\')
			buf_puts(out, "\\\\");
		else
			buf_putc(out, *line);
	}
	return buf_status(out);
}

static enum status unescape(struct buf *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\\' && i + 1 < n && (text[i + 1] == 'n' || text[i + 1] == '\\'))
			buf_putc(out, text[++i] == 'n' ? '\n' : '\\');
		else if (text[i] != '\0')
			buf_putc(out, text[i]);
	}
	return buf_status(out);
}

/* Writes the last LINE_HISTORY_KEPT lines of `text` to a new file that replaces the old one. Where
 * that does not work the file stays as it is, and is cut the next time. */
static void cut_file(const char *path, const char *text, size_t len)
{
	size_t at = len, lines = 0;

	while (at > 0 && (text[at - 1] != '\n' || lines++ < LINE_HISTORY_KEPT))
		at--;
	(void)file_replace(&io_system, path, text + at, len - at);
}

enum status line_history_load(struct error *err)
{
	struct buf path = {.max = KIB(8)};
	struct buf line = {.max = LINE_HISTORY_ENTRY_MAX};
	char *text = NULL;
	size_t len, n_lines = 0;
	enum status status;

	stifle_history(LINE_HISTORY_KEPT);
	status = history_path(&path, err);
	if (status)
		goto out;
	status = sys_read_file(buf_text(&path), FILE_MAX, &text, &len, err);
	if (status) {
		status = status == STATUS_NOTFOUND ? STATUS_OK : status;
		goto out;
	}
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - (text + at)) : len - at;

		buf_clear(&line);
		if (n && !unescape(&line, text + at, n))
			add_history(buf_text(&line));
		n_lines++;
		at += n + 1;
	}
	using_history(); /* Up begins at the last entry */
	if (n_lines > 2 * LINE_HISTORY_KEPT)
		cut_file(buf_text(&path), text, len);
out:
	free(text);
	buf_free(&line);
	buf_free(&path);
	return status;
}

/* Returns 0 or errno. Not synced: what was said is in the chat. */
static int append(const char *path, const struct buf *entry)
{
	size_t done = 0;
	int fd, closed, error = io_open(&io_system, path, O_WRONLY | O_CREAT | O_APPEND, 0600, &fd);

	if (error)
		return error;
	error = io_write_all(&io_system, fd, entry->data, entry->len, &done);
	if (error && done) /* the next entry begins on a line of its own */
		(void)!io_write_all(&io_system, fd, "\n", 1, &done);
	closed = io_close(&io_system, fd);
	return error ? error : closed;
}

enum status line_history_add(const char *line, bool keep, struct error *err)
{
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
	struct buf path = {.max = KIB(8)}, entry = {.max = LINE_HISTORY_ENTRY_MAX};
	enum status status = STATUS_OK;
	int error;

	if (last && strcmp(last->line, line) == 0)
		return STATUS_OK;
	add_history(line);
	using_history(); /* Up begins at this entry */
	if (!keep)
		return STATUS_OK;
	escape(&entry, line);
	buf_putc(&entry, '\n');
	if (!buf_status(&entry)) { /* otherwise it is too long for the file */
		status = history_path(&path, err);
		error = status ? 0 : append(buf_text(&path), &entry);
		if (error)
			status = error_errno(err, error, "%s: cannot write the history",
			                     buf_text(&path));
	}
	buf_free(&entry);
	buf_free(&path);
	return status;
}
