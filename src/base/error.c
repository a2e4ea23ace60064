#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	int exit_code;
} statuses[STATUS_COUNT] = {
	[STATUS_OK] = {"ok", 0},
	[STATUS_NOMEM] = {"not enough memory", 1},
	[STATUS_IO] = {"i/o", 1},
	[STATUS_FORMAT] = {"format", 3},
	[STATUS_UNSUPPORTED] = {"unsupported", 3},
	[STATUS_LIMIT] = {"limit", 3},
	[STATUS_USAGE] = {"usage", 2},
	[STATUS_CONFIG] = {"configuration", 2},
	[STATUS_NOTFOUND] = {"not found", 3},
	[STATUS_CONTEXT] = {"context", 4},
	[STATUS_CANCELLED] = {"cancelled", 130},
	[STATUS_BUSY] = {"busy", 1},
	[STATUS_DECLINED] = {"declined", 1},
};

const char *status_name(enum status status)
{
	if ((unsigned)status >= STATUS_COUNT)
		return "unknown";
	return statuses[status].name;
}

int status_exit_code(enum status status)
{
	if ((unsigned)status >= STATUS_COUNT)
		return 1;
	return statuses[status].exit_code;
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
