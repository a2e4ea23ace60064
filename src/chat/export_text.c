#include <stdlib.h>

#include "base/utf8.h"
#include "chat/export.h"
#include "chat/path.h"

enum status export_text(const struct tree *tree, const char *title, struct buf *out)
{
	size_t n;
	uint32_t *ids = path_with_text(tree, true, &n);

	if (!ids)
		return STATUS_NOMEM;
	if (title[0])
		buf_printf(out, "%s\n\n", title);
	for (size_t i = 0; i < n; i++) {
		const struct node *node = tree_node(tree, ids[i]);

		buf_printf(out, "%s%s%s:\n", i ? "\n" : "", tree_speaker(node), tree_mark(node));
		buf_append(out, node->text, utf8_trimmed(node->text, node->len));
		buf_putc(out, '\n');
	}
	free(ids);
	return buf_status(out);
}
