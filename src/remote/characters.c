#include "remote/characters.h"

#include <string.h>

enum { HALF_LEN = 3 };

/* The half of a pair that three bytes are; 0: they are none. */
static uint32_t read_half(const char *bytes, size_t n)
{
	const unsigned char *b = (const unsigned char *)bytes;

	if (n < HALF_LEN || b[0] != 0xED || b[1] < 0xA0 || b[1] > 0xBF || (b[2] & 0xC0) != 0x80)
		return 0;
	return 0xD000u | (uint32_t)(b[1] & 0x3F) << 6 | (b[2] & 0x3Fu);
}

static void put(struct characters *c, uint32_t cp, struct buf *out)
{
	char bytes[UTF8_MAX];

	(void)utf8_stream_push(&c->utf8, bytes, utf8_encode(cp, bytes), out);
}

/* A half that stays alone is U+FFFD. */
static void take_half(struct characters *c, uint32_t half, struct buf *out)
{
	bool is_low = half >= 0xDC00;

	if (is_low && c->high) {
		put(c, 0x10000 + ((c->high - 0xD800) << 10) + (half - 0xDC00), out);
		c->high = 0;
		return;
	}
	if (c->high || is_low)
		put(c, UTF8_REPLACEMENT, out);
	c->high = is_low ? 0 : half;
}

/* How many bytes there are before a half. */
static size_t count_plain(const char *bytes, size_t n)
{
	for (size_t at = 0; at < n; at++) {
		const char *next = memchr(bytes + at, 0xED, n - at);

		if (!next)
			return n;
		at = (size_t)(next - bytes);
		if (read_half(next, n - at))
			return at;
	}
	return n;
}

void characters_push(struct characters *c, const char *bytes, size_t n, struct buf *out)
{
	while (n) {
		size_t plain = count_plain(bytes, n);

		if (plain && c->high) {
			put(c, UTF8_REPLACEMENT, out);
			c->high = 0;
		}
		(void)utf8_stream_push(&c->utf8, bytes, plain, out);
		bytes += plain;
		n -= plain;
		if (n) {
			take_half(c, read_half(bytes, n), out);
			bytes += HALF_LEN;
			n -= HALF_LEN;
		}
	}
}

void characters_flush(struct characters *c, struct buf *out)
{
	if (c->high)
		put(c, UTF8_REPLACEMENT, out);
	c->high = 0;
	(void)utf8_stream_flush(&c->utf8, out);
}
