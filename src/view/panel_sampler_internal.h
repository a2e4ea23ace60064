/* What the files of the panel of sliders share. */
#ifndef SOTTO_VIEW_PANEL_SAMPLER_INTERNAL_H
#define SOTTO_VIEW_PANEL_SAMPLER_INTERNAL_H

#include "view/panel_sampler.h"

enum {
	N_SLIDERS_MAX = 32,
	VALUE_MAX = 24,        /* characters of a value */
	VALUE_COLS = 7,
};

struct sampler_panel {
	struct panel panel;
	struct settings *settings; /* borrowed */
	const struct model_info *model; /* borrowed; NULL: none */
	const struct option *sliders[N_SLIDERS_MAX];
	size_t n;
	size_t selected;
	size_t top;                /* first one on the screen */
	int rows;                  /* for sliders, as last drawn */
	int bar_x, bar_cols;       /* as last drawn; no bars when 0 */
	bool dragging;
	char typed[VALUE_MAX];     /* a value being typed; "" when none is */
	bool is_zeroed;            /* `0` has just switched the slider off; before, it had ... */
	bool was_set;              /* ... a value that /set or the panel had given it, ... */
	char before[VALUE_MAX];    /* ... which was this */
	struct error error;        /* why the last one was refused; text "" when it was not */
	struct distribution distribution; /* beside the sliders */
};

unsigned sampler_panel_key(struct panel *panel, struct key key);
unsigned sampler_panel_mouse(struct panel *panel, struct mouse mouse);

#endif
