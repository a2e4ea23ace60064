/* Keeps SIGPIPE from the calling thread while libcurl writes to a connection whose other end may be gone:
 * `sotto run` dies of that signal, as it should for its output, but not for a server. */
#ifndef SOTTO_NET_PIPE_GUARD_H
#define SOTTO_NET_PIPE_GUARD_H

#include <signal.h>
#include <stdbool.h>

struct pipe_guard {
	sigset_t mask;    /* of the thread, before */
	bool was_pending;
};

void pipe_guard_begin(struct pipe_guard *guard);
/* Takes back a SIGPIPE that came meanwhile. */
void pipe_guard_end(const struct pipe_guard *guard);

#endif
