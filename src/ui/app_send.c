/* A line that was entered: a command is run, a message sent. A message whose reply never began,
 * because it is too long or the model cannot take it, goes back to where it was typed, and leaves
 * nothing in the chat, its file and its title. */
#include "ui/app_send.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "dialog/dialog.h"
#include "dialog/leaf.h"
#include "line/input_line.h"
#include "line/line_history.h"
#include "ui/app_draft.h"
#include "ui/app_edit.h"
#include "ui/app_files.h"
#include "ui/app_find.h"
#include "ui/app_offer.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/app_queue.h"
#include "ui/app_reply.h"
#include "ui/command.h"
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
	app_draft_save(app, NULL);
}

/* Takes the message that was not asked about out of the chat and its file, as if it had not been
 * sent. False: it stays. */
static bool take_back(struct app *app)
{
	if (!dialog_turn_cannot_run(app->dialog))
		return false;
	taken_back(app);
	return true;
}

/* To where it was typed: as an edit again, or before what waits to be sent. */
static bool to_line(struct app *app, const struct node *node, uint32_t edited)
{
	if (edited)
		return !app->dialog->queue.n && input_line_is_empty() && app_edit_as(app, node, edited);
	if (!dialog_queue_put_first(app->dialog, node))
		return false;
	app_queue_to_line(app);
	return true;
}

bool app_give_back(struct app *app, bool too_long)
{
	struct dialog_sent sent;
	const struct node *message = dialog_refused(app->dialog, too_long, &sent);

	if (!message || !to_line(app, message, sent.edited))
		return false;
	if (sent.message && app_draft_save(app, &sent) && dialog_take_back(app->dialog, &sent)) {
		taken_back(app);
		return true;
	}
	/* It stays in the chat, as one that is no longer sent. */
	app_unpick(app);
	dialog_move_leaf(app->dialog, sent.leaf);
	dialog_store_leaf(app->dialog);
	app_tell_facts(app);
	app_draft_save(app, NULL);
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
	return true;
}

void app_send_queued(struct app *app)
{
	if (app->dialog->queue.n == 0 || app->dialog->edit.queued == 1) /* it waits until it has been edited */
		return;
	if (send_now(app, &app->dialog->queue.items[0]))
		dialog_queue_remove(app->dialog, 0);
	app_draft_save(app, NULL);
	if (!app_is_busy(app))
		app_queue_to_line(app);
}

void app_send_waiting(struct app *app)
{
	if (app->phase == PHASE_READY)
		app_send_queued(app);
}

/* A message from the user; it replaces the one being edited, and is queued while a reply runs.
 * False: it stays in the line. */
static bool send_message(struct app *app, const char *text, size_t len)
{
	struct dialog *dialog = app->dialog;
	const bool was_queued = dialog->edit.queued;
	struct outgoing message;
	bool done;

	if (app_mentions_refuse(app, text, len) || !app_files_have_room(app) ||
	    (!app_is_busy(app) && app_refuse_without_model(app)) ||
	    !app_files_join(app, text, len, &message))
		return false;
	if (was_queued)
		done = app_queue_took(app, dialog_queue_replace(dialog, &message));
	else if (app_is_busy(app))
		done = app_queue_took(app, dialog_queue_add(dialog, &message));
	else if (dialog->edit.message)
		done = send_edited(app, &message);
	else
		done = send_now(app, &message);
	if (done) { /* it is in the chat, or in the queue */
		dialog_files_clear(&dialog->files);
		dialog_edit_end(dialog);
		if (was_queued)
			app_send_waiting(app);
		app_draft_save(app, NULL);
	}
	outgoing_free(&message);
	return done;
}

/* ---- a line that was entered ---- */

/* Whether it has to wait until nothing runs. This includes an edited message, which is not queued,
 * since by then another branch may be on the screen. */
static bool needs_idle(const struct app *app, const struct command_call *call)
{
	if (!call->command)
		return app->dialog->edit.message;
	return call->command->flags & COMMAND_NEEDS_IDLE ||
	       (call->command->flags & COMMAND_ARGUMENT_NEEDS_IDLE &&
	        (call->argument_len || call->quoted));
}

static bool call_it(struct app *app, const struct command_call *call)
{
	struct command_call whole = *call;
	char *argument;
	bool done;

	if (needs_idle(app, call) && app_refuse_while_busy(app))
		return false;
	chat_view_drop_notices(app->view, NOTICE_UNTIL_COMMAND);
	if (!call->command)
		log_line(app->config->log, LOG_UI, "a message of %zu bytes is entered", call->argument_len);
	if (!call->command)
		return send_message(app, call->argument, call->argument_len);
	if (!app->front->is_screen && call->command->flags & COMMAND_NEEDS_SCREEN) {
		app_message(app, STYLE_WARNING, "/%s works only on the full screen; here the terminal does that",
		            call->command->name);
		return true;
	}
	argument = alloc_strndup(call->argument_len ? call->argument : "", call->argument_len);
	if (!argument) {
		app_message(app, STYLE_ERROR, "not enough memory");
		return false;
	}
	whole.argument = argument;
	log_line(app->config->log, LOG_UI, "/%s%s", call->command->name, call->argument_len ? " with an argument" : "");
	done = call->command->run(app, &whole);
	free(argument);
	return done;
}

static bool parse(struct app *app, const char *line, struct command_call *call)
{
	struct error err;

	return app_went_well(app, command_parse(app->commands, app->config->settings, line,
	                                        strlen(line), call, &err), &err);
}

void app_call_line(struct app *app, const char *line)
{
	struct command_call call;

	if (parse(app, line, &call))
		call_it(app, &call);
}

/* What was refused. A command is selected, so that the next one does not become a part of it; in lines
 * it stands above, and Up brings it back as in a shell. */
static void bring_back(struct app *app, const char *line, size_t len)
{
	bool is_command = command_is(line, len);
	struct error err;

	if (is_command && !app->front->is_screen)
		return;
	if (app_went_well(app, input_line_set(line, len, &err), &err) && is_command)
		input_line_select();
}

/* Whether a line in lines is an answer to the panel that was shown last, and what it answers. A
 * message or command that only looks like one would be lost, so commands are none. */
static bool answers(struct app *app, const char *line)
{
	if (app->front->is_screen || !app->panel)
		return false;
	if (line[0] == '/') {
		app_close_panel(app);
		return false;
	}
	app->front->new_panel(app);
	app_panel_answered(app, app->panel->ops->answer(app->panel, line));
	return true;
}

/* A command ends the editing before it runs; if it fails, a message of the chat is edited on. False: the line was
 * refused. */
static bool enter(struct app *app, const struct command_call *call)
{
	const bool was_queued = call->command && app->dialog->edit.queued;
	struct dialog_edit_paused paused;
	bool done;

	app->is_typed = !call->command && !app_is_busy(app);
	if (call->command) {
		chat_view_to_bottom(app->view); /* where the answer appears */
		dialog_edit_pause(app->dialog, &paused);
	}
	done = call_it(app, call);
	if (call->command)
		dialog_edit_resume(app->dialog, &paused, !done);
	if (done && !call->command && !app->front->is_screen && app->dialog->queue.n)
		app_message(app, STYLE_STATUS, "queued: it is sent when the reply is done; Ctrl+C stops the reply");
	if (was_queued)
		app_send_waiting(app);
	return done;
}

void app_on_submit(void *context, const char *line)
{
	struct app *app = context;
	struct command_call call;
	struct error err;
	size_t len = strlen(line), blank = strspn(line, " \t\n");
	bool done;

	if (answers(app, blank == len ? "" : line))
		return;
	if (blank == len) {
		if (app->dialog->files.given.list.n)
			app_message(app, STYLE_STATUS, "write a message to go with the file, then press Enter");
		else
			app_offer_take(app);
		return;
	}
	app_mentions_update_for(app, line, len);
	done = parse(app, line, &call) && enter(app, &call);
	if (!done)
		bring_back(app, line, len);
	if (!done && !command_is(line, len))
		return;
	/* Up brings it back nevertheless. */
	if (line_history_add(line, app->config->ui->save, &err) && reason_is_news(app->told->history, &err))
		app_message(app, STYLE_WARNING, "the history of your lines is not being saved: %s", err.text);
}
