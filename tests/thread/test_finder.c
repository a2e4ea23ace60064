/* All chats searched as by a restless user: questions, pauses, looks and ends at random moments, while
 * chats are added and removed. Says what was wrong with the answers; ThreadSanitizer says what was
 * wrong with the threads. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "journal/trash.h"
#include "search/finder.h"
#include "support/random.h"

enum { ROUNDS = 40, QUESTIONS = 30, PATIENCE_MS = 60000 };

static char folder[] = "/tmp/sotto-finder-XXXXXX";

static void fail(const char *text)
{
	fprintf(stderr, "%s\n", text);
	exit(1);
}

static char *add(size_t number)
{
	struct tree *tree = tree_create();
	char text[100], *path = NULL;
	struct error err;
	uint32_t id;

	snprintf(text, sizeof text, "the number %zu of the chats\nwith a needle", number);
	if (!tree || tree_add(tree, 0, ROLE_USER, text, strlen(text), &id, &err) ||
	    journal_add(tree, "", &path, &err))
		fail("a chat cannot be written");
	tree_free(tree);
	return path;
}

/* The rows of the answer to the last question. */
static size_t wait_for(struct finder *finder)
{
	struct finder_news news;
	size_t n = 0;

	do {
		struct pollfd fd = {.fd = finder_fd(finder), .events = POLLIN};

		if (poll(&fd, 1, PATIENCE_MS) != 1)
			fail("no answer");
		finder_take(finder, &news);
		n = news.is_new ? news.n : n + news.n;
		finder_rows_free(news.rows, news.n);
		if (news.err.status)
			fail(news.err.text);
	} while (!news.is_done);
	return n;
}

/* Returns how many chats there are then. */
static size_t play(struct test_random *random, size_t n)
{
	static const char text[] = "with a needle";
	struct finder *finder;
	struct error err;

	if (finder_start(&finder, &err))
		fail(err.text);
	for (int i = 0; i < QUESTIONS; i++) {
		uint64_t chance = test_random_u64(random);
		struct finder_news news;

		finder_ask(finder, text, chance % sizeof text, (enum finder_order)(chance / 16 % ORDER_COUNT),
		           chance % 11 == 0);
		if (chance / 64 % 4 == 0)
			finder_look(finder);
		if (chance / 256 % 8 == 0)
			finder_pause(finder);
		if (chance / 2048 % 3 == 0)
			usleep((useconds_t)(chance / 8192 % 2000));
		if (chance / 4096 % 2) {
			finder_take(finder, &news);
			finder_rows_free(news.rows, news.n);
		}
	}
	if (test_random_u64(random) % 2) {
		char *path = add(n++);

		finder_look(finder); /* it may be seen by this or by the question */
		free(path);
	}
	if (test_random_u64(random) % 3) {
		finder_ask(finder, text, sizeof text - 1, ORDER_NEWEST, false);
		finder_look(finder);
		while (wait_for(finder) != n) {
			/* the one that was added is in the next answer, or there is none */
		}
	}
	finder_end(finder);
	return n;
}

int main(void)
{
	struct test_random random = {.state = 28};
	char command[64];
	size_t n = 0;

	if (!mkdtemp(folder))
		fail("no folder");
	setenv("SOTTO_DATA_DIR", folder, 1);
	setenv("XDG_CACHE_HOME", folder, 1);
	while (n < 5)
		free(add(n++));
	for (int i = 0; i < ROUNDS; i++)
		n = play(&random, n);
	printf("%zu chats\n", n);
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) != 0;
}
