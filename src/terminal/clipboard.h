/* The user's clipboard: a text goes to the program that serves it here (wl-copy, xclip, xsel,
 * pbcopy, tmux), or to the terminal (OSC 52), which also reaches the clipboard at the other end of
 * an ssh connection.
 *
 * The program gets the text through a pipe, which never waits: after clipboard_copy the loop polls
 * clipboard_fd and calls clipboard_step until it says that the copy has ended. No shell is
 * involved. UI thread only. */
#ifndef SOTTO_TERMINAL_CLIPBOARD_H
#define SOTTO_TERMINAL_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "terminal/term.h"

enum { CLIPBOARD_BY_MAX = 48 };

/* Zeroed: nothing is being copied. */
struct clipboard {
	char *text;        /* owned; what is being given to a program, NULL: nothing is */
	size_t len, done;  /* bytes of it, and how many the program has */
	pid_t pid;         /* the program */
	int fd;            /* the pipe to it; -1: it has all of the text, or wants no more */
	bool chosen;       /* the user named the program: no other is tried */
	size_t next;       /* the way that is tried when this one fails */
	uint64_t deadline; /* milliseconds; until then it has to get on */
	pid_t left_behind; /* a program that serves the text and has not ended; 0: none */
	char by[CLIPBOARD_BY_MAX]; /* who has, or gets, the text: "wl-copy", "the terminal (OSC 52)" */
	char *const *servers; /* as child_spawn takes it */
	bool unsure;       /* it is more than some terminals take */
};

/* Begins to copy a text, which it takes, in place of one that is still under way. `how` is "auto",
 * "osc52", or a program with its arguments, as words. When it returns OK, the copy has been made,
 * or clipboard_is_copying. */
enum status clipboard_copy(struct clipboard *clipboard, struct term *term, const char *how,
                           char *text, size_t len, struct error *err) MUST_CHECK;
/* Whether `how` can be tried: STATUS_USAGE for a program that is not there. The text does not name the
 * option. */
enum status clipboard_check(const char *how, struct error *err) MUST_CHECK;
bool clipboard_is_copying(const struct clipboard *clipboard);
/* To be polled for writing; -1: none. */
int clipboard_fd(const struct clipboard *clipboard);
/* When to call clipboard_step at the latest; UINT64_MAX: never. */
uint64_t clipboard_deadline(const struct clipboard *clipboard);
/* Goes on with the copy; also to be called when a child has ended. True: it has come to its end,
 * good or (err->status) bad. */
bool clipboard_step(struct clipboard *clipboard, struct term *term, uint64_t now_ms,
                    struct error *err);
/* Gives the program the rest of the text, for a second at most, and leaves it alone. */
void clipboard_deinit(struct clipboard *clipboard);

#endif
