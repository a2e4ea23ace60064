#include "net/pipe_guard.h"

#include <pthread.h>

static bool is_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGPIPE) == 1;
}

static void only_pipe(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGPIPE);
}

void pipe_guard_begin(struct pipe_guard *guard)
{
	sigset_t set;

	guard->was_pending = is_pending();
	only_pipe(&set);
	pthread_sigmask(SIG_BLOCK, &set, &guard->mask);
}

void pipe_guard_end(const struct pipe_guard *guard)
{
	sigset_t set;
	int signal;

	only_pipe(&set);
	if (!guard->was_pending && is_pending())
		sigwait(&set, &signal);
	pthread_sigmask(SIG_SETMASK, &guard->mask, NULL);
}
