/* A message with files, folded: the words, and a row for each file. */
#ifndef SOTTO_VIEW_FOLDED_FILES_H
#define SOTTO_VIEW_FOLDED_FILES_H

#include "base/buf.h"
#include "chat/tree.h"

/* Appends it to an empty buffer; *words are the bytes of the words, which begin the message's text,
 * too; `key` unfolds it. Names are not sanitised. */
enum status folded_files_put(struct buf *out, const struct node *node, const char *key, size_t *words);

#endif
