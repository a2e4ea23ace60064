#include "terminal/style.h"

#include <stdio.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/sys.h"
#include "terminal/colors.h"
#include "terminal/direct_color.h"
#include "terminal/term.h"

static const struct {
	unsigned theme;
	attr_t curses;
	const char *capability;
} attributes[] = {
	{ATTR_BOLD, A_BOLD, "bold"}, {ATTR_DIM, A_DIM, "dim"}, {ATTR_ITALIC, A_ITALIC, "sitm"},
	{ATTR_UNDERLINE, A_UNDERLINE, "smul"}, {ATTR_REVERSE, A_REVERSE, "rev"},
};
enum { N_ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

static struct style current[THEME_ROLE_COUNT];

void style_start(void)
{
	if (!has_colors())
		return;
	start_color();
	use_default_colors();
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

		current[role].attr = A_NORMAL;
		for (size_t i = 0; i < N_ATTRIBUTES; i++)
			if (style->attrs & attributes[i].theme)
				current[role].attr |= attributes[i].curses;
		current[role].pair = 0;
		/* Pairs are numbered by role, so that a new theme recolours in place. */
		if (colors && (pair.fg >= 0 || pair.bg >= 0) && role + 1 < COLOR_PAIRS &&
		    init_extended_pair(role + 1, pair.fg, pair.bg) == OK)
			current[role].pair = (short)(role + 1);
	}
}

struct style style_of(enum theme_role role)
{
	return current[role];
}

/* ---- without curses ---- */

static void put_color(struct buf *out, const char *name, int color)
{
	const char *text = color >= 0 ? term_capability(name) : NULL;

	if (text)
		term_put_capability(out, tparm(text, (long)color, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
}

/* "" where there is no room for all of it. */
static void take(char to[SGR_MAX], struct buf *text)
{
	snprintf(to, SGR_MAX, "%s", buf_status(text) ? "" : buf_text(text));
	buf_free(text);
}

static void set_style(char on[SGR_MAX], const struct theme *theme, enum theme_role role,
                      int n_colors)
{
	struct color_pair pair = colors_fit(theme, role, n_colors);
	struct buf text = {.max = SGR_MAX - 1};

	for (size_t i = 0; i < N_ATTRIBUTES; i++)
		if (theme->styles[role].attrs & attributes[i].theme)
			term_put_capability(&text, term_capability(attributes[i].capability));
	put_color(&text, "setaf", pair.fg);
	put_color(&text, "setab", pair.bg);
	take(on, &text);
}

void style_put_sgr(struct sgr *sgr, const struct theme *theme)
{
	struct theme fitted = *theme;
	struct buf off = {.max = SGR_MAX - 1};
	TERMINAL *before = set_curterm(NULL);
	int n_colors, found;

	memset(sgr, 0, sizeof *sgr);
	if (!term_is_dumb() && setupterm(NULL, STDOUT_FILENO, &found) == OK) {
		n_colors = tigetnum("colors");
		if (n_colors < 8 || sys_variable("NO_COLOR")) {
			theme_strip_colors(&fitted);
			n_colors = 0;
		}
		term_put_capability(&off, term_capability("sgr0"));
		take(sgr->off, &off);
		/* What cannot be switched off again is not switched on. */
		for (size_t i = 0; sgr->off[0] && i < THEME_ROLE_COUNT; i++)
			set_style(sgr->on[i], &fitted, (enum theme_role)i, n_colors);
		del_curterm(cur_term);
	}
	set_curterm(before);
}
