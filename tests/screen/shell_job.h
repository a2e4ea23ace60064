/* A program in a new session on a terminal of its own, under a leader process
 * that does what a job-control shell does: it puts the program in the
 * foreground, hears of its stopping and ending, and continues it. */
#ifndef SOTTO_SCREEN_SHELL_JOB_H
#define SOTTO_SCREEN_SHELL_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum shell_job_state { JOB_RUNNING, JOB_STOPPED, JOB_ENDED, JOB_LOST };

struct shell_job {
	int terminal;   /* the pty's master, non-blocking */
	int reports;    /* from the leader */
	int control;    /* to the leader */
	pid_t leader;
	pid_t program;
	enum shell_job_state state;
	int wait_status;      /* JOB_ENDED: as wait gives it */
	bool modes_restored;  /* at the last stop or end: termios as before */
	uint64_t started_us;  /* monotonic, just before the program was executed */
};

struct shell_job_options {
	int rows, cols;
	const char *directory;      /* to start in */
	const char *const *argv;    /* argv[0] is the path */
	const char *const *environ; /* NULL-terminated, the whole environment */
	const char *typed;          /* in the terminal before anything runs there; NULL: nothing */
	bool leads_session;         /* no shell: the program itself leads (as in xterm -e) */
};

/* Dies (exit 1) when the system refuses. */
void shell_job_start(struct shell_job *job, const struct shell_job_options *options);
/* Takes a report if there is one; true when the state changed. */
bool shell_job_poll(struct shell_job *job);
/* fg: the terminal's foreground and SIGCONT. */
void shell_job_continue(struct shell_job *job);
/* Closes the terminal as a closed window does; the program lives on, if it does. */
void shell_job_hang_up(struct shell_job *job);
/* Kills what is left and closes everything. */
void shell_job_close(struct shell_job *job);

#endif
