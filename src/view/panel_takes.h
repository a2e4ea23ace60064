/* Two takes side by side: what both begin with, where they part, how likely both tokens were in each, and why. */
#ifndef SOTTO_VIEW_PANEL_TAKES_H
#define SOTTO_VIEW_PANEL_TAKES_H

#include "chat/takes.h"
#include "kept/kept.h"
#include "view/panel.h"

enum { TAKE_NAME_MAX = 64 };

/* What it shows is borrowed while the panel is open, names and comparison are copied. */
struct panel_takes_source {
	const struct takes *takes;
	char names[2][TAKE_NAME_MAX];     /* "version 2 of 3" */
	const struct kept_reply *kept[2]; /* NULL: no candidates of it are kept */
	bool has_others;                  /* there are more to compare the first one with */
};

struct panel *panel_takes_open(const struct panel_takes_source *source);
void panel_takes_replace(struct panel *panel, const struct panel_takes_source *source);
/* After PANEL_CHANGED: another one is wanted beside the first, the next (1) or the one before (-1). */
int panel_takes_step(const struct panel *panel);

#endif
