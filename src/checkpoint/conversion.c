#include "checkpoint/conversion.h"

#include <stdarg.h>
#include <stdio.h>

bool conversion_fail(struct conversion *c, enum status status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!c->err.status)
		error_vset(&c->err, status, format, args);
	va_end(args);
	return false;
}

void conversion_note(struct conversion *c, const char *format, ...)
{
	char line[ERROR_TEXT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	buf_puts(&c->notes, line);
	buf_putc(&c->notes, '\n');
}
