#include "view/slider.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { LOGARITHMIC = 500 }; /* steps from which a bar is drawn by the logarithm */

static bool is_logarithmic(const struct option *option)
{
	return option->max - option->min >= LOGARITHMIC * option->step;
}

double slider_fraction(const struct option *option, double value)
{
	double range = option->max - option->min, part = value - option->min;

	if (!(range > 0) || !(part > 0))
		return 0;
	if (part >= range)
		return 1;
	return is_logarithmic(option) ? log1p(part) / log1p(range) : part / range;
}

double slider_value(const struct option *option, double fraction)
{
	double range = option->max - option->min;

	fraction = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
	return option->min + (is_logarithmic(option) ? expm1(fraction * log1p(range)) :
	                                               fraction * range);
}

double slider_step(const struct option *option, double value, double steps)
{
	double slack = 1e-4; /* a float may be a little off its step */
	double at = value / option->step;
	double from = steps > 0 ? floor(at + slack) : ceil(at - slack);
	double stride = is_logarithmic(option) ? fmax(1, floor(fabs(at) / 64)) : 1;

	return (from + steps * stride) * option->step;
}

void slider_text(const struct option *option, double value, char text[SLIDER_TEXT_MAX])
{
	int digits = 0;

	if (value > option->min && value < option->max)
		value = round(value / option->step) * option->step;
	value = value < option->min ? option->min : value > option->max ? option->max : value;
	if (option->type == OPTION_FLOAT)
		for (double unit = option->step; digits < 6 && unit < 0.999; unit *= 10)
			digits++;
	/* + 0.0 turns minus zero into zero */
	snprintf(text, SLIDER_TEXT_MAX, "%.*f", digits, value + 0.0);
}

void slider_draw(WINDOW *win, int y, int x, int cols, enum theme_role role, double fraction, double def)
{
	int knob = (int)lround(fraction * (cols - 1)), tick = (int)lround(def * (cols - 1));

	for (int col = 0; col < cols; col++) {
		bool is_before = col < knob;
		const char *line = is_before ? "\u2501" : "\u2500";

		if (col == tick)
			line = is_before ? "\u253F" : "\u253C";
		cells_puts(win, y, x + col, 1, role, col == knob ? "\u25CF" : line);
	}
}
