#include "dialog/outgoing.h"

#include <stdlib.h>

void outgoing_free(struct outgoing *message)
{
	free(message->text);
	attachments_free(&message->files);
	*message = (struct outgoing){.text = NULL};
}

size_t outgoing_words(const struct outgoing *message)
{
	return attachments_words(&message->files, message->len);
}
