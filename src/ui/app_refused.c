/* A message whose reply never began, because it is too long or the model cannot take it: it goes back to
 * where it was typed, and leaves nothing in the chat, its file and its title. */
#include "ui/app_refused.h"

#include "base/role.h"
#include "chat/tree.h"
#include "dialog/dialog.h"
#include "dialog/leaf.h"
#include "dialog/store.h"
#include "journal/journal.h"
#include "line/input_line.h"
#include "ui/app_draft.h"
#include "ui/app_edit.h"
#include "ui/app_find.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/app_queue.h"
#include "ui/app_store.h"
#include "ui/front.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/chat_view.h"

struct dialog_sent app_sent_begin(const struct app *app)
{
	struct dialog_sent sent = {.n_nodes = (uint32_t)tree_n(app->dialog->tree), .leaf = tree_leaf(app->dialog->tree),
	                        .edited = app->dialog->edited, .n_stored = app->dialog->store.n_stored,
	                        .recorded = app->dialog->store.recorded};

	if (app->dialog->journal)
		sent.before = journal_point(app->dialog->journal);
	return sent;
}

void app_sent_stored(const struct app *app, struct dialog_sent *sent, uint32_t message)
{
	sent->message = message;
	if (app->dialog->journal)
		sent->after = journal_point(app->dialog->journal);
}

/* What is not in the file any more need not be written, or all is written to another one. */
static void check_saved(struct app *app)
{
	if (!journal_is_unsaved(app->dialog->journal)) {
		app->dialog->store.is_unsaved = false;
		app->dialog->store.retry_at = STORE_NEVER;
	} else if (!app->dialog->store.is_unsaved) {
		dialog_store_retry(app->dialog);
	}
}

bool app_take_back(struct app *app, const struct dialog_sent *sent)
{
	if (tree_n(app->dialog->tree) != sent->message || tree_leaf(app->dialog->tree) != sent->message ||
	    (app->dialog->journal && !journal_take_back(app->dialog->journal, &sent->before, &sent->after)))
		return false;
	app_find_end(app);
	app_unpick(app);
	if (app->panel && app->panel_use->flags & PANEL_HAS_MESSAGES)
		app_close_panel(app);
	dialog_move_leaf(app->dialog, sent->leaf);
	while (tree_n(app->dialog->tree) > sent->n_nodes)
		tree_drop_last(app->dialog->tree);
	if (chat_view_sync(app->view)) /* before another message gets the number */
		app_message(app, STYLE_ERROR, "not enough memory");
	app->front->new_chat(app, true);
	app->chat->note[0] = '\0'; /* it stood behind the message */
	app->dialog->store.n_stored = sent->n_stored;
	app->dialog->store.recorded = sent->recorded;
	if (app->dialog->store.n_copied > tree_n(app->dialog->tree))
		app->dialog->store.n_copied = tree_n(app->dialog->tree);
	if (app->dialog->journal)
		check_saved(app);
	app_draft_save(app);
	return true;
}

/* To where it was typed: as an edit again, or before what waits to be sent. */
static bool to_line(struct app *app, const struct node *node, uint32_t edited)
{
	if (edited)
		return !app->dialog->queue.n && input_line_is_empty() && app_edit_as(app, node, edited);
	if (!app_queue_put_first(app, node))
		return false;
	app_queue_to_line(app);
	return true;
}

/* On the disk as a draft, before it goes as a message: under the name that the draft will have. */
static bool is_kept(struct app *app, const struct dialog_sent *sent)
{
	const bool recorded = app->dialog->store.recorded;
	bool is_saved;

	app->dialog->store.recorded = sent->recorded;
	is_saved = app_draft_save(app);
	app->dialog->store.recorded = recorded;
	return is_saved || journal_is_unsaved(app->dialog->journal);
}

bool app_give_back(struct app *app, bool too_long)
{
	const struct dialog_sent sent = app->dialog->turn.sent;
	const struct node *leaf = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));
	const bool is_sent = leaf && leaf->id == sent.message;

	app->dialog->turn.sent.message = 0;
	if (!leaf || app->dialog->edited || (!is_sent && !(too_long && leaf->role == ROLE_USER)) ||
	    !to_line(app, leaf, is_sent ? sent.edited : 0))
		return false;
	if (is_sent && (!app->dialog->journal || is_kept(app, &sent)) && app_take_back(app, &sent))
		return true;
	/* It stays in the chat, as one that is no longer sent. */
	app_unpick(app);
	dialog_move_leaf(app->dialog, is_sent ? sent.leaf : leaf->parent);
	dialog_store_leaf(app->dialog);
	app_draft_save(app);
	return true;
}
