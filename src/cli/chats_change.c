#include "cli/chats_change.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/input.h"
#include "cli/print.h"
#include "cli/stop.h"
#include "journal/importer.h"
#include "journal/trash.h"

int chats_change(const char *name, const char *title)
{
	struct error err;
	char *path;
	int rc = 0;

	if (journal_resolve(name, &path, &err))
		return cli_fail_usage(&err);
	if (title ? journal_rename(path, title, &io_system, &err)
	          : trash_put(path, &io_system, &err))
		rc = cli_fail_usage(&err);
	else if (!title)
		cli_note("the chat is in the trash; --restore brings it back");
	free(path);
	return rc;
}

int chats_restore(const char *name)
{
	struct journal_entry *entries;
	struct error err;
	char *path = NULL;
	enum status status;
	size_t n;
	int rc = 0;

	if (trash_list(&entries, &n, &err))
		return cli_fail(&err);
	status = journal_match(entries, n, name, &path, &err);
	if (status == STATUS_NOTFOUND)
		rc = cli_fail_with(STATUS_USAGE, "there is no chat '%.60s' in the trash", name);
	else if (status || trash_restore(path, &io_system, &err))
		rc = cli_fail_usage(&err);
	journal_list_free(entries, n);
	free(path);
	return rc;
}

/* True: there is nobody to ask, or the answer was yes. */
static bool may_empty(size_t n)
{
	char answer[16];

	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return true;
	fprintf(stderr, "Delete %zu chat%s for good? [y/N] ", n, n == 1 ? "" : "s");
	return stop_read_line(answer, sizeof answer) && (answer[0] == 'y' || answer[0] == 'Y');
}

int chats_empty_trash(void)
{
	struct journal_entry *entries;
	size_t n, n_removed = 0;
	struct error err;
	int rc = 0;

	if (trash_list(&entries, &n, &err))
		return cli_fail(&err);
	if (n == 0) {
		cli_note("the trash is empty");
	} else if (may_empty(n)) {
		if (trash_empty(entries, n, &n_removed, &io_system, &err))
			rc = cli_fail(&err);
		cli_note("%zu chat%s deleted for good", n_removed,
		         n_removed == 1 ? " was" : "s were");
	}
	journal_list_free(entries, n);
	return rc;
}

/* ---- import ---- */

/* A signal takes back what has been added of the file. False: it came while a pipe is waited for, and the
 * program is to exit. */
static bool wait_for(struct importer *importer)
{
	while (!importer_look(importer).is_over) {
		if (stop_signal()) {
			importer_stop(importer);
			if (!importer_look(importer).has_file)
				return false;
		}
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
	return true;
}

static int import(const char *path)
{
	struct importer *importer;
	struct importer_result result;
	struct error err;
	enum status status;
	struct buf text = {.max = KIB(16)};

	if (importer_start_any(&importer, input_is_stdin(path) ? "/dev/stdin" : path, &err))
		return cli_fail(&err);
	status = wait_for(importer) ? importer_end(importer, &result, &err) : STATUS_CANCELLED;
	if (status == STATUS_CANCELLED)
		return cli_fail_with(status, "%s: the import was stopped; no chat was added", path);
	if (status)
		return cli_fail_usage(&err);
	buf_printf(&text, "%s: ", path);
	import_put_counts(&text, &result.counts);
	buf_putc(&text, '\n');
	free(result.first);
	return cli_print_safe(&text, "what was imported");
}

int chats_import(char **files, int n)
{
	int rc = 0;

	stop_catch_signals();
	for (int i = 0; i < n && !stop_signal(); i++) {
		int one = import(files[i]);

		rc = rc ? rc : one;
	}
	return stop_signal() ? 128 + stop_signal() : rc;
}
