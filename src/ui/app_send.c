/* Sending what was typed, or what waits. A message whose reply never began, because it is too long
 * or the model cannot take it, goes back to where it was typed, and leaves nothing in the chat, its
 * file and its title. */
#include "ui/app_send.h"

#include "dialog/dialog.h"
#include "dialog/leaf.h"
#include "line/input_line.h"
#include "ui/app_draft.h"
#include "ui/app_edit.h"
#include "ui/app_files.h"
#include "ui/app_find.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/app_queue.h"
#include "ui/app_reply.h"
#include "ui/front.h"
#include "ui/tell.h"

/* ---- a message whose reply never began ---- */

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

static bool take_back(struct app *app)
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

/* ---- sending ---- */

/* The message is in the chat: now its reply. False: it was refused at once, and is back where it was. */
static bool ask(struct app *app)
{
	bool stays = true;
	struct error err;

	app_unpick(app);
	if (app_ask(app, &err)) {
		stays = !take_back(app);
		app_error(app, &err);
	}
	return stays;
}

/* What came of sending it, on the disk and on the screen. */
static bool is_sent(struct app *app, enum status status, const struct error *err)
{
	app_tell_facts(app);
	if (status)
		app_error(app, err);
	else
		chat_view_to_bottom(app->view);
	return !status;
}

static bool send_now(struct app *app, const struct outgoing *message)
{
	struct error err;

	return is_sent(app, dialog_send(app->dialog, message, &err), &err) && ask(app);
}

/* In the place of the message being edited. */
static bool send_edited(struct app *app, const struct outgoing *message)
{
	struct error err;
	bool asks;

	if (!is_sent(app, dialog_send_edited(app->dialog, message, &asks, &err), &err) || (asks && !ask(app)))
		return false;
	if (!asks)
		app_tell_summary(app, message->len);
	app->dialog->edited = 0;
	return true;
}

void app_send_queued(struct app *app)
{
	if (app->dialog->queue.n == 0 || app->dialog->queue.edited == 1) /* it waits until it has been edited */
		return;
	if (send_now(app, &app->dialog->queue.items[0]))
		dialog_queue_remove(&app->dialog->queue, 0);
	app_draft_save(app);
	if (!app_is_busy(app))
		app_queue_to_line(app);
}

void app_send_waiting(struct app *app)
{
	if (!app_is_busy(app) && app->phase != PHASE_NO_MODEL)
		app_send_queued(app);
}

bool app_send(struct app *app, const char *text, size_t len)
{
	struct outgoing message;
	bool done;

	if (app_mentions_refuse(app, text, len) || !app_files_have_room(app) ||
	    (!app_is_busy(app) && app_refuse_without_model(app)) ||
	    !app_files_join(app, text, len, &message))
		return false;
	if (app->dialog->queue.edited)
		done = app_queue_took(app, dialog_queue_replace(&app->dialog->queue, &message));
	else if (app_is_busy(app))
		done = app_queue_took(app, dialog_queue_add(&app->dialog->queue, &message));
	else if (app->dialog->edited)
		done = send_edited(app, &message);
	else
		done = send_now(app, &message);
	if (done)
		dialog_files_clear(&app->dialog->files);
	if (done && app->dialog->queue.edited) {
		app_queue_edit_end(app);
		app_send_waiting(app);
	}
	dialog_files_settle(app->dialog);
	if (done)
		app_draft_save(app); /* it is in the chat, or in the queue */
	outgoing_free(&message);
	return done;
}
