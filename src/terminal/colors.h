/* A theme's colours as the terminal's colour numbers: the colours themselves, or the nearest ones. */
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
/* A role's two colours. With only 8 or 16 colours, a role whose background differs from that of the
 * transcript (or of a panel, like the selected row) still differs, and text from its background. */
struct color_pair colors_fit(const struct theme *theme, enum theme_role role, int n_colors);

/* Of one of xterm's 256. */
void colors_index_rgb(int index, int rgb[3]);

#endif
