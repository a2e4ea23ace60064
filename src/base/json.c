#include "base/json.h"

#include <inttypes.h>

#include "base/utf8.h"

void json_put_text(struct buf *out, const char *text, size_t len)
{
	buf_putc(out, '"');
	for (size_t at = 0; at < len;) {
		char replaced[UTF8_MAX];
		int32_t cp;
		size_t n = utf8_decode(text + at, len - at, &cp);

		if (cp < 0)
			buf_append(out, replaced, utf8_encode(UTF8_REPLACEMENT, replaced));
		else if (cp == '"' || cp == '\\')
			buf_printf(out, "\\%c", (char)cp);
		else if (cp == '\n')
			buf_puts(out, "\\n");
		else if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
			buf_printf(out, "\\u%04" PRIx32, (uint32_t)cp);
		else
			buf_append(out, text + at, n);
		at += n;
	}
	buf_putc(out, '"');
}
