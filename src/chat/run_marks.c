#include "chat/run_marks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "chat/tree.h"

void run_marks_free(struct run_marks *marks)
{
	free(marks->items);
	*marks = (struct run_marks){.items = NULL};
}

bool run_marks_add(struct run_marks *marks, struct run_mark mark)
{
	if ((marks->n && marks->items[marks->n - 1].message >= mark.message) ||
	    !alloc_grow(&marks->items, &marks->cap, marks->n + 1, sizeof *marks->items, LIMIT_NODES)) {
		run_marks_free(marks);
		return false;
	}
	marks->items[marks->n++] = mark;
	return true;
}

/* From the leaf up, ids fall. */
void run_marks_take(struct run_marks *marks, const struct tree *tree)
{
	const struct node *leaf = tree_node(tree, tree_leaf(tree));
	size_t n = 0;

	for (const struct node *node = leaf; node; node = tree_node(tree, node->parent))
		n += node->pinned || node->dropped;
	if (!alloc_grow(&marks->items, &marks->cap, n, sizeof *marks->items, LIMIT_NODES))
		return;
	marks->n = n;
	marks->known = true;
	for (const struct node *node = leaf; node; node = tree_node(tree, node->parent))
		if (node->pinned || node->dropped)
			marks->items[--n] = (struct run_mark){node->id, node->pinned, node->dropped};
}

void run_marks_set(const struct run_marks *marks, struct tree *tree)
{
	struct node *node = marks->known ? tree_node(tree, tree_leaf(tree)) : NULL;
	size_t at = marks->n;

	for (; node; node = tree_node(tree, node->parent)) {
		bool is_marked;

		while (at && marks->items[at - 1].message > node->id)
			at--;
		is_marked = at && marks->items[at - 1].message == node->id;
		node->pinned = is_marked && marks->items[at - 1].pinned;
		node->dropped = is_marked && marks->items[at - 1].dropped;
	}
}
