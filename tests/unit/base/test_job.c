#include <criterion/criterion.h>
#include <poll.h>
#include <stdint.h>

#include "base/job.h"

struct counting {
	struct job job;
	size_t n;       /* counts to it; SIZE_MAX: until it is stopped */
	bool is_stopped;
};

static void count(void *ctx)
{
	struct counting *counting = ctx;

	if (counting->n != SIZE_MAX)
		atomic_store(&counting->job.all, counting->n);
	for (size_t i = 0; i < counting->n && !counting->is_stopped; i++) {
		atomic_fetch_add(&counting->job.done, 1);
		counting->is_stopped = job_is_stopped(&counting->job);
		if (i == 0)
			job_tell(&counting->job);
	}
}

/* Waits as the loop of the screen does. */
static void wait_for_news(const struct job *job)
{
	struct pollfd fd = {.fd = job_fd(job), .events = POLLIN};

	cr_assert_geq(fd.fd, 0);
	cr_assert_eq(poll(&fd, 1, 60000), 1);
	wake_drain(&job->wake);
}

Test(job, says_how_far_it_is_and_that_it_is_over)
{
	struct counting counting = {.n = 1000};

	for (int round = 0; round < 3; round++) { /* one after the other in the same place */
		struct error err;

		cr_assert_eq(job_fd(&counting.job), -1);
		cr_assert_eq(job_start(&counting.job, count, &counting, &err), STATUS_OK);
		while (!job_is_over(&counting.job))
			wait_for_news(&counting.job);
		job_end(&counting.job);
		cr_assert_eq(atomic_load(&counting.job.all), 1000);
		cr_assert_eq(atomic_load(&counting.job.done), 1000);
		cr_assert(!counting.is_stopped);
	}
}

Test(job, stops_when_it_is_asked_to)
{
	struct counting counting = {.n = SIZE_MAX};
	struct error err;

	cr_assert_eq(job_start(&counting.job, count, &counting, &err), STATUS_OK);
	wait_for_news(&counting.job);
	cr_assert(!job_is_over(&counting.job));
	job_stop(&counting.job);
	while (!job_is_over(&counting.job))
		wait_for_news(&counting.job);
	job_end(&counting.job);
	cr_assert(counting.is_stopped);
	cr_assert_eq(job_fd(&counting.job), -1);
}

Test(job, that_does_not_run_has_no_end_to_wait_for)
{
	struct job job = {.is_running = false};

	job_stop(&job);
	job_end(&job);
	cr_assert_eq(job_fd(&job), -1);
}
