/* SIGINT, SIGTERM and SIGHUP for commands that must clean up before they exit with
 * 128 + the signal. */
#ifndef SOTTO_CLI_STOP_H
#define SOTTO_CLI_STOP_H

/* From now on a signal is only noted; a second one of the same kind ends the program
 * at once. A closed pipe (SIGPIPE) ends it quietly, even if the parent ignores that
 * signal; a limit on file sizes (SIGXFSZ) is an error of writing like any other. */
void stop_catch_signals(void);

/* The signal that came; 0 for none. */
int stop_signal(void);

#endif
