#include "cli/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/sys.h"
#include "base/text_file.h"
#include "base/utf8.h"
#include "cli/print.h"

enum status input_read_stdin(struct buf *text, struct error *err)
{
	size_t start = text->len;
	int error = io_read_all(&io_system, STDIN_FILENO, text);

	if (buf_status(text))
		return error_set(err, STATUS_USAGE, "standard input is longer than %zu bytes",
		                 text->max);
	if (error)
		return error_errno(err, error, "cannot read standard input");
	if (text->len > start)
		buf_remove(text, start, utf8_mark_len(text->data + start, text->len - start));
	return STATUS_OK;
}

bool input_is_stdin(const char *path)
{
	static const char *const names[] = {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return false;
}

enum status input_read_file(const char *path, struct buf *text, struct error *err)
{
	enum status status;
	char *read;
	size_t len, mark;

	if (input_is_stdin(path))
		return input_read_stdin(text, err);
	status = sys_read_any_file(path, text->max, &read, &len, err);
	if (status)
		return status == STATUS_NOMEM ? status : (err->status = STATUS_USAGE);
	mark = utf8_mark_len(read, len);
	buf_append(text, read + mark, len - mark);
	free(read);
	return buf_status(text) ? error_set(err, STATUS_NOMEM, "%s: not enough memory", path)
	                        : STATUS_OK;
}

enum status input_as_text(struct buf *text, const char *name, struct error *err)
{
	struct buf bytes = *text;
	enum status status;
	size_t n_bad;

	if (!text->len)
		return STATUS_OK;
	buf_init(text, bytes.max);
	status = text_file_put(text, name, bytes.data, bytes.len, &n_bad, err);
	buf_free(&bytes);
	if (!status && n_bad)
		cli_warn(n_bad == 1 ? "%.200s: %zu byte that is not UTF-8 was replaced"
		                    : "%.200s: %zu bytes that are not UTF-8 were replaced",
		         name, n_bad);
	if (status && status != STATUS_NOMEM)
		status = err->status = STATUS_USAGE; /* the command line is wrong, not the model */
	return status;
}

void input_put_words(const struct cli_setup *setup, struct buf *text)
{
	for (int i = 0; i < setup->n_words; i++)
		buf_printf(text, "%s%s", i ? " " : "", setup->words[i]);
}
