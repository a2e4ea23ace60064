#include "cli/print.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sanitize.h"

static void print_message(const char *before, const char *text)
{
	struct buf line;

	buf_init(&line, KIB(64));
	if (sanitize_line(&line, text, strlen(text)) == STATUS_OK)
		fprintf(stderr, "sotto: %s%s\n", before, buf_text(&line));
	else
		fputs("sotto: not enough memory\n", stderr);
	buf_free(&line);
}

int cli_fail(const struct error *err)
{
	print_message("", err->text);
	return status_exit_code(err->status);
}

int cli_fail_with(enum status status, const char *format, ...)
{
	struct error err;
	va_list args;

	va_start(args, format);
	error_vset(&err, status, format, args);
	va_end(args);
	return cli_fail(&err);
}

int cli_print(const char *text, size_t len)
{
	struct error err;

	if (fwrite(text, 1, len, stdout) == len && fflush(stdout) == 0)
		return 0;
	error_errno(&err, errno, "cannot write to standard output");
	return cli_fail(&err);
}

int cli_print_buf(struct buf *text, const char *what)
{
	int rc = buf_status(text) ? cli_fail_with(buf_status(text), "not enough memory for %s", what)
	                          : cli_print(buf_text(text), text->len);

	buf_free(text);
	return rc;
}

int cli_print_safe(struct buf *text, const char *what)
{
	struct buf safe;

	if (!isatty(STDOUT_FILENO) || buf_status(text))
		return cli_print_buf(text, what);
	buf_init(&safe, LIMIT_TRANSCRIPT);
	if (sanitize_text(&safe, buf_text(text), text->len))
		safe.status = STATUS_NOMEM;
	buf_free(text);
	return cli_print_buf(&safe, what);
}

void cli_note(const char *text)
{
	print_message("note: ", text);
}

void cli_warn(const char *text)
{
	print_message("warning: ", text);
}

int cli_fail_model(const struct error *err)
{
	int code = cli_fail(err);

	return err->status == STATUS_IO ? status_exit_code(STATUS_NOTFOUND) : code;
}
