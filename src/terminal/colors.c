#include "terminal/colors.h"

#include <stdbool.h>

enum { N_PALETTE = 16, BLACK = 0, CYAN = 6, WHITE = 7, BRIGHT_BLACK = 8, BRIGHT_WHITE = 15 };

/* What the first sixteen colours look like in xterm; other terminals differ, but not enough to
 * change which is nearest. */
static const uint8_t palette[N_PALETTE][3] = {
	{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0},
	{0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
	{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0},
	{92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
};

/* xterm's 256 colours: the palette, a 6x6x6 cube, 24 greys. */
void colors_index_rgb(int index, int rgb[3])
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

/* The nearest of the cube and the greys, which are the same everywhere. */
static int nearest_of_256(const int want[3])
{
	int best = N_PALETTE, best_distance = -1;

	for (int i = N_PALETTE; i < 256; i++) {
		int rgb[3], distance = 0;

		colors_index_rgb(i, rgb);
		for (int c = 0; c < 3; c++)
			distance += (rgb[c] - want[c]) * (rgb[c] - want[c]);
		if (best_distance < 0 || distance < best_distance) {
			best = i;
			best_distance = distance;
		}
	}
	return best;
}

static int brightness(const int rgb[3])
{
	return (2 * rgb[0] + 5 * rgb[1] + rgb[2]) / 8;
}

/* A colour without its grey part, as bright as can be; black for one that is all but grey. */
static void hue_of(const int rgb[3], int hue[3])
{
	int high = rgb[0], low = rgb[0];

	for (int c = 1; c < 3; c++) {
		high = rgb[c] > high ? rgb[c] : high;
		low = rgb[c] < low ? rgb[c] : low;
	}
	/* Dark backgrounds with a tint are black, not blue. */
	if (high - low < 64 && (high < 128 || 4 * (high - low) < high))
		high = low;
	for (int c = 0; c < 3; c++)
		hue[c] = high == low ? 0 : 255 * (rgb[c] - low) / (high - low);
}

/* Of the palette: the same hue counts first, so that a muted red is red, not grey. */
static int nearest_of_palette(const int want[3], int n)
{
	int hue[3], best = 0;
	long best_distance = -1;

	hue_of(want, hue);
	for (int i = 0; i < n; i++) {
		int rgb[3], other[3], more;
		long distance = 0;

		colors_index_rgb(i, rgb);
		hue_of(rgb, other);
		for (int c = 0; c < 3; c++)
			distance += (other[c] - hue[c]) * (other[c] - hue[c]);
		more = brightness(rgb) - brightness(want);
		distance = (distance << 8) + more * more / 16;
		if (best_distance < 0 || distance < best_distance) {
			best = i;
			best_distance = distance;
		}
	}
	return best;
}

int colors_number(const struct theme_color *color, int n_colors)
{
	int rgb[3] = {color->r, color->g, color->b};

	if (color->kind == COLOR_DEFAULT || n_colors < 8)
		return -1;
	if (color->kind == COLOR_INDEX) {
		int n_palette = n_colors == COLORS_DIRECT_16 ? 16 : n_colors == COLORS_DIRECT ? 8 : n_colors;

		if (color->index < n_palette)
			return color->index;
		/* A bright colour if there are only eight: the dark one of the same hue. */
		if (n_colors == 8 && color->index < N_PALETTE)
			return color->index - 8;
		colors_index_rgb(color->index, rgb);
	}
	if (n_colors >= COLORS_DIRECT) {
		int number = rgb[0] << 16 | rgb[1] << 8 | rgb[2];

		return number < N_PALETTE ? 0 : number; /* so dark that it is black */
	}
	if (n_colors >= 256)
		return nearest_of_256(rgb);
	return nearest_of_palette(rgb, n_colors < N_PALETTE ? 8 : N_PALETTE);
}

static int brightness_of(int number)
{
	int rgb[3];

	colors_index_rgb(number, rgb);
	return brightness(rgb);
}

static bool is_color(const struct theme_color *color)
{
	return color->kind == COLOR_RGB || (color->kind == COLOR_INDEX && color->index >= N_PALETTE);
}

/* A background other than `ground`, near it if possible. */
static int other_ground(int ground, int n_colors)
{
	bool is_dark = brightness_of(ground) < 128;

	if (n_colors < N_PALETTE)
		return is_dark ? WHITE : BLACK;
	return is_dark ? BRIGHT_BLACK : ground == WHITE ? BRIGHT_WHITE : WHITE;
}

/* The contrast of two palette colours: 1 to 21, as in WCAG 2.1, but with a simpler curve. */
static double contrast(int a, int b)
{
	double light[2];

	for (int i = 0; i < 2; i++) {
		int rgb[3];

		colors_index_rgb(i ? b : a, rgb);
		light[i] = (0.2126 * rgb[0] * rgb[0] + 0.7152 * rgb[1] * rgb[1] + 0.0722 * rgb[2] * rgb[2]) /
		           (255.0 * 255.0) + 0.05;
	}
	return light[0] > light[1] ? light[0] / light[1] : light[1] / light[0];
}

static int fit_ground(const struct theme *theme, enum theme_role role, int n_colors)
{
	const struct theme_color *ground = &theme->styles[STYLE_ASSISTANT].bg;
	const struct theme_color *color = &theme->styles[role].bg;
	int base = colors_number(ground, n_colors), number = colors_number(color, n_colors);

	if (number == base && !theme_same_color(color, ground))
		number = other_ground(base, n_colors);
	if (role == STYLE_SELECTION && number == fit_ground(theme, STYLE_PANEL, n_colors))
		number = CYAN;
	return number;
}

struct color_pair colors_fit(const struct theme *theme, enum theme_role role, int n_colors)
{
	const double readable = 2.5; /* red on black is, blue is not */
	const int white = n_colors < N_PALETTE ? WHITE : BRIGHT_WHITE;
	const struct theme_style *style = &theme->styles[role];
	struct color_pair pair = {colors_number(&style->fg, n_colors), colors_number(&style->bg, n_colors)};

	/* A theme that names the terminal's own sixteen means these. */
	if (n_colors >= 256 || pair.bg < 0 || !is_color(&style->bg))
		return pair;
	pair.bg = fit_ground(theme, role, n_colors);
	if (pair.fg >= 0 && contrast(pair.fg, pair.bg) < readable)
		pair.fg = contrast(BLACK, pair.bg) > contrast(white, pair.bg) ? BLACK : white;
	return pair;
}
