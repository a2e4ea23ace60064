#include "dialog/queue.h"

void dialog_queue_clear(struct dialog_queue *queue)
{
	while (queue->n)
		outgoing_free(&queue->items[--queue->n]);
	queue->edited = 0;
}
