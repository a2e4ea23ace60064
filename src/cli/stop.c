#include "cli/stop.h"

#include <signal.h>

#include "cli/print.h"

/* The one thing a handler may touch. */
static volatile sig_atomic_t caught;

static void on_stop(int signal)
{
	caught = signal;
}

void stop_catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND}, old;

	sigemptyset(&action.sa_mask);
	caught = 0;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (sigaction(SIGHUP, NULL, &old) != 0 || old.sa_handler != SIG_IGN) /* nohup */
		sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN);
}

int stop_signal(void)
{
	return caught;
}

bool stop_go_on(void *ctx, size_t done, size_t total)
{
	(void)ctx, (void)done, (void)total;
	return !caught;
}

int stop_or_fail(const struct error *err)
{
	return err->status == STATUS_CANCELLED && caught ? 128 + caught : cli_fail(err);
}
