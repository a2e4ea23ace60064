#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int status_exit_code(enum status status)
{
	switch (status) {
	case STATUS_OK: return 0;
	case STATUS_USAGE:
	case STATUS_CONFIG: return 2;
	case STATUS_FORMAT:
	case STATUS_UNSUPPORTED:
	case STATUS_LIMIT:
	case STATUS_NOTFOUND: return 3;
	case STATUS_CONTEXT: return 4;
	case STATUS_CANCELLED: return 130;
	default: return 1;
	}
}

enum status error_vset(struct error *err, enum status status, const char *fmt, va_list args)
{
	if (err) {
		err->status = status;
		err->line = 0;
		vsnprintf(err->text, sizeof err->text, fmt, args);
	}
	return status;
}

enum status error_set(struct error *err, enum status status, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	error_vset(err, status, fmt, args);
	va_end(args);
	return status;
}

enum status error_no_memory(struct error *err, const char *fmt, ...)
{
	va_list args;
	size_t len;

	error_set(err, STATUS_NOMEM, fmt ? "not enough memory " : "not enough memory");
	if (err && fmt) {
		len = strlen(err->text);
		va_start(args, fmt);
		vsnprintf(err->text + len, sizeof err->text - len, fmt, args);
		va_end(args);
	}
	return STATUS_NOMEM;
}

enum status error_errno(struct error *err, int errnum, const char *fmt, ...)
{
	enum status status = STATUS_IO;
	va_list args;
	size_t len;

	if (errnum == ENOENT)
		status = STATUS_NOTFOUND;
	else if (errnum == ENOMEM)
		status = STATUS_NOMEM;
	va_start(args, fmt);
	error_vset(err, status, fmt, args);
	va_end(args);
	if (err) { /* strerror's text is the thread's own in glibc and musl */
		len = strlen(err->text);
		snprintf(err->text + len, sizeof err->text - len, ": %s", strerror(errnum));
	}
	return status;
}

void error_prefix(struct error *err, const char *fmt, ...)
{
	char old[ERROR_TEXT_MAX];
	va_list args;
	size_t len;

	if (!err)
		return;
	memcpy(old, err->text, sizeof old);
	va_start(args, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, args);
	va_end(args);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof err->text - len, ": %s", old);
}
