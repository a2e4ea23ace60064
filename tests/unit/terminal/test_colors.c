#include <criterion/criterion.h>

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

static int brightness(int number)
{
	int rgb[3];

	colors_index_rgb(number, rgb);
	return (2 * rgb[0] + 5 * rgb[1] + rgb[2]) / 8;
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
			const struct theme_style *style = theme.styles;
			const struct theme_color *ground = &style[STYLE_ASSISTANT].bg;

			cr_assert_eq(theme_load(&theme, shipped[i], &err), STATUS_OK, "%s", err.text);
			for (int role = 0; role < THEME_ROLE_COUNT; role++) {
				struct color_pair pair = colors_fit(&style[role], ground, n);

				cr_expect_geq(abs(brightness(pair.fg) - brightness(pair.bg)), 75,
				              "%s in %d colours: role %d is %d on %d", shipped[i], n, role,
				              pair.fg, pair.bg);
			}
			cr_expect_neq(colors_fit(&style[STYLE_STATUS], ground, n).bg, colors_number(ground, n),
			              "%s in %d colours: the bar", shipped[i], n);
		}
}

/* Those that the user has set are taken as they are. */
Test(colors, the_terminals_own_stay)
{
	struct theme_style style = {.fg = {.kind = COLOR_INDEX, .index = 3},
	                            .bg = {.kind = COLOR_INDEX, .index = 7}};
	struct theme_color ground = {.kind = COLOR_DEFAULT};
	struct color_pair pair = colors_fit(&style, &ground, 16);

	cr_expect(pair.fg == 3 && pair.bg == 7, "%d on %d", pair.fg, pair.bg);
	style.bg = ground;
	cr_expect_eq(colors_fit(&style, &ground, 16).bg, -1);
}
