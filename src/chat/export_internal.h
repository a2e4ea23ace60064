/* What the formats share. */
#ifndef SOTTO_CHAT_EXPORT_INTERNAL_H
#define SOTTO_CHAT_EXPORT_INTERNAL_H

#include "chat/export.h"

/* The path's messages that say something, in order; *n of them. NULL without memory; the caller
 * frees. */
uint32_t *export_messages(const struct tree *tree, size_t *n);
/* "You", the model's name, "System". */
const char *export_speaker(const struct node *node);
/* " (interrupted)", or "". */
const char *export_mark(const struct node *node);
/* The text's length without line breaks and blanks at its end. */
size_t export_trimmed(const char *text, size_t len);

#endif
