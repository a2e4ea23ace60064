#include "cli/chats_import.h"

#include <stdlib.h>

#include "base/limits.h"
#include "cli/chats_change.h"
#include "cli/input.h"
#include "cli/print.h"
#include "cli/stop.h"
#include "journal/importer.h"

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
	struct buf text;
	int rc;

	if (importer_start_any(&importer, input_is_stdin(path) ? "/dev/stdin" : path, &err))
		return cli_fail(&err);
	status = wait_for(importer) ? importer_end(importer, &result, &err) : STATUS_CANCELLED;
	if (status == STATUS_CANCELLED)
		return cli_fail_with(status, "%s: the import was stopped; no chat was added", path);
	if (status)
		return chats_fail(&err);
	buf_init(&text, KIB(16));
	buf_printf(&text, "%s: ", path);
	import_put_counts(&text, &result.counts);
	buf_putc(&text, '\n');
	rc = cli_print_safe(&text, "what was imported");
	buf_free(&text);
	free(result.first);
	return rc;
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
