#include "dialog/marks.h"

#include "dialog/dialog.h"

bool dialog_toggle_pinned(struct dialog *dialog, const struct node *message)
{
	struct node *node = tree_node(dialog->tree, message->id);

	node->pinned = !node->pinned;
	dialog_store_marks(dialog, node->id);
	return node->pinned;
}

/* The message's turn on the path is it and what follows, up to the user's next message. */
static bool is_in_turn(const struct tree *tree, const struct node *node, const struct node *first)
{
	while (node && node != first && node->role != ROLE_USER)
		node = tree_node(tree, node->parent);
	return node == first;
}

size_t dialog_set_dropped(struct dialog *dialog, const struct node *first, bool turn, bool dropped)
{
	struct node *node = tree_node(dialog->tree, turn ? tree_leaf(dialog->tree) : first->id);
	size_t n = 0;

	for (; node && node->id >= first->id; node = tree_node(dialog->tree, node->parent)) {
		if (node->role == ROLE_SYSTEM || node->dropped == dropped || !is_in_turn(dialog->tree, node, first))
			continue;
		node->dropped = dropped;
		dialog_store_marks(dialog, node->id);
		n++;
	}
	return n;
}
