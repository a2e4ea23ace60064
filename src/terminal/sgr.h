/* Theme roles as control sequences, for text in the terminal's normal flow (no curses). The
 * terminal's own description says how they are written. */
#ifndef SOTTO_TERMINAL_SGR_H
#define SOTTO_TERMINAL_SGR_H

#include "config/theme.h"

enum { SGR_MAX = 96 };

struct sgr {
	char on[THEME_ROLE_COUNT][SGR_MAX]; /* "" for a role that looks like any text */
	char off[SGR_MAX];
};

/* A theme for the terminal that TERM names, fitted to its colours; without colours if NO_COLOR is
 * set and not empty. All empty if the terminal has no description. */
void sgr_of_theme(struct sgr *sgr, const struct theme *theme);

#endif
