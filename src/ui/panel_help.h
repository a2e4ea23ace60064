/* F1: the keys and commands, in a panel. UI thread only. */
#ifndef SOTTO_UI_PANEL_HELP_H
#define SOTTO_UI_PANEL_HELP_H

#include "ui/help_text.h"
#include "view/panel.h"

/* Takes the text. NULL without memory, also for the text. */
struct panel *panel_help_open(const char *title, struct help_text *text);

#endif
