#include "base/job.h"

#include "base/thread.h"

static void *run(void *arg)
{
	struct job *job = arg;

	job->work(job->ctx);
	atomic_store(&job->is_over, true);
	job_tell(job);
	return NULL;
}

enum status job_start(struct job *job, job_work *work, void *ctx, struct error *err)
{
	enum status status;
	int rc;

	*job = (struct job){.work = work, .ctx = ctx};
	status = wake_init(&job->wake, err);
	if (status)
		return status;
	rc = thread_start(&job->thread, run, job);
	if (rc) {
		wake_deinit(&job->wake);
		return error_errno(err, rc, "cannot start a thread");
	}
	job->is_running = true;
	return STATUS_OK;
}

void job_stop(struct job *job)
{
	atomic_store(&job->stop, true);
}

int job_fd(const struct job *job)
{
	return job->is_running ? job->wake.read_fd : -1;
}

bool job_is_over(const struct job *job)
{
	return atomic_load(&job->is_over);
}

void job_end(struct job *job)
{
	if (!job->is_running)
		return;
	pthread_join(job->thread, NULL);
	wake_deinit(&job->wake);
	job->is_running = false;
}

bool job_is_stopped(void *job)
{
	return atomic_load(&((struct job *)job)->stop);
}

void job_tell(const struct job *job)
{
	wake_signal(&job->wake);
}
