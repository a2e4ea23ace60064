#include "dialog/queue.h"

#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

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

enum queue_answer dialog_queue_add(struct dialog_queue *queue, struct outgoing *message)
{
	enum queue_answer answer = check(queue, message->len);

	if (answer == QUEUE_TAKEN)
		take(&queue->items[queue->n++], message);
	return answer;
}

enum queue_answer dialog_queue_replace(struct dialog_queue *queue, struct outgoing *message)
{
	struct outgoing *old = dialog_queue_edited(queue);

	if (message->len + count_bytes(queue, old) > LIMIT_MESSAGE - 1)
		return QUEUE_IS_TOO_LONG;
	outgoing_free(old);
	take(old, message);
	return QUEUE_TAKEN;
}

bool dialog_queue_put_first(struct dialog_queue *queue, const struct node *node)
{
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
	queue->edited += queue->edited > 0;
	return true;
}

void dialog_queue_remove(struct dialog_queue *queue, size_t index)
{
	outgoing_free(&queue->items[index]);
	queue->n--;
	memmove(queue->items + index, queue->items + index + 1, (queue->n - index) * sizeof *queue->items);
	if (queue->edited == index + 1)
		queue->edited = 0;
	else
		queue->edited -= queue->edited > index + 1;
}

void dialog_queue_clear(struct dialog_queue *queue)
{
	while (queue->n)
		outgoing_free(&queue->items[--queue->n]);
	queue->edited = 0;
}

struct outgoing *dialog_queue_edited(struct dialog_queue *queue)
{
	return queue->edited ? &queue->items[queue->edited - 1] : NULL;
}

enum status dialog_queue_join(const struct dialog_queue *queue, struct buf *words, struct attached *files)
{
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
