/* Theme roles to curses attributes, and to control sequences. One screen a process, as curses has
 * it: the current styles are the module's own, set by style_apply and read by whoever draws. UI
 * thread only. */
#ifndef SOTTO_TERMINAL_STYLE_H
#define SOTTO_TERMINAL_STYLE_H

#include <curses.h>

#include "config/theme.h"

/* Once after newterm: starts colour where the terminal has it. */
void style_start(void);
/* Fits the theme to the terminal's colours (24 bits, 256, 16, 8, none; NO_COLOR
 * takes them out) and makes it current; also at run time. The caller redraws. */
void style_apply(const struct theme *theme);

/* For setcchar. */
struct style {
	attr_t attr;
	short pair;
};
struct style style_of(enum theme_role role);

/* Roles as control sequences, for text in the terminal's normal flow (no curses). The terminal's
 * own description says how they are written. */
enum { SGR_MAX = 96 };
struct sgr {
	char on[THEME_ROLE_COUNT][SGR_MAX]; /* "" for a role that looks like any text */
	char off[SGR_MAX];
};

/* A theme for the terminal that TERM names, fitted to its colours; without colours if NO_COLOR is
 * set and not empty. All empty if the terminal has no description. */
void style_put_sgr(struct sgr *sgr, const struct theme *theme);

#endif
