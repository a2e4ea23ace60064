/* Colours of 24 bits on terminals whose description knows only 256.
 *
 * TERM=xterm-256color says nothing of direct colour, and descriptions that do (xterm-direct) are
 * seldom installed; terminals say COLORTERM=truecolor instead. For these the description is made
 * anew in memory, with direct colour, and handed to curses in TERMINFO, which may hold a whole
 * description ("b64:...", ncurses 6.1). The terminal's palette stays as it is. */
#ifndef SOTTO_TERMINAL_DIRECT_COLOR_H
#define SOTTO_TERMINAL_DIRECT_COLOR_H

#include <stdbool.h>

/* All of these ask about the terminal that curses has now (cur_term). */

/* Whether it takes 24 bits, by COLORTERM, and its description does not say so. */
bool direct_color_is_offered(void);
/* Its description with direct colour, as a value of TERMINFO for the terminal type `name`; numbers
 * below 16 are still the palette's. NULL: it cannot be made. The caller frees. */
char *direct_color_describe(const char *name);
/* It has such a description. */
bool direct_color_is_made(void);

#endif
