#include <criterion/criterion.h>

#include "terminal/style.h"

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
	{{.kind = COLOR_RGB, .r = 1, .g = 2, .b = 3}, 1 << 24, 0x010203},
	{{.kind = COLOR_RGB, .b = 5}, 1 << 24, 0}, /* would be the palette's magenta */
	{{.kind = COLOR_INDEX, .index = 3}, 1 << 24, 3},
	{{.kind = COLOR_INDEX, .index = 196}, 1 << 24, 0xff0000},
};

Test(style, fits_colours_to_the_terminal)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		cr_expect_eq(style_color_number(&rows[i].color, rows[i].n_colors), rows[i].number,
		             "row %zu: %#x", i, (unsigned)style_color_number(&rows[i].color,
		                                                             rows[i].n_colors));
}
