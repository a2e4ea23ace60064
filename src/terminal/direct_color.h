/* 24-bit colours on terminals whose description knows only 256.
 *
 * TERM=xterm-256color says nothing about direct colour, and descriptions that do (xterm-direct) are
 * seldom installed; terminals set COLORTERM=truecolor instead. For these, a description with direct
 * colour is made in memory and handed to curses in TERMINFO, which may hold a whole
 * description ("b64:...", ncurses 6.1). The terminal's palette stays as it is. */
#ifndef SOTTO_TERMINAL_DIRECT_COLOR_H
#define SOTTO_TERMINAL_DIRECT_COLOR_H

#include <stdbool.h>

/* All of these are about curses' current terminal (cur_term). */

/* Whether COLORTERM says that it shows 24-bit colours, and its description does not. */
bool direct_color_is_offered(void);
/* Its description with direct colour, as a value of TERMINFO for the terminal type `name`; numbers
 * below 16 are still the palette's. NULL: it cannot be made. The caller frees. */
char *direct_color_describe(const char *name);
/* Whether its description is one of these. */
bool direct_color_is_made(void);

#endif
