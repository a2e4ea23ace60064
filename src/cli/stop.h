/* SIGINT, SIGTERM and SIGHUP for commands that have something to put in order
 * before they end, with 128 + the signal. */
#ifndef SOTTO_CLI_STOP_H
#define SOTTO_CLI_STOP_H

/* From here on a signal is noted; a second of the same kind ends the program
 * at once. A reader that has gone away ends it quietly, also where a parent
 * ignores that. A limit on the size of files makes writing fail, like other
 * reasons. */
void stop_catch_signals(void);

/* The one that came; 0 for none. */
int stop_signal(void);

#endif
