/* A crash gives the terminal back, whatever is being drawn. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/thread.h"
#include "terminal/signals.h"

static void *crash(void *number)
{
	raise(*(const int *)number);
	return NULL;
}

/* Draws without an end, until a thread beside it is hit. */
static void draw_and_crash(int out, int number)
{
	const struct rlimit none = {0, 0};
	const struct termios modes = {0};
	pthread_t thread;

	setrlimit(RLIMIT_CORE, &none);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL); /* not Criterion's */
	if (signals_open(NULL))
		_exit(1);
	signals_set_restore(out, "old", 3, &modes);
	signals_set_restore(out, "back", 4, &modes);
	if (thread_start(&thread, crash, &number))
		_exit(1);
	for (;;)
		if (write(out, "x", 1) != 1)
			_exit(1);
}

Test(signals, nothing_is_drawn_after_a_crash_beside)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

	for (size_t i = 0; i < 200; i++) {
		int ends[2], status, number = numbers[i % 4];
		char last[4096 + 4] = "";
		size_t len = 0;
		ssize_t n;
		pid_t child;

		cr_assert_eq(pipe(ends), 0);
		child = fork();
		if (child == 0)
			draw_and_crash(ends[1], number);
		close(ends[1]);
		while ((n = read(ends[0], last + len, 4096)) > 0) {
			len += (size_t)n;
			memmove(last, last + (len > 4 ? len - 4 : 0), len > 4 ? 4 : len);
			len = len > 4 ? 4 : len;
		}
		close(ends[0]);
		cr_assert_eq(waitpid(child, &status, 0), child);
		cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == number, "signal %d: status %x", number, status);
		cr_expect(memcmp(last, "back", 4) == 0, "round %zu: it ends in %.4s", i, last);
	}
}
