/* What the formats share. */
#ifndef SOTTO_CHAT_EXPORT_INTERNAL_H
#define SOTTO_CHAT_EXPORT_INTERNAL_H

#include "chat/export.h"

/* " (interrupted)", or "". */
const char *export_mark(const struct node *node);

#endif
