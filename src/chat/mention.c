#include "chat/mention.h"

#include <ctype.h>
#include <string.h>

#include "base/words.h"

/* Fills in the path behind the @; returns where it ends. */
static size_t read_path(const char *text, size_t len, size_t at, bool *quoted, struct buf *path)
{
	const char *end;

	*quoted = at < len && (text[at] == '"' || text[at] == '\'') &&
	          (end = memchr(text + at + 1, text[at], len - at - 1)) &&
	          !memchr(text + at, '\n', (size_t)(end - text) - at);
	if (*quoted) {
		buf_append(path, text + at + 1, (size_t)(end - text) - at - 1);
		return (size_t)(end - text) + 1;
	}
	for (; at < len && !words_is_blank(text[at]); at++) {
		if (text[at] == '\\' && at + 1 < len && text[at + 1] != '\n')
			at++;
		buf_putc(path, text[at]);
	}
	return at;
}

bool mention_next(const char *text, size_t len, size_t at, struct mention *mention, struct buf *path)
{
	const char *found;

	for (; at < len && (found = memchr(text + at, '@', len - at)); at = mention->end) {
		size_t start = (size_t)(found - text);

		mention->start = start;
		mention->end = start + 1;
		if (start && !words_is_blank(text[start - 1]) && !strchr("([{", text[start - 1]))
			continue;
		buf_clear(path);
		mention->end = read_path(text, len, start + 1, &mention->quoted, path);
		if (path->len && !buf_status(path))
			return true;
	}
	return false;
}

bool mention_trim(struct buf *path)
{
	if (path->len < 2 || !strchr(",.;:!?)]}'\"", path->data[path->len - 1]))
		return false;
	buf_remove(path, path->len - 1, 1);
	return true;
}

bool mention_looks_meant(const char *path)
{
	for (const char *c = path; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("/._-~+* ?[]", *c) && !((unsigned char)*c & 0x80))
			return false;
	return strchr(path, '/') || (strchr(path, '.') && path[strlen(path) - 1] != '.');
}
