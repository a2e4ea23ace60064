#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>

#include "net/pipe_guard.h"

static bool is_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGPIPE) == 1;
}

static bool is_blocked(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	return sigismember(&mask, SIGPIPE) == 1;
}

Test(pipe_guard, keeps_the_signal_away)
{
	struct pipe_guard guard;

	signal(SIGPIPE, SIG_DFL);
	pipe_guard_begin(&guard);
	raise(SIGPIPE);
	cr_expect(is_pending());
	pipe_guard_end(&guard);
	cr_expect_not(is_pending());
	cr_expect_not(is_blocked());
}

Test(pipe_guard, leaves_a_signal_that_was_there_before)
{
	struct pipe_guard guard;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGPIPE);
	pipe_guard_begin(&guard);
	raise(SIGPIPE);
	pipe_guard_end(&guard);
	cr_expect(is_pending());
	cr_expect(is_blocked());
}
