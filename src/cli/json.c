#include "cli/json.h"

#include <inttypes.h>

#include "base/limits.h"
#include "base/utf8.h"

void json_put_text(struct buf *out, const char *text, size_t len)
{
	struct buf valid;
	size_t at = 0;

	buf_init(&valid, KIB(64));
	buf_putc(out, '"');
	if (!utf8_repair(&valid, text, len))
		while (at < valid.len) {
			int32_t cp;
			size_t n = utf8_decode(valid.data + at, valid.len - at, &cp);

			if (cp == '"' || cp == '\\')
				buf_printf(out, "\\%c", (char)cp);
			else if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
				buf_printf(out, "\\u%04" PRIx32, (uint32_t)cp);
			else
				buf_append(out, valid.data + at, n);
			at += n;
		}
	buf_putc(out, '"');
	buf_free(&valid);
}
