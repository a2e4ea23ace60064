/* Fetches over several connections, watched and stopped at random moments, gone on with, until they are whole. Says when
 * a file is there that is not; ThreadSanitizer says what was wrong with the threads. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "pull/puller.h"
#include "support/folder.h"
#include "support/hub_server/hub_server.h"
#include "support/random.h"

enum { ROUNDS = 10, STOPS_MAX = 50, FILE_BYTES = 3000000 };

static char folder[] = "/tmp/sotto-puller-XXXXXX";
static const struct pull_machine machine = {(uint64_t)16 << 30, 30e9};

static void fail(const char *text)
{
	fprintf(stderr, "%s\n", text);
	exit(1);
}

/* Looks at all that may be looked at while the job runs. */
static void watch(struct puller *puller)
{
	struct pollfd poller = {.fd = puller_fd(puller), .events = POLLIN};
	struct puller_progress progress;
	struct buf text = {.max = 1000};

	(void)poll(&poller, 1, 1);
	(void)puller_update(puller);
	puller_progress(puller, &progress);
	puller_progress_put(&progress, &text);
	if (progress.all && progress.done > progress.all)
		fail("more is done than there is");
	if (puller_offer(puller) && puller_offer(puller)->n_choices != 1)
		fail("another offer than there is");
	if (strncmp(puller_name(puller), "tiny/large-GGUF", 15) != 0)
		fail("another name than was asked for");
	buf_free(&text);
}

/* The file is whole, or not there. */
static void check(const char *path, struct hub_server *server)
{
	char *bytes, *wanted = malloc(FILE_BYTES);
	struct error err = {.text = "not enough memory"};
	size_t n;

	if (sys_read_file(path, FILE_BYTES + 1, &bytes, &n, &err) || !wanted)
		fail(err.text);
	hub_server_read(server, "tiny/large-GGUF", "large-Q4_K_M.gguf", 0, wanted, FILE_BYTES);
	if (n != FILE_BYTES || memcmp(bytes, wanted, n) != 0)
		fail("the file is not the one that is published");
	free(bytes);
	free(wanted);
}

/* Stops each try after some looks, a few more each time, until one is through. */
static void fetch(struct puller *puller, struct hub_server *server, struct test_random *random)
{
	struct error err;

	for (unsigned try = 0;; try++) {
		uint64_t looks = try < STOPS_MAX ? test_random_below(random, 10 + try) : UINT64_MAX;

		if (puller_look(puller, "tiny/large-GGUF", &machine, &err))
			fail(err.text);
		for (uint64_t i = 0; puller_fd(puller) >= 0; i++) {
			if (i >= looks)
				puller_stop(puller);
			watch(puller);
			if (puller_state(puller) == PULLER_OFFERS && puller_fetch(puller, puller_offer(puller)->chosen, &err))
				fail(err.text);
		}
		if (puller_state(puller) == PULLER_DONE)
			break;
		if (puller_state(puller) != PULLER_FAILED || puller_error(puller)->status != STATUS_CANCELLED)
			fail(puller_error(puller)->text);
	}
	check(puller_model(puller), server);
}

int main(void)
{
	struct hub_server *server = hub_server_start(&(struct hub_options){.rate = 20000000});
	struct test_random random = {12345};
	char cache[sizeof folder + 20], *bytes;
	struct puller *puller;
	size_t n;

	if (!mkdtemp(folder) || puller_create(&puller, NULL))
		fail("no folder, or not enough memory");
	bytes = hub_tiny_model(1, &n);
	hub_server_put(server, "tiny/large-GGUF", "large-Q4_K_M.gguf", bytes, n, FILE_BYTES);
	free(bytes);
	setenv("HF_ENDPOINT", hub_server_url(server), 1);
	setenv("SOTTO_TEST_PULL_PART", "200000", 1);
	setenv("SOTTO_TEST_PULL_SECOND", "1", 1);
	setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1", 1);
	unsetenv("LLAMA_CACHE");
	unsetenv("MODEL_ENDPOINT");
	unsetenv("HF_HUB_OFFLINE");
	for (int round = 0; round < ROUNDS; round++) {
		snprintf(cache, sizeof cache, "%s/%d", folder, round);
		setenv("HF_HUB_CACHE", cache, 1);
		fetch(puller, server, &random);
	}
	puller_free(puller);
	hub_server_stop(server);
	remove_folder(folder);
	return 0;
}
