/* Filling in what a rung says. */
#include <stdarg.h>
#include <stdio.h>

#include "doctor/rung.h"

#define PUT_TEXT(out, format) \
	do { \
		va_list args; \
\
		va_start(args, format); \
		vsnprintf((out)->text, sizeof(out)->text, format, args); \
		va_end(args); \
	} while (0)

void diagnose_finding(struct diagnosis *out, const char *cause, const char *seen, ...)
{
	out->verdict = VERDICT_FINDING;
	snprintf(out->cause, sizeof out->cause, "%s", cause);
	PUT_TEXT(out, seen);
}

void diagnose_remark(struct diagnosis *out, const char *text, ...)
{
	out->verdict = VERDICT_REMARK;
	PUT_TEXT(out, text);
}

void diagnose_fine(struct diagnosis *out, const char *text, ...)
{
	out->verdict = VERDICT_FINE;
	PUT_TEXT(out, text);
}

void diagnose_skipped(struct diagnosis *out, const char *text, ...)
{
	out->verdict = VERDICT_SKIPPED;
	PUT_TEXT(out, text);
}

void diagnose_number(struct diagnosis *out, double number, const char *is)
{
	out->number = number;
	out->number_is = is;
}

void diagnose_show(struct diagnosis *out, const char *command, ...)
{
	va_list args;

	va_start(args, command);
	vsnprintf(out->show, sizeof out->show, command, args);
	va_end(args);
}
