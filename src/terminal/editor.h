/* Runs the user's editor ($VISUAL, $EDITOR, vi) on the draft: a job of its own in the terminal's
 * foreground, while the loop goes on with everything but the screen. UI thread only. */
#ifndef SOTTO_TERMINAL_EDITOR_H
#define SOTTO_TERMINAL_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

#include "base/error.h"
#include "terminal/term.h"

struct editor {
	pid_t pid;  /* 0: none runs */
	char *path; /* the draft's file, owned */
	char *const *servers; /* as child_spawn takes it */
};

/* Writes the draft to a file (0600), leaves the screen, starts the editor. */
enum status editor_start(struct editor *editor, struct term *term, const char *text, size_t len,
                         struct error *err) MUST_CHECK;
/* On SIGCHLD. True when the editor has ended: then the screen is back and *text is the new draft
 * (malloc; NULL: keep the old one, *err says why and names the file if that was kept). An editor
 * that stops itself stops us too, as in a shell. */
bool editor_check(struct editor *editor, struct term *term, char **text, size_t *len,
                  struct error *err);
/* Ends it with a signal when we end ourselves; the screen is not restored. */
void editor_kill(struct editor *editor, int signal);

#endif
