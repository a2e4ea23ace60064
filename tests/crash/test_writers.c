/* Eight processes open one chat and all write: one has it, the others go on in
 * copies, and no message of any is lost or stands twice. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "journal/journal.h"
#include "check.h"

enum { PROCESSES = 8 };

static void say(struct journal *journal, struct tree *tree, const char *text)
{
	struct error err;
	uint32_t id;

	CHECK(tree_add(tree, tree_leaf(tree), ROLE_USER, text, strlen(text), &id, &err) == STATUS_OK,
	      "%s", err.text);
	CHECK(journal_message(journal, tree_node(tree, id), &err) == STATUS_OK, "%s", err.text);
}

static void write_messages(const char *path, int process, size_t n)
{
	struct journal *journal;
	struct tree *tree;
	struct error err;
	size_t n_damaged;
	bool forked;
	char text[64];

	CHECK(journal_open(&journal, &tree, path, &forked, &n_damaged, &err) == STATUS_OK, "%s",
	      err.text);
	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof text, "%d %zu", process, i);
		say(journal, tree, text);
	}
	journal_close(journal);
	tree_free(tree);
}

/* Counts the messages of one file; none may stand in it twice. */
static void count(const char *path, size_t n, unsigned *seen)
{
	unsigned char *here = calloc(PROCESSES, n);
	struct journal *journal;
	struct tree *tree;
	struct error err;
	size_t n_damaged;
	bool forked;

	CHECK(here, "memory");
	CHECK(journal_open(&journal, &tree, path, &forked, &n_damaged, &err) == STATUS_OK, "%s",
	      err.text);
	CHECK(n_damaged == 0, "%s: %zu damaged", path, n_damaged);
	CHECK(strcmp(tree_node(tree, 1)->text, "the beginning") == 0, "%s", path);
	for (uint32_t id = 2; id <= tree_n(tree); id++) {
		int process;
		size_t i;

		CHECK(sscanf(tree_node(tree, id)->text, "%d %zu", &process, &i) == 2 && process >= 0 &&
		      process < PROCESSES && i < n, "%s", tree_node(tree, id)->text);
		CHECK(!here[(size_t)process * n + i]++, "%s: %d %zu stands twice", path, process, i);
		seen[(size_t)process * n + i]++;
	}
	journal_close(journal);
	tree_free(tree);
	free(here);
}

int main(void)
{
	size_t n = getenv("SOTTO_TEST_LONG") ? 1000 : 125, n_chats, n_lost = 0;
	char folder[] = "/tmp/sotto-writers-XXXXXX", path[300], command[64];
	unsigned *seen = calloc(PROCESSES * n, sizeof *seen);
	struct journal_entry *entries;
	struct journal *journal;
	struct tree *tree = tree_create();
	struct error err;
	int gate[2];
	char byte;

	CHECK(seen && tree && mkdtemp(folder), "%s", strerror(errno));
	setenv("SOTTO_DATA_DIR", folder, 1);
	CHECK(journal_create(&journal, &err) == STATUS_OK, "%s", err.text);
	say(journal, tree, "the beginning");
	snprintf(path, sizeof path, "%s", journal_path(journal));
	journal_close(journal);
	tree_free(tree);
	CHECK(pipe(gate) == 0, "%s", strerror(errno));
	for (int process = 0; process < PROCESSES; process++) {
		pid_t child = fork();

		CHECK(child >= 0, "%s", strerror(errno));
		if (child == 0) {
			close(gate[1]);
			CHECK(read(gate[0], &byte, 1) == 0, "gate"); /* all at once */
			write_messages(path, process, n);
			exit(0);
		}
	}
	close(gate[0]);
	close(gate[1]);
	for (int process = 0; process < PROCESSES; process++) {
		int status;

		CHECK(wait(&status) > 0 && status == 0, "a writer failed: %x", (unsigned)status);
	}
	CHECK(journal_list(&entries, &n_chats, &err) == STATUS_OK, "%s", err.text);
	for (size_t i = 0; i < n_chats; i++)
		count(entries[i].path, n, seen);
	for (size_t i = 0; i < PROCESSES * n; i++)
		n_lost += !seen[i];
	CHECK(n_lost == 0, "%zu messages are lost", n_lost);
	printf("%d writers, %zu messages, %zu files, none lost\n", PROCESSES, PROCESSES * n, n_chats);
	journal_list_free(entries, n_chats);
	free(seen);
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) == 0 ? 0 : 1;
}
