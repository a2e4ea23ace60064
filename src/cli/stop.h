/* SIGINT, SIGTERM and SIGHUP for commands that must clean up before they exit with
 * 128 + the signal. */
#ifndef SOTTO_CLI_STOP_H
#define SOTTO_CLI_STOP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* From now on a signal is only noted; a second one of the same kind ends the program
 * at once. A closed pipe (SIGPIPE) ends it quietly, even if the parent ignores that
 * signal; a limit on file sizes (SIGXFSZ) is an error of writing like any other. */
void stop_catch_signals(void);

/* The signal that came; 0 for none. */
int stop_signal(void);

/* Reads a line of standard input, as fgets. False: its end, or a signal, which may have come before it was asked for;
 * caught ones are noted, others do what they do. */
bool stop_read_line(char *line, int size);

/* For session_set_progress: goes on until a signal comes. */
bool stop_go_on(void *ctx, size_t done, size_t total);
/* The exit status of what failed: 128 + the signal if that has stopped it, otherwise cli_fail's. */
int stop_or_fail(const struct error *err);

#endif
