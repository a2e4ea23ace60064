/* A message whose reply never began, because it is too long or the model cannot take it: it goes back to
 * where it was typed, and leaves nothing in the chat, its file and its title. */
#include "ui/app_refused.h"

#include "dialog/dialog.h"
#include "dialog/leaf.h"
#include "line/input_line.h"
#include "ui/app_draft.h"
#include "ui/app_edit.h"
#include "ui/app_find.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/app_queue.h"
#include "ui/facts.h"
#include "ui/front.h"
#include "ui/state.h"
#include "ui/tell.h"

/* The message is gone: nothing on the screen may be about it. */
static void taken_back(struct app *app)
{
	app_find_end(app);
	app_unpick(app);
	if (app->panel && app->panel_use->flags & PANEL_HAS_MESSAGES)
		app_close_panel(app);
	if (chat_view_sync(app->view)) /* before another message gets the number */
		app_message(app, STYLE_ERROR, "not enough memory");
	app->front->new_chat(app, true);
	app->chat->note[0] = '\0'; /* it stood behind the message */
	app_tell_facts(app);
	app_draft_save(app);
}

bool app_take_back(struct app *app)
{
	if (!dialog_not_asked(app->dialog))
		return false;
	taken_back(app);
	return true;
}

/* To where it was typed: as an edit again, or before what waits to be sent. */
static bool to_line(struct app *app, const struct node *node, uint32_t edited)
{
	if (edited)
		return !app->dialog->queue.n && input_line_is_empty() && app_edit_as(app, node, edited);
	if (!dialog_queue_put_first(&app->dialog->queue, node))
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
	struct dialog_sent sent;
	const struct node *message = dialog_refused(app->dialog, too_long, &sent);

	if (!message || !to_line(app, message, sent.edited))
		return false;
	if (sent.message && (!app->dialog->journal || is_kept(app, &sent)) && dialog_take_back(app->dialog, &sent)) {
		taken_back(app);
		return true;
	}
	/* It stays in the chat, as one that is no longer sent. */
	app_unpick(app);
	dialog_move_leaf(app->dialog, sent.leaf);
	dialog_store_leaf(app->dialog);
	app_tell_facts(app);
	app_draft_save(app);
	return true;
}
