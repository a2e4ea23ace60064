/* Messages written while a reply runs: they are sent one after the other when it has ended. What is
 * not sent goes back to the input line, or is kept as the chat's draft. */
#include "ui/app_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "chat/attachment.h"
#include "chat/tree.h"
#include "dialog/dialog.h"
#include "dialog/outgoing.h"
#include "dialog/queue.h"
#include "dialog/store.h"
#include "terminal/cells.h"
#include "ui/app_files.h"
#include "ui/app_queue_edit.h"
#include "ui/keymap.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "ui/typed.h"
#include "view/status.h"

/* All of them together always fit into the input line. */
static size_t queue_bytes(const struct dialog_queue *queue)
{
	size_t bytes = 0;

	for (size_t i = 0; i < queue->n; i++)
		bytes += queue->items[i].len + 1;
	return bytes;
}

bool app_queue_add(struct app *app, struct outgoing *message)
{
	struct dialog_queue *queue = &app->dialog->queue;

	if (queue->n == QUEUE_MAX) {
		app_message(app, STYLE_WARNING, "%d messages are queued already; %s stops the reply",
		            QUEUE_MAX, app_key(app, "escape"));
		return false;
	}
	if (message->len + 1 > LIMIT_MESSAGE - 1 - queue_bytes(queue)) {
		app_message(app, STYLE_WARNING, "queued messages may hold at most %zu MiB in all",
		            LIMIT_MESSAGE >> 20);
		return false;
	}
	queue->items[queue->n++] = *message;
	*message = (struct outgoing){.text = NULL};
	return true;
}

bool app_queue_put_first(struct app *app, const struct node *node)
{
	struct dialog_queue *queue = &app->dialog->queue;
	struct outgoing message = {.len = node->len};

	if (queue->n == QUEUE_MAX || message.len + 1 > LIMIT_MESSAGE - 1 - queue_bytes(queue))
		return false;
	message.text = alloc_strndup(node->text, node->len);
	if (!message.text || attachments_copy(&message.files, &node->attachments)) {
		outgoing_free(&message);
		return false;
	}
	memmove(queue->items + 1, queue->items, queue->n * sizeof *queue->items);
	queue->items[0] = message;
	queue->n++;
	queue->edited += queue->edited > 0;
	return true;
}

void app_queue_drop_first(struct app *app)
{
	struct dialog_queue *queue = &app->dialog->queue;

	outgoing_free(&queue->items[0]);
	queue->n--;
	queue->edited -= queue->edited > 0;
	memmove(queue->items, queue->items + 1, queue->n * sizeof *queue->items);
}

enum status app_queue_join(const struct app *app, struct buf *words, struct attached *files)
{
	const struct dialog_queue *queue = &app->dialog->queue;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < queue->n && !status; i++) {
		const struct outgoing *message = &queue->items[i];

		if (i + 1 == queue->edited)
			continue;
		if (words->len)
			buf_putc(words, '\n');
		buf_append(words, message->text, outgoing_words(message));
		status = attached_add_all(files, &message->files, message->text, NULL);
	}
	return status ? status : buf_status(words);
}

void app_queue_to_line(struct app *app)
{
	struct attached files;
	struct buf words;

	app_queue_edit_keep(app);
	if (app->dialog->queue.n == 0)
		return;
	buf_init(&words, LIMIT_MESSAGE);
	attached_init(&files);
	if (!app_queue_join(app, &words, &files) &&
	    !attached_add_all(&files, &app->dialog->files.given.list, buf_text(&app->dialog->files.given.text), NULL) &&
	    typed_prepend(buf_text(&words), words.len)) {
		app_files_give(app, &files);
		dialog_queue_clear(&app->dialog->queue);
	} else {
		app_message(app, STYLE_ERROR, "the queued messages do not all fit in the line; %s brings back one",
		            app_key(app, "take-back"));
	}
	attached_free(&files);
	buf_free(&words);
}

void app_queue_keep(struct app *app)
{
	const struct attached *given;
	struct outgoing draft = {.text = NULL};
	struct attached files;
	struct buf words, text;
	size_t line_len;
	const char *line;

	app_queue_edit_keep(app);
	given = app->dialog->edited ? &app->dialog->files.aside : &app->dialog->files.given;
	line = typed_message(&line_len);
	if (!app->dialog->journal || (!app->dialog->store.recorded && app->dialog->queue.n == 0))
		return;
	buf_init(&words, LIMIT_MESSAGE);
	buf_init(&text, LIMIT_MESSAGE);
	attached_init(&files);
	if (!app_queue_join(app, &words, &files) && !app->dialog->edited && line_len &&
	    line_len < LIMIT_MESSAGE - words.len) { /* else only the queue: a draft has to fit */
		if (app->dialog->queue.n)
			buf_putc(&words, '\n');
		buf_append(&words, line, line_len);
	}
	(void)!attached_add_all(&files, &given->list, buf_text(&given->text), NULL);
	if (attached_join(&files, buf_text(&words), words.len, &text, &draft.files, NULL)) {
		buf_clear(&text); /* without the files, then */
		buf_append(&text, words.data, words.len);
	}
	/* An empty line keeps the old draft: the line must be emptied to type /quit. */
	if (!buf_status(&text) && text.len)
		dialog_store_draft(app->dialog, buf_text(&text), text.len, &draft.files);
	attachments_free(&draft.files);
	attached_free(&files);
	buf_free(&words);
	buf_free(&text);
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
