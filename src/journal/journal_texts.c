/* The texts of a transcript without its tree, for searching many of them. */
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/utf8.h"
#include "journal/journal_internal.h"

/* Whether YAML would take it as it is: it breaks lines at some characters that we escape, too. */
static bool is_as_written(const struct buf *text)
{
	static const char *const breaks[] = {"\302\205", "\342\200\250", "\342\200\251"};

	for (size_t i = 0; text->len && i < sizeof breaks / sizeof breaks[0]; i++)
		if (memmem(text->data, text->len, breaks[i], strlen(breaks[i])))
			return false;
	return !text->len || utf8_valid(text->data, text->len);
}

/* Decodes the inside of double quotes as records have it: texts on lines of their own, "\n\\" at the
 * end of each. False: there is another escape, or it is not as we write it. */
static bool decode_quoted(const char *at, const char *end, struct buf *text)
{
	buf_clear(text);
	for (;;) {
		const char *start = at;

		while (at < end && *at != '\\' && *at != '"' && (unsigned char)*at >= ' ')
			at++;
		buf_append(text, start, (size_t)(at - start));
		if (at == end || (unsigned char)*at < ' ')
			return false;
		if (*at == '"')
			return at + 1 < end && at[1] == '\n' && !buf_status(text) && is_as_written(text);
		if (end - at < 2)
			return false;
		switch (at[1]) {
		case 'n': buf_putc(text, '\n'); break;
		case 't': buf_putc(text, '\t'); break;
		case '"': case '\\': case ' ': buf_putc(text, at[1]); break;
		case '\n': /* the text goes on in the next line, indented by two */
			if (end - at < 5 || at[2] != ' ' || at[3] != ' ' || at[4] == ' ')
				return false;
			at += 2;
			break;
		default: return false;
		}
		at += 2;
	}
}

/* The value of a line `key: "value"`; false: it is another line. */
static bool is_value(const char *line, const char *end, const char *key, char *value, size_t room)
{
	size_t len = strlen(key);
	const char *quote;

	if ((size_t)(end - line) < len + 4 || memcmp(line, key, len) != 0 || memcmp(line + len, ": \"", 3) != 0)
		return false;
	line += len + 3;
	quote = memchr(line, '"', (size_t)(end - line));
	if (!quote || (size_t)(quote - line) >= room || memchr(line, '\\', (size_t)(quote - line)))
		return false;
	memcpy(value, line, (size_t)(quote - line));
	value[quote - line] = '\0';
	return true;
}

/* The same for a record as it was written, ten times as fast. False: look closer. */
static bool read_written(const char *bytes, size_t len, struct journal_text *found, struct buf *text)
{
	static const char key[] = "text: \"";
	const char *end = bytes + len, *next;
	bool is_text = false;
	char value[32];

	if (!is_value(bytes, end, "type", value, sizeof value))
		return false;
	if (strcmp(value, "message") != 0 && strcmp(value, "assistant-part") != 0 &&
	    strcmp(value, "assistant-end") != 0) {
		buf_clear(text);
		return true; /* known not to be a message: it has no text */
	}
	for (const char *line = bytes; line < end && !is_text; line = next) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));

		next = newline ? newline + 1 : end;
		if (is_value(line, next, "id", value, sizeof value) && !number_parse_int(value, &found->id))
			return false;
		if (is_value(line, next, "role", value, sizeof value))
			role_parse(value, &found->role);
		is_text = (size_t)(next - line) >= sizeof key - 1 && memcmp(line, key, sizeof key - 1) == 0;
		if (is_text && !decode_quoted(line + sizeof key - 1, end, text))
			return false;
	}
	return is_text;
}

/* True: the bytes are a message, whose text is in the buffer. */
static bool read_message(const char *bytes, size_t len, struct journal_text *found,
                         struct buf *text)
{
	found->id = 0;
	found->role = ROLE_USER;
	buf_clear(text);
	if (read_written(bytes, len, found, text))
		return text->len > 0;
	buf_clear(text);
	return record_read_text(bytes, len, found, text);
}

size_t journal_texts(const char *bytes, size_t len, journal_text_fn *visit, void *context)
{
	struct journal_text found;
	size_t start = 0, body = 0, whole = 0; /* of the record; `whole`: where the last one ends */
	bool go_on = true;
	struct buf text = {.max = LIMIT_RECORD};

	/* No line of a text is at the margin: what is there divides records. */
	for (size_t at = 0; go_on && at < len;) {
		const char *newline = memchr(bytes + at, '\n', len - at);
		size_t next = newline ? (size_t)(newline - bytes) + 1 : len;
		bool begins = len - at >= 3 && memcmp(bytes + at, "---", 3) == 0;
		bool ends = len - at >= 3 && memcmp(bytes + at, "...", 3) == 0;

		if (begins || ends) {
			found.from = start;
			found.to = ends ? next : at;
			if (body < at && read_message(bytes + body, at - body, &found, &text)) {
				found.text = buf_text(&text);
				found.len = text.len;
				go_on = visit(&found, context);
			}
			start = ends ? next : at;
			body = next;
			whole = ends && newline ? next : whole;
		}
		at = next;
	}
	buf_free(&text);
	return whole;
}
