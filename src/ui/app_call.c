/* A line that was entered: a command is run, a message sent. */
#include "ui/app_call.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "dialog/dialog.h"
#include "line/input_line.h"
#include "line/line_history.h"
#include "ui/app_files.h"
#include "ui/app_panel.h"
#include "ui/app_queue.h"
#include "ui/app_send.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/tell.h"

/* Whether it has to wait until nothing runs. This includes an edited message, which is not queued,
 * since by then another branch may be on the screen. */
static bool needs_idle(const struct app *app, const struct command_call *call)
{
	if (!call->command)
		return app->dialog->edited;
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
		return app_send(app, call->argument, call->argument_len);
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

void app_on_submit(void *context, const char *line)
{
	struct app *app = context;
	struct command_call call;
	struct error err;
	size_t len = strlen(line), blank = strspn(line, " \t\n");
	uint32_t edited = app->dialog->edited;
	bool done = false, was_queued = app->dialog->queue.edited > 0;

	if (answers(app, blank == len ? "" : line))
		return;
	if (blank == len) {
		if (app->dialog->files.given.list.n)
			app_message(app, STYLE_STATUS, "write a message to go with the file, then press Enter");
		return;
	}
	app_mentions_update_for(app, line, len);
	if (parse(app, line, &call)) {
		if (call.command) {
			chat_view_to_bottom(app->view); /* where the answer appears */
			app->dialog->edited = 0; /* a command ends the editing */
			app->dialog->queue.edited = 0;
		}
		app->is_typed = !call.command && !app_is_busy(app);
		done = call_it(app, &call);
		if (done && !call.command && !app->front->is_screen && app->dialog->queue.n)
			app_message(app, STYLE_STATUS, "queued: it is sent when the reply is done; Ctrl+C stops the reply");
		if (!done)
			app->dialog->edited = edited;
		if (was_queued && call.command) {
			app_queue_edit_end(app);
			app_send_waiting(app);
		}
	}
	if (!done)
		bring_back(app, line, len);
	if (!done && !command_is(line, len))
		return;
	/* Up brings it back nevertheless. */
	if (line_history_add(line, app->config->ui->save, &err) && reason_is_news(app->told->history, &err))
		app_message(app, STYLE_WARNING, "the history of your lines is not being saved: %s", err.text);
}
