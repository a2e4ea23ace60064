/* One file that several processes fetch. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "fetching.h"

enum { SMALL = 100 * 1000 + 7 };

static void *run_in_thread(void *ctx)
{
	fetching_run(ctx);
	return NULL;
}

/* Holds the lock on the part file, and waits until the fetch has seen that. */
static int hold(struct fetching *fetching, pthread_t *thread)
{
	int fd = open(fetching_part(fetching), O_RDWR | O_CREAT, 0600);

	cr_assert_geq(fd, 0);
	cr_assert_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
	pthread_create(thread, NULL, run_in_thread, fetching);
	while (atomic_load(&fetching->progress.phase) != FETCH_OTHERS)
		sched_yield();
	return fd;
}

Test(fetch, takes_what_another_process_has_fetched)
{
	struct fetching fetching;
	pthread_t thread;
	char *bytes = malloc(SMALL);
	int fd;

	fetching_begin(&fetching, NULL, SMALL);
	fd = hold(&fetching, &thread);
	hub_server_read(fetching.server, "owner/repo", "x.gguf", 0, bytes, SMALL);
	cr_assert_eq(write(fd, bytes, SMALL), SMALL);
	cr_assert_eq(rename(fetching_part(&fetching), fetching.path), 0);
	close(fd);
	pthread_join(thread, NULL);
	fetching_expect_whole(&fetching);
	cr_expect_eq(hub_server_n_requests(fetching.server, HUB_ANYTHING), 0);
	free(bytes);
	fetching_end(&fetching);
}

Test(fetch, does_not_wait_for_who_reads_what_was_fetched)
{
	struct fetching fetching;
	pthread_t thread;
	char *bytes = malloc(SMALL);
	int fd;

	fetching_begin(&fetching, NULL, SMALL);
	fd = hold(&fetching, &thread);
	hub_server_read(fetching.server, "owner/repo", "x.gguf", 0, bytes, SMALL);
	cr_assert_eq(write(fd, bytes, SMALL), SMALL);
	cr_assert_eq(rename(fetching_part(&fetching), fetching.path), 0);
	cr_assert_eq(flock(fd, LOCK_SH), 0);
	pthread_join(thread, NULL);
	fetching_expect_whole(&fetching);
	close(fd);
	free(bytes);
	fetching_end(&fetching);
}

Test(fetch, goes_on_where_another_process_has_ended)
{
	struct fetching fetching;
	pthread_t thread;
	int fd;

	fetching_begin(&fetching, NULL, SMALL);
	fd = hold(&fetching, &thread);
	close(fd);
	pthread_join(thread, NULL);
	fetching_expect_whole(&fetching);
	fetching_end(&fetching);
}

Test(fetch, is_stopped_while_it_waits_for_another_process)
{
	struct fetching fetching;
	pthread_t thread;
	int fd;

	fetching_begin(&fetching, NULL, SMALL);
	fd = hold(&fetching, &thread);
	fetching.is_cancelled = true;
	pthread_join(thread, NULL);
	cr_expect_eq(fetching.status, STATUS_CANCELLED);
	cr_expect_eq(hub_server_n_requests(fetching.server, HUB_ANYTHING), 0);
	close(fd);
	fetching_end(&fetching);
}
