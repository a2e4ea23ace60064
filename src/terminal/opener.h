/* Opening an address in the user's browser: the programs of $BROWSER, xdg-open, open. No shell is
 * involved, and only http, https and mailto are opened, whatever a link says. UI thread only. */
#ifndef SOTTO_TERMINAL_OPENER_H
#define SOTTO_TERMINAL_OPENER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

enum { OPENER_BY_MAX = 48 };

/* Zeroed: nothing has been opened. */
struct opener {
	pid_t pid;              /* the program, until it is seen to have ended; 0: none */
	char by[OPENER_BY_MAX]; /* its name */
	char *const *servers;   /* as child_spawn takes it */
};

/* Whether it is an address that may be opened: of these kinds, without blanks and control characters. */
bool opener_takes(const char *address);

/* Starts the program. One that is still running is left alone. */
enum status opener_open(struct opener *opener, const char *address, struct error *err) MUST_CHECK;

/* Call when a child has ended. True: it was the program, and says that it failed (err). */
bool opener_has_failed(struct opener *opener, struct error *err);

#endif
