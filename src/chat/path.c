#include "chat/path.h"

#include "base/alloc.h"
#include "base/utf8.h"

/* The index on the path of the last system message for the whole conversation; n: none. */
static size_t last_whole(const struct tree *tree, const uint32_t *ids, size_t n)
{
	for (size_t i = n; i-- > 0;)
		if (tree_node(tree, ids[i])->whole)
			return i;
	return n;
}

/* The path's last summary; NULL: there is none. An empty one takes it back. */
static const struct node *last_summary(const struct tree *tree)
{
	const struct node *node = tree_node(tree, tree_leaf(tree));

	while (node && !node->sums_up)
		node = tree_node(tree, node->parent);
	return node && node->len ? node : NULL;
}

uint32_t path_summed_up(const struct tree *tree)
{
	const struct node *summary = last_summary(tree);

	return summary ? summary->sums_up : 0;
}

/* The user's last message, if nobody has answered it; NULL: somebody has. */
static const struct node *unanswered(const struct tree *tree)
{
	const struct node *node = tree_node(tree, tree_leaf(tree));

	while (node && node->role == ROLE_SYSTEM)
		node = tree_node(tree, node->parent);
	return node && node->role == ROLE_USER ? node : NULL;
}

/* The messages in their order; with all that has been said, or as they are sent. */
static uint32_t *in_order(const struct tree *tree, size_t *n, bool is_sent)
{
	size_t n_path, n_sent = 0, whole;
	uint32_t *path = tree_path_ids(tree, &n_path), *sent = alloc_array(n_path, sizeof *sent);
	const struct node *summary = is_sent ? last_summary(tree) : NULL;
	const struct node *question = unanswered(tree);
	uint32_t summed_up = summary ? summary->sums_up : 0;

	if (path && sent) {
		whole = last_whole(tree, path, n_path);
		if (whole < n_path && tree_node(tree, path[whole])->len)
			sent[n_sent++] = path[whole];
		for (size_t i = 0; i < n_path; i++) {
			const struct node *node = tree_node(tree, path[i]);
			bool replaced = whole < n_path && i <= whole;

			if (node->role == ROLE_SYSTEM) {
				if (node->len && !replaced && !node->sums_up)
					sent[n_sent++] = path[i];
				continue;
			}
			if (summary) /* before the first message of the user or model */
				sent[n_sent++] = summary->id;
			summary = NULL;
			if (!is_sent || node == question ||
			    (!node->dropped && !path_is_summed_up(node, summed_up)))
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

uint32_t *path_sent(const struct tree *tree, size_t *n)
{
	return in_order(tree, n, true);
}

uint32_t *path_said(const struct tree *tree, size_t *n)
{
	return in_order(tree, n, false);
}

uint32_t *path_with_text(const struct tree *tree, bool or_reasoning, size_t *n)
{
	size_t n_path;
	uint32_t *ids = tree_path_ids(tree, &n_path);

	*n = 0;
	for (size_t i = 0; ids && i < n_path; i++) {
		const struct node *node = tree_node(tree, ids[i]);

		if (utf8_trimmed(node->text, node->len) || (or_reasoning && node->reasoning_len))
			ids[(*n)++] = ids[i];
	}
	return ids;
}

const struct node *path_system(const struct tree *tree)
{
	const struct node *node = tree_node(tree, tree_leaf(tree));

	while (node && (node->role != ROLE_SYSTEM || node->sums_up))
		node = tree_node(tree, node->parent);
	return node;
}

const struct node *path_made(const struct tree *tree)
{
	const struct node *node = tree_node(tree, tree_leaf(tree));

	while (node && (!node->n_runs || !node->runs[node->n_runs - 1].model.file[0]))
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

const struct node *path_reply(const struct tree *tree)
{
	const struct node *node = tree_node(tree, tree_leaf(tree));

	while (node && node->role != ROLE_ASSISTANT)
		node = tree_node(tree, node->parent);
	return node;
}

bool path_has_talk_before(const struct tree *tree, const struct node *node)
{
	do
		node = tree_node(tree, node->parent);
	while (node && node->role == ROLE_SYSTEM);
	return node != NULL;
}
