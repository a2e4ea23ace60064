/* Drives a program in a terminal: sends keys, feeds what it writes to a
 * checker and to libvterm, waits for what should appear, never sleeps blindly.
 *
 * A screen belongs to the test that started it. Every failed expectation ends
 * the test with the place, the reason and the screen as text. A violation
 * found by the checker ends the test wherever it happens. */
#ifndef SOTTO_SCREEN_HARNESS_H
#define SOTTO_SCREEN_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vterm.h>

#include "base/buf.h"
#include "screen/checker.h"
#include "screen/shell_job.h"
#include "screen/runner.h"

enum { SCREEN_MAX_ARGS = 32 };

struct screen_options {
	int rows, cols;         /* 0: 24 x 80 */
	const char *program;    /* NULL: the sotto of this build tree */
	const char *args[SCREEN_MAX_ARGS]; /* after argv[0]; NULL-terminated */
	/* "NAME=value" sets, "NAME" unsets. The rest of the environment is pinned:
	 * PATH, TERM=xterm-256color, HOME and XDG_* inside the test's directory,
	 * no LANG. */
	const char *env[SCREEN_MAX_ARGS];
	const char *typed;      /* bytes that are in the terminal before the program runs; NULL: none */
	bool leads_session;     /* as in xterm -e: no shell above it */
	/* What it answers when it is asked for its keyboard; NULL: as xterm does, "": it does not. */
	const char *keyboard;
	bool other_terminal;    /* TERM is set to one whose sequences the checker does not know */
};

struct screen {
	struct shell_job job;
	struct checker checker;
	const char *keyboard; /* as in the options */
	unsigned n_answered; /* questions about it so far */
	bool lenient;        /* violations do not count */
	VTerm *vt;
	VTermScreen *cells;
	int rows, cols;
	bool *masked;        /* [rows][cols] at the first screen_mask; NULL before; owned */
	struct buf written;  /* by the program, and not yet looked at: see harness.c */
	bool in_frame;       /* `written` begins in one */
	bool has_marks;      /* the program marks its frames (terminal/test_marks.h) */
	bool away;           /* it has given the terminal to another */
	uint64_t n_sent, n_taken; /* bytes of input; those that the last frame answers */
	struct buf text;     /* of screen_text */
	struct buf tail;     /* the last bytes written, for failures */
	const char *secret;  /* a short text that the program never writes; NULL: none */
	uint64_t n_bytes;    /* written by the program so far */
	uint64_t last_us;    /* when the last of them came */
	uint64_t ended_ms;   /* when the program's end was noticed; 0 while it runs */
	struct screen *next; /* of the live screens */
};

struct screen *screen_start(const struct screen_options *options);
#define SCREEN_START(...) screen_start(&(struct screen_options){__VA_ARGS__})
/* Kills what still runs; checks nothing. */
void screen_free(struct screen *screen);

/* Keys as keys.h spells them. */
#define screen_keys(s, keys) screen_send_keys((s), (keys), __FILE__, __LINE__)
void screen_send_keys(struct screen *s, const char *keys, const char *file, int line);
void screen_bytes(struct screen *s, const char *bytes, size_t n);
/* In paste brackets; fails when the program did not ask for them. */
void screen_paste(struct screen *s, const char *bytes, size_t n);
/* SGR mouse report; button 0 left, 64/65 wheel up/down, 32 added for motion.
 * Fails when the program did not ask for reports. */
void screen_mouse(struct screen *s, int button, int row, int col, bool press);
void screen_click(struct screen *s, int row, int col);
void screen_resize(struct screen *s, int rows, int cols);

/* Waits until the program has drawn what all that was sent so far has led to, by its own word: no
 * clock is asked. Returns at once where it gives none. */
void screen_sync(struct screen *s);
/* Takes in what comes within `ms` (returns at the first output or report). */
void screen_pump(struct screen *s, int ms);
/* Takes in output for `ms`: for what a program does by the clock (a lone Esc). */
void screen_pause(struct screen *s, int ms);
/* screen_sync, then takes in output until there was none for `ms`: for "nothing more happens". */
void screen_quiet(struct screen *s, int ms);

/* Waits until `cond` holds: it is evaluated after each frame, of which none is left out (other
 * programs' output: after each piece). Then screen_settle. */
#define WAIT(s, cond) WAIT_FOR(s, 20000, cond)
#define WAIT_FOR(s, ms, cond) \
	do { \
		WAIT_NOW(s, ms, cond); \
		screen_settle(s); \
	} while (0)
/* The same without that. */
#define WAIT_NOW(s, ms, cond) \
	do { \
		uint64_t end_ = screen_deadline(ms); \
		while (!(cond)) \
			screen_wait_more((s), end_, #cond, __FILE__, __LINE__); \
	} while (0)
/* screen_sync; where the program does not mark its frames, takes in the rest of what may be one (a few
 * ms without output, or 20 ms). */
void screen_settle(struct screen *s);
uint64_t screen_deadline(uint64_t ms);
void screen_wait_more(struct screen *s, uint64_t deadline_ms, const char *what, const char *file,
                      int line);
/* Each of the texts in its turn; a text. */
#define WAIT_TEXT(s, ...) WAIT_TEXTS((s), true, __VA_ARGS__)
#define WAIT_GONE(s, text) WAIT_TEXTS((s), false, text)
#define WAIT_TEXTS(s, there, ...) \
	screen_wait_texts((s), (const char *const[]){__VA_ARGS__, NULL}, (there), __FILE__, \
	                  __LINE__)
void screen_wait_texts(struct screen *s, const char *const *texts, bool there, const char *file,
                       int line);

/* screen_keys, and then WAIT_TEXT, WAIT_GONE, WAIT or screen_quiet. */
#define PRESS_SHOWS(s, keys, ...) (screen_keys(s, keys), WAIT_TEXT(s, __VA_ARGS__))
#define PRESS_HIDES(s, keys, text) (screen_keys(s, keys), WAIT_GONE(s, text))
#define PRESS_WAIT(s, keys, cond) \
	do { \
		screen_keys(s, keys); \
		WAIT(s, cond); \
	} while (0)
#define PRESS_QUIET(s, keys, ms) (screen_keys(s, keys), screen_quiet(s, ms))

/* Reading the screen. Texts are UTF-8; what lies right of the last mark of a
 * row is cut. Borrowed until the next call on the same screen. */
const char *screen_text(struct screen *s); /* rows ended by LF */
const char *screen_row(struct screen *s, int row);
int screen_row_of(struct screen *s, const char *text); /* first row that has it, or -1 */
int screen_col_of(struct screen *s, int row, const char *text); /* its column, or -1 */
bool screen_has(struct screen *s, const char *text);
size_t screen_count(struct screen *s, const char *text); /* how often */
VTermScreenCell screen_cell(struct screen *s, int row, int col);
/* From now on `#` is read in these cells, [from, to) of a row, whatever they hold. */
void screen_mask(struct screen *s, int row, int from, int to);
VTermPos screen_cursor(struct screen *s);
char *screen_snapshot(struct screen *s); /* screen_text, to be freed */
void screen_dump(struct screen *s);      /* to stdout, framed */

/* Forgets what the terminal shows, so that only a full redraw restores it. */
void screen_scramble(struct screen *s);

/* Waits for the end of the program and checks that it ends with this exit status, or 128 + signal,
 * and that the terminal is as it was: modes, alternate screen, cursor, termios. Frees the
 * screen. */
#define screen_finish(s, status) screen_wait_end((s), (status), __FILE__, __LINE__)
void screen_wait_end(struct screen *s, int expected, const char *file, int line);
/* Checks the terminal alone (after a stop). */
#define screen_expect_restored(s) screen_check_restored((s), __FILE__, __LINE__)
void screen_check_restored(struct screen *s, const char *file, int line);

/* XDG directories of the test: "data/sotto/chats". One of test_path's buffers. */
const char *screen_home(const char *path);

#endif
