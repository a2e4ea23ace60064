/* A panel about long work beside the chat: a bar, and lines that say how far it is. Enter closes it, and the work goes
 * on; Esc is the wish to stop it, which comes as PANEL_CHOSEN. */
#ifndef SOTTO_VIEW_PANEL_PROGRESS_H
#define SOTTO_VIEW_PANEL_PROGRESS_H

#include "view/panel.h"

/* Borrows the title. NULL without memory. */
struct panel *panel_progress_open(const char *title);
/* `fraction` 0 .. 1; less: not known, no bar. `text`: lines, copied, cut where they are too long. */
void panel_progress_set(struct panel *panel, double fraction, const char *text);

#endif
