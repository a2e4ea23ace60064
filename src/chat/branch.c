#include "chat/branch.h"

#include "base/alloc.h"

/* Whether the two are takes of one message; they have one parent. */
static bool is_take(const struct node *a, const struct node *b)
{
	return a->role == b->role && a->role != ROLE_SYSTEM;
}

struct branch_take branch_take_of(const struct tree *tree, uint32_t id)
{
	const struct node *node = tree_node(tree, id), *other;
	struct branch_take take = {1, 1};

	if (!node)
		return take;
	for (other = node; (other = tree_node(tree, other->previous));)
		take.index += is_take(other, node);
	take.n = take.index;
	for (other = node; (other = tree_node(tree, other->next));)
		take.n += is_take(other, node);
	return take;
}

uint32_t branch_beside(const struct tree *tree, uint32_t id, int step)
{
	const struct node *node = tree_node(tree, id), *other = node;

	while (other && (other = tree_node(tree, step < 0 ? other->previous : other->next)))
		if (is_take(other, node))
			return other->id;
	return 0;
}

uint32_t branch_last_fork(const struct tree *tree)
{
	const struct node *node = tree_node(tree, tree_leaf(tree));

	for (; node; node = tree_node(tree, node->parent))
		if (branch_beside(tree, node->id, -1) || branch_beside(tree, node->id, 1))
			return node->id;
	return 0;
}

/* As branch_walk, within the branch of `top` (0: everywhere). */
static uint32_t walk(const struct tree *tree, uint32_t top, uint32_t id)
{
	const struct node *node;
	uint32_t below = tree_first_child(tree, id);

	if (below)
		return below;
	for (node = tree_node(tree, id); node && node->id != top; node = tree_node(tree, node->parent))
		if (node->next)
			return node->next;
	return 0;
}

uint32_t branch_walk(const struct tree *tree, uint32_t id)
{
	return walk(tree, 0, id);
}

uint32_t branch_newest(const struct tree *tree, uint32_t id)
{
	uint32_t newest = id;

	for (uint32_t at = id; at; at = walk(tree, id, at))
		newest = at > newest ? at : newest;
	return newest;
}

bool branch_is_shown(const struct tree *tree, uint32_t id)
{
	const struct node *node = tree_node(tree, tree_leaf(tree));

	/* A parent is older than its child. */
	while (node && node->id > id)
		node = tree_node(tree, node->parent);
	return node && node->id == id;
}

static enum status copy_node(struct tree *to, const struct node *from)
{
	struct node *node;
	uint32_t id;
	enum status status = tree_add(to, tree_leaf(to), from->role, from->text, from->len, &id, NULL);

	if (status)
		return status;
	node = tree_node(to, id);
	node->state = from->state;
	node->whole = from->whole;
	node->params = from->params;
	node->has_params = from->has_params;
	node->created = from->created;
	if (from->origin)
		status = tree_set_origin(node, from->origin);
	if (!status && from->model)
		status = tree_set_model(node, from->model);
	if (!status && from->reasoning_len)
		status = tree_append_reasoning(node, from->reasoning, from->reasoning_len);
	for (size_t i = 0; i < from->n_ids && !status; i++)
		status = tree_append_id(node, from->ids[i]);
	node->n_reasoning_ids = from->n_reasoning_ids;
	return status;
}

struct tree *branch_copy(const struct tree *tree)
{
	size_t n = tree_path(tree, NULL, 0);
	uint32_t *path = alloc_array(n, sizeof *path);
	struct tree *copy = path ? tree_create() : NULL;

	if (copy)
		tree_path(tree, path, n);
	for (size_t i = 0; copy && i < n; i++)
		if (copy_node(copy, tree_node(tree, path[i]))) {
			tree_free(copy);
			copy = NULL;
		}
	free(path);
	return copy;
}
