#include "terminal/style.h"

#include "base/sys.h"
#include "terminal/colors.h"
#include "terminal/direct_color.h"

static struct {
	attr_t attr;
	short pair;
} current[THEME_ROLE_COUNT];

void style_start(void)
{
	if (!has_colors())
		return;
	start_color();
	use_default_colors();
}

static attr_t curses_attrs(unsigned attrs)
{
	static const struct {
		unsigned theme;
		attr_t curses;
	} map[] = {
		{ATTR_BOLD, A_BOLD}, {ATTR_DIM, A_DIM}, {ATTR_ITALIC, A_ITALIC},
		{ATTR_UNDERLINE, A_UNDERLINE}, {ATTR_REVERSE, A_REVERSE},
	};
	attr_t out = A_NORMAL;

	for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
		if (attrs & map[i].theme)
			out |= map[i].curses;
	return out;
}

void style_apply(const struct theme *theme)
{
	struct theme fitted = *theme;
	bool colors = has_colors() && !sys_variable("NO_COLOR");
	int n_colors = direct_color_is_made() ? COLORS_DIRECT_16 : COLORS;

	if (!colors)
		theme_strip_colors(&fitted);
	for (int role = 0; role < THEME_ROLE_COUNT; role++) {
		const struct theme_style *style = &fitted.styles[role];
		struct color_pair pair = colors_fit(&fitted, (enum theme_role)role, n_colors);

		current[role].attr = curses_attrs(style->attrs);
		current[role].pair = 0;
		/* Pairs are numbered by role, so that a new theme recolours in place. */
		if (colors && (pair.fg >= 0 || pair.bg >= 0) && role + 1 < COLOR_PAIRS &&
		    init_extended_pair(role + 1, pair.fg, pair.bg) == OK)
			current[role].pair = (short)(role + 1);
	}
}

attr_t style_attr(enum theme_role role)
{
	return current[role].attr;
}

short style_pair(enum theme_role role)
{
	return current[role].pair;
}
