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

/* The message after `id` in the branch of `top`, from parents to children; 0: the end. */
static uint32_t walk(const struct tree *tree, uint32_t top, uint32_t id)
{
	const struct node *node = tree_node(tree, id);

	if (node->first_child)
		return node->first_child;
	for (; node && node->id != top; node = tree_node(tree, node->parent))
		if (node->next)
			return node->next;
	return 0;
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

/* The order in which the tree is drawn, by message; [0] is what the chat begins with. */
struct order {
	const struct tree *tree;
	bool *shown;    /* on the path */
	uint32_t *line; /* which of a message's children continues its line; 0: none */
};

static bool is_drawn(const struct order *order, const struct node *node)
{
	return node->role != ROLE_SYSTEM || node->first_child || order->shown[node->id];
}

static void find_lines(struct order *order)
{
	const struct tree *tree = order->tree;
	const struct node *node;

	for (node = tree_node(tree, tree_leaf(tree)); node; node = tree_node(tree, node->parent)) {
		order->shown[node->id] = true;
		order->line[node->parent] = node->id;
	}
	for (uint32_t id = 1; id <= tree_n(tree); id++) {
		node = tree_node(tree, id);
		if (!order->shown[order->line[node->parent]] && is_drawn(order, node))
			order->line[node->parent] = id; /* the last of them stays */
	}
}

/* The first of these siblings that is drawn as a branch; without one, what continues the line. */
static uint32_t branch_or_line(const struct order *order, uint32_t id, uint32_t parent)
{
	const struct node *node = tree_node(order->tree, id);

	while (node && (node->id == order->line[parent] || !is_drawn(order, node)))
		node = tree_node(order->tree, node->next);
	return node ? node->id : order->line[parent];
}

static uint32_t next_drawn(const struct order *order, uint32_t id)
{
	uint32_t below = branch_or_line(order, tree_first_child(order->tree, id), id);
	const struct node *node;

	if (below)
		return below;
	for (node = tree_node(order->tree, id); node; node = tree_node(order->tree, node->parent))
		if (node->id != order->line[node->parent])
			return branch_or_line(order, node->next, node->parent);
	return 0;
}

struct branch_row *branch_rows(const struct tree *tree, size_t *n)
{
	size_t room = tree_n(tree) + 1;
	struct order order = {.tree = tree, .shown = alloc_array(room, sizeof *order.shown),
	                      .line = alloc_array(room, sizeof *order.line)};
	uint32_t *depth = alloc_array(room, sizeof *depth);
	struct branch_row *rows = NULL;

	*n = 0;
	if (order.shown && order.line && depth && (rows = alloc_array(room, sizeof *rows))) {
		find_lines(&order);
		for (uint32_t id = next_drawn(&order, 0); id; id = next_drawn(&order, id)) {
			uint32_t parent = tree_node(tree, id)->parent;
			bool begins = id != order.line[parent];

			depth[id] = depth[parent] + begins;
			rows[(*n)++] = (struct branch_row){id, depth[id], begins};
		}
	}
	free(order.shown);
	free(order.line);
	free(depth);
	return rows;
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
	node->pinned = from->pinned;
	node->dropped = from->dropped;
	node->params = from->params;
	node->has_params = from->has_params;
	node->created = from->created;
	status = tree_set_attachments(node, &from->attachments);
	if (!status && from->origin)
		status = tree_set_origin(node, from->origin);
	if (!status && from->model)
		status = tree_set_model(node, from->model);
	if (!status && from->reasoning_len)
		status = tree_append_reasoning(node, from->reasoning, from->reasoning_len);
	for (size_t i = 0; i < from->n_ids && !status; i++)
		status = tree_append_id(node, from->ids[i]);
	node->n_reasoning_ids = from->n_reasoning_ids;
	node->ids_unknown = from->ids_unknown;
	for (size_t i = 0; i < from->n_runs && !status; i++) {
		struct reply_run run;

		status = run_copy(&run, &from->runs[i]);
		if (!status)
			status = tree_add_run(node, &run);
	}
	return status;
}

struct tree *branch_copy(const struct tree *tree)
{
	size_t n;
	uint32_t *path = tree_path_ids(tree, &n);
	struct tree *copy = path ? tree_create() : NULL;

	for (size_t i = 0; copy && i < n; i++) {
		const struct node *node = tree_node(tree, path[i]);
		uint32_t summed_up = 0; /* the copy's ids are those of its places */

		while (summed_up < n && path[summed_up] <= node->sums_up)
			summed_up++;
		if (copy_node(copy, node)) {
			tree_free(copy);
			copy = NULL;
		} else {
			tree_node(copy, tree_leaf(copy))->sums_up = node->sums_up ? summed_up : 0;
		}
	}
	free(path);
	return copy;
}
