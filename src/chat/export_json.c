#include <stdlib.h>

#include "base/json.h"
#include "chat/export_internal.h"
#include "chat/path.h"

enum status export_json(const struct tree *tree, const char *title, struct buf *out)
{
	size_t n;
	uint32_t *ids = path_said(tree, &n);

	(void)title; /* a list has no place for it */
	if (!ids && tree_n(tree))
		return STATUS_NOMEM;
	buf_putc(out, '[');
	for (size_t i = 0; i < n; i++) {
		const struct node *node = tree_node(tree, ids[i]);

		buf_printf(out, "%s\n  {\"role\": \"%s\", \"content\": ", i ? "," : "",
		           role_name(node->role));
		json_put_text(out, node->text, node->len);
		if (node->reasoning_len) {
			buf_puts(out, ", \"reasoning_content\": ");
			json_put_text(out, node->reasoning, node->reasoning_len);
		}
		buf_putc(out, '}');
	}
	buf_puts(out, n ? "\n]\n" : "]\n");
	free(ids);
	return buf_status(out);
}
