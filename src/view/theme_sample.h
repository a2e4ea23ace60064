/* What a chat looks like in the current theme, in a few rows: for the list of themes. */
#ifndef SOTTO_VIEW_THEME_SAMPLE_H
#define SOTTO_VIEW_THEME_SAMPLE_H

#include "terminal/cells.h"

enum { THEME_SAMPLE_ROWS = 8 };

void theme_sample_draw(WINDOW *win, int y, int x, int cols);

#endif
