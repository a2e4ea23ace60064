/* The panel of /context: what fills the context (chat/ledger.h). */
#ifndef SOTTO_VIEW_PANEL_CONTEXT_H
#define SOTTO_VIEW_PANEL_CONTEXT_H

#include "chat/ledger.h"
#include "view/panel.h"

/* Copies the ledger and its texts. `policy`: what is done when the context is full. NULL without
 * memory. */
struct panel *panel_context_open(const struct ledger *ledger, const char *policy);

#endif
