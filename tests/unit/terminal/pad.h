/* A curses window without a terminal, and what is on it. */
#ifndef SOTTO_TESTS_UI_PAD_H
#define SOTTO_TESTS_UI_PAD_H

#include <curses.h>

#include "config/theme.h"

/* Starts curses on /dev/null and gives a pad of that size. One a process: a
 * Criterion test is one. */
WINDOW *pad_open(int rows, int cols);

/* The row's text as UTF-8 without the blanks at its end; valid until the next
 * call. */
const char *pad_row(WINDOW *win, int y);
/* The first row that has the text; -1: none has. */
int pad_find(WINDOW *win, const char *text);
/* Is the cell drawn in this role's attributes? */
bool pad_has_role(WINDOW *win, int y, int x, enum theme_role role);

#endif
