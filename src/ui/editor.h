/* The user's editor on the draft ($VISUAL, $EDITOR, vi): a job of its own in
 * the foreground of the terminal, while the loop goes on with everything but
 * the screen. UI thread only. */
#ifndef SOTTO_UI_EDITOR_H
#define SOTTO_UI_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

#include "base/error.h"
#include "ui/term.h"

struct editor {
	pid_t pid;  /* 0: none runs */
	char *path; /* the draft's file, owned */
};

/* Writes the draft to a file (0600), leaves the screen, starts the editor. */
enum status editor_start(struct editor *editor, struct term *term, const char *text, size_t len,
                         struct error *err) MUST_CHECK;
/* On SIGCHLD. True when the editor has ended: the screen is back then, and
 * *text is the new draft (malloc; NULL: keep the old one, *err says why;
 * a file that cannot be taken over is left where it names it). An
 * editor that stops itself stops us too, as in a shell. */
bool editor_check(struct editor *editor, struct term *term, char **text, size_t *len,
                  struct error *err);
/* Ends it with a signal, on our own way out; the screen is not taken back. */
void editor_kill(struct editor *editor, int signal);

#endif
