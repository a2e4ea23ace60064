/* The sampler's sliders, and beside them what they do (view/distribution.h). */
#ifndef SOTTO_VIEW_PANEL_SAMPLER_H
#define SOTTO_VIEW_PANEL_SAMPLER_H

#include <stdbool.h>

#include "config/settings.h"
#include "turn/turn.h"
#include "view/candidate_rows.h"
#include "view/distribution.h"
#include "view/panel.h"

/* A slider for each OPTION_SLIDER row; those that change nothing with the model are dimmed, and say why.
 * Borrows the settings and the model, of which more may be learnt; NULL: none. `source` is copied; NULL: only sliders
 * are shown. */
struct panel *panel_sampler_open(struct settings *settings, const struct model_info *model,
                                 const struct distribution_source *source);
bool panel_sampler_is_idle(const struct panel *panel); /* whether the selected one changes nothing */
/* What PANEL_CHOSEN has chosen: to go on with another token. */
struct token_choice panel_sampler_chosen(const struct panel *panel);

#endif
