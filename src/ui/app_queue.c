/* Messages that wait for the reply to end, above the input line; what is not sent goes back into that. */
#include "ui/app_queue.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "dialog/dialog.h"
#include "line/input_line.h"
#include "ui/app_files.h"
#include "ui/keymap.h"
#include "ui/tell.h"
#include "ui/typed.h"
#include "view/status.h"

bool app_queue_took(struct app *app, enum queue_answer answer)
{
	if (answer == QUEUE_IS_FULL)
		app_message(app, STYLE_WARNING, "%d messages are queued already; %s stops the reply",
		            QUEUE_MAX, app_key(app, "escape"));
	else if (answer == QUEUE_IS_TOO_LONG)
		app_message(app, STYLE_WARNING, "queued messages may hold at most %zu MiB in all",
		            LIMIT_MESSAGE >> 20);
	return answer == QUEUE_TAKEN;
}

void app_queue_to_line(struct app *app)
{
	struct dialog *dialog = app->dialog;
	struct attached files;
	struct buf words = {.max = LIMIT_MESSAGE};

	app_queue_edit_keep(app);
	if (dialog->queue.n == 0)
		return;
	attached_init(&files);
	if (!dialog_queue_join(dialog, &words, &files) &&
	    !attached_add_all(&files, &dialog->files.given.list, buf_text(&dialog->files.given.text), NULL) &&
	    typed_prepend(buf_text(&words), words.len)) {
		dialog_files_give(&dialog->files, &files);
		dialog_queue_clear(dialog);
	} else {
		app_message(app, STYLE_ERROR, "the queued messages do not all fit in the line; %s brings back one",
		            app_key(app, "take-back"));
	}
	attached_free(&files);
	buf_free(&words);
}

/* The ones around the edited one, or else the first. */
static size_t first_drawn(size_t edited, size_t rows)
{
	return edited > rows ? edited - rows : 0;
}

static void write_edit_keys(const struct app *app, int cols, char *keys, size_t max)
{
	const char *escape = keymap_key_of(app->keys, "escape");

	snprintf(keys, max, "Enter keeps%s%s%s%s", escape ? ", " : "", escape ? escape : "",
	         escape ? " cancels" : "", cols >= 100 ? ", an empty line removes" : "");
}

void app_queue_draw(const struct app *app, int y, int rows, int cols)
{
	const struct dialog_queue *queue = &app->dialog->queue;
	size_t edited = app->dialog->edit.queued, n_more = queue->n - (size_t)rows;
	size_t first = first_drawn(edited, (size_t)rows);
	const char *key = keymap_key_of(app->keys, "take-back");

	for (int i = 0; i < rows; i++) {
		size_t index = first + (size_t)i;
		const struct outgoing *message = &queue->items[index];
		bool is_edited = edited == index + 1;
		char keys[128] = "", label[32] = "queued:";

		if (is_edited) {
			snprintf(label, sizeof label, "editing %zu of %zu:", index + 1, queue->n);
			write_edit_keys(app, cols, keys, sizeof keys);
		} else if (i + 1 == rows && !edited) {
			if (n_more)
				snprintf(keys, sizeof keys, "and %zu more%s", n_more, key ? ", " : "");
			if (key)
				snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s edits", key);
		}
		status_draw_note(stdscr, y + i, cols, label, message->text, outgoing_words(message), keys);
	}
}

/* ---- one of them in the line: Up goes to it, and to those before it; Enter puts it back in its place,
 * emptying the line removes it ---- */

/* Puts it into the line, instead of what is there. */
static bool show(struct app *app, size_t number)
{
	const struct outgoing *message = &app->dialog->queue.items[number - 1];
	struct error err;
	bool done = !typed_set(message->text, outgoing_words(message), &err) &&
	            !dialog_edit_queued(app->dialog, number, &err);

	if (done)
		app_files_tell_edited(app);
	else
		app_message(app, STYLE_ERROR, "the queued message does not fit in the input line");
	return done;
}

static bool is_changed(struct app *app)
{
	const struct outgoing *message = dialog_queue_edited(app->dialog);

	return !typed_is(message->text, outgoing_words(message));
}

bool app_queue_edit(struct app *app, int by)
{
	(void)by;
	if (!app->dialog->queue.n || dialog_is_editing(app->dialog) || !input_line_is_empty())
		return false;
	return show(app, app->dialog->queue.n);
}

bool app_queue_key(struct app *app, struct key key)
{
	size_t number = app->dialog->edit.queued;
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

void app_queue_edit_leave(struct app *app)
{
	typed_leave(is_changed(app));
	dialog_edit_end(app->dialog);
}

void app_queue_remove(struct app *app)
{
	dialog_queue_remove(app->dialog, app->dialog->edit.queued - 1);
	app_message(app, STYLE_STATUS, "removed from the queue");
}

void app_queue_edit_keep(struct app *app)
{
	struct outgoing message = {.text = NULL};
	size_t len;
	const char *line = typed_message(&len);
	bool is_kept;

	if (!app->dialog->edit.queued)
		return;
	is_kept = !len || (app_files_join(app, line, len, &message) &&
	                    app_queue_took(app, dialog_queue_replace(app->dialog, &message)));
	outgoing_free(&message);
	if (is_kept) {
		input_line_clear();
		dialog_edit_end(app->dialog);
	} else {
		dialog_edit_to_new(app->dialog);
	}
}
