#include "pull/fetch_head.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"

/* The value of the first header of a name; "" if there is none or it is too long. */
static void take(const struct http_answer *answer, const char *name, char *out, size_t size)
{
	size_t n = strlen(name);

	out[0] = 0;
	for (const char *line = buf_text(&answer->head), *next; *line; line = next) {
		size_t len = strcspn(line, "\n");

		next = line + len + (line[len] != 0);
		if (len < n + 2 || strncmp(line, name, n) != 0 || strncmp(line + n, ": ", 2) != 0)
			continue;
		if (len - n - 2 < size)
			snprintf(out, size, "%.*s", (int)(len - n - 2), line + n + 2);
		return;
	}
}

/* Digits, which end at `end`; *text is behind it then. */
static bool read_number(const char **text, char end, uint64_t *out)
{
	uint64_t value = 0;
	const char *at = *text;

	if (!number_is_digit(*at))
		return false;
	for (; number_is_digit(*at); at++)
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *at - '0', &value))
			return false;
	if (*at != end)
		return false;
	*text = at + (end != 0);
	*out = value;
	return true;
}

static bool read_range(struct fetch_head *out, const char *text)
{
	if (strncasecmp(text, "bytes ", 6) != 0)
		return false;
	text += 6;
	if (!read_number(&text, '-', &out->from) || !read_number(&text, '/', &out->to) || !read_number(&text, 0, &out->size))
		return false;
	out->to++; /* the last byte of a range belongs to it */
	return out->from < out->to && out->to <= out->size;
}

/* What can be sent back, and kept in a state: ASCII that is seen. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

bool fetch_head_is_strong(const char *version)
{
	size_t n = strlen(version);

	return n >= 2 && version[0] == '"' && strchr(version + 1, '"') == version + n - 1 && is_plain(version);
}

static void take_version(struct fetch_head *out, const struct http_answer *answer)
{
	static const char *const names[] = {"etag", "last-modified"};

	for (size_t i = 0; i < sizeof names / sizeof names[0] && !out->version[0]; i++) {
		take(answer, names[i], out->version, sizeof out->version);
		if (!is_plain(out->version))
			out->version[0] = 0;
	}
}

void fetch_head_read(struct fetch_head *out, const struct http_answer *answer)
{
	char text[128];
	const char *at = text;

	*out = (struct fetch_head){0};
	take(answer, "content-range", text, sizeof text);
	out->has_range = read_range(out, text);
	take(answer, "content-length", text, sizeof text);
	out->has_length = read_number(&at, 0, &out->length);
	take(answer, "content-encoding", text, sizeof text);
	out->is_encoded = text[0] && strcasecmp(text, "identity") != 0;
	take_version(out, answer);
}
