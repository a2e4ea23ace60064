#include "cli/stop.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

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

/* Signals come only while it waits, so that none is lost between looking for one and reading. */
bool stop_read_line(char *line, int size)
{
	sigset_t stops, before;
	fd_set input;
	bool is_ready;

	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	sigaddset(&stops, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &stops, &before);
	FD_ZERO(&input);
	FD_SET(STDIN_FILENO, &input);
	is_ready = !caught && pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &before) > 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_ready && fgets(line, size, stdin);
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
