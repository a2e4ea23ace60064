#include "screen/shell_job.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include "base/sys.h"

enum report_kind { REPORT_PID, REPORT_STOPPED, REPORT_ENDED };

struct report {
	enum report_kind kind;
	pid_t pid;
	int wait_status;
	bool modes_restored;
	uint64_t started_us;
};

static void die(const char *what)
{
	fprintf(stderr, "job: %s: %s\n", what, strerror(errno));
	exit(1);
}

static bool same_modes(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
	       a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof(a->c_cc)) == 0;
}

static void send_report(int fd, const struct report *report)
{
	if (write(fd, report, sizeof(*report)) != sizeof(*report))
		_exit(126);
}

static void execute(const struct shell_job_options *options)
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (options->directory && chdir(options->directory) < 0)
		_exit(127);
	execve(options->argv[0], (char *const *)(uintptr_t)options->argv,
	       (char *const *)(uintptr_t)options->environ);
	fprintf(stderr, "%s: %s\n", options->argv[0], strerror(errno));
	_exit(127);
}

/* The leader, in the session of the new terminal. Never returns. */
static void lead(const struct shell_job_options *options, int reports, int control)
{
	struct report report = {.kind = REPORT_PID};
	struct termios before, now;
	char command;

	if (tcgetattr(0, &before) < 0)
		_exit(126);
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGTSTP, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
	report.started_us = sys_now_us();
	report.pid = fork();
	if (report.pid < 0)
		_exit(126);
	if (report.pid == 0) {
		setpgid(0, 0);
		tcsetpgrp(0, getpid());
		/* By the program itself, so that nothing it does comes before it. */
		report.pid = getpid();
		send_report(reports, &report);
		execute(options);
	}
	setpgid(report.pid, report.pid);
	for (;;) {
		while (waitpid(report.pid, &report.wait_status, WUNTRACED) < 0)
			if (errno != EINTR)
				_exit(126);
		report.kind = WIFSTOPPED(report.wait_status) ? REPORT_STOPPED : REPORT_ENDED;
		report.modes_restored = tcgetattr(0, &now) == 0 && same_modes(&before, &now);
		tcsetpgrp(0, getpid());
		tcsetattr(0, TCSADRAIN, &before);
		send_report(reports, &report);
		/* The terminal stays open until the test has seen all of it. */
		if (read(control, &command, 1) != 1)
			_exit(0);
		if (report.kind == REPORT_STOPPED) {
			tcsetpgrp(0, report.pid);
			kill(-report.pid, SIGCONT);
		}
	}
}

/* The program is known from its start on: a terminal that is closed at once is closed for it. */
static void take_pid(struct shell_job *job)
{
	struct report report;
	ssize_t n;

	while ((n = read(job->reports, &report, sizeof(report))) < 0 && errno == EINTR)
		;
	if (n != sizeof(report) || report.kind != REPORT_PID)
		die("the leader's first report");
	job->program = report.pid;
	job->started_us = report.started_us;
}

void shell_job_start(struct shell_job *job, const struct shell_job_options *options)
{
	struct winsize size = {
		.ws_row = (unsigned short)options->rows,
		.ws_col = (unsigned short)options->cols,
	};
	int master, slave, reports[2], control[2];
	pid_t parent = getpid();

	memset(job, 0, sizeof(*job));
	if (openpty(&master, &slave, NULL, NULL, &size) < 0)
		die("openpty");
	if (options->typed && write(master, options->typed, strlen(options->typed)) != (ssize_t)strlen(options->typed))
		die("what is typed first");
	if (pipe2(reports, O_CLOEXEC) < 0 || pipe2(control, O_CLOEXEC) < 0)
		die("pipe");
	fcntl(master, F_SETFD, FD_CLOEXEC);
	fflush(NULL);
	job->started_us = sys_now_us();
	job->leader = fork();
	if (job->leader < 0)
		die("fork");
	if (job->leader == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(126);
		close(master);
		close(reports[0]);
		close(control[1]);
		if (login_tty(slave) < 0)
			_exit(126);
		if (options->leads_session)
			execute(options);
		lead(options, reports[1], control[0]);
	}
	close(slave);
	close(reports[1]);
	close(control[0]);
	fcntl(master, F_SETFL, O_NONBLOCK);
	job->terminal = master;
	job->reports = reports[0];
	job->control = control[1];
	if (options->leads_session)
		job->program = job->leader;
	else
		take_pid(job);
	fcntl(reports[0], F_SETFL, O_NONBLOCK);
	job->state = JOB_RUNNING;
}

bool shell_job_poll(struct shell_job *job)
{
	struct report report;
	int status;

	if (job->state == JOB_ENDED || job->state == JOB_LOST)
		return false;
	if (job->program == job->leader) {
		struct termios now;

		if (waitpid(job->leader, &status, WNOHANG) != job->leader)
			return false;
		job->leader = 0;
		job->wait_status = status;
		job->state = JOB_ENDED;
		job->modes_restored = job->terminal >= 0 && tcgetattr(job->terminal, &now) == 0 &&
		                      (now.c_lflag & (ICANON | ECHO)) == (ICANON | ECHO);
		return true;
	}
	if (job->reports < 0) { /* hung up: an orphan that we, the subreaper, inherited */
		pid_t pid = waitpid(job->program, &status, WNOHANG);

		if (pid == 0)
			return false;
		/* The leader may have reaped it with its last breath: the status is lost. */
		job->wait_status = pid == job->program ? status : 0;
		job->state = JOB_ENDED;
		return true;
	}
	if (read(job->reports, &report, sizeof(report)) != sizeof(report))
		return false;
	job->state = report.kind == REPORT_STOPPED ? JOB_STOPPED : JOB_ENDED;
	job->wait_status = report.wait_status;
	job->modes_restored = report.modes_restored;
	return true;
}

void shell_job_continue(struct shell_job *job)
{
	if (write(job->control, "f", 1) != 1)
		die("control pipe");
	job->state = JOB_RUNNING;
}

void shell_job_hang_up(struct shell_job *job)
{
	/* Orphans come to us: their ends are seen, and none is left behind. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	close(job->terminal);
	job->terminal = -1;
	if (job->program != job->leader) {
		close(job->reports);
		job->reports = -1;
		waitpid(job->leader, NULL, 0); /* SIGHUP ends it, as it ends a shell */
		job->leader = 0;
	}
}

void shell_job_close(struct shell_job *job)
{
	int *const fds[] = {&job->terminal, &job->reports, &job->control};

	if (job->program > 0 && job->state != JOB_ENDED)
		kill(job->program, SIGKILL);
	if (job->leader > 0) {
		kill(job->leader, SIGKILL);
		waitpid(job->leader, NULL, 0);
	}
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
	job->state = JOB_LOST;
}
