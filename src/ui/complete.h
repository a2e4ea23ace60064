/* What Tab completes: commands and their arguments, file names elsewhere. Options,
 * templates, themes, chats and files are looked up when Tab is pressed. */
#ifndef SOTTO_UI_COMPLETE_H
#define SOTTO_UI_COMPLETE_H

#include <stddef.h>

#include "config/settings.h"
#include "line/complete_list.h"

struct command_table;

/* Candidates for the text before the caret, sorted, without duplicates.
 * Directories end in a slash. `settings` NULL: no options. Without memory there are none. Free with
 * complete_free. */
void complete_line(const struct command_table *commands, const struct settings *settings,
                   const char *line, size_t caret, struct complete_list *list);

#endif
