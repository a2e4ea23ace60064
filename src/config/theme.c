#include "config/theme.h"

static const struct {
	int color;
	unsigned attrs;
} roles[THEME_ROLE_COUNT] = {
#define X(id, name, color, attrs, help) [id] = {color, attrs},
	THEME_ROLES(X)
#undef X
};

void theme_default(struct theme *theme)
{
	*theme = (struct theme){.name = "terminal16",
	                        .description = "the terminal's own sixteen colours"};
	for (size_t i = 0; i < THEME_ROLE_COUNT; i++) {
		struct theme_style *style = &theme->styles[i];

		style->attrs = roles[i].attrs;
		if (roles[i].color >= 0)
			style->fg = (struct theme_color){.kind = COLOR_INDEX,
			                                 .index = (uint8_t)roles[i].color};
	}
}

bool theme_same_color(const struct theme_color *a, const struct theme_color *b)
{
	return a->kind == b->kind && a->index == b->index && a->r == b->r && a->g == b->g && a->b == b->b;
}

void theme_strip_colors(struct theme *theme)
{
	struct theme_color ground = theme->styles[STYLE_ASSISTANT].bg;

	for (int role = 0; role < THEME_ROLE_COUNT; role++) {
		struct theme_style *style = &theme->styles[role];

		/* What stands out by its background still does. */
		if (!theme_same_color(&style->bg, &ground))
			style->attrs |= ATTR_REVERSE;
		style->fg = style->bg = (struct theme_color){.kind = COLOR_DEFAULT};
	}
}
