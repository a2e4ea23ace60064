#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static void put_escaped(struct buf *out, const char *text, size_t len)
{
	buf_putc(out, '"');
	for (size_t at = 0; at < len;) {
		char replaced[UTF8_MAX];
		int32_t cp;
		size_t n = utf8_decode(text + at, len - at, &cp);

		if (cp < 0)
			buf_append(out, replaced, utf8_encode(UTF8_REPLACEMENT, replaced));
		else if (cp == '"' || cp == '\\')
			buf_printf(out, "\\%c", (char)cp);
		else if (cp == '\n')
			buf_puts(out, "\\n");
		else if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
			buf_printf(out, "\\u%04" PRIx32, (uint32_t)cp);
		else
			buf_append(out, text + at, n);
		at += n;
	}
	buf_putc(out, '"');
}

/* Comma, line break and key before a value. */
static void put_head(struct json_writer *json, const char *key)
{
	if (json->wants_comma)
		buf_putc(json->out, ',');
	if (json->blank || json->wants_comma)
		buf_puts(json->out, json->blank ? json->blank : " ");
	json->blank = NULL;
	json->wants_comma = true;
	if (key) {
		put_escaped(json->out, key, strlen(key));
		buf_puts(json->out, ": ");
	}
}

void json_put_begin(struct json_writer *json, const char *key, char bracket)
{
	put_head(json, key);
	buf_putc(json->out, bracket);
	json->wants_comma = false;
}

void json_put_end(struct json_writer *json, char bracket)
{
	if (json->blank)
		buf_puts(json->out, json->blank);
	json->blank = NULL;
	buf_putc(json->out, bracket);
	json->wants_comma = true;
}

void json_put_text(struct json_writer *json, const char *key, const char *text, size_t len)
{
	put_head(json, key);
	put_escaped(json->out, text, len);
}

void json_put_string(struct json_writer *json, const char *key, const char *text)
{
	if (text)
		json_put_text(json, key, text, strlen(text));
	else
		json_put_null(json, key);
}

void json_put_bool(struct json_writer *json, const char *key, bool value)
{
	put_head(json, key);
	buf_puts(json->out, value ? "true" : "false");
}

void json_put_null(struct json_writer *json, const char *key)
{
	put_head(json, key);
	buf_puts(json->out, "null");
}

void json_put_number(struct json_writer *json, const char *key, const char *fmt, ...)
{
	char text[64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	put_head(json, key);
	buf_puts(json->out, text);
}

void json_put_real(struct json_writer *json, const char *key, double value)
{
	if (isfinite(value))
		json_put_number(json, key, "%.9g", value);
	else
		json_put_null(json, key);
}

void json_put_raw(struct json_writer *json, const char *key, const char *text, size_t len)
{
	put_head(json, key);
	buf_append(json->out, text, len);
}

void json_put_line(struct json_writer *json, const char *blank)
{
	json->blank = blank;
}
