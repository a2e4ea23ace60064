/* A conversation in the formats of other programs: the messages from the root to the leaf, as they
 * are shown. Texts are whole and as they are; nothing is sanitised. */
#ifndef SOTTO_CHAT_EXPORT_H
#define SOTTO_CHAT_EXPORT_H

#include "base/buf.h"
#include "base/error.h"
#include "chat/tree.h"

/* Plain text: who speaks, on a line of its own, and what is said. `title` "": none. Reasoning is
 * left out. STATUS_NOMEM, or STATUS_LIMIT beyond out->max. */
enum status export_text(const struct tree *tree, const char *title, struct buf *out) MUST_CHECK;

#endif
