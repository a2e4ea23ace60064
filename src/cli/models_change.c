#include "cli/models_change.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/amount.h"
#include "base/buf.h"
#include "base/io.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "cli/print.h"
#include "cli/status_line.h"
#include "cli/stop.h"
#include "pull/stored.h"

static const int64_t week = 7 * 24 * 3600;

/* True: there is nobody to ask, or the answer was yes. */
static bool may_remove(const char *question)
{
	char answer[16];

	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return true;
	fprintf(stderr, "%s [y/N] ", question);
	return stop_read_line(answer, sizeof answer) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* ---- rm ---- */

/* What goes, a line each, before the question. */
static void show_removal(const struct stored_removal *removal)
{
	struct buf text = {.max = MIB(4)};

	for (size_t i = 0; i < removal->n; i++) {
		sanitize_line(&text, removal->paths[i], strlen(removal->paths[i]));
		buf_putc(&text, '\n');
	}
	if (!buf_status(&text))
		fputs(buf_text(&text), stderr);
	buf_free(&text);
}

int models_remove(const char *name, bool sure)
{
	struct stored_removal removal;
	struct error err;
	char amount[AMOUNT_TEXT_MAX], question[100];
	int rc = 0;

	if (stored_plan_removal(&removal, name, &err))
		return cli_fail(&err);
	amount_bytes(amount, removal.n_bytes);
	snprintf(question, sizeof question, "Delete %zu file%s, %s?", removal.n, removal.n == 1 ? "" : "s", amount);
	if (!sure && isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		show_removal(&removal);
	if (!sure && !may_remove(question))
		rc = cli_fail_with(STATUS_CANCELLED, "nothing was deleted");
	else if (stored_remove(&removal, &io_system, &err))
		rc = cli_fail(&err);
	else
		cli_note("%zu file%s deleted: %s", removal.n, removal.n == 1 ? " was" : "s were", amount);
	if (!rc && removal.kept)
		cli_note("%s", removal.kept);
	stored_removal_free(&removal);
	return rc;
}

static uint64_t sum(const struct stored_part *parts, size_t n)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += parts[i].n_bytes;
	return bytes;
}

int models_remove_parts(bool sure)
{
	struct stored_part *parts;
	struct error err;
	char amount[AMOUNT_TEXT_MAX], question[100];
	size_t n, n_removed = 0;
	int rc = 0;

	if (stored_parts(&parts, &n, &err))
		return cli_fail(&err);
	amount_bytes(amount, sum(parts, n));
	snprintf(question, sizeof question, "Delete what %zu stopped fetch%s left, %s?", n, n == 1 ? "" : "es", amount);
	if (n == 0)
		cli_note("no stopped fetch has left anything");
	else if (!sure && !may_remove(question))
		rc = cli_fail_with(STATUS_CANCELLED, "nothing was deleted");
	else
		for (size_t i = 0; i < n; i++)
			if (!stored_remove_part(&parts[i], &io_system, &err))
				n_removed++;
			else
				rc = cli_fail(&err);
	if (n_removed)
		cli_note("%zu part file%s deleted", n_removed, n_removed == 1 ? " was" : "s were");
	stored_parts_free(parts, n);
	return rc;
}

void models_tell_parts(void)
{
	struct stored_part *parts;
	char amount[AMOUNT_TEXT_MAX];
	size_t n, n_old = 0;
	uint64_t bytes = 0;

	if (stored_parts(&parts, &n, NULL))
		return;
	for (size_t i = 0; i < n; i++)
		if (parts[i].age > week) {
			n_old++;
			bytes += parts[i].n_bytes;
		}
	if (n_old)
		cli_note("%zu fetch%s stopped more than a week ago left %s: `sotto pull NAME` goes on, `sotto models rm --parts` "
		         "deletes that", n_old, n_old == 1 ? "" : "es", amount_bytes(amount, bytes));
	stored_parts_free(parts, n);
}

/* ---- verify ---- */

static bool is_stopped(void *ctx)
{
	(void)ctx;
	return stop_signal() != 0;
}

static void show_progress(void *ctx, const char *path, uint64_t done, uint64_t all)
{
	const char *slash = strrchr(path, '/');
	struct buf text = {.max = KIB(64)};

	buf_printf(&text, "%s: %" PRIu64 " %%", slash ? slash + 1 : path, all ? (uint64_t)((double)done / (double)all * 100) : 100);
	status_line_show(ctx, buf_text(&text));
	buf_free(&text);
}

int models_verify(const char *name)
{
	struct status_line line = status_line_begin();
	struct error err;
	enum status status;

	stop_catch_signals();
	status = stored_verify(name, is_stopped, show_progress, &line, &err);
	status_line_clear(&line);
	if (status == STATUS_CANCELLED && stop_signal())
		return 128 + stop_signal();
	if (status)
		return cli_fail(&err);
	return cli_print("its files are what their digests say\n", strlen("its files are what their digests say\n"));
}

/* ---- licence ---- */

int models_licence(const char *name)
{
	struct buf text = {.max = MIB(4)};
	struct error err;

	if (stored_licence(&text, name, &err)) {
		buf_free(&text);
		return cli_fail(&err);
	}
	if (text.len && text.data[text.len - 1] != '\n')
		buf_putc(&text, '\n');
	return cli_print_safe(&text, "the licence");
}
