#include "cli/chats_change.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/print.h"
#include "journal/trash.h"

int chats_fail(struct error *err)
{
	if (err->status == STATUS_NOTFOUND || err->status == STATUS_FORMAT)
		err->status = STATUS_USAGE;
	return cli_fail(err);
}

int chats_delete(const char *name)
{
	struct error err;
	char *path;
	int rc = 0;

	if (journal_resolve(name, &path, &err))
		return chats_fail(&err);
	if (trash_put(path, &io_system, &err))
		rc = chats_fail(&err);
	else
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
		rc = chats_fail(&err);
	journal_list_free(entries, n);
	free(path);
	return rc;
}

int chats_rename(const char *title, const char *name)
{
	struct error err;
	char *path;
	int rc = 0;

	if (journal_resolve(name, &path, &err))
		return chats_fail(&err);
	if (journal_rename(path, title, &io_system, &err))
		rc = chats_fail(&err);
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
	return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

int chats_empty_trash(void)
{
	struct journal_entry *entries;
	size_t n, n_removed = 0;
	struct error err;
	char text[80];
	int rc = 0;

	if (trash_list(&entries, &n, &err))
		return cli_fail(&err);
	if (n == 0) {
		cli_note("the trash is empty");
	} else if (may_empty(n)) {
		if (trash_empty(entries, n, &n_removed, &io_system, &err))
			rc = cli_fail(&err);
		snprintf(text, sizeof text, "%zu chat%s deleted for good", n_removed,
		         n_removed == 1 ? " was" : "s were");
		cli_note(text);
	}
	journal_list_free(entries, n);
	return rc;
}
