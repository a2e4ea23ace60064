#include "remote/stream.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"

void stream_init(struct stream *stream, stream_take *take, void *ctx)
{
	*stream = (struct stream){.take = take, .ctx = ctx, .line = {.max = LIMIT_STREAM_LINE},
	                          .data = {.max = LIMIT_STREAM_LINE}, .object = {.max = LIMIT_STREAM_LINE}};
}

void stream_free(struct stream *stream)
{
	buf_free(&stream->line);
	buf_free(&stream->data);
	buf_free(&stream->object);
}

static void note_strange(struct stream *stream, const char *text, size_t len)
{
	if (!stream->strange[0])
		snprintf(stream->strange, sizeof stream->strange, "%.*s", (int)utf8_cut(text, len, 90), text);
}

/* Goes through a text that is, or goes on with, a document: how many bytes until its end, or all. scan->depth is 0
 * where it has ended. */
static size_t scan(struct stream_scan *scan, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (scan->in_string) {
			scan->in_string = scan->escaped || c != '"';
			scan->escaped = !scan->escaped && c == '\\';
		} else if (c == '"') {
			scan->in_string = true;
		} else if (c == '{' || c == '[') {
			scan->depth++;
		} else if ((c == '}' || c == ']') && --scan->depth == 0) {
			return i + 1;
		}
	}
	return len;
}

static size_t line_len(const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);

	return end ? (size_t)(end - text) : len;
}

static bool begins(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && memcmp(text, with, n) == 0;
}

/* The documents in an event's data: one as a rule. Once one turns out to have no end, each has to end in its line. */
static enum status take_data(struct stream *stream, const char *text, size_t len, struct error *err)
{
	enum status status = STATUS_OK;
	bool by_line = false;

	while (len && !status) {
		size_t n = 1;

		if (*text == '{') {
			struct stream_scan at = {0};

			n = scan(&at, text, by_line ? line_len(text, len) : len);
			if (!at.depth) {
				status = stream->take(stream->ctx, text, n, err);
			} else {
				note_strange(stream, text, len);
				by_line = true;
				n = line_len(text, len);
			}
		} else if (begins(text, len, "[DONE]")) {
			stream->is_done = true;
			n = strlen("[DONE]");
		} else if (begins(text, len, "data:")) { /* an empty line was forgotten */
			n = strlen("data:");
		} else if (!strchr(" \t\n,", *text)) {
			note_strange(stream, text, len);
			n = line_len(text, len);
		}
		text += n;
		len -= n;
	}
	return status;
}

static enum status end_event(struct stream *stream, struct error *err)
{
	enum status status = take_data(stream, buf_text(&stream->data), stream->data.len, err);

	stream->has_data = false;
	buf_clear(&stream->data);
	return status;
}

static enum status too_long(const struct stream *stream, struct error *err)
{
	if (buf_status(&stream->line) == STATUS_NOMEM || buf_status(&stream->data) == STATUS_NOMEM ||
	    buf_status(&stream->object) == STATUS_NOMEM)
		return error_no_memory(err, "for the reply");
	return error_set(err, STATUS_LIMIT, "the server sends an event of more than %zu MiB",
	                 LIMIT_STREAM_LINE / MIB(1));
}

/* A line of a document that stands outside of events. */
static enum status take_object(struct stream *stream, const char *line, size_t len, struct error *err)
{
	size_t n = scan(&stream->scan, line, len);
	enum status status;

	buf_append(&stream->object, line, n);
	if (stream->scan.in_string) { /* strings have no line breaks: it is broken */
		note_strange(stream, buf_text(&stream->object), stream->object.len);
		stream->scan.depth = 0;
		buf_clear(&stream->object);
		return STATUS_OK;
	}
	if (buf_putc(&stream->object, '\n'))
		return too_long(stream, err);
	if (stream->scan.depth)
		return STATUS_OK;
	status = take_data(stream, buf_text(&stream->object), stream->object.len, err);
	buf_clear(&stream->object);
	return status ? status : take_data(stream, line + n, len - n, err);
}

/* "name: value" of an event. Names but "data" are of no use here. */
static enum status take_field(struct stream *stream, const char *line, size_t len, struct error *err)
{
	const char *colon = memchr(line, ':', len);
	size_t name_len = colon ? (size_t)(colon - line) : len, value;

	if (name_len != strlen("data") || memcmp(line, "data", name_len) != 0) {
		if (!colon || (!begins(line, len, "event") && !begins(line, len, "id") && !begins(line, len, "retry")))
			note_strange(stream, line, len);
		return STATUS_OK;
	}
	value = colon ? name_len + 1 : len;
	value += value < len && line[value] == ' ';
	if (stream->has_data)
		buf_putc(&stream->data, '\n');
	stream->has_data = true;
	buf_append(&stream->data, line + value, len - value);
	return buf_status(&stream->data) ? too_long(stream, err) : STATUS_OK;
}

static enum status take_line(struct stream *stream, const char *line, size_t len, struct error *err)
{
	size_t blanks = 0;

	while (blanks < len && (line[blanks] == ' ' || line[blanks] == '\t'))
		blanks++;
	if (stream->scan.depth && (begins(line, len, "{") || begins(line, len, "data:"))) {
		note_strange(stream, buf_text(&stream->object), stream->object.len); /* it has no end */
		stream->scan = (struct stream_scan){0};
		buf_clear(&stream->object);
	}
	if (stream->scan.depth)
		return take_object(stream, line, len, err);
	if (!len)
		return end_event(stream, err);
	if (line[0] == ':')
		return STATUS_OK;
	if (blanks < len && line[blanks] == '{') {
		stream->scan = (struct stream_scan){0};
		return take_object(stream, line + blanks, len - blanks, err);
	}
	if (begins(line, len, "[DONE]"))
		return take_data(stream, line, len, err);
	return take_field(stream, line, len, err);
}

static enum status end_line(struct stream *stream, struct error *err)
{
	const char *line = buf_text(&stream->line);
	size_t mark = stream->has_begun ? 0 : utf8_mark_len(line, stream->line.len);
	enum status status = take_line(stream, line + mark, stream->line.len - mark, err);

	stream->has_begun = true;
	buf_clear(&stream->line);
	return status;
}

enum status stream_push(struct stream *stream, const char *bytes, size_t n, struct error *err)
{
	enum status status = STATUS_OK;

	if (n > LIMIT_STREAM - stream->n_bytes)
		return error_set(err, STATUS_LIMIT, "the reply is larger than %zu MiB", LIMIT_STREAM / MIB(1));
	stream->n_bytes += n;
	while (n && !status) {
		size_t len = 0;

		if (stream->skips_lf && *bytes == '\n') {
			bytes++;
			n--;
		}
		stream->skips_lf = false;
		while (len < n && bytes[len] != '\n' && bytes[len] != '\r')
			len++;
		if (buf_append(&stream->line, bytes, len))
			return too_long(stream, err);
		if (len < n) {
			stream->skips_lf = bytes[len] == '\r';
			status = end_line(stream, err);
			len++;
		}
		bytes += len;
		n -= len;
	}
	return status;
}

enum status stream_end(struct stream *stream, struct error *err)
{
	enum status status = stream->line.len ? end_line(stream, err) : STATUS_OK;

	if (!status)
		status = end_event(stream, err);
	if (stream->scan.depth)
		note_strange(stream, buf_text(&stream->object), stream->object.len);
	return status;
}
