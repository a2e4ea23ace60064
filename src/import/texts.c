/* Texts that a message has twice. */
#include <string.h>

#include "base/limits.h"
#include "base/words.h"
#include "import/reading.h"

/* Without blanks and marks of code, and what Claude writes in `text` for parts of `content` that are no texts. */
static void squeeze(struct buf *out, const char *text, size_t len)
{
	static const char unsupported[] = "Thisblockisnotsupportedonyourcurrentdeviceyet.";
	const size_t n = sizeof unsupported - 1;

	for (size_t i = 0; i < len; i++) {
		if (words_is_blank(text[i]) || text[i] == '`')
			continue;
		buf_putc(out, text[i]);
		if (out->len >= n && memcmp(out->data + out->len - n, unsupported, n) == 0)
			buf_remove(out, out->len - n, n);
	}
}

bool content_says_nothing_new(struct reading *reading, const struct buf *said, const char *other, size_t len)
{
	struct buf a = {.max = LIMIT_MESSAGE}, b = {.max = LIMIT_MESSAGE};
	bool nothing;

	squeeze(&a, buf_text(said), said->len);
	squeeze(&b, other, len);
	if (buf_status(&a) || buf_status(&b))
		reading_fail(reading, STATUS_NOMEM);
	nothing = !b.len || memmem(buf_text(&a), a.len, b.data, b.len);
	buf_free(&a);
	buf_free(&b);
	return nothing;
}
