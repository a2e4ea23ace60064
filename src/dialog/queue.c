#include "dialog/queue.h"

#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "dialog/dialog.h"

/* Of all but one (NULL: of all), each with what parts it from the next. */
static size_t count_bytes(const struct dialog_queue *queue, const struct outgoing *but)
{
	size_t bytes = 0;

	for (size_t i = 0; i < queue->n; i++)
		bytes += (&queue->items[i] == but ? 0 : queue->items[i].len) + 1;
	return bytes;
}

static enum queue_answer check(const struct dialog_queue *queue, size_t len)
{
	if (queue->n == QUEUE_MAX)
		return QUEUE_IS_FULL;
	return len + 1 > LIMIT_MESSAGE - 1 - count_bytes(queue, NULL) ? QUEUE_IS_TOO_LONG : QUEUE_TAKEN;
}

static void take(struct outgoing *item, struct outgoing *message)
{
	*item = *message;
	*message = (struct outgoing){.text = NULL};
}

enum queue_answer dialog_queue_add(struct dialog *dialog, struct outgoing *message)
{
	struct dialog_queue *queue = &dialog->queue;
	enum queue_answer answer = check(queue, message->len);

	if (answer == QUEUE_TAKEN)
		take(&queue->items[queue->n++], message);
	return answer;
}

enum queue_answer dialog_queue_replace(struct dialog *dialog, struct outgoing *message)
{
	struct outgoing *old = dialog_queue_edited(dialog);

	if (message->len + count_bytes(&dialog->queue, old) > LIMIT_MESSAGE - 1)
		return QUEUE_IS_TOO_LONG;
	outgoing_free(old);
	take(old, message);
	return QUEUE_TAKEN;
}

bool dialog_queue_put_first(struct dialog *dialog, const struct node *node)
{
	struct dialog_queue *queue = &dialog->queue;
	struct outgoing message = {.len = node->len};

	if (check(queue, node->len) != QUEUE_TAKEN)
		return false;
	message.text = alloc_strndup(node->text, node->len);
	if (!message.text || attachments_copy(&message.files, &node->attachments)) {
		outgoing_free(&message);
		return false;
	}
	memmove(queue->items + 1, queue->items, queue->n * sizeof *queue->items);
	queue->items[0] = message;
	queue->n++;
	dialog->edit.queued += dialog->edit.queued > 0;
	return true;
}

void dialog_queue_remove(struct dialog *dialog, size_t index)
{
	struct dialog_queue *queue = &dialog->queue;

	outgoing_free(&queue->items[index]);
	queue->n--;
	memmove(queue->items + index, queue->items + index + 1, (queue->n - index) * sizeof *queue->items);
	if (dialog->edit.queued == index + 1)
		dialog_edit_end(dialog);
	else
		dialog->edit.queued -= dialog->edit.queued > index + 1;
}

void dialog_queue_clear(struct dialog *dialog)
{
	while (dialog->queue.n)
		dialog_queue_remove(dialog, dialog->queue.n - 1);
}

struct outgoing *dialog_queue_edited(struct dialog *dialog)
{
	return dialog->edit.queued ? &dialog->queue.items[dialog->edit.queued - 1] : NULL;
}

enum status dialog_queue_join(const struct dialog *dialog, struct buf *words, struct attached *files)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < dialog->queue.n && !status; i++) {
		const struct outgoing *message = &dialog->queue.items[i];

		if (i + 1 == dialog->edit.queued)
			continue;
		if (words->len)
			buf_putc(words, '\n');
		buf_append(words, message->text, outgoing_words(message));
		status = attached_add_all(files, &message->files, message->text, NULL);
	}
	return status ? status : buf_status(words);
}
