/* Messages written while a reply runs: they are sent one after the other when it has ended. */
#ifndef SOTTO_DIALOG_QUEUE_H
#define SOTTO_DIALOG_QUEUE_H

#include <stddef.h>

#include "dialog/outgoing.h"

enum { QUEUE_MAX = 20 };

struct dialog_queue {
	struct outgoing items[QUEUE_MAX]; /* owned; the oldest first */
	size_t n;
	size_t edited; /* which one is in the line, from 1; 0: none */
};

void dialog_queue_clear(struct dialog_queue *queue);

#endif
