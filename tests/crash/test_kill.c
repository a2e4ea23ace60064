/* kill -9 at random points: whatever the journal said is saved, is. A child
 * talks into one chat, at times instead of an older message, as if that were edited, takes back
 * some of what it has said, and reports each promise through a pipe. The parent kills it after some of
 * them, wherever it is on its way to the next, opens the chat and checks that the journal kept its
 * word. The next child continues in the same file, with whatever tears it has. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/limits.h"
#include "base/sys.h"
#include "chat/path.h"
#include "journal/journal.h"
#include "check.h"

enum { REPLY_PARTS = 6, PROMISES_A_RUN = 40 };

struct promise {
	uint32_t id;
	uint32_t parent;
	uint32_t len; /* WITHDRAWN: what was promised of it no longer counts */
};
#define WITHDRAWN UINT32_MAX

static uint32_t random_state;

static uint32_t next_random(uint32_t below)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % below;
}

/* Byte i of message `id`: anyone can check any beginning of it. */
static char letter(uint32_t id, size_t i)
{
	return "abcdefg \n\"\\:-#{"[(id * 7 + i * i + i / 13) % 15];
}

static void append_letters(struct node *node, size_t n)
{
	char text[4096];

	while (n) {
		size_t some = n < sizeof text ? n : sizeof text;

		for (size_t i = 0; i < some; i++)
			text[i] = letter(node->id, node->len + i);
		CHECK(tree_append(node, text, some) == STATUS_OK, "memory");
		n -= some;
	}
}

static void report(int pipe_fd, const struct node *node, size_t len)
{
	struct promise promise = {node->id, node->parent, (uint32_t)len};

	CHECK(write(pipe_fd, &promise, sizeof promise) == (ssize_t)sizeof promise, "pipe");
}

static struct node *add(struct tree *tree, uint32_t parent, enum role role, struct error *err)
{
	uint32_t id;

	CHECK(tree_add(tree, parent, role, "", 0, &id, err) == STATUS_OK, "%s", err->text);
	return tree_node(tree, id);
}

/* What the next message follows: the leaf, or one time in three what an older one follows. */
static uint32_t next_parent(const struct tree *tree)
{
	const struct node *old = next_random(3) ? NULL : path_user(tree, 1 + next_random(4), 0);

	return old ? old->parent : tree_leaf(tree);
}

static struct node *say(struct journal *journal, struct tree *tree, int pipe_fd)
{
	struct error err;
	struct node *node = add(tree, next_parent(tree), ROLE_USER, &err);

	append_letters(node, next_random(3000));
	CHECK(journal_message(journal, node, &err) == STATUS_OK, "%s", err.text);
	report(pipe_fd, node, node->len);
	return node;
}

/* Says something that is refused, before something else. */
static struct node *take_back(struct journal *journal, struct tree *tree, int pipe_fd)
{
	struct journal_point before = journal_point(journal), after;
	uint32_t leaf = tree_leaf(tree);
	struct node *node = say(journal, tree, pipe_fd);

	after = journal_point(journal);
	report(pipe_fd, node, WITHDRAWN);
	CHECK(journal_take_back(journal, &before, &after), "message %u stays", node->id);
	tree_drop_last(tree);
	tree_set_leaf(tree, leaf);
	return say(journal, tree, pipe_fd);
}

/* The child: talks until it is killed. */
static void talk(const char *path, int pipe_fd)
{
	struct journal *journal;
	struct tree *tree;
	struct error err;
	size_t n_damaged;
	uint64_t now = 0;
	bool forked = false;

	if (*path) {
		CHECK(journal_open(&journal, &tree, path, &forked, &n_damaged, &err) == STATUS_OK, "%s",
		      err.text);
	} else {
		CHECK(journal_create(&journal, &err) == STATUS_OK, "%s", err.text);
		tree = tree_create();
	}
	CHECK(!forked, "nobody else is there");
	for (;;) {
		struct node *node = say(journal, tree, pipe_fd);

		if (next_random(4) == 0)
			node = take_back(journal, tree, pipe_fd);
		node = add(tree, node->id, ROLE_ASSISTANT, &err);
		CHECK(journal_reply_part(journal, node, now, &err) == STATUS_OK, "%s", err.text);
		for (int part = 0; part < REPLY_PARTS; part++) {
			append_letters(node, 1 + next_random(2000));
			now += 2000;
			CHECK(journal_reply_part(journal, node, now, &err) == STATUS_OK, "%s", err.text);
			report(pipe_fd, node, node->len);
		}
		node->state = NODE_COMPLETE;
		CHECK(journal_reply_end(journal, node, &err) == STATUS_OK, "%s", err.text);
		report(pipe_fd, node, node->len);
	}
}

/* The one file of the folder; "" when there is none yet. */
static void find_chat(char *path, size_t size)
{
	struct journal_entry *entries;
	struct error err;
	size_t n;

	CHECK(journal_list(&entries, &n, &err) == STATUS_OK, "%s", err.text);
	CHECK(n <= 1, "%zu chats", n);
	snprintf(path, size, "%s", n ? entries[0].path : "");
	journal_list_free(entries, n);
}

static size_t keep_to_word(const char *path, const struct promise *promises, size_t n)
{
	struct journal *journal;
	struct tree *tree;
	struct error err;
	size_t n_damaged;
	bool forked;

	if (!*path) {
		CHECK(n == 0, "%zu promises and no file", n);
		return 0;
	}
	CHECK(journal_open(&journal, &tree, path, &forked, &n_damaged, &err) == STATUS_OK, "%s", err.text);
	for (size_t i = 0; i < n; i++) {
		const struct node *node = tree_node(tree, promises[i].id);

		if (promises[i].len == WITHDRAWN)
			continue;
		CHECK(node, "message %u of %zu is lost", promises[i].id, tree_n(tree));
		CHECK(node->parent == promises[i].parent, "message %u follows %u, not %u", node->id,
		      node->parent, promises[i].parent);
		CHECK(node->len >= promises[i].len, "message %u: %zu of %u bytes", node->id, node->len,
		      promises[i].len);
	}
	CHECK(tree_leaf(tree) == tree_n(tree), "of %zu messages %u is the leaf", tree_n(tree),
	      tree_leaf(tree));
	for (uint32_t id = 1; id <= tree_n(tree); id++)
		for (size_t i = 0; i < tree_node(tree, id)->len; i++)
			CHECK(tree_node(tree, id)->text[i] == letter(id, i), "message %u, byte %zu", id, i);
	journal_close(journal);
	tree_free(tree);
	return n_damaged;
}

static struct {
	struct promise *at;
	size_t n, cap;
} promises;

/* The next one of a child; false when it has come to its end. */
static bool hear(int pipe_fd, bool *has_cut)
{
	struct promise promise;

	if (read(pipe_fd, &promise, sizeof promise) != (ssize_t)sizeof promise)
		return false;
	if (promises.n == promises.cap) {
		promises.cap = promises.cap ? promises.cap * 2 : 1024;
		promises.at = realloc(promises.at, promises.cap * sizeof *promises.at);
		CHECK(promises.at, "memory");
	}
	for (size_t i = promises.n; promise.len == WITHDRAWN && i-- > 0 && promises.at[i].id == promise.id;)
		promises.at[i].len = WITHDRAWN;
	promises.at[promises.n++] = promise;
	*has_cut |= promise.len == WITHDRAWN;
	return true;
}

int main(void)
{
	size_t runs = getenv("SOTTO_TEST_LONG") ? 1000 : 50, n_damaged = 0;
	char folder[] = "/tmp/sotto-kill-XXXXXX", path[300] = "", command[64];
	uint32_t old_sum = 0;
	size_t old_len = 0;

	random_state = (uint32_t)sys_now_us();
	printf("seed %u\n", random_state);
	CHECK(mkdtemp(folder), "%s", strerror(errno));
	setenv("SOTTO_DATA_DIR", folder, 1);
	for (size_t run = 0; run < runs; run++) {
		uint32_t n_heard = next_random(PROMISES_A_RUN), spin = next_random(2) * next_random(1000000);
		int fds[2], status;
		bool has_cut = false;
		struct error err;
		pid_t child;
		char *text;
		size_t len;

		CHECK(pipe(fds) == 0, "%s", strerror(errno));
		fflush(stdout);
		child = fork();
		CHECK(child >= 0, "%s", strerror(errno));
		if (child == 0) {
			close(fds[0]);
			random_state += (uint32_t)run;
			talk(path, fds[1]);
			_exit(1);
		}
		close(fds[1]);
		for (uint32_t i = 0; i < n_heard; i++)
			CHECK(hear(fds[0], &has_cut), "the child ended by itself");
		for (volatile uint32_t i = 0; i < spin; i++)
			;
		kill(child, SIGKILL);
		while (hear(fds[0], &has_cut))
			;
		close(fds[0]);
		CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status), "the child failed: %x",
		      (unsigned)status);
		find_chat(path, sizeof path);
		n_damaged = keep_to_word(path, promises.at, promises.n);
		if (!*path)
			continue;
		CHECK(sys_read_file(path, LIMIT_TRANSCRIPT, &text, &len, &err) == STATUS_OK, "%s", err.text);
		CHECK(has_cut || (len >= old_len && crc32c(text, old_len) == old_sum), "what was there has changed");
		old_len = len;
		old_sum = crc32c(text, len);
		free(text);
	}
	printf("%zu kills, %zu promises kept, %zu torn records in %zu bytes\n", runs, promises.n,
	       n_damaged, old_len);
	free(promises.at);
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) == 0 ? 0 : 1;
}
