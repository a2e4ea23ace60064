/* Long work beside the screen: a thread of its own, how far it is, a wish to stop it, and a file
 * descriptor that wakes its owner. Searches and imports are jobs.
 *
 * Threads: one thread owns the job and makes all calls but those of the last part, which are for the
 * work's. What the work writes elsewhere is its own until job_is_over, or job_end has returned. */
#ifndef SOTTO_BASE_JOB_H
#define SOTTO_BASE_JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/wake.h"

typedef void job_work(void *ctx);

struct job { /* {0} is one that does not run */
	pthread_t thread;
	bool is_running; /* the owner's: from job_start to job_end */
	struct wake wake;
	job_work *work;
	void *ctx;
	atomic_bool stop, is_over;
	atomic_size_t done, all; /* how far it is, in its own unit; all 0: that is not known yet */
};

/* Runs work(ctx), with nothing done yet and no wish to stop. The job must not run already. */
enum status job_start(struct job *job, job_work *work, void *ctx, struct error *err) MUST_CHECK;
/* Asks it to stop; work that has no more to do may end as if nothing had been asked. */
void job_stop(struct job *job);
/* To be polled for POLLIN: there is news, or the work is over. -1 if it does not run. */
int job_fd(const struct job *job);
/* job_end will not wait. */
bool job_is_over(const struct job *job);
/* Waits for the end. {0} is fine. */
void job_end(struct job *job);

/* For the work's thread. The first is a callback of what can be stopped; `job` is the job. */
bool job_is_stopped(void *job);
void job_tell(const struct job *job); /* there is news */

#endif
