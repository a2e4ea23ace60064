#include "chat/path.h"

#include "base/alloc.h"

/* The index on the path of the last system message for the whole conversation; n: none. */
static size_t last_whole(const struct tree *tree, const uint32_t *ids, size_t n)
{
	for (size_t i = n; i-- > 0;)
		if (tree_node(tree, ids[i])->whole)
			return i;
	return n;
}

uint32_t *path_sent(const struct tree *tree, size_t *n)
{
	size_t n_path = tree_path(tree, NULL, 0), n_sent = 0, whole;
	uint32_t *path = alloc_array(n_path, sizeof *path), *sent = alloc_array(n_path, sizeof *sent);

	if (path && sent) {
		tree_path(tree, path, n_path);
		whole = last_whole(tree, path, n_path);
		if (whole < n_path && tree_node(tree, path[whole])->len)
			sent[n_sent++] = path[whole];
		for (size_t i = 0; i < n_path; i++) {
			const struct node *node = tree_node(tree, path[i]);
			bool replaced = whole < n_path && i <= whole;

			if (node->role != ROLE_SYSTEM || (node->len && !replaced))
				sent[n_sent++] = path[i];
		}
	} else {
		free(sent);
		sent = NULL;
	}
	free(path);
	*n = n_sent;
	return sent;
}

const struct node *path_system(const struct tree *tree)
{
	const struct node *node = tree_node(tree, tree_leaf(tree));

	while (node && node->role != ROLE_SYSTEM)
		node = tree_node(tree, node->parent);
	return node;
}

const struct node *path_user(const struct tree *tree, int64_t nth, uint32_t beginning)
{
	const struct node *node = tree_node(tree, tree_leaf(tree));

	for (; node && node->id != beginning; node = tree_node(tree, node->parent))
		if (node->role == ROLE_USER && --nth == 0)
			return node;
	return NULL;
}

bool path_has_talk_before(const struct tree *tree, const struct node *node)
{
	do
		node = tree_node(tree, node->parent);
	while (node && node->role == ROLE_SYSTEM);
	return node != NULL;
}
