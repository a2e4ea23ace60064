#include "base/text_find.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>

#include "base/utf8.h"

/* U+FDFA, the longest, is 33 bytes when it is taken apart. */
enum { FOLDED_MAX = 64 };

/* Letters without their marks, which are characters of their own after NFKD. */
static size_t drop_marks(const uint8_t *bytes, size_t n, char out[FOLDED_MAX])
{
	size_t len = 0;

	for (size_t at = 0; at < n;) {
		int32_t cp;
		size_t size = utf8_decode((const char *)bytes + at, n - at, &cp);

		if (cp >= 0 && len + size <= FOLDED_MAX &&
		    !uc_is_general_category_withtable((ucs4_t)cp, UC_CATEGORY_MASK_Mn)) {
			memcpy(out + len, bytes + at, size);
			len += size;
		}
		at += size;
	}
	return len;
}

/* One character: returns the bytes it has, *n those it becomes. */
static size_t fold(const char *text, size_t len, char out[FOLDED_MAX], size_t *n)
{
	unsigned char c = (unsigned char)*text;
	uint8_t room[4 * FOLDED_MAX], *folded;
	size_t folded_len = sizeof room, size;
	int32_t cp;

	if (c < 0x80) {
		out[0] = c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A'))
		         : c == '\n' || c == '\t' || c == '\r' ? ' ' : (char)c;
		*n = 1;
		return 1;
	}
	size = utf8_decode(text, len, &cp);
	*n = 0;
	if (cp < 0)
		return size;
	folded = u8_casefold((const uint8_t *)text, size, NULL, UNINORM_NFKD, room, &folded_len);
	if (folded)
		*n = drop_marks(folded, folded_len, out);
	if (folded != room)
		free(folded);
	return size;
}

enum status text_find_fold(struct buf *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		char folded[FOLDED_MAX];
		size_t n, plain = at;

		while (plain < len && ((text[plain] >= 'a' && text[plain] <= 'z') || text[plain] == ' '))
			plain++;
		buf_append(out, text + at, plain - at);
		if (plain > at) {
			at = plain;
			continue;
		}
		at += fold(text + at, len - at, folded, &n);
		buf_append(out, folded, n);
	}
	return buf_status(out);
}

/* Whether what begins with the folded character `first` at `at` matches; *end: where it ends. */
static bool matches(const struct buf *wanted, const char *first, size_t n_first, const char *text,
                    size_t len, size_t at, size_t *end)
{
	char folded[FOLDED_MAX];
	size_t have = 0, n = n_first;

	memcpy(folded, first, n);
	while (have < wanted->len) {
		size_t part = wanted->len - have < n ? wanted->len - have : n;

		if (memcmp(folded, wanted->data + have, part) != 0)
			return false;
		have += part;
		if (have < wanted->len && at == len)
			return false;
		if (have < wanted->len)
			at += fold(text + at, len - at, folded, &n);
	}
	while (at < len) { /* marks */
		size_t size = fold(text + at, len - at, folded, &n);

		if (n)
			break;
		at += size;
	}
	*end = at;
	return true;
}

/* The character is ASCII, and not what is looked for. */
static bool skips(char c, char wanted)
{
	if (c >= 'A' && c <= 'Z')
		return c + ('a' - 'A') != wanted;
	return !((unsigned char)c & 0x80) && c != wanted && c != '\n' && c != '\t' && c != '\r';
}

bool text_find(const struct buf *folded, const char *text, size_t len, size_t from, size_t *start,
               size_t *end)
{
	for (size_t at = from; folded->len && at < len;) {
		char first[FOLDED_MAX];
		size_t n, size;

		if (skips(text[at], folded->data[0])) { /* most of a text */
			at++;
			continue;
		}
		size = fold(text + at, len - at, first, &n);

		if (n && first[0] == folded->data[0] &&
		    matches(folded, first, n, text, len, at + size, end)) {
			*start = at;
			return true;
		}
		at += size;
	}
	return false;
}
