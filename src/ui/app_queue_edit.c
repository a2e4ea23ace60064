/* A queued message in the input line: Up goes to it, and to those before it; Enter puts it back in its
 * place, emptying the line removes it. */
#include "ui/app_queue_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "line/input_line.h"
#include "line/line_history.h"
#include "ui/app_files.h"
#include "ui/app_queue.h"
#include "ui/app_store.h"
#include "ui/app_turn.h"
#include "ui/state.h"
#include "ui/tell.h"

static struct app_outgoing *edited(struct app *app)
{
	return app->queue->edited ? &app->queue->items[app->queue->edited - 1] : NULL;
}

/* Puts it into the line, instead of what is there. */
static bool show(struct app *app, size_t number)
{
	const struct app_outgoing *message = &app->queue->items[number - 1];
	struct error err;
	struct buf text;
	bool done;

	buf_init(&text, LIMIT_MESSAGE + 1);
	app_message_to_line(&text, message->text, app_outgoing_words(message));
	done = !buf_status(&text) && !input_line_set(buf_text(&text), text.len, &err) &&
	       app_files_edit(app, APP_FILES_OF_QUEUED, message->text, &message->files);
	buf_free(&text);
	if (done)
		app->queue->edited = number;
	else
		app_message(app, STYLE_ERROR, "the queued message does not fit in the input line");
	return done;
}

static bool is_changed(struct app *app)
{
	const struct app_outgoing *message = edited(app);
	size_t len, words = app_outgoing_words(message);
	const char *line = app_line_as_message(&len);

	return len != words || memcmp(line, message->text, len) != 0;
}

bool app_queue_edit(struct app *app)
{
	if (!app->queue->n || app->queue->edited || app->chat->edited || !input_line_is_empty())
		return false;
	return show(app, app->queue->n);
}

bool app_queue_key(struct app *app, struct key key)
{
	size_t number = app->queue->edited;
	bool up = key_is(key, K_UP, 0);

	if (!number || (!up && !key_is(key, K_DOWN, 0)) || is_changed(app) || !input_line_is_at_end()) /* or the caret was moved */
		return false;
	if (up && number > 1)
		show(app, number - 1);
	else if (!up && number < app->queue->n)
		show(app, number + 1);
	else if (!up)
		app_queue_edit_leave(app);
	return true;
}

void app_queue_edit_end(struct app *app)
{
	app->queue->edited = 0;
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

bool app_queue_replace(struct app *app, struct app_outgoing *message)
{
	struct app_outgoing *old = edited(app);
	size_t bytes = message->len;

	for (size_t i = 0; i < app->queue->n; i++)
		bytes += &app->queue->items[i] == old ? 1 : app->queue->items[i].len + 1;
	if (bytes > LIMIT_MESSAGE - 1) {
		app_message(app, STYLE_WARNING, "queued messages may hold at most %zu MiB in all", LIMIT_MESSAGE >> 20);
		return false;
	}
	app_outgoing_free(old);
	*old = *message;
	*message = (struct app_outgoing){.text = NULL};
	return true;
}

void app_queue_remove(struct app *app)
{
	struct app_queue *queue = app->queue;
	size_t index = queue->edited - 1;

	app_outgoing_free(&queue->items[index]);
	queue->n--;
	memmove(queue->items + index, queue->items + index + 1, (queue->n - index) * sizeof *queue->items);
	app_message(app, STYLE_STATUS, "removed from the queue");
	app_queue_edit_end(app);
}

void app_queue_edit_keep(struct app *app)
{
	struct app_outgoing message = {.text = NULL};
	size_t len;
	const char *line = app_line_as_message(&len);
	bool is_kept;

	if (!app->queue->edited)
		return;
	is_kept = !len || (app_files_join(app, line, len, &message) && app_queue_replace(app, &message));
	app_outgoing_free(&message);
	app->queue->edited = 0;
	if (is_kept) {
		input_line_clear();
		app_files_settle(app);
	} else {
		app_files_keep_edited(app);
	}
}
