/* A queued message in the input line: Up goes to it, and to those before it; Enter puts it back in its
 * place, emptying the line removes it. */
#include "ui/app_queue_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "dialog/dialog.h"
#include "dialog/files.h"
#include "dialog/outgoing.h"
#include "dialog/queue.h"
#include "line/input_line.h"
#include "line/line_history.h"
#include "ui/app_files.h"
#include "ui/app_send.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "ui/typed.h"

static struct outgoing *edited(struct app *app)
{
	return app->dialog->queue.edited ? &app->dialog->queue.items[app->dialog->queue.edited - 1] : NULL;
}

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
	const struct outgoing *message = edited(app);
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
	app_files_settle(app);
	if (!app_is_busy(app) && app->phase != PHASE_NO_MODEL) /* it waited for this */
		app_send_queued(app);
}

void app_queue_edit_leave(struct app *app)
{
	size_t len;
	const char *line = input_line_text(&len);
	char *text = edited(app) && is_changed(app) ? alloc_strndup(line, len) : NULL;
	struct error err;

	/* Esc must not destroy what was typed: the history has it. */
	if (text && line_history_add(text, false, &err))
		app_message(app, STYLE_WARNING, "%s", err.text);
	free(text);
	input_line_clear();
	app_queue_edit_end(app);
}

bool app_queue_replace(struct app *app, struct outgoing *message)
{
	struct outgoing *old = edited(app);
	size_t bytes = message->len;

	for (size_t i = 0; i < app->dialog->queue.n; i++)
		bytes += &app->dialog->queue.items[i] == old ? 1 : app->dialog->queue.items[i].len + 1;
	if (bytes > LIMIT_MESSAGE - 1) {
		app_message(app, STYLE_WARNING, "queued messages may hold at most %zu MiB in all", LIMIT_MESSAGE >> 20);
		return false;
	}
	outgoing_free(old);
	*old = *message;
	*message = (struct outgoing){.text = NULL};
	return true;
}

void app_queue_remove(struct app *app)
{
	struct dialog_queue *queue = &app->dialog->queue;
	size_t index = queue->edited - 1;

	outgoing_free(&queue->items[index]);
	queue->n--;
	memmove(queue->items + index, queue->items + index + 1, (queue->n - index) * sizeof *queue->items);
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
	is_kept = !len || (app_files_join(app, line, len, &message) && app_queue_replace(app, &message));
	outgoing_free(&message);
	app->dialog->queue.edited = 0;
	if (is_kept) {
		input_line_clear();
		app_files_settle(app);
	} else {
		app_files_keep_edited(app);
	}
}
