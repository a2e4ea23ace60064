/* What the help says about keys (ui/keymap.h), commands (ui/command.h) and options. */
#ifndef SOTTO_UI_HELP_TEXT_H
#define SOTTO_UI_HELP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "config/settings.h"
#include "ui/keymap.h"

struct command_table;

/* What to press or type, and what it does; or a heading, or (both empty) a blank row. */
struct help_entry {
	char *name; /* owned, NULL in headings */
	char *text; /* owned */
};

struct help_text {
	struct help_entry *entries; /* owned */
	size_t n, cap;
	bool has_failed; /* there was not enough memory */
};

/* These append to a text that is empty ({0}) at first. */

/* All keys and commands. */
void help_text_all(struct help_text *help, const struct keymap *keys,
                   const struct command_table *commands);
/* What the file keys.yaml at that path changes, and all keys. */
void help_text_keys(struct help_text *help, const struct keymap *keys, const char *path);
/* Those keys, commands and options that have all of the words in their names or texts; before them,
 * everything about the command or option of that name. If there are none, n stays 0. */
void help_text_find(struct help_text *help, const struct keymap *keys,
                    const struct command_table *commands, const struct settings *settings,
                    const char *words);

void help_text_free(struct help_text *help);

#endif
