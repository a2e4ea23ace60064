#include "cli/quote.h"

#include "base/utf8.h"

static void put_escaped(struct buf *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		int32_t cp = 0;
		size_t n = utf8_decode(text + at, len - at, &cp);

		if (cp == '\n')
			buf_puts(out, "\\n");
		else if (cp == '\t')
			buf_puts(out, "\\t");
		else if (cp == '"' || cp == '\\')
			buf_printf(out, "\\%c", (char)cp);
		else if (cp >= 0x20 && (cp < 0x7f || cp >= 0xa0))
			buf_append(out, text + at, n);
		else
			for (size_t i = 0; i < n; i++)
				buf_printf(out, "\\x%02x", (unsigned)(unsigned char)text[at + i]);
		at += n;
	}
}

void quote_put(struct buf *out, const char *text, size_t len)
{
	buf_putc(out, '"');
	put_escaped(out, text, len);
	buf_putc(out, '"');
}

void quote_put_token(struct buf *out, const struct tokenizer *tokenizer, int32_t id)
{
	size_t len;
	const char *name = tokenizer_shown(tokenizer, id, &len);

	quote_put(out, name, len);
}
