#include "config/theme.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "config/theme_internal.h"

static const struct {
	const char *name;
	int color;
	unsigned attrs;
} roles[THEME_ROLE_COUNT] = {
#define X(id, name, color, attrs, help) [id] = {name, color, attrs},
	THEME_ROLES(X)
#undef X
};

int theme_find_role(const char *name, struct nearest *nearest)
{
	nearest_init(nearest, name, strlen(name));
	for (int role = 0; role < THEME_ROLE_COUNT; role++) {
		if (strcmp(roles[role].name, name) == 0)
			return role;
		nearest_offer(nearest, roles[role].name);
	}
	return -1;
}

/* The terminal's own sixteen, in its order. */
static const char *const color_names[16] = {
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright-black", "bright-red", "bright-green", "bright-yellow",
	"bright-blue", "bright-magenta", "bright-cyan", "bright-white",
};

static bool parse_hex(const char *text, struct theme_color *color)
{
	unsigned long value;

	if (strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
		return false;
	value = strtoul(text + 1, NULL, 16);
	*color = (struct theme_color){.kind = COLOR_RGB, .r = (uint8_t)(value >> 16),
	                              .g = (uint8_t)(value >> 8), .b = (uint8_t)value};
	return true;
}

bool theme_parse_color(const char *text, struct theme_color *color, struct nearest *nearest)
{
	int64_t number;

	nearest_init(nearest, text, 0);
	if (text[0] == '#')
		return parse_hex(text, color);
	if (number_parse_int(text, &number)) {
		*color = (struct theme_color){.kind = COLOR_INDEX, .index = (uint8_t)number};
		return number >= 0 && number <= 255;
	}
	if (strcmp(text, "default") == 0) {
		*color = (struct theme_color){.kind = COLOR_DEFAULT};
		return true;
	}
	nearest_init(nearest, text, strlen(text));
	nearest_offer(nearest, "default");
	for (uint8_t i = 0; i < 16; i++) {
		if (strcmp(color_names[i], text) == 0) {
			*color = (struct theme_color){.kind = COLOR_INDEX, .index = i};
			return true;
		}
		nearest_offer(nearest, color_names[i]);
	}
	return false;
}

unsigned theme_find_attr(const char *name, size_t len, struct nearest *nearest)
{
	static const struct {
		const char *name;
		unsigned bit;
	} attrs[] = {{"bold", ATTR_BOLD}, {"dim", ATTR_DIM}, {"italic", ATTR_ITALIC},
	             {"underline", ATTR_UNDERLINE}, {"reverse", ATTR_REVERSE}};

	nearest_init(nearest, name, len);
	for (size_t i = 0; i < sizeof attrs / sizeof attrs[0]; i++) {
		if (strlen(attrs[i].name) == len && memcmp(attrs[i].name, name, len) == 0)
			return attrs[i].bit;
		nearest_offer(nearest, attrs[i].name);
	}
	return 0;
}

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
