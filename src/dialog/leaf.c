#include "dialog/leaf.h"

#include "chat/path.h"
#include "dialog/dialog.h"

void dialog_move_leaf(struct dialog *dialog, uint32_t leaf)
{
	const struct node *system = path_system(dialog->tree);

	tree_set_leaf(dialog->tree, leaf);
	if (path_system(dialog->tree) != system)
		dialog_template_restore(dialog);
}

void dialog_go_to(struct dialog *dialog, uint32_t leaf)
{
	if (dialog->edit.message)
		dialog_edit_end(dialog);
	if (leaf == tree_leaf(dialog->tree))
		return;
	dialog_move_leaf(dialog, leaf);
	if (dialog->store.n_stored < leaf) /* a template that was chosen and not used */
		dialog_store_message(dialog, leaf);
	dialog_store_leaf(dialog);
}
