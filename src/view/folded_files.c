#include "view/folded_files.h"

enum status folded_files_put(struct buf *out, const struct node *node, const char *key, size_t *words)
{
	const struct attachments *list = &node->attachments;

	*words = attachments_words(list, node->len);
	buf_append(out, node->text, *words);
	for (size_t i = 0; i < list->n; i++) {
		if (out->len)
			buf_putc(out, '\n');
		buf_printf(out, "\u25B8 %s  ", list->items[i].name);
		attachment_put_size(out, &list->items[i]);
		if (i + 1 == list->n)
			buf_printf(out, " (%s unfolds)", key);
	}
	return buf_status(out);
}
