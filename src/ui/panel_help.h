/* F1: the keys and commands, in a panel. NULL without memory. UI thread only. */
#ifndef SOTTO_UI_PANEL_HELP_H
#define SOTTO_UI_PANEL_HELP_H

#include <stdbool.h>

#include "config/settings.h"
#include "ui/keymap.h"
#include "view/panel.h"

/* Keys (ui/keymap.h) and commands (ui/commands.h). */
struct panel *panel_help_open(const struct keymap *keys, const struct command_table *commands);
/* The keys, and which of them the file keys.yaml at that path changes. */
struct panel *panel_help_keys(const struct keymap *keys, const char *path);
/* Those of them, and of the options, that have all of these words in their names or texts; before
 * them everything about the command or option of that name. *found: there was any. */
struct panel *panel_help_find(const struct keymap *keys, const struct command_table *commands,
                              const struct settings *settings, const char *words, bool *found);

#endif
