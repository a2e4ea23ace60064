#include "base/utf8.h"

#include <string.h>

size_t utf8_decode(const char *bytes, size_t n, int32_t *cp)
{
	const unsigned char *s = (const unsigned char *)bytes;
	unsigned char lo = 0x80, hi = 0xBF; /* what the second byte may be */
	size_t need, i;
	int32_t value;

	if (s[0] < 0x80) {
		*cp = s[0];
		return 1;
	}
	if (s[0] >= 0xC2 && s[0] <= 0xDF) {
		need = 2;
		value = s[0] & 0x1F;
	} else if (s[0] >= 0xE0 && s[0] <= 0xEF) {
		need = 3;
		value = s[0] & 0x0F;
		if (s[0] == 0xE0)
			lo = 0xA0; /* shorter would be overlong */
		else if (s[0] == 0xED)
			hi = 0x9F; /* surrogates */
	} else if (s[0] >= 0xF0 && s[0] <= 0xF4) {
		need = 4;
		value = s[0] & 0x07;
		if (s[0] == 0xF0)
			lo = 0x90;
		else if (s[0] == 0xF4)
			hi = 0x8F; /* above U+10FFFF */
	} else {
		*cp = -1;
		return 1;
	}
	for (i = 1; i < need; i++) {
		if (i == n) {
			*cp = -2;
			return n;
		}
		if (s[i] < lo || s[i] > hi) {
			*cp = -1;
			return i;
		}
		value = value << 6 | (s[i] & 0x3F);
		lo = 0x80;
		hi = 0xBF;
	}
	*cp = value;
	return need;
}

size_t utf8_encode(uint32_t cp, char out[UTF8_MAX])
{
	if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		cp = UTF8_REPLACEMENT;
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xC0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xE0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
		out[2] = (char)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
	out[3] = (char)(0x80 | (cp & 0x3F));
	return 4;
}

bool utf8_valid(const char *bytes, size_t n)
{
	int32_t cp;
	size_t at = 0;

	while (at < n) {
		at += utf8_decode(bytes + at, n - at, &cp);
		if (cp < 0)
			return false;
	}
	return true;
}

size_t utf8_count_bad(const char *bytes, size_t n)
{
	size_t n_bad = 0, len;
	int32_t cp;

	for (size_t at = 0; at < n; at += len) {
		len = utf8_decode(bytes + at, n - at, &cp);
		n_bad += cp <= 0 ? len : 0;
	}
	return n_bad;
}

size_t utf8_mark_len(const char *bytes, size_t n)
{
	return n >= 3 && memcmp(bytes, "\357\273\277", 3) == 0 ? 3 : 0;
}

bool utf8_is_utf16(const char *bytes, size_t n)
{
	return n >= 2 && (memcmp(bytes, "\377\376", 2) == 0 || memcmp(bytes, "\376\377", 2) == 0);
}

enum { KEEP_TAIL = 1, KEEP_NUL = 2 };

/* Appends [0, n) repaired; stops before an unfinished tail if that is kept.
 * Returns how many bytes were used. */
static size_t repair(struct buf *out, const char *bytes, size_t n, unsigned flags)
{
	size_t at = 0, good = 0, len;
	char replacement[UTF8_MAX];
	int32_t cp;

	while (at < n) {
		len = utf8_decode(bytes + at, n - at, &cp);
		if (cp > 0 || (cp == 0 && flags & KEEP_NUL)) {
			at += len;
			continue;
		}
		buf_append(out, bytes + good, at - good);
		if (cp == -2 && flags & KEEP_TAIL)
			return at;
		buf_append(out, replacement, utf8_encode(UTF8_REPLACEMENT, replacement));
		at += len;
		good = at;
	}
	buf_append(out, bytes + good, at - good);
	return at;
}

size_t utf8_cut(const char *text, size_t len, size_t most)
{
	size_t n = len < most ? len : most;

	while (n && n < len && ((unsigned char)text[n] & 0xC0) == 0x80)
		n--;
	return n;
}

enum status utf8_repair(struct buf *out, const char *bytes, size_t n)
{
	repair(out, bytes, n, 0);
	return buf_status(out);
}

enum status utf8_repair_source(struct buf *out, const char *bytes, size_t n)
{
	repair(out, bytes, n, KEEP_NUL);
	return buf_status(out);
}

enum status utf8_stream_push(struct utf8_stream *stream, const char *bytes, size_t n,
                             struct buf *out)
{
	size_t used;

	/* Complete the held tail byte by byte: a byte that does not fit it
	 * starts over as the next character. */
	while (stream->n_held && n) {
		stream->held[stream->n_held++] = *bytes++;
		n--;
		used = repair(out, stream->held, stream->n_held, KEEP_TAIL);
		memmove(stream->held, stream->held + used, stream->n_held - used);
		stream->n_held -= used;
	}
	used = repair(out, bytes, n, KEEP_TAIL);
	memcpy(stream->held + stream->n_held, bytes + used, n - used);
	stream->n_held += n - used;
	return buf_status(out);
}

enum status utf8_stream_flush(struct utf8_stream *stream, struct buf *out)
{
	repair(out, stream->held, stream->n_held, 0);
	stream->n_held = 0;
	return buf_status(out);
}

size_t utf8_trimmed(const char *text, size_t len)
{
	while (len && (text[len - 1] == '\n' || text[len - 1] == '\r' || text[len - 1] == ' '))
		len--;
	return len;
}
