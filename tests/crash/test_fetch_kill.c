/* kill -9 at random points of a download, of one connection and of four: the name never shows a file that is not whole,
 * the state claims no byte that is not there, and in the end it is whole. Each child goes on with what the one before has
 * left, and ticks through a pipe; the parent kills it after some of these, wherever it is on its way to the next. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "check.h"
#include "crash/fetching.h"
#include "support/folder.h"

enum { SPIN = 1000000 };

static uint32_t random_state;

static uint32_t next_random(uint32_t below)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % below;
}

static void tick(void *ctx)
{
	const int *fd = ctx;

	CHECK(write(*fd, "", 1) == 1, "pipe");
}

static void run_child(struct fetching *fetching, const char *path, int fd)
{
	struct error err;

	fetching->tick = tick;
	fetching->ctx = &fd;
	CHECK(fetching_run(fetching, path, &err) == STATUS_OK, "%s", err.text);
}

/* Kills it after so many ticks and a while. True: it was; false: it had come to its end before. *n is how many came. */
static bool run_and_kill(struct fetching *fetching, const char *path, uint32_t *n, uint32_t spin)
{
	int fds[2], status;
	uint32_t most = *n;
	pid_t child;
	char byte;

	CHECK(pipe(fds) == 0, "%s", strerror(errno));
	fflush(stdout);
	child = fork();
	CHECK(child >= 0, "%s", strerror(errno));
	if (child == 0) {
		close(fds[0]);
		run_child(fetching, path, fds[1]);
		_exit(0);
	}
	close(fds[1]);
	for (*n = 0; *n < most && read(fds[0], &byte, 1) == 1; ++*n)
		;
	for (volatile uint32_t i = 0; i < spin; i++)
		;
	kill(child, SIGKILL);
	close(fds[0]);
	CHECK(waitpid(child, &status, 0) == child, "%s", strerror(errno));
	CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == 0, "the child failed");
	return WIFSIGNALED(status);
}

static unsigned kill_often(struct fetching *fetching, const char *path, unsigned kills)
{
	uint32_t usual = UINT32_MAX; /* ticks of one that is not killed */
	unsigned n_whole = 0;

	CHECK(!run_and_kill(fetching, path, &usual, 0) && unlink(path) == 0, "it does not come to its end");
	for (unsigned n = 0; n < kills;) {
		uint32_t ticks = next_random(usual);
		const char *why;

		n += run_and_kill(fetching, path, &ticks, next_random(2) * next_random(SPIN));
		why = fetching_judge(fetching, path);
		CHECK(!*why, "%s", why);
		if (fetching_is_there(path)) {
			n_whole++;
			CHECK(unlink(path) == 0, "%s", strerror(errno));
		}
	}
	return n_whole;
}

static void try_size(uint64_t size, unsigned kills)
{
	struct byte_server server;
	struct fetching fetching = {.server = &server, .size = size};
	char folder[] = "/tmp/sotto-kill-XXXXXX", path[64];
	struct error err;
	unsigned n;

	CHECK(mkdtemp(folder), "%s", strerror(errno));
	snprintf(path, sizeof path, "%s/file", folder);
	byte_server_digest(size, fetching.digest);
	byte_server_start(&server, size);
	n = kill_often(&fetching, path, kills);
	fetching.tick = NULL;
	CHECK(fetching_run(&fetching, path, &err) == STATUS_OK, "%s", err.text);
	CHECK(!*fetching_judge(&fetching, path) && fetching_is_there(path), "it is not whole in the end");
	printf("%u kills in a fetch of %llu bytes, which came to its end %u times\n", kills, (unsigned long long)size, n + 1);
	byte_server_stop(&server);
	remove_folder(folder);
}

int main(void)
{
	unsigned kills = getenv("SOTTO_TEST_LONG") ? 300 : 50;

	setenv("SOTTO_TEST_PULL_PART", "262144", 1);
	random_state = (uint32_t)sys_now_us();
	printf("seed %u\n", random_state);
	signal(SIGPIPE, SIG_IGN);
	try_size(1000003, kills);
	try_size(5000011, kills);
	return 0;
}
