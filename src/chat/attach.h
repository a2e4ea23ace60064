/* Reading files that are to be attached, as they were named. */
#ifndef SOTTO_CHAT_ATTACH_H
#define SOTTO_CHAT_ATTACH_H

#include <stddef.h>

#include "chat/attachment.h"

/* Reads the files that a path or pattern names, as it was typed, into the list; a file replaces one of
 * the same name. Files that match a pattern but are not text are left out and counted. */
enum status attach_files(struct attached *into, const char *name, size_t *n_left_out,
                         struct error *err) MUST_CHECK;
/* The same for several names: words, unless there is a file of that whole name. */
enum status attach_named(struct attached *into, const char *names, size_t len, size_t *n_left_out,
                         struct error *err) MUST_CHECK;

#endif
