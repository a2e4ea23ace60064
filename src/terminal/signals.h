/* Signals: handlers set a flag and wake the loop, which does the work. A process has one set of
 * handlers, so this module has one state. UI thread.
 *
 * The exception is signals that end the program (SIGSEGV and the like, SIGQUIT): their handler
 * first restores the terminal, by writing bytes prepared beforehand, and then lets the signal take
 * its course. It does so in the UI thread, whichever was hit: nothing is drawn after it. */
#ifndef SOTTO_TERMINAL_SIGNALS_H
#define SOTTO_TERMINAL_SIGNALS_H

#include <stddef.h>

#include <termios.h>

#include "base/error.h"

enum signal_flag {
	SIGNAL_INTERRUPT = 1 << 0, /* SIGINT, from outside: the terminal sends bytes */
	SIGNAL_TERMINATE = 1 << 1,
	SIGNAL_HANGUP = 1 << 2,
	SIGNAL_RESIZE = 1 << 3,
	SIGNAL_STOP = 1 << 4,
	SIGNAL_CONTINUE = 1 << 5,
	SIGNAL_CHILD = 1 << 6,
};

/* Before newterm, since curses leaves signals alone that are already handled. */
enum status signals_open(struct error *err) MUST_CHECK;
/* Ordinary signals get their old handlers back; those for crashes stay. */
void signals_close(void);

/* Readable when a flag is set. */
int signals_fd(void);
/* The flags set since the last call (enum signal_flag). */
unsigned signals_take(void);

/* Stops the process group as Ctrl+Z in a cooked terminal would; returns when
 * it is continued. */
void signals_stop_self(void);

/* What a crash or a library that ends the program writes to `fd`, and the modes it
 * sets; n = 0: nothing. At most SIGNALS_RESTORE_MAX bytes are kept. */
enum { SIGNALS_RESTORE_MAX = 512 };
void signals_set_restore(int fd, const char *bytes, size_t n, const struct termios *modes);

#endif
