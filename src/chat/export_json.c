#include <stdlib.h>

#include "base/json.h"
#include "chat/export.h"
#include "chat/path.h"

enum status export_json(const struct tree *tree, const char *title, struct buf *out)
{
	struct json_writer json = {.out = out};
	size_t n;
	uint32_t *ids = path_said(tree, &n);

	(void)title; /* a list has no place for it */
	if (!ids && tree_n(tree))
		return STATUS_NOMEM;
	json_put_begin(&json, NULL, '[');
	for (size_t i = 0; i < n; i++) {
		const struct node *node = tree_node(tree, ids[i]);

		json_put_line(&json, "\n  ");
		json_put_begin(&json, NULL, '{');
		json_put_string(&json, "role", role_name(node->role));
		json_put_text(&json, "content", node->text, node->len);
		if (node->reasoning_len)
			json_put_text(&json, "reasoning_content", node->reasoning, node->reasoning_len);
		json_put_end(&json, '}');
		json_put_line(&json, "\n");
	}
	json_put_end(&json, ']');
	buf_putc(out, '\n');
	free(ids);
	return buf_status(out);
}
