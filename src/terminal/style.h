/* Theme roles to curses attributes. One screen a process, as curses has it:
 * the current styles are the module's own, set by style_apply and read by
 * whoever draws. UI thread only. */
#ifndef SOTTO_TERMINAL_STYLE_H
#define SOTTO_TERMINAL_STYLE_H


#include <curses.h>

#include "config/theme.h"

/* Once after newterm: starts colour where the terminal has it. */
void style_start(void);
/* Fits the theme to the terminal's colours (direct, 256, 16, 8, none; NO_COLOR
 * takes them out) and makes it current; also at run time. The caller redraws. */
void style_apply(const struct theme *theme);

/* For wattr_set and setcchar. */
attr_t style_attr(enum theme_role role);
short style_pair(enum theme_role role);

/* A theme's colour as a number for init_extended_pair on a terminal of
 * n_colors (8, 16, 88, 256, 1 << 24); -1 = the terminal's own. */
int style_color_number(const struct theme_color *color, int n_colors);

#endif
