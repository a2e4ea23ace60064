#include "terminal/sgr.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "base/buf.h"
#include "base/sys.h"
#include "terminal/colors.h"
#include "terminal/term.h"

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

static void set_style(char on[SGR_MAX], const struct theme *theme, enum theme_role role, int n_colors)
{
	struct color_pair pair = colors_fit(theme, role, n_colors);
	static const struct {
		unsigned attr;
		const char *name;
	} attrs[] = {
		{ATTR_BOLD, "bold"}, {ATTR_DIM, "dim"}, {ATTR_ITALIC, "sitm"},
		{ATTR_UNDERLINE, "smul"}, {ATTR_REVERSE, "rev"},
	};
	struct buf text = {.max = SGR_MAX - 1};

	for (size_t i = 0; i < sizeof attrs / sizeof attrs[0]; i++)
		if (theme->styles[role].attrs & attrs[i].attr)
			term_put_capability(&text, term_capability(attrs[i].name));
	put_color(&text, "setaf", pair.fg);
	put_color(&text, "setab", pair.bg);
	take(on, &text);
}

void sgr_of_theme(struct sgr *sgr, const struct theme *theme)
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
