/* The message is in the chat: now its reply. False: it was refused at once, and is back where it was. */
#include "ui/app_send.h"

#include "dialog/dialog.h"
#include "ui/app_ask.h"
#include "ui/app_draft.h"
#include "ui/app_edit.h"
#include "ui/app_files.h"
#include "ui/app_pick.h"
#include "ui/app_queue.h"
#include "ui/app_refused.h"
#include "ui/facts.h"
#include "ui/state.h"
#include "ui/tell.h"

static bool ask(struct app *app)
{
	bool stays = true;
	struct error err;

	app_unpick(app);
	if (app_ask(app, &err)) {
		stays = !app_take_back(app);
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
