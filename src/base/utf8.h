/* Strict UTF-8 (Unicode 15, section 3.9): no overlong forms, no surrogates,
 * nothing above U+10FFFF. Ill-formed bytes become one U+FFFD for each maximal
 * subpart, whole or in chunks. */
#ifndef SOTTO_BASE_UTF8_H
#define SOTTO_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum { UTF8_MAX = 4, UTF8_REPLACEMENT = 0xFFFD };

/* Decodes one code point from n > 0 bytes. Returns the bytes it took (>= 1)
 * and sets *cp; an ill-formed start gives *cp = -1 and the length of the
 * maximal subpart. *cp = -2 and the rest's length when the bytes are a proper
 * prefix of a character (more input could complete it). */
size_t utf8_decode(const char *bytes, size_t n, int32_t *cp);

/* Writes 1..4 bytes, returns how many; a value that is no scalar value is
 * written as U+FFFD. */
size_t utf8_encode(uint32_t cp, char out[UTF8_MAX]);

bool utf8_valid(const char *bytes, size_t n);
/* How many bytes are no part of a character, or NUL: those that utf8_repair replaces. */
size_t utf8_count_bad(const char *bytes, size_t n);

/* The bytes of a byte order mark that a text begins with: 3, or 0 for none. It is no part of the text. */
size_t utf8_mark_len(const char *bytes, size_t n);
/* Whether a text begins with UTF-16's byte order mark, so that it is not UTF-8 at all. */
bool utf8_is_utf16(const char *bytes, size_t n);

/* How many bytes of a text of `len` to show where there is room for `most`: whole characters. */
size_t utf8_cut(const char *text, size_t len, size_t most);

/* Appends the text with every ill-formed part replaced by U+FFFD, and NUL, which our files cannot
 * hold: so what is kept reads the same as what was there. */
enum status utf8_repair(struct buf *out, const char *bytes, size_t n);
/* A program's: NUL is a character like others. */
enum status utf8_repair_source(struct buf *out, const char *bytes, size_t n);

/* A decoder for text that arrives in chunks: holds at most 3 bytes back. */
struct utf8_stream {
	char held[UTF8_MAX];
	size_t n_held;
};

/* Appends to `out` all characters that are complete (ill-formed parts and NUL as
 * U+FFFD) and holds an unfinished tail back. The result does not depend on
 * how the input was cut. */
enum status utf8_stream_push(struct utf8_stream *stream, const char *bytes, size_t n,
                             struct buf *out);
/* The end of the text: an unfinished tail becomes one U+FFFD. */
enum status utf8_stream_flush(struct utf8_stream *stream, struct buf *out);

/* The text's length without line breaks and blanks at its end. */
size_t utf8_trimmed(const char *text, size_t len);

#endif
