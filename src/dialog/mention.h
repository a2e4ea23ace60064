/* @path in the line: the files that it names are read while it is typed, so that their size is seen before
 * it is sent. A line is what would be sent; a command mentions nothing. */
#ifndef SOTTO_DIALOG_MENTION_H
#define SOTTO_DIALOG_MENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct dialog;

/* Brings the mentioned files up to date with the line. */
void dialog_mentions_update(struct dialog *dialog, const char *line, size_t len);
/* Before a line is sent: whether it mentions what cannot be attached (*err says what; no status: nothing), or
 * files that were not shown yet. Each line is doubted once. */
bool dialog_mentions_doubt(struct dialog *dialog, const char *line, size_t len, struct error *err);

#endif
