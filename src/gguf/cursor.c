#include "gguf/cursor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void cursor_subject(struct cursor *cursor, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(cursor->subject, sizeof cursor->subject, fmt, args);
	va_end(args);
}

enum status cursor_fail(struct cursor *cursor, enum status status, size_t at, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	error_vset(cursor->err, status, fmt, args);
	va_end(args);
	error_prefix(cursor->err, "%s at header offset 0x%zx", cursor->subject, at);
	return status;
}

enum status cursor_need(struct cursor *cursor, uint64_t n, const char *field)
{
	if (n <= cursor_left(cursor))
		return STATUS_OK;
	/* The limit on metadata was reached, not the end of the file. */
	if (n <= cursor->size - cursor->off)
		return cursor_fail(cursor, STATUS_LIMIT, cursor->off,
		                   "%s goes past the first %zu MiB, the limit for metadata", field,
		                   cursor->end >> 20);
	return cursor_fail(cursor, STATUS_FORMAT, cursor->off,
	                   "%s needs %" PRIu64 " bytes, but the file ends after %zu more"
	                   GGUF_CUT_SHORT, field, n, cursor->size - cursor->off);
}

static enum status take(struct cursor *cursor, void *out, size_t n, const char *field)
{
	enum status status = cursor_need(cursor, n, field);

	if (status)
		return status;
	memcpy(out, cursor->base + cursor->off, n);
	cursor->off += n;
	return STATUS_OK;
}

enum status cursor_u32(struct cursor *cursor, uint32_t *out, const char *field)
{
	return take(cursor, out, sizeof *out, field);
}

enum status cursor_u64(struct cursor *cursor, uint64_t *out, const char *field)
{
	return take(cursor, out, sizeof *out, field);
}

enum status cursor_string(struct cursor *cursor, struct gguf_string *out, size_t max,
                          const char *field)
{
	size_t at = cursor->off;
	enum status status;
	uint64_t len;

	if ((status = cursor_u64(cursor, &len, field)))
		return status;
	if (len > cursor->size - cursor->off)
		return cursor_fail(cursor, STATUS_FORMAT, at,
		                   "%s is %" PRIu64 " bytes long, but the file ends after %zu more"
		                   GGUF_CUT_SHORT, field, len, cursor->size - cursor->off);
	if (len > max)
		return cursor_fail(cursor, STATUS_LIMIT, at,
		                   "%s is %" PRIu64 " bytes long, the limit is %zu", field, len, max);
	if ((status = cursor_need(cursor, len, field)))
		return status;
	out->data = (const char *)cursor->base + cursor->off;
	out->len = (size_t)len;
	cursor->off += (size_t)len;
	return STATUS_OK;
}

enum status cursor_name(struct cursor *cursor, struct gguf_string *name, size_t max,
                        const char *field)
{
	size_t at = cursor->off;
	enum status status = cursor_string(cursor, name, max, field);

	if (status)
		return status;
	if (name->len == 0)
		return cursor_fail(cursor, STATUS_FORMAT, at, "%s is empty", field);
	if (memchr(name->data, '\0', name->len))
		return cursor_fail(cursor, STATUS_FORMAT, at, "%s holds a NUL byte", field);
	if (!utf8_valid(name->data, name->len))
		return cursor_fail(cursor, STATUS_FORMAT, at, "%s is not UTF-8", field);
	return STATUS_OK;
}

enum status cursor_no_memory(struct cursor *cursor)
{
	return cursor_fail(cursor, STATUS_NOMEM, cursor->off, "not enough memory");
}
