#include "dialog/send.h"

#include <string.h>

#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"
#include "dialog/leaf.h"
#include "dialog/model.h"
#include "dialog/outgoing.h"
#include "dialog/summary.h"

static struct dialog_sent point_before(const struct dialog *dialog)
{
	struct dialog_sent sent = {.n_nodes = (uint32_t)tree_n(dialog->tree), .leaf = tree_leaf(dialog->tree),
	                           .edited = dialog->edit.message, .n_stored = dialog->store.n_stored,
	                           .recorded = dialog->store.recorded};

	if (dialog->journal)
		sent.before = journal_point(dialog->journal);
	return sent;
}

/* The message is in the chat: on the disk with it, and the template of its path is in use. */
static void store_and_remember(struct dialog *dialog, struct dialog_sent *sent, uint32_t message,
                               const struct node *system)
{
	dialog_store_message(dialog, message);
	if (path_system(dialog->tree) != system) /* the old one came after the edited message */
		dialog_template_restore(dialog);
	sent->message = message;
	if (dialog->journal)
		sent->after = journal_point(dialog->journal);
	dialog->turn.sent = *sent;
	dialog->turn.take = dialog->turn.replaced = 0;
	dialog_branch_end(dialog);
	dialog->summary.tried = false;
}

static enum status send_under(struct dialog *dialog, uint32_t parent, const struct outgoing *message,
                              struct dialog_sent *sent, struct error *err)
{
	const struct node *system = path_system(dialog->tree);
	uint32_t id;

	if (tree_add(dialog->tree, parent, ROLE_USER, message->text, message->len, &id, err))
		return err->status;
	if (tree_set_attachments(tree_node(dialog->tree, id), &message->files)) /* it has the whole text */
		dialog_note(dialog, FACT_FILES_UNFOLDED, NULL);
	store_and_remember(dialog, sent, id, system);
	dialog_template_check(dialog);
	return STATUS_OK;
}

enum status dialog_send(struct dialog *dialog, const struct outgoing *message, struct error *err)
{
	const char *prompt = dialog_first_system(dialog);
	struct dialog_sent sent = point_before(dialog);
	enum status status = STATUS_OK;

	if (!tree_leaf(dialog->tree) && prompt && prompt[0])
		status = tree_add(dialog->tree, 0, ROLE_SYSTEM, prompt, strlen(prompt), NULL, err);
	return status ? status : send_under(dialog, tree_leaf(dialog->tree), message, &sent, err);
}

/* A reply as the user has changed it: the model goes on from there. */
static enum status go_on_from(struct dialog *dialog, const struct node *old, const struct outgoing *message,
                              struct dialog_sent *sent, struct error *err)
{
	const struct node *system = path_system(dialog->tree);
	char label[MODEL_LABEL_MAX];
	struct node *node;
	uint32_t id;

	if (tree_add(dialog->tree, old->parent, ROLE_ASSISTANT, message->text, message->len, &id, err))
		return err->status;
	node = tree_node(dialog->tree, id);
	node->state = NODE_INTERRUPTED;
	if (tree_set_model(node, dialog_model_label(dialog, label)))
		dialog_note(dialog, FACT_REPLY_UNLABELLED, NULL);
	store_and_remember(dialog, sent, id, system);
	return STATUS_OK;
}

enum status dialog_send_edited(struct dialog *dialog, const struct outgoing *message, bool *asks,
                               struct error *err)
{
	const struct node *old = tree_node(dialog->tree, dialog->edit.message);
	struct dialog_sent sent = point_before(dialog);

	*asks = !old->sums_up;
	if (old->sums_up)
		return dialog_summary_replace(dialog, old, message->text, message->len, err);
	if (old->role == ROLE_ASSISTANT && !dialog_can_continue(dialog))
		return error_set(err, STATUS_UNSUPPORTED, "%s runs on a server that cannot go on with a reply, nor with one "
		                 "that was edited: edit your own message instead", dialog->model->name);
	if (old->role == ROLE_ASSISTANT)
		return go_on_from(dialog, old, message, &sent, err);
	return send_under(dialog, old->parent, message, &sent, err);
}

const struct node *dialog_refused(struct dialog *dialog, bool too_long, struct dialog_sent *sent)
{
	const struct node *leaf = tree_node(dialog->tree, tree_leaf(dialog->tree));

	*sent = dialog->turn.sent;
	dialog->turn.sent.message = 0;
	if (!leaf || dialog->edit.message)
		return NULL;
	if (leaf->id == sent->message)
		return leaf;
	*sent = (struct dialog_sent){.leaf = leaf->parent};
	return too_long && leaf->role == ROLE_USER ? leaf : NULL;
}

/* What is not in the file any more need not be written, or all is written to another one. */
static void check_saved(struct dialog *dialog)
{
	if (!journal_is_unsaved(dialog->journal)) {
		dialog->store.is_unsaved = false;
		dialog->store.retry_at = STORE_NEVER;
	} else if (!dialog->store.is_unsaved) {
		dialog_store_retry(dialog);
	}
}

bool dialog_take_back(struct dialog *dialog, const struct dialog_sent *sent)
{
	struct dialog_store *store = &dialog->store;

	if (tree_n(dialog->tree) != sent->message || tree_leaf(dialog->tree) != sent->message ||
	    (dialog->journal && !journal_take_back(dialog->journal, &sent->before, &sent->after)))
		return false;
	dialog_move_leaf(dialog, sent->leaf);
	while (tree_n(dialog->tree) > sent->n_nodes) {
		dialog_kept_drop(dialog, (uint32_t)tree_n(dialog->tree));
		tree_drop_last(dialog->tree);
	}
	store->n_stored = sent->n_stored;
	store->recorded = sent->recorded;
	if (store->n_copied > tree_n(dialog->tree))
		store->n_copied = tree_n(dialog->tree);
	if (dialog->journal)
		check_saved(dialog);
	return true;
}

bool dialog_turn_cannot_run(struct dialog *dialog)
{
	if (dialog->turn.sent.message)
		return dialog_take_back(dialog, &dialog->turn.sent);
	if (dialog->turn.replaced)
		dialog_move_leaf(dialog, dialog->turn.replaced);
	dialog->turn.replaced = 0;
	return true;
}
