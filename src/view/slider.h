/* An option as a slider: where in its range a value is, and the steps between values. UI thread only. */
#ifndef SOTTO_VIEW_SLIDER_H
#define SOTTO_VIEW_SLIDER_H

#include "base/option.h"
#include "config/theme.h"
#include "terminal/cells.h"

enum { SLIDER_TEXT_MAX = 24 };

/* Where in its range a value is, 0 to 1, and back: by the logarithm where the range is wide. */
double slider_fraction(const struct option *option, double value);
double slider_value(const struct option *option, double fraction);
/* The value that is so many steps away: one between two steps goes to the nearer. Where the range is wide the steps
 * grow with the value. It may be beyond the range. */
double slider_step(const struct option *option, double value, double steps);
/* As a text, within the range: rounded to whole steps, counted from zero; the ends of the range, which need not be
 * whole steps, are kept. */
void slider_text(const struct option *option, double value, char text[SLIDER_TEXT_MAX]);
/* With a tick at the default; both are fractions. */
void slider_draw(WINDOW *win, int y, int x, int cols, enum theme_role role, double fraction, double def);

#endif
