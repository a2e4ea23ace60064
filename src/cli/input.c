#include "cli/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"

enum status input_read_stdin(struct buf *text, struct error *err)
{
	char chunk[16384];

	for (;;) {
		ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, errno, "cannot read standard input");
		if (n == 0)
			return STATUS_OK;
		buf_append(text, chunk, (size_t)n);
		if (buf_status(text))
			return error_set(err, STATUS_USAGE, "standard input is longer than %zu bytes",
			                 text->max);
	}
}

enum status input_read_file(const char *path, struct buf *text, struct error *err)
{
	enum status status;
	char *read;
	size_t len;

	if (strcmp(path, "-") == 0)
		return input_read_stdin(text, err);
	status = sys_read_file(path, text->max, &read, &len, err);
	if (status)
		return status == STATUS_NOMEM ? status : (err->status = STATUS_USAGE);
	buf_append(text, read, len);
	free(read);
	return buf_status(text) ? error_set(err, STATUS_NOMEM, "%s: not enough memory", path)
	                        : STATUS_OK;
}

void input_put_words(const struct cli_setup *setup, struct buf *text)
{
	for (int i = 0; i < setup->n_words; i++)
		buf_printf(text, "%s%s", i ? " " : "", setup->words[i]);
}
