#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "terminal/colors.h"

static const struct {
	struct theme_color color;
	int n_colors, number;
} rows[] = {
	{{.kind = COLOR_DEFAULT}, 256, -1},
	{{.kind = COLOR_INDEX, .index = 3}, 0, -1}, /* no colour at all */
	{{.kind = COLOR_INDEX, .index = 3}, 8, 3},
	{{.kind = COLOR_INDEX, .index = 11}, 8, 3}, /* the dark twin */
	{{.kind = COLOR_INDEX, .index = 11}, 16, 11},
	{{.kind = COLOR_INDEX, .index = 200}, 256, 200},
	{{.kind = COLOR_INDEX, .index = 196}, 16, 9}, /* the cube's red */
	{{.kind = COLOR_INDEX, .index = 232}, 8, 0},
	{{.kind = COLOR_INDEX, .index = 255}, 8, 7},
	{{.kind = COLOR_RGB, .r = 255}, 256, 196},
	{{.kind = COLOR_RGB, .r = 8, .g = 8, .b = 8}, 256, 232},
	{{.kind = COLOR_RGB, .r = 95, .g = 135, .b = 175}, 256, 67},
	{{.kind = COLOR_RGB, .r = 250, .g = 250, .b = 250}, 16, 15},
	{{.kind = COLOR_RGB, .r = 0xcb, .g = 0x4b, .b = 0x16}, 8, 1}, /* a muted red is red, not grey */
	{{.kind = COLOR_RGB, .r = 0x85, .g = 0x99}, 8, 3},
	{{.kind = COLOR_RGB, .r = 0x20, .g = 0x50, .b = 0xd2}, 16, 12},
	{{.kind = COLOR_RGB, .g = 0x2b, .b = 0x36}, 16, 0}, /* a dark ground is black, not blue */
	{{.kind = COLOR_RGB, .r = 0xfd, .g = 0xf6, .b = 0xe3}, 8, 7},
	{{.kind = COLOR_RGB, .r = 1, .g = 2, .b = 3}, 1 << 24, 0x010203},
	{{.kind = COLOR_RGB, .b = 5}, 1 << 24, 0}, /* would be the palette's magenta */
	{{.kind = COLOR_INDEX, .index = 3}, 1 << 24, 3},
	{{.kind = COLOR_INDEX, .index = 12}, COLORS_DIRECT, 0x5c5cff},
	{{.kind = COLOR_INDEX, .index = 12}, COLORS_DIRECT_16, 12},
	{{.kind = COLOR_INDEX, .index = 196}, 1 << 24, 0xff0000},
};

Test(colors, fits_colours_to_the_terminal)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		cr_expect_eq(colors_number(&rows[i].color, rows[i].n_colors), rows[i].number,
		             "row %zu: %#x", i, (unsigned)colors_number(&rows[i].color,
		                                                             rows[i].n_colors));
}

static const char *const shipped[] = {"dark", "gruvbox", "high-contrast", "light", "nightfall",
                                      "nord", "solarized-dark", "solarized-light"};

/* As WCAG 2.1 defines it. */
static double luminance(int number)
{
	const double weights[3] = {0.2126, 0.7152, 0.0722};
	double sum = 0;
	int rgb[3];

	colors_index_rgb(number, rgb);
	for (int i = 0; i < 3; i++) {
		double c = rgb[i] / 255.0;

		sum += weights[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum + 0.05;
}

static double contrast(int a, int b)
{
	double x = luminance(a), y = luminance(b);

	return x > y ? x / y : y / x;
}

/* On 8 and 16 colours text differs from its ground, and bars from the transcript. */
Test(colors, themes_can_be_read_with_few_colours)
{
	setenv("SOTTO_PKGDATADIR", TEST_SRCDIR, 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++)
		for (int n = 8; n <= 16; n += 8) {
			struct theme theme;
			struct error err;

			cr_assert_eq(theme_load(&theme, shipped[i], &err), STATUS_OK, "%s", err.text);
			for (int role = 0; role < THEME_ROLE_COUNT; role++) {
				struct color_pair pair = colors_fit(&theme, (enum theme_role)role, n);

				cr_expect_geq(contrast(pair.fg, pair.bg), 2.4,
				              "%s in %d colours: role %d is %d on %d", shipped[i], n, role,
				              pair.fg, pair.bg);
			}
			cr_expect_neq(colors_fit(&theme, STYLE_STATUS, n).bg, colors_fit(&theme, STYLE_ASSISTANT, n).bg,
			              "%s in %d colours: the bar", shipped[i], n);
			cr_expect_neq(colors_fit(&theme, STYLE_SELECTION, n).bg, colors_fit(&theme, STYLE_PANEL, n).bg,
			              "%s in %d colours: the selected row", shipped[i], n);
		}
}

/* An error is red where red can be read. */
Test(colors, errors_are_red_with_few_colours)
{
	setenv("SOTTO_PKGDATADIR", TEST_SRCDIR, 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++) {
		struct theme theme;
		struct error err;
		struct color_pair pair;

		cr_assert_eq(theme_load(&theme, shipped[i], &err), STATUS_OK, "%s", err.text);
		pair = colors_fit(&theme, STYLE_ERROR, 8);
		cr_expect_eq(pair.fg, 1, "%s: %d on %d", shipped[i], pair.fg, pair.bg);
	}
}

/* Those that the user has set are taken as they are. */
Test(colors, the_terminals_own_stay)
{
	struct color_pair pair;
	struct theme theme;

	theme_default(&theme);
	theme.styles[STYLE_USER] = (struct theme_style){.fg = {.kind = COLOR_INDEX, .index = 3},
	                                                .bg = {.kind = COLOR_INDEX, .index = 7}};
	pair = colors_fit(&theme, STYLE_USER, 16);
	cr_expect(pair.fg == 3 && pair.bg == 7, "%d on %d", pair.fg, pair.bg);
	cr_expect_eq(colors_fit(&theme, STYLE_CODE, 16).bg, -1);
}
