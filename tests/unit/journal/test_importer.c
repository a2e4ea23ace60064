/* Imports in a thread: all chats of a file are added, or none, whenever it is stopped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/sys.h"
#include "chat_support.h"
#include "journal/importer.h"
#include "journal/journal.h"

TestSuite(importer, .init = chat_folder_make, .fini = chat_folder_remove, .timeout = 300);

static struct error err;

/* In the folder of the test. */
static const char *write_file(const char *text, size_t len)
{
	static char path[4096];

	snprintf(path, sizeof path, "%s/../../import.json", chat_folder());
	cr_assert_eq(sys_make_dirs(chat_folder(), &err), STATUS_OK, "%s", err.text);
	chat_write(path, text, len);
	return path;
}

/* `n` ShareGPT chats. */
static const char *write_chats(size_t n, const char *end)
{
	struct buf text = {.max = MIB(64)};
	const char *path;

	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "%s{\"title\":\"chat %zu\",\"conversations\":[{\"from\":\"human\",\"value\":\"question %zu\"},"
		           "{\"from\":\"gpt\",\"value\":\"answer\"}]}", i ? ",\n" : "[", i, i);
	buf_puts(&text, end);
	path = write_file(text.data, text.len);
	buf_free(&text);
	return path;
}

static size_t count_chats(void)
{
	struct journal_entry *entries;
	size_t n;

	cr_assert_eq(journal_list(&entries, &n, &err), STATUS_OK, "%s", err.text);
	journal_list_free(entries, n);
	return n;
}

static void wait_a_little(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static void wait_for_end(const struct importer *importer)
{
	while (!importer_look(importer).is_over)
		wait_a_little();
}

Test(importer, adds_all_chats)
{
	struct importer *importer;
	struct importer_result result;
	struct importer_progress progress;
	struct stat st;

	cr_assert_eq(importer_start(&importer, write_chats(20, ",[{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"tool\"}]]"),
	                            &err), STATUS_OK);
	wait_for_end(importer);
	progress = importer_look(importer);
	cr_expect_eq(progress.percent, 100);
	cr_expect(progress.n == 21 && progress.n_kept == 21);
	cr_assert_eq(importer_end(importer, &result, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(result.n, 21);
	cr_expect_eq(result.counts.n[IMPORT_TOOL_RESULTS], 1);
	cr_expect_eq(stat(result.first, &st), 0);
	cr_expect_eq(count_chats(), 21);
	free(result.first);
}

Test(importer, adds_nothing_of_what_is_broken)
{
	static const char *const ends[] = {"", ",{\"conversations\":[{\"from\":", "] x"};
	struct importer *importer;
	struct importer_result result;

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		cr_assert_eq(importer_start(&importer, write_chats(5, ends[i]), &err), STATUS_OK);
		cr_assert_eq(importer_end(importer, &result, &err), STATUS_FORMAT);
		cr_expect(strstr(err.text, "import.json:"), "%s", err.text);
		cr_expect(!result.n && !result.first);
		cr_expect_eq(count_chats(), 0);
	}
	cr_assert_eq(importer_start(&importer, "/nowhere/at/all.json", &err), STATUS_OK);
	cr_assert_neq(importer_end(importer, &result, &err), STATUS_OK);
	cr_expect(strstr(err.text, "/nowhere/at/all.json"), "%s", err.text);
}

/* Stopped at any time; at least once while the file is read, and once while chats are saved. */
Test(importer, adds_all_or_nothing_when_stopped)
{
	enum { CHATS = 300 };
	const char *path = write_chats(CHATS, "]");
	bool while_read = false, while_saved = false;

	for (int i = 0; i < 200 && !(i > 5 && while_read && while_saved); i++) {
		struct importer *importer;
		struct importer_result result;
		struct importer_progress progress;
		size_t before = count_chats(), n;
		enum status status;

		cr_assert_eq(importer_start(&importer, path, &err), STATUS_OK);
		while (i % 2 && !importer_look(importer).n_kept && !importer_look(importer).is_over)
			wait_a_little();
		importer_stop(importer);
		progress = importer_look(importer);
		status = importer_end(importer, &result, &err);
		n = count_chats() - before;
		if (status) {
			cr_assert_eq(status, STATUS_CANCELLED, "%s", err.text);
			cr_expect(n == 0 && !result.n && !result.first, "%zu chats", n);
			while_read |= !progress.n;
			while_saved |= progress.n_kept > 0;
		} else {
			cr_expect_eq(n, CHATS);
		}
		free(result.first);
	}
	cr_expect(while_read && while_saved);
}

/* Somebody has gone on with the first one meanwhile: it stays. */
Test(importer, leaves_what_was_written_to)
{
	enum { CHATS = 2000 };
	struct importer *importer;
	struct importer_result result;
	struct journal_entry *entries;
	FILE *file;
	size_t n;

	cr_assert_eq(importer_start(&importer, write_chats(CHATS, "]"), &err), STATUS_OK);
	while (!importer_look(importer).n_kept)
		wait_a_little();
	cr_assert_eq(journal_list(&entries, &n, &err), STATUS_OK);
	while (importer_look(importer).n_kept <= n && !importer_look(importer).is_over)
		wait_a_little();
	file = fopen(entries[n - 1].path, "a");
	cr_assert(file && fputs("\n", file) >= 0 && fclose(file) == 0);
	journal_list_free(entries, n);
	importer_stop(importer);
	if (importer_end(importer, &result, &err) == STATUS_CANCELLED)
		cr_expect_eq(count_chats(), 1);
	free(result.first);
}
