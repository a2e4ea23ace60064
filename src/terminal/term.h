/* The terminal: starts and stops curses, sets modes of its own, and restores everything on every
 * way out. UI thread only.
 *
 * Curses draws; it never reads. While it is on, file descriptor 2 is a log file, so that no library
 * can write over the screen. */
#ifndef SOTTO_TERMINAL_TERM_H
#define SOTTO_TERMINAL_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "terminal/keyboard.h"

struct term;
struct test_marks;

/* Sets the locale (C.UTF-8 where the environment names no UTF-8 one), handles
 * signals (terminal/signals.h), starts curses on standard input and output. */
enum status term_open(struct term **out, struct error *err) MUST_CHECK;
/* Without curses, for a chat in the terminal's normal flow: only the modes change, output is ordinary
 * output, and a size is asked for. Any terminal will do, TERM=dumb, too. */
enum status term_open_plain(struct term **out, struct error *err) MUST_CHECK;
/* Back to the screen and the modes from before; NULL does nothing. */
void term_close(struct term *term);

struct test_marks *term_test_marks(struct term *term); /* terminal/test_marks.h */
/* How many of the bytes that come next were typed while the terminal still edited lines, before
 * term_open or term_return: it has made a line feed of Enter. Once; then 0. */
size_t term_take_typed(struct term *term);
/* The user's standard error, for children. */
int term_stderr(const struct term *term);

/* An answer to what was asked at the start: keys are asked for as the terminal can tell them. */
void term_on_report(struct term *term, enum input_report report, uint32_t number);
/* Whether it breaks its rows again when its width changes, as far as it has said what it is. */
bool term_reflows(const struct term *term);
enum keyboard_way term_keyboard(const struct term *term);

/* Asks the terminal for its size and tells curses; true when it has changed. */
bool term_resize(struct term *term);
/* As last asked for. */
void term_size(const struct term *term, int *rows, int *cols);
/* Whether the terminal type does nothing but print characters: TERM is unset or "dumb". */
bool term_is_dumb(void);
/* A string of the terminal's description; NULL: it has none. */
const char *term_capability(const char *name);
/* Appends it without its padding ("$<5>"); NULL: nothing. */
void term_put_capability(struct buf *out, const char *text);
/* The next refresh draws everything, whatever the terminal has been left in. */
void term_redraw(const struct term *term);

/* SGR mouse reports of presses, drags and the wheel; from the next refresh on. */
void term_set_mouse(struct term *term, bool on);

/* Reports of the window's focus (INPUT_FOCUS). */
void term_set_focus_reports(struct term *term, bool on);
/* The window's title, sanitised on its way; "": the one from before, which comes back at the end,
 * too. */
void term_set_title(struct term *term, const char *title);

/* Text of a plain terminal, or a control sequence that curses does not know (terminal/osc.h), as it
 * is; after a refresh. False: the
 * screen is somebody else's just now, or the terminal is gone. */
bool term_send(struct term *term, const char *bytes, size_t n);

/* Gives the screen to somebody else for a while: the shell, when we stop, or an editor. */
void term_leave(struct term *term);
void term_return(struct term *term);

/* "C.UTF-8" where the environment has no UTF-8 locale; numbers always with a
 * dot. For tests and everything that measures text. */
void term_set_locale(void);

#endif
