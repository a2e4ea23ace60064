#include "cli/print.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sanitize.h"

/* `text` NULL: there was no memory for it. */
static void print_message(const char *before, const char *text)
{
	struct buf line = {.max = KIB(64)};

	if (text && sanitize_line(&line, text, strlen(text)) == STATUS_OK)
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
	struct buf safe = {.max = LIMIT_TRANSCRIPT};

	if (!isatty(STDOUT_FILENO) || buf_status(text))
		return cli_print_buf(text, what);
	sanitize_text(&safe, buf_text(text), text->len);
	buf_free(text);
	return cli_print_buf(&safe, what);
}

static void print_formatted(const char *before, const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	print_message(before, text);
	free(text);
}

void cli_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_formatted("note: ", format, args);
	va_end(args);
}

void cli_notes(const char *lines)
{
	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");

		cli_note("%.*s", (int)n, lines);
		lines += n + (lines[n] == '\n');
	}
}

void cli_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_formatted("warning: ", format, args);
	va_end(args);
}

int cli_fail_usage(struct error *err)
{
	if (err->status == STATUS_NOTFOUND || err->status == STATUS_FORMAT)
		err->status = STATUS_USAGE;
	return cli_fail(err);
}

int cli_fail_model(const struct error *err)
{
	int code = cli_fail(err);

	return err->status == STATUS_IO || err->status == STATUS_DECLINED ? status_exit_code(STATUS_NOTFOUND) : code;
}
