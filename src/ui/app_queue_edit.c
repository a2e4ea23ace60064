/* A queued message in the input line: Up goes to it, and to those before it; Enter puts it back in its
 * place, emptying the line removes it. */
#include "ui/app_queue_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "dialog/dialog.h"
#include "line/input_line.h"
#include "line/line_history.h"
#include "ui/app_files.h"
#include "ui/app_queue.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "ui/typed.h"

/* Puts it into the line, instead of what is there. */
static bool show(struct app *app, size_t number)
{
	const struct outgoing *message = &app->dialog->queue.items[number - 1];
	struct error err;
	struct buf text;
	bool done;

	buf_init(&text, LIMIT_MESSAGE + 1);
	typed_put(&text, message->text, outgoing_words(message));
	done = !buf_status(&text) && !input_line_set(buf_text(&text), text.len, &err) &&
	       app_files_edit(app, FILES_OF_QUEUED, message->text, &message->files);
	buf_free(&text);
	if (done)
		app->dialog->queue.edited = number;
	else
		app_message(app, STYLE_ERROR, "the queued message does not fit in the input line");
	return done;
}

static bool is_changed(struct app *app)
{
	const struct outgoing *message = dialog_queue_edited(&app->dialog->queue);
	size_t len, words = outgoing_words(message);
	const char *line = typed_message(&len);

	return len != words || memcmp(line, message->text, len) != 0;
}

bool app_queue_edit(struct app *app)
{
	if (!app->dialog->queue.n || app->dialog->queue.edited || app->dialog->edited || !input_line_is_empty())
		return false;
	return show(app, app->dialog->queue.n);
}

bool app_queue_key(struct app *app, struct key key)
{
	size_t number = app->dialog->queue.edited;
	bool up = key_is(key, K_UP, 0);

	if (!number || (!up && !key_is(key, K_DOWN, 0)) || is_changed(app) || !input_line_is_at_end()) /* or the caret was moved */
		return false;
	if (up && number > 1)
		show(app, number - 1);
	else if (!up && number < app->dialog->queue.n)
		show(app, number + 1);
	else if (!up)
		app_queue_edit_leave(app);
	return true;
}

void app_queue_edit_end(struct app *app)
{
	app->dialog->queue.edited = 0;
	dialog_files_settle(app->dialog);
}

void app_queue_edit_leave(struct app *app)
{
	size_t len;
	const char *line = input_line_text(&len);
	char *text = app->dialog->queue.edited && is_changed(app) ? alloc_strndup(line, len) : NULL;
	struct error err;

	/* Esc must not destroy what was typed: the history has it. */
	if (text && line_history_add(text, false, &err))
		app_message(app, STYLE_WARNING, "%s", err.text);
	free(text);
	input_line_clear();
	app_queue_edit_end(app);
}

void app_queue_remove(struct app *app)
{
	dialog_queue_remove(&app->dialog->queue, app->dialog->queue.edited - 1);
	app_message(app, STYLE_STATUS, "removed from the queue");
	app_queue_edit_end(app);
}

void app_queue_edit_keep(struct app *app)
{
	struct outgoing message = {.text = NULL};
	size_t len;
	const char *line = typed_message(&len);
	bool is_kept;

	if (!app->dialog->queue.edited)
		return;
	is_kept = !len || (app_files_join(app, line, len, &message) &&
	                    app_queue_took(app, dialog_queue_replace(&app->dialog->queue, &message)));
	outgoing_free(&message);
	app->dialog->queue.edited = 0;
	if (is_kept) {
		input_line_clear();
		dialog_files_settle(app->dialog);
	} else {
		dialog_files_keep_edited(&app->dialog->files);
	}
}
