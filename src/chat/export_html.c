#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "chat/code_blocks.h"
#include "chat/export.h"
#include "chat/path.h"

/* Should a text ever get out of its place, the policy keeps it from running or loading anything. */
static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<style>\n"
	":root { color-scheme: light dark; }\n"
	"body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; "
	"padding: 0 1rem; }\n"
	"h2 { font-size: 1rem; margin: 2rem 0 .3rem; }\n"
	".user h2 { color: #2a6db0; }\n"
	".system, details { opacity: .75; }\n"
	".text { white-space: pre-wrap; overflow-wrap: anywhere; }\n"
	"pre { padding: .7rem 1rem; overflow-x: auto; background: #8881; border-radius: .3rem; }\n"
	"</style>\n";

/* Control characters, which a page may not have, and ill-formed bytes become U+FFFD. */
static void put_escaped(struct buf *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		char replaced[UTF8_MAX];
		int32_t cp;
		size_t n = utf8_decode(text + at, len - at, &cp);

		switch (cp) {
		case '&': buf_puts(out, "&amp;"); break;
		case '<': buf_puts(out, "&lt;"); break;
		case '>': buf_puts(out, "&gt;"); break;
		case '"': buf_puts(out, "&quot;"); break;
		case '\'': buf_puts(out, "&#39;"); break;
		case '\n': case '\t': buf_putc(out, (char)cp); break;
		case '\r': break;
		default:
			if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
				buf_append(out, replaced, utf8_encode(UTF8_REPLACEMENT, replaced));
			else
				buf_append(out, text + at, n);
		}
		at += n;
	}
}

/* Line breaks around a block of its own are not worth blank lines. `dir`: each text has a
 * direction of its own, which ends with it. */
static void put_plain(struct buf *out, const char *text, size_t len)
{
	while (len && (*text == '\n' || *text == '\r')) {
		text++;
		len--;
	}
	len = utf8_trimmed(text, len);
	if (!len)
		return;
	buf_puts(out, "<div class=\"text\" dir=\"auto\">");
	put_escaped(out, text, len);
	buf_puts(out, "</div>\n");
}

/* Where the line begins that ends before `at`. */
static size_t line_before(const char *text, size_t at)
{
	at -= at > 0;
	while (at && text[at - 1] != '\n')
		at--;
	return at;
}

static size_t line_after(const char *text, size_t len, size_t at)
{
	const char *end = memchr(text + at, '\n', len - at);

	return end ? (size_t)(end - text) + 1 : len;
}

/* The text, with its code blocks set apart. */
static void put_text(struct buf *out, const char *text, size_t len)
{
	struct code_blocks blocks;
	struct code_block block;
	struct buf code;
	size_t from = 0;

	buf_init(&code, out->max);
	code_blocks_begin(&blocks, text, len);
	while (code_blocks_next(&blocks, &block, &code)) {
		size_t fence = line_before(text, block.start);

		put_plain(out, text + from, fence > from ? fence - from : 0);
		buf_puts(out, "<pre dir=\"ltr\"><code>");
		put_escaped(out, buf_text(&code), code.len);
		buf_puts(out, "</code></pre>\n");
		from = block.closed ? line_after(text, len, block.end) : block.end;
		buf_clear(&code);
	}
	put_plain(out, text + from, len - from);
	if (code.status && !out->status)
		out->status = code.status;
	buf_free(&code);
}

static void put_message(struct buf *out, const struct node *node)
{
	const char *speaker = tree_speaker(node);

	buf_printf(out, "<section class=\"%s\">\n<h2>", role_name(node->role));
	put_escaped(out, speaker, strlen(speaker));
	buf_printf(out, "%s</h2>\n", tree_mark(node));
	if (node->reasoning_len) {
		buf_puts(out, "<details><summary>Thought</summary>\n");
		put_plain(out, node->reasoning, node->reasoning_len);
		buf_puts(out, "</details>\n");
	}
	put_text(out, node->text, node->len);
	buf_puts(out, "</section>\n");
}

enum status export_html(const struct tree *tree, const char *title, struct buf *out)
{
	size_t n;
	uint32_t *ids = path_with_text(tree, true, &n);

	if (!ids)
		return STATUS_NOMEM;
	title = title[0] ? title : "Chat";
	buf_puts(out, head);
	buf_puts(out, "<title>");
	put_escaped(out, title, strlen(title));
	buf_puts(out, "</title>\n</head>\n<body>\n<h1>");
	put_escaped(out, title, strlen(title));
	buf_puts(out, "</h1>\n");
	for (size_t i = 0; i < n; i++)
		put_message(out, tree_node(tree, ids[i]));
	buf_puts(out, "</body>\n</html>\n");
	free(ids);
	return buf_status(out);
}
