#include "chat/export.h"

#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "base/words.h"
#include "chat/export_internal.h"

const struct export_format export_formats[] = {
	{"md", "markdown", export_markdown},
	{"json", "openai", export_json},
	{"txt", "text", export_text},
	{"html", "htm", export_html},
};
const size_t export_formats_n = sizeof export_formats / sizeof export_formats[0];

const struct export_format *export_find(const char *name, size_t len)
{
	for (size_t i = 0; i < export_formats_n; i++)
		if ((strlen(export_formats[i].name) == len &&
		     memcmp(export_formats[i].name, name, len) == 0) ||
		    words_have(export_formats[i].aliases, name, len))
			return &export_formats[i];
	return NULL;
}

const struct export_format *export_of_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? export_find(dot + 1, strlen(dot + 1)) : NULL;
}

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

		if (utf8_trimmed(node->text, node->len) || node->reasoning_len)
			ids[(*n)++] = ids[i];
	}
	return ids;
}

const char *export_mark(const struct node *node)
{
	return node->state == NODE_INTERRUPTED ? " (interrupted)" : "";
}
