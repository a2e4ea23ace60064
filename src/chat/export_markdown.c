#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "chat/code_blocks.h"
#include "chat/export.h"
#include "chat/path.h"

static void put_quote(struct buf *out, const char *text, size_t len)
{
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		buf_puts(out, n ? "> " : ">");
		buf_append(out, text, n);
		buf_putc(out, '\n');
		n += end != NULL;
		text += n;
		len -= n;
	}
	buf_putc(out, '\n');
}

enum status export_markdown(const struct tree *tree, const char *title, struct buf *out)
{
	size_t n;
	uint32_t *ids = path_with_text(tree, true, &n);

	if (!ids)
		return STATUS_NOMEM;
	if (title[0])
		buf_printf(out, "# %s\n\n", title);
	for (size_t i = 0; i < n; i++) {
		const struct node *node = tree_node(tree, ids[i]);
		size_t len = utf8_trimmed(node->text, node->len);

		buf_printf(out, "%s## %s%s\n\n", i ? "\n" : "", tree_speaker(node), tree_mark(node));
		if (node->reasoning_len)
			put_quote(out, node->reasoning, utf8_trimmed(node->reasoning, node->reasoning_len));
		buf_append(out, node->text, len);
		buf_putc(out, '\n');
		code_blocks_put_end(out, node->text, len); /* or it would take all that follows */
	}
	free(ids);
	return buf_status(out);
}
