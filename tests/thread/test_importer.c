/* Imports watched and stopped at random moments. Says when chats are there that should not be;
 * ThreadSanitizer says what was wrong with the threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/sys.h"
#include "journal/importer.h"
#include "journal/journal.h"

enum { ROUNDS = 30, CHATS = 40 };

static char folder[] = "/tmp/sotto-importer-XXXXXX";

static void fail(const char *text)
{
	fprintf(stderr, "%s\n", text);
	exit(1);
}

static const char *write_chats(void)
{
	static char path[sizeof folder + 20];
	FILE *file;

	snprintf(path, sizeof path, "%s/chats.json", folder);
	file = fopen(path, "w");
	if (!file)
		fail("the file cannot be written");
	for (int i = 0; i < CHATS; i++)
		fprintf(file, "{\"messages\":[{\"role\":\"user\",\"content\":\"question %d\"}]}\n", i);
	if (fclose(file))
		fail("the file cannot be written");
	return path;
}

static size_t count(void)
{
	struct journal_entry *entries;
	size_t n;

	if (journal_list(&entries, &n, NULL))
		fail("the chats cannot be listed");
	journal_list_free(entries, n);
	return n;
}

int main(void)
{
	char command[sizeof folder + 20];
	const char *path;

	if (!mkdtemp(folder))
		fail("no folder");
	setenv("SOTTO_DATA_DIR", folder, 1);
	path = write_chats();
	for (int round = 0; round < ROUNDS; round++) {
		size_t before = count(), n;
		struct importer *importer;
		struct importer_result result;
		struct error err;
		enum status status;

		if (importer_start(&importer, path, &err))
			fail(err.text);
		for (int look = 0; look < round * 20 && !importer_look(importer).is_over; look++)
			nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
		if (round % 4)
			importer_stop(importer);
		status = importer_end(importer, &result, &err);
		n = count() - before;
		if (status && status != STATUS_CANCELLED)
			fail(err.text);
		if (n != (status ? 0 : CHATS) || result.n != n)
			fail("it is neither all nor nothing");
		free(result.first);
	}
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) != 0;
}
