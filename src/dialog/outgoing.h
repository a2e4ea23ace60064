/* A message of the user's as it will stand in the chat. */
#ifndef SOTTO_DIALOG_OUTGOING_H
#define SOTTO_DIALOG_OUTGOING_H

#include <stddef.h>

#include "chat/attachment.h"

struct outgoing {
	char *text; /* owned; ends with a NUL */
	size_t len;
	struct attachments files; /* parts of it */
};

void outgoing_free(struct outgoing *message);
size_t outgoing_words(const struct outgoing *message); /* bytes of its text that were typed */

#endif
