#include "terminal/sgr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "terminal/colors.h"
#include "terminal/term.h"

static const char *capability(const char *name)
{
	const char *text = tigetstr(name);

	return text && text != (const char *)-1 ? text : NULL;
}

/* Without its padding ("$<5>"). False where there is no room for all of it. */
static bool add(char out[SGR_MAX], const char *text)
{
	size_t n = strlen(out);

	while (text && *text) {
		const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;

		if (end) {
			text = end + 1;
			continue;
		}
		if (n + 1 >= SGR_MAX)
			return false;
		out[n++] = *text++;
	}
	out[n] = '\0';
	return true;
}

static bool add_color(char out[SGR_MAX], const char *name, int color)
{
	const char *text = color >= 0 ? capability(name) : NULL;

	return !text || add(out, tparm(text, (long)color, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
}

static bool add_style(char out[SGR_MAX], const struct theme *theme, enum theme_role role, int n_colors)
{
	struct color_pair pair = colors_fit(theme, role, n_colors);
	static const struct {
		unsigned attr;
		const char *name;
	} attrs[] = {
		{ATTR_BOLD, "bold"}, {ATTR_DIM, "dim"}, {ATTR_ITALIC, "sitm"},
		{ATTR_UNDERLINE, "smul"}, {ATTR_REVERSE, "rev"},
	};
	bool ok = true;

	for (size_t i = 0; i < sizeof attrs / sizeof attrs[0]; i++)
		if (theme->styles[role].attrs & attrs[i].attr)
			ok = ok && add(out, capability(attrs[i].name));
	return ok && add_color(out, "setaf", pair.fg) && add_color(out, "setab", pair.bg);
}

void sgr_of_theme(struct sgr *sgr, const struct theme *theme)
{
	struct theme fitted = *theme;
	const char *no_color = getenv("NO_COLOR");
	TERMINAL *before = set_curterm(NULL);
	int n_colors, found;

	memset(sgr, 0, sizeof *sgr);
	if (!term_is_dumb() && setupterm(NULL, STDOUT_FILENO, &found) == OK) {
		n_colors = tigetnum("colors");
		if (n_colors < 8 || (no_color && no_color[0])) {
			theme_strip_colors(&fitted);
			n_colors = 0;
		}
		/* What cannot be switched off again is not switched on. */
		if (!capability("sgr0") || !add(sgr->off, capability("sgr0")))
			sgr->off[0] = '\0';
		for (size_t i = 0; sgr->off[0] && i < THEME_ROLE_COUNT; i++)
			if (!add_style(sgr->on[i], &fitted, (enum theme_role)i, n_colors))
				sgr->on[i][0] = '\0';
		del_curterm(cur_term);
	}
	set_curterm(before);
}
