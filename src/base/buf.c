#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void buf_init(struct buf *buf, size_t max)
{
	*buf = (struct buf){.max = max};
}

void buf_free(struct buf *buf)
{
	free(buf->data);
	buf_init(buf, buf->max);
}

void buf_clear(struct buf *buf)
{
	buf->len = 0;
	buf->status = STATUS_OK;
	if (buf->data)
		buf->data[0] = '\0';
}

/* Makes room for n more bytes and the NUL. */
static enum status reserve(struct buf *buf, size_t n)
{
	size_t need;

	if (buf->status)
		return buf->status;
	if (n > buf->max - buf->len)
		return buf->status = STATUS_LIMIT;
	if (add_overflows(buf->len + n, 1, &need) ||
	    !alloc_grow(&buf->data, &buf->cap, need, 1, (size_t)-1 / 2))
		return buf->status = STATUS_NOMEM;
	return STATUS_OK;
}

enum status buf_append(struct buf *buf, const void *bytes, size_t n)
{
	if (reserve(buf, n))
		return buf->status;
	if (n)
		memcpy(buf->data + buf->len, bytes, n);
	buf->len += n;
	buf->data[buf->len] = '\0';
	return STATUS_OK;
}

enum status buf_puts(struct buf *buf, const char *text)
{
	return buf_append(buf, text, strlen(text));
}

enum status buf_putc(struct buf *buf, char c)
{
	return buf_append(buf, &c, 1);
}

enum status buf_printf(struct buf *buf, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (n < 0)
		return buf->status ? buf->status : (buf->status = STATUS_FORMAT);
	if (reserve(buf, (size_t)n))
		return buf->status;
	va_start(args, fmt);
	vsnprintf(buf->data + buf->len, (size_t)n + 1, fmt, args);
	va_end(args);
	buf->len += (size_t)n;
	return STATUS_OK;
}

enum status buf_status(const struct buf *buf)
{
	return buf->status;
}

void buf_remove(struct buf *buf, size_t at, size_t n)
{
	if (at >= buf->len)
		return;
	if (n > buf->len - at)
		n = buf->len - at;
	memmove(buf->data + at, buf->data + at + n, buf->len - at - n + 1);
	buf->len -= n;
}

char *buf_take(struct buf *buf, size_t *len)
{
	char *data = buf->data;

	if (len)
		*len = buf->len;
	if (!data)
		data = alloc_strndup("", 0);
	buf_init(buf, buf->max);
	return data;
}

const char *buf_text(const struct buf *buf)
{
	return buf->data ? buf->data : "";
}
