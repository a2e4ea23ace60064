#include "chat/export_internal.h"

#include <stdlib.h>

#include "base/alloc.h"

uint32_t *export_messages(const struct tree *tree, size_t *n)
{
	size_t n_path = tree_path(tree, NULL, 0);
	uint32_t *ids = alloc_array(n_path ? n_path : 1, sizeof *ids);

	*n = 0;
	if (!ids)
		return NULL;
	tree_path(tree, ids, n_path);
	for (size_t i = 0; i < n_path; i++) {
		const struct node *node = tree_node(tree, ids[i]);

		if (export_trimmed(node->text, node->len) || node->reasoning_len)
			ids[(*n)++] = ids[i];
	}
	return ids;
}

const char *export_speaker(const struct node *node)
{
	switch (node->role) {
	case ROLE_USER: return "You";
	case ROLE_ASSISTANT: return node->model ? node->model : "Assistant";
	default: return "System";
	}
}

size_t export_trimmed(const char *text, size_t len)
{
	while (len && (text[len - 1] == '\n' || text[len - 1] == '\r' || text[len - 1] == ' '))
		len--;
	return len;
}

enum status export_text(const struct tree *tree, const char *title, struct buf *out)
{
	size_t n;
	uint32_t *ids = export_messages(tree, &n);

	if (!ids)
		return STATUS_NOMEM;
	if (title[0])
		buf_printf(out, "%s\n\n", title);
	for (size_t i = 0; i < n; i++) {
		const struct node *node = tree_node(tree, ids[i]);

		buf_printf(out, "%s%s%s:\n", i ? "\n" : "", export_speaker(node),
		           node->state == NODE_INTERRUPTED ? " (interrupted)" : "");
		buf_append(out, node->text, export_trimmed(node->text, node->len));
		buf_putc(out, '\n');
	}
	free(ids);
	return buf_status(out);
}
