/* What the formats share. */
#ifndef SOTTO_CHAT_EXPORT_INTERNAL_H
#define SOTTO_CHAT_EXPORT_INTERNAL_H

#include "chat/export.h"

/* The path's messages that say something, in order; *n of them. NULL without memory; the caller
 * frees. */
uint32_t *export_messages(const struct tree *tree, size_t *n);
/* " (interrupted)", or "". */
const char *export_mark(const struct node *node);

#endif
