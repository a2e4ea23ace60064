#include "turn/difference.h"

#include <string.h>

static void put_message(const struct cache_difference *d, struct buf *out)
{
	switch (d->role) {
	case ROLE_USER: buf_printf(out, "your message %u", d->number); break;
	case ROLE_ASSISTANT: buf_printf(out, "reply %u", d->number); break;
	default:
		buf_puts(out, "the system message");
		if (d->number > 1)
			buf_printf(out, " (%u.)", d->number);
	}
}

/* Line breaks as they are written in C. */
static void put_line(const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (*text == '\n')
			buf_puts(out, "\\n");
		else
			buf_putc(out, *text);
	}
}

enum status cache_difference_put(const struct cache_difference *d, bool lines, struct buf *out)
{
	switch (d->kind) {
	case CACHE_SAME: return buf_status(out);
	case CACHE_CHAT: buf_puts(out, "another chat was in the cache, up to "); break;
	case CACHE_MARKUP: buf_puts(out, "the template writes something else around "); break;
	case CACHE_REASONING: buf_puts(out, "the template does not repeat the thoughts of "); break;
	default: break;
	}
	put_message(d, out);
	switch (d->kind) {
	case CACHE_TEXT: buf_puts(out, " is another one"); break;
	case CACHE_TOKENS: buf_puts(out, " is the same text in other tokens"); break;
	case CACHE_LEFT_OUT: buf_puts(out, " is left out, as the context is full"); break;
	case CACHE_BACK: buf_puts(out, " was left out, and is sent again"); break;
	case CACHE_REMOVED: buf_puts(out, " is not sent any more"); break;
	case CACHE_ADDED: buf_puts(out, " is sent now, and was not"); break;
	default: break;
	}
	if (lines && strcmp(d->was, d->is) != 0) {
		buf_puts(out, ": it reads \"");
		put_line(d->is, out);
		buf_puts(out, "\", and was \"");
		put_line(d->was, out);
		buf_puts(out, "\"");
	}
	return buf_status(out);
}
