/* Messages that wait for the reply to end, above the input line; what is not sent goes back into that. */
#include "ui/app_queue.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "dialog/dialog.h"
#include "ui/app_queue_edit.h"
#include "ui/keymap.h"
#include "ui/state.h"
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
	struct buf words;

	app_queue_edit_keep(app);
	if (dialog->queue.n == 0)
		return;
	buf_init(&words, LIMIT_MESSAGE);
	attached_init(&files);
	if (!dialog_queue_join(&dialog->queue, &words, &files) &&
	    !attached_add_all(&files, &dialog->files.given.list, buf_text(&dialog->files.given.text), NULL) &&
	    typed_prepend(buf_text(&words), words.len)) {
		dialog_files_give(&dialog->files, &files);
		dialog_queue_clear(&dialog->queue);
	} else {
		app_message(app, STYLE_ERROR, "the queued messages do not all fit in the line; %s brings back one",
		            app_key(app, "take-back"));
	}
	attached_free(&files);
	buf_free(&words);
}

/* The ones around the edited one, or else the first. */
static size_t first_drawn(const struct dialog_queue *queue, size_t rows)
{
	return queue->edited > rows ? queue->edited - rows : 0;
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
	size_t first = first_drawn(queue, (size_t)rows), n_more = queue->n - (size_t)rows;
	const char *key = keymap_key_of(app->keys, "take-back");

	for (int i = 0; i < rows; i++) {
		size_t index = first + (size_t)i;
		const struct outgoing *message = &queue->items[index];
		bool is_edited = queue->edited == index + 1;
		char keys[128] = "", label[32] = "queued:";

		if (is_edited) {
			snprintf(label, sizeof label, "editing %zu of %zu:", index + 1, queue->n);
			write_edit_keys(app, cols, keys, sizeof keys);
		} else if (i + 1 == rows && !queue->edited) {
			if (n_more)
				snprintf(keys, sizeof keys, "and %zu more%s", n_more, key ? ", " : "");
			if (key)
				snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s edits", key);
		}
		status_draw_note(stdscr, y + i, cols, label, message->text, outgoing_words(message), keys);
	}
}
