/* A theme's colours as numbers of the terminal: those it has, or what comes nearest. */
#ifndef SOTTO_TERMINAL_COLORS_H
#define SOTTO_TERMINAL_COLORS_H

#include "config/theme.h"

enum {
	COLORS_DIRECT = 1 << 24,            /* the first eight numbers are the palette's, */
	COLORS_DIRECT_16 = COLORS_DIRECT + 1, /* ... or the first sixteen (direct_color.h) */
};

struct color_pair {
	int fg, bg; /* for init_extended_pair; -1: the terminal's own */
};

/* On a terminal of n_colors (8, 16, 88, 256, COLORS_DIRECT ...); -1 for its own colour, and where it
 * has none. */
int colors_number(const struct theme_color *color, int n_colors);
/* A role's two colours. Where only 8 or 16 are left, a role that stands out by its background, from
 * the transcript or, as the selected row does, from a panel, still does, and text from its ground. */
struct color_pair colors_fit(const struct theme *theme, enum theme_role role, int n_colors);

/* Of one of xterm's 256. */
void colors_index_rgb(int index, int rgb[3]);

#endif
