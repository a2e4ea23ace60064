#include "terminal/style.h"

#include <stdlib.h>

enum { N_PALETTE = 16, DIRECT = 1 << 24 };

static struct {
	attr_t attr;
	short pair;
} current[THEME_ROLE_COUNT];

/* What the first sixteen colours look like in xterm; other terminals differ, but not enough to
 * change which is nearest. */
static const uint8_t palette[N_PALETTE][3] = {
	{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0},
	{0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
	{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0},
	{92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
};

/* xterm's 256 colours: the palette, a 6x6x6 cube, 24 greys. */
static void index_rgb(int index, int rgb[3])
{
	static const int levels[6] = {0, 95, 135, 175, 215, 255};

	if (index < N_PALETTE) {
		for (int i = 0; i < 3; i++)
			rgb[i] = palette[index][i];
	} else if (index < 232) {
		index -= N_PALETTE;
		rgb[0] = levels[index / 36];
		rgb[1] = levels[index / 6 % 6];
		rgb[2] = levels[index % 6];
	} else {
		rgb[0] = rgb[1] = rgb[2] = 8 + 10 * (index - 232);
	}
}

/* The nearest of the colours first .. n-1. */
static int nearest(const int want[3], int first, int n)
{
	int best = first, best_distance = -1;

	for (int i = first; i < n; i++) {
		int rgb[3], distance = 0;

		index_rgb(i, rgb);
		for (int c = 0; c < 3; c++)
			distance += (rgb[c] - want[c]) * (rgb[c] - want[c]);
		if (best_distance < 0 || distance < best_distance) {
			best = i;
			best_distance = distance;
		}
	}
	return best;
}

int style_color_number(const struct theme_color *color, int n_colors)
{
	int rgb[3] = {color->r, color->g, color->b};

	if (color->kind == COLOR_DEFAULT || n_colors < 8)
		return -1;
	if (color->kind == COLOR_INDEX) {
		/* On direct-colour terminals only the first eight numbers are
		 * the palette's; all others are red, green and blue. */
		int n_palette = n_colors >= DIRECT ? 8 : n_colors;

		if (color->index < n_palette)
			return color->index;
		/* A bright colour if there are only eight: the dark one of the same hue. */
		if (n_colors == 8 && color->index < N_PALETTE)
			return color->index - 8;
		index_rgb(color->index, rgb);
	}
	if (n_colors >= DIRECT) {
		int number = rgb[0] << 16 | rgb[1] << 8 | rgb[2];

		return number < 8 ? 0 : number; /* so dark that it is black */
	}
	/* The cube and the greys are the same everywhere; the palette is the user's. */
	if (n_colors >= 256)
		return nearest(rgb, N_PALETTE, 256);
	return nearest(rgb, 0, n_colors < N_PALETTE ? 8 : N_PALETTE);
}

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
	const char *no_color = getenv("NO_COLOR");
	bool colors = has_colors() && !(no_color && no_color[0]);

	if (!colors)
		theme_strip_colors(&fitted);
	for (int role = 0; role < THEME_ROLE_COUNT; role++) {
		const struct theme_style *style = &fitted.styles[role];
		int fg = style_color_number(&style->fg, COLORS);
		int bg = style_color_number(&style->bg, COLORS);

		current[role].attr = curses_attrs(style->attrs);
		current[role].pair = 0;
		/* Pairs are numbered by role, so that a new theme recolours in place. */
		if (colors && (fg >= 0 || bg >= 0) && role + 1 < COLOR_PAIRS &&
		    init_extended_pair(role + 1, fg, bg) == OK)
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
