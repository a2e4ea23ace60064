#include "line/pastes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"

/* The first code point of the range: plane 16 is private. In UTF-8 all of them begin with the same
 * byte. */
enum { FIRST = 0x10F000, LEAD = 0xF4, BYTES_MAX = 64 << 20, LABEL_MAX = 64 };

enum status pastes_clean(struct buf *out, const char *text, size_t n)
{
	size_t start = 0;
	struct buf lf = {.max = LIMIT_MESSAGE};

	for (size_t i = 0; i < n; i++) {
		if (text[i] != '\r')
			continue;
		buf_append(&lf, text + start, i - start);
		if (i + 1 == n || text[i + 1] != '\n')
			buf_putc(&lf, '\n');
		start = i + 1;
	}
	buf_append(&lf, text + start, n - start);
	if (!buf_status(&lf))
		utf8_repair(out, buf_text(&lf), lf.len);
	else
		out->status = buf_status(&lf);
	buf_free(&lf);
	return buf_status(out);
}

void pastes_free(struct pastes *pastes)
{
	for (size_t i = 0; i < pastes->n; i++)
		free(pastes->items[i].text);
	free(pastes->items);
	*pastes = (struct pastes){.n = 0};
}

/* The index that the code point at `at` stands for, whether there is such a paste or not; -1: it is
 * none of the range. */
static int32_t index_at(const char *text, size_t len, size_t at, size_t *n)
{
	int32_t cp;

	if ((unsigned char)text[at] != LEAD)
		return -1;
	*n = utf8_decode(text + at, len - at, &cp);
	return cp >= FIRST && cp < FIRST + PASTES_MAX ? cp - FIRST : -1;
}

static size_t count_lines(const char *text, size_t len)
{
	size_t n = len && text[len - 1] != '\n'; /* the last one, if it has no end */

	for (const char *at = text; (at = memchr(at, '\n', len - (size_t)(at - text))); at++)
		n++;
	return n;
}

bool pastes_wants(const char *text, size_t len, bool is_paste)
{
	size_t n;

	for (const char *at = text; (at = memchr(at, LEAD, len - (size_t)(at - text))); at++)
		if (index_at(text, len, (size_t)(at - text), &n) >= 0)
			return true;
	return is_paste && count_lines(text, len) > PASTE_LINES_SHOWN;
}

enum status pastes_put(struct pastes *pastes, const char *text, size_t len, struct buf *out)
{
	char mark[UTF8_MAX];
	char *copy;

	if (pastes->n == PASTES_MAX || len > BYTES_MAX - pastes->bytes)
		return STATUS_LIMIT;
	copy = alloc_strndup(text, len);
	if (!copy || !alloc_grow(&pastes->items, &pastes->cap, pastes->n + 1, sizeof *pastes->items,
	                         PASTES_MAX)) {
		free(copy);
		return STATUS_NOMEM;
	}
	pastes->items[pastes->n] = (struct paste){copy, len};
	pastes->bytes += len;
	return buf_append(out, mark, utf8_encode((uint32_t)(FIRST + pastes->n++), mark));
}

const struct paste *pastes_at(const struct pastes *pastes, const char *line, size_t len, size_t at,
                              size_t *n)
{
	int32_t index = at < len ? index_at(line, len, at, n) : -1;

	return index >= 0 && (size_t)index < pastes->n ? &pastes->items[index] : NULL;
}

/* The next one from `at` on; *start is where it stands, or `len`. */
static const struct paste *next(const struct pastes *pastes, const char *line, size_t len, size_t at,
                                size_t *start, size_t *n)
{
	const struct paste *paste;
	const char *found;

	while (pastes->n && at < len && (found = memchr(line + at, LEAD, len - at))) {
		*start = (size_t)(found - line);
		paste = pastes_at(pastes, line, len, *start, n);
		if (paste)
			return paste;
		at = *start + 1;
	}
	*start = len;
	*n = 0;
	return NULL;
}

bool pastes_are_in(const struct pastes *pastes, const char *line, size_t len)
{
	size_t start, n;

	return next(pastes, line, len, 0, &start, &n) != NULL;
}

size_t pastes_length(const struct pastes *pastes, const char *line, size_t len)
{
	const struct paste *paste;
	size_t total = len, start, n;

	for (size_t at = 0; (paste = next(pastes, line, len, at, &start, &n)); at = start + n)
		total += paste->len - n;
	return total;
}

enum status pastes_unfold(const struct pastes *pastes, const char *line, size_t len, struct buf *out)
{
	const struct paste *paste;
	size_t start, n;

	for (size_t at = 0; at < len; at = start + n) {
		paste = next(pastes, line, len, at, &start, &n);
		buf_append(out, line + at, start - at);
		if (paste)
			buf_append(out, paste->text, paste->len);
	}
	return buf_status(out);
}

enum status pastes_fold(const struct pastes *pastes, const char *text, size_t len, struct buf *out)
{
	char mark[UTF8_MAX];
	const char *end = text + len;

	while (text < end) {
		const char *first = end;
		size_t index = 0, paste_len = 0;

		for (size_t i = 0; i < pastes->n; i++) {
			const struct paste *paste = &pastes->items[i];
			const char *found = memmem(text, (size_t)(end - text), paste->text, paste->len);

			if (!found || found > first || (found == first && paste->len < paste_len) ||
			    count_lines(paste->text, paste->len) <= PASTE_LINES_SHOWN)
				continue;
			first = found;
			index = i;
			paste_len = paste->len;
		}
		buf_append(out, text, (size_t)(first - text));
		text = first + paste_len;
		if (paste_len)
			buf_append(out, mark, utf8_encode((uint32_t)(FIRST + index), mark));
	}
	return buf_status(out);
}

static size_t put_label(const struct paste *paste, char label[LABEL_MAX])
{
	size_t lines = count_lines(paste->text, paste->len);
	int n = snprintf(label, LABEL_MAX, "[%zu line%s pasted]", lines, lines == 1 ? "" : "s");

	return n > 0 ? (size_t)n : 0;
}

enum status pastes_show(const struct pastes *pastes, const char *line, size_t len, size_t *point,
                        struct buf *out)
{
	const struct paste *paste;
	size_t start, n, shown = *point;
	char label[LABEL_MAX];

	for (size_t at = 0; at < len; at = start + n) {
		paste = next(pastes, line, len, at, &start, &n);
		buf_append(out, line + at, start - at);
		if (paste) {
			size_t label_len = put_label(paste, label);

			buf_append(out, label, label_len);
			if (*point >= start + n)
				shown += label_len - n;
		}
	}
	*point = shown;
	return buf_status(out);
}

size_t pastes_find(const struct pastes *pastes, const char *line, size_t len, size_t shown)
{
	const struct paste *paste;
	size_t start, n, before = 0; /* of the shown text, up to `at` */
	char label[LABEL_MAX];

	for (size_t at = 0; at < len; at = start + n) {
		size_t label_len;

		paste = next(pastes, line, len, at, &start, &n);
		if (!paste || shown <= before + (start - at))
			return at + (shown - before);
		label_len = put_label(paste, label);
		before += start - at;
		if (shown < before + label_len) /* within the label */
			return start;
		before += label_len;
	}
	return len;
}
