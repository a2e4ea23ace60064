/* Finding words in a text as people look for them: case and accents do not matter ("ecole" finds
 * "\u00C9cole"), nor does how characters are composed, nor which kind of white space it is. */
#ifndef SOTTO_BASE_TEXT_FIND_H
#define SOTTO_BASE_TEXT_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* What is looked for, without what does not matter; empty if nothing is left. */
enum status text_find_fold(struct buf *out, const char *text, size_t len);
/* The first place in text[from, len) that has what text_find_fold made. Both ends are those of
 * whole characters; marks on the last one belong to it. False: there is none. */
bool text_find(const struct buf *folded, const char *text, size_t len, size_t from, size_t *start,
               size_t *end);

#endif
