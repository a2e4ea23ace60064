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

	if (cursor->status)
		return cursor->status;
	va_start(args, fmt);
	error_vset(cursor->err, status, fmt, args);
	va_end(args);
	error_prefix(cursor->err, "%s at header offset 0x%zx", cursor->subject, at);
	return cursor->status = status;
}

const unsigned char *cursor_take(struct cursor *cursor, uint64_t n, const char *field)
{
	const unsigned char *at = cursor->base + cursor->off;

	/* The limit on metadata was reached, not the end of the file. */
	if (n > cursor_left(cursor) && n <= cursor->size - cursor->off)
		cursor_fail(cursor, STATUS_LIMIT, cursor->off,
		            "%s goes past the first %zu MiB, the limit for metadata", field,
		            cursor->end >> 20);
	else if (n > cursor_left(cursor))
		cursor_fail(cursor, STATUS_FORMAT, cursor->off,
		            "%s needs %" PRIu64 " bytes, but the file ends after %zu more"
		            GGUF_CUT_SHORT, field, n, cursor->size - cursor->off);
	if (cursor->status)
		return NULL;
	cursor->off += (size_t)n;
	return at;
}

uint32_t cursor_u32(struct cursor *cursor, const char *field)
{
	const unsigned char *at = cursor_take(cursor, sizeof(uint32_t), field);
	uint32_t value = 0;

	if (at)
		memcpy(&value, at, sizeof value);
	return value;
}

uint64_t cursor_u64(struct cursor *cursor, const char *field)
{
	const unsigned char *at = cursor_take(cursor, sizeof(uint64_t), field);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, sizeof value);
	return value;
}

struct gguf_string cursor_string(struct cursor *cursor, size_t max, const char *field)
{
	size_t at = cursor->off;
	uint64_t len = cursor_u64(cursor, field);
	struct gguf_string string = {"", 0};
	const unsigned char *data;

	if (len > cursor->size - cursor->off)
		cursor_fail(cursor, STATUS_FORMAT, at,
		            "%s is %" PRIu64 " bytes long, but the file ends after %zu more"
		            GGUF_CUT_SHORT, field, len, cursor->size - cursor->off);
	if (len > max)
		cursor_fail(cursor, STATUS_LIMIT, at,
		            "%s is %" PRIu64 " bytes long, the limit is %zu", field, len, max);
	data = cursor_take(cursor, len, field);
	if (data)
		string = (struct gguf_string){(const char *)data, (size_t)len};
	return string;
}

struct gguf_string cursor_name(struct cursor *cursor, size_t max, const char *field)
{
	size_t at = cursor->off;
	struct gguf_string name = cursor_string(cursor, max, field);

	if (name.len == 0)
		cursor_fail(cursor, STATUS_FORMAT, at, "%s is empty", field);
	if (memchr(name.data, '\0', name.len))
		cursor_fail(cursor, STATUS_FORMAT, at, "%s holds a NUL byte", field);
	if (!utf8_valid(name.data, name.len))
		cursor_fail(cursor, STATUS_FORMAT, at, "%s is not UTF-8", field);
	return name;
}

enum status cursor_no_memory(struct cursor *cursor)
{
	return cursor_fail(cursor, STATUS_NOMEM, cursor->off, "not enough memory");
}
