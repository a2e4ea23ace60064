/* The panel of /context: what fills the context (chat/ledger.h). */
#ifndef SOTTO_VIEW_PANEL_CONTEXT_H
#define SOTTO_VIEW_PANEL_CONTEXT_H

#include "chat/ledger.h"
#include "view/panel.h"

enum panel_context_wish { CONTEXT_WISH_NONE, CONTEXT_WISH_PIN, CONTEXT_WISH_DROP };

/* Copies the ledger and its texts. `policy`: what is done when the context is full. NULL without
 * memory. */
struct panel *panel_context_open(const struct ledger *ledger, const char *policy);
/* Another ledger; the selected row stays. False without memory: the old one stays. */
bool panel_context_replace(struct panel *panel, const struct ledger *ledger, const char *policy);
/* What was asked for with PANEL_CHANGED: to pin or to drop the selected message, or to undo that.
 * *message: its node; 0: the selected row is none. */
enum panel_context_wish panel_context_wish(const struct panel *panel, uint32_t *message);

#endif
