/* A strict reader of what a program writes to its terminal: every escape
 * sequence must be one that a full-screen curses program has reason to send.
 * Anything else (a title that the stack does not keep, the clipboard, a query, a stray control character,
 * ill-formed UTF-8, an invisible or reordering character) is a violation: it
 * would mean that bytes of a model or a file reached the terminal. */
#ifndef SOTTO_SCREEN_CHECKER_H
#define SOTTO_SCREEN_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "screen/copied.h"

/* Modes that outlive the program if it forgets them. */
enum checker_mode {
	MODE_ALTERNATE = 1 << 0,      /* ?1049: the alternate screen */
	MODE_PASTE = 1 << 1,          /* ?2004: bracketed paste */
	MODE_MOUSE_CLICK = 1 << 2,    /* ?1000 */
	MODE_MOUSE_DRAG = 1 << 3,     /* ?1002 */
	MODE_MOUSE_MOVE = 1 << 4,     /* ?1003 */
	MODE_MOUSE_SGR = 1 << 5,      /* ?1006 */
	MODE_CURSOR_HIDDEN = 1 << 6,  /* ?25l */
	MODE_CURSOR_KEYS = 1 << 7,    /* ?1: arrows are ESC O A */
	MODE_KEYPAD = 1 << 8,         /* ESC = */
	MODE_NO_WRAP = 1 << 9,        /* ?7l */
	MODE_INSERT = 1 << 10,        /* 4h */
	MODE_LINE_DRAWING = 1 << 11,  /* ESC ( 0 */
	MODE_ATTRIBUTES = 1 << 12,    /* the last SGR was no reset */
	MODE_FOCUS = 1 << 13,         /* ?1004: focus reports */
	MODE_WHEEL_QUIET = 1 << 14,   /* ?1007l: the wheel sends no cursor keys */
	MODE_TITLE = 1 << 15,         /* 22;2t: the title from before is on the stack */
	MODE_KITTY_KEYS = 1 << 16,    /* >5u: the Kitty keyboard protocol, of this screen alone */
	MODE_OTHER_KEYS = 1 << 17,    /* >4;1m: modifyOtherKeys */
};

struct checker {
	unsigned modes;     /* enum checker_mode; 0 is how a terminal starts */
	unsigned n_colors;  /* SGR sequences so far that set a colour */
	unsigned n_clears;  /* whole-screen erasures so far */
	unsigned n_styles;  /* SGR sequences so far */
	unsigned n_moves;   /* sequences so far that are neither those nor ask for bracketed paste */
	unsigned n_asked;   /* questions so far what keyboard and terminal this is */
	unsigned n_entered; /* times the alternate screen was entered */
	bool clear_armed;
	bool wants_copies;   /* of a test that expects copies to the clipboard ... */
	struct copied copied; /* ... these */
	char title[512];     /* the window's, since it was set last */
	bool wants_notices;  /* of a test that expects OSC 9 or 777 */
	char notice[512];    /* the last one's text, from its number on */
	unsigned n_notices, n_bells;
	char string[512];    /* the OSC 2, 9 or 777 under way */
	size_t n_string;
	char violation[256]; /* the first one, printable; "" while clean */

	char seq[64];       /* the sequence under way */
	size_t n_seq;
	char last[4];       /* the last printed character, for REP */
	size_t n_last;
};

void checker_init(struct checker *checker);
void checker_deinit(struct checker *checker);

/* Reads `n` bytes, cut anywhere. Appends to `out` the same bytes with REP
 * ("repeat the last character", which libvterm does not know) written out. */
void checker_feed(struct checker *checker, const char *bytes, size_t n, struct buf *out);

/* Names of the modes that are set, for messages: "alternate screen, mouse". */
void checker_describe_modes(unsigned modes, struct buf *out);

#endif
