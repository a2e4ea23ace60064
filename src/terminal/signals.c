#include "terminal/signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/wake.h"

/* Ordinary signals: a flag for the loop. */
static const struct {
	int number;
	enum signal_flag flag;
} ordinary[] = {
	{SIGINT, SIGNAL_INTERRUPT}, {SIGTERM, SIGNAL_TERMINATE}, {SIGHUP, SIGNAL_HANGUP},
	{SIGWINCH, SIGNAL_RESIZE}, {SIGTSTP, SIGNAL_STOP}, {SIGCONT, SIGNAL_CONTINUE},
	{SIGCHLD, SIGNAL_CHILD},
};
enum { N_ORDINARY = sizeof ordinary / sizeof ordinary[0] };

static const int ignored[] = {SIGPIPE, SIGXFSZ};
enum { N_IGNORED = sizeof ignored / sizeof ignored[0] };

static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGQUIT};
enum { N_FATAL = sizeof fatal / sizeof fatal[0] };

enum { DRAWING_ENDS_S = 5 }; /* how long the UI thread may take to end the program, should it hang */

static volatile sig_atomic_t flags[N_ORDINARY];
static struct wake wake = {-1, -1};
static struct sigaction before[N_ORDINARY];
static struct sigaction before_fatal[N_FATAL];
static volatile sig_atomic_t fatal_installed;

/* Of the UI thread. A new one is complete before it is armed, and the old one stays so until then. */
static struct {
	int fd;
	size_t n;
	char bytes[SIGNALS_RESTORE_MAX];
	struct termios modes;
} restores[2];
static volatile sig_atomic_t armed; /* which, from 1; 0: none */
static pthread_t drawing;           /* the UI thread */

static void on_ordinary(int number)
{
	for (int i = 0; i < N_ORDINARY; i++)
		if (ordinary[i].number == number)
			flags[i] = 1;
	wake_signal(&wake);
}

static void give_terminal_back(void)
{
	const int which = armed - 1;

	if (which < 0)
		return;
	armed = 0;
	for (size_t done = 0; done < restores[which].n;) {
		ssize_t n = write(restores[which].fd, restores[which].bytes + done, restores[which].n - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	tcsetattr(restores[which].fd, TCSANOW, &restores[which].modes);
}

static void on_fatal(int number, siginfo_t *info, void *context)
{
	(void)context;
	/* In another thread, the UI thread may be drawing and would go on behind us: it ends the program. */
	if (!pthread_equal(pthread_self(), drawing) && !pthread_kill(drawing, number))
		nanosleep(&(struct timespec){.tv_sec = DRAWING_ENDS_S}, NULL);
	give_terminal_back();
	for (int i = 0; i < N_FATAL; i++)
		if (fatal[i] == number)
			sigaction(number, &before_fatal[i], NULL);
	/* A fault happens again when we return, now with the previous handler; a signal that was
	 * sent has to be sent again. */
	if (info->si_code <= 0 || number == SIGQUIT)
		raise(number);
}

static void install_fatal(void)
{
	/* A stack overflow leaves no room for a handler on the stack it hit. */
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	if (fatal_installed)
		return;
	fatal_installed = 1;
	drawing = pthread_self();
	sigaltstack(&alternate, NULL);
	sigfillset(&action.sa_mask);
	for (int i = 0; i < N_FATAL; i++)
		sigaction(fatal[i], &action, &before_fatal[i]);
	/* Libraries may end the program when memory runs out. */
	atexit(give_terminal_back);
}

enum status signals_open(struct error *err)
{
	struct sigaction action = {.sa_handler = on_ordinary, .sa_flags = SA_RESTART};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	enum status status = wake_init(&wake, err);
	sigset_t set;

	if (status)
		return status;
	sigemptyset(&set);
	sigfillset(&action.sa_mask);
	for (int i = 0; i < N_ORDINARY; i++) {
		flags[i] = 0;
		sigaction(ordinary[i].number, NULL, &before[i]);
		sigaddset(&set, ordinary[i].number);
		/* Started under nohup: leave it so; we notice the end of the terminal anyway. */
		if (ordinary[i].number == SIGHUP && before[i].sa_handler == SIG_IGN)
			continue;
		sigaction(ordinary[i].number, &action, NULL);
	}
	for (int i = 0; i < N_IGNORED; i++)
		sigaction(ignored[i], &ignore, NULL);
	/* Whoever started us may have left some of them blocked. */
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	install_fatal();
	return STATUS_OK;
}

void signals_close(void)
{
	if (wake.read_fd < 0)
		return;
	for (int i = 0; i < N_ORDINARY; i++)
		sigaction(ordinary[i].number, &before[i], NULL);
	/* The ignored ones stay ignored: a chat's last records are written after this. */
	wake_deinit(&wake);
}

int signals_fd(void)
{
	return wake.read_fd;
}

unsigned signals_take(void)
{
	unsigned taken = 0;

	wake_drain(&wake);
	for (int i = 0; i < N_ORDINARY; i++)
		if (flags[i]) {
			flags[i] = 0;
			taken |= ordinary[i].flag;
		}
	return taken;
}

void signals_stop_self(void)
{
	struct sigaction stop = {.sa_handler = SIG_DFL}, ours;

	sigaction(SIGTSTP, &stop, &ours);
	kill(0, SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
}

void signals_set_restore(int fd, const char *bytes, size_t n, const struct termios *modes)
{
	const int which = armed == 1;

	if (n == 0 || n > SIGNALS_RESTORE_MAX) {
		armed = 0;
		return;
	}
	restores[which].fd = fd;
	restores[which].n = n;
	memcpy(restores[which].bytes, bytes, n);
	restores[which].modes = *modes;
	atomic_signal_fence(memory_order_release);
	armed = which + 1;
}
