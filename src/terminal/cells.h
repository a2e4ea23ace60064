/* Text on cells: the only way to the screen. Everything is sanitised on its
 * way (base/sanitize.h), so an unsanitised draw is not possible.
 *
 * Widths are the C library's wcwidth, which terminals follow. A cluster is
 * drawn whole or not at all; what curses cannot hold in one cell (an emoji
 * family, more than four marks) is drawn as its parts, and code points without
 * a width as <U+XXXX>. Joiners between emoji and VS15/16 are not sent: terminals
 * disagree about what they do to the width. Tabs stop every CELLS_TAB columns
 * from the start of the text. UI thread only; needs a UTF-8 LC_CTYPE. */
#ifndef SOTTO_TERMINAL_CELLS_H
#define SOTTO_TERMINAL_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include <curses.h>

#include "base/sanitize.h"
#include "config/theme.h"

enum { CELLS_TAB = 8 };

/* A stretch of a text in a style of its own. */
struct style_run {
	uint32_t from, len; /* bytes of the text */
	enum theme_role role;
};

/* How a text is drawn: in `role`, except for the runs. These are in order, do not overlap, and
 * count from the text's beginning, so that they are right for any part of it, such as a wrapped
 * line. */
struct text_style {
	enum theme_role role;
	const struct style_run *runs; /* borrowed */
	size_t n_runs;
};

/* The role of the byte at `at`. Its run is looked for from *run on, which is 0 for the first byte
 * asked for. */
enum theme_role cells_role_at(const struct text_style *style, size_t *run, size_t at);

/* Draws one line of text at y, x, at most max_cols columns and never past the
 * window's edge. Newlines count as blanks; marks for what is hidden have
 * STYLE_HIDDEN. Returns the columns used; the rest of the row is untouched. */
int cells_draw(WINDOW *win, int y, int x, int max_cols, enum theme_role role, const char *bytes,
               size_t n);
/* The same for bytes[from, to) of a longer text; both ends are ends of pieces. */
int cells_draw_part(WINDOW *win, int y, int x, int max_cols, enum theme_role role,
                    const char *bytes, size_t n, size_t from, size_t to);
/* The same with runs. What is shown as one thing (a cluster, an escape, a broken character) has
 * the style of its first byte, wherever a run ends in it. */
int cells_draw_styled(WINDOW *win, int y, int x, int max_cols, const struct text_style *style,
                      const char *bytes, size_t n, size_t from, size_t to);
/* For the program's own words. */
int cells_puts(WINDOW *win, int y, int x, int max_cols, enum theme_role role, const char *text);
/* Blanks in the role's style. */
void cells_fill(WINDOW *win, int y, int x, int cols, enum theme_role role);

/* Columns that the text takes on one line. */
int cells_width(const char *bytes, size_t n);
int cells_text_width(const char *text);
/* The larger one of a width and what the text takes; NULL takes nothing. */
int cells_widest(int width, const char *text);
/* Columns of one piece that starts at column `col` (a tab's depend on it). */
int cells_piece_width(const struct safe_piece *piece, int col);

#endif
