/* /import: chats that other programs have written become chats of ours. The file is read beside
 * everything else, since it may be large. */
#include "ui/app_import.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/sys.h"
#include "dialog/dialog.h"
#include "journal/importer.h"
#include "line/input_line.h"
#include "ui/app_open.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/tell.h"

enum { LOOK_MS = 100 };

static void tell(struct app *app, const struct importer_result *result, bool is_open)
{
	const bool took_all = !import_n_left_out(&result->counts);
	struct buf text = {.max = KIB(4)};

	import_put_counts(&text, &result->counts);
	if (!is_open)
		buf_printf(&text, " %s lists %s.", app_key(app, "load"), result->n > 1 ? "them" : "it");
	app_notice(app, took_all ? STYLE_SUCCESS : STYLE_WARNING, "%s", buf_text(&text));
	buf_free(&text);
}

/* The command is entered again, corrected, if nothing else has been typed meanwhile. */
static void give_back(struct app *app)
{
	struct buf line = {.max = KIB(16)};

	buf_printf(&line, "/import %s", app->import->argument);
	if (app->front->is_screen && input_line_is_empty() && !buf_status(&line))
		(void)!input_line_set(buf_text(&line), line.len, NULL);
	buf_free(&line);
}

/* Whoever has gone on meanwhile stays where they are. */
static bool may_open(const struct app *app)
{
	return !app->end.quit && app->dialog->tree == app->import->tree && tree_leaf(app->dialog->tree) == app->import->leaf &&
	       !app_is_busy(app) && !app->panel && !app->dialog->edit.message &&
	       (!app->front->is_screen || input_line_is_empty());
}

static void finish(struct app *app)
{
	struct importer_result result;
	struct error err;
	enum status status = importer_end(app->import->importer, &result, &err);

	app->import->importer = NULL;
	if (app->import->told[0] && strcmp(app->bar->text, app->import->told) == 0)
		app->bar->until = 0; /* how far it was is no longer true */
	app->waits = false;
	app->draw.now = true;
	if (status == STATUS_CANCELLED) {
		app_message(app, STYLE_STATUS, "the import was stopped; no chat was added");
	} else if (status) {
		give_back(app);
		app_message(app, STYLE_ERROR, "%s", err.text);
	} else if (result.n == 1 && may_open(app)) {
		if (app_open_chat(app, result.first))
			tell(app, &result, true);
	} else {
		tell(app, &result, false);
	}
	free(result.first);
	free(app->import->argument);
	app->import->argument = NULL;
}

/* Over a message of another kind nothing is written. */
static void tell_progress(struct app *app, const struct importer_progress *progress)
{
	char *text = app->import->told;

	if (!app->front->is_screen || (app->bar->until && strcmp(app->bar->text, text) != 0))
		return;
	if (progress->n)
		snprintf(text, sizeof app->import->told, "importing: %zu of %zu chats are saved; Esc stops",
		         progress->n_kept, progress->n);
	else
		snprintf(text, sizeof app->import->told, "importing: %u%% of the file is read; Esc stops", progress->percent);
	app_message(app, STYLE_STATUS, "%s", text);
}

void app_import_step(struct app *app, uint64_t now)
{
	struct importer_progress progress;

	if (!app->import->importer)
		return;
	progress = importer_look(app->import->importer);
	if (progress.is_over) {
		finish(app);
	} else if (now >= app->import->look_at) {
		app->import->look_at = now + LOOK_MS;
		if (!app->import->is_stopping)
			tell_progress(app, &progress);
	}
}

bool app_import_stop(struct app *app)
{
	if (!app->import->importer)
		return false;
	importer_stop(app->import->importer);
	app->import->is_stopping = true;
	app_message(app, STYLE_STATUS, "stopping the import");
	return true;
}

void app_import_end(struct app *app)
{
	if (!app->import->importer)
		return;
	importer_stop(app->import->importer);
	finish(app);
}

/* One chat is opened; of several none is chosen. */
bool app_import(struct app *app, const struct command_call *call)
{
	char *argument = NULL;
	struct error err;
	enum status status = STATUS_OK;
	struct buf path = {.max = KIB(16)};

	if (!app->config->ui->save) {
		app_message(app, STYLE_ERROR, "chats are not saved (--no-save): there is nowhere to import to");
		return false;
	}
	if (app->import->importer) {
		app_message(app, STYLE_WARNING, "another import is under way; Esc stops it");
		return false;
	}
	status = home_path_put_typed(&path, call->argument, &err);
	if (!status && !(argument = alloc_strndup(call->argument, strlen(call->argument))))
		status = error_no_memory(&err, "to import");
	if (!status)
		status = importer_start(&app->import->importer, buf_text(&path), &err);
	buf_free(&path);
	if (!app_went_well(app, status, &err)) {
		free(argument);
		return false;
	}
	app->import->argument = argument;
	app->import->tree = app->dialog->tree;
	app->import->leaf = tree_leaf(app->dialog->tree);
	app->import->is_stopping = false;
	app->import->told[0] = '\0';
	app->import->look_at = sys_now_ms() + LOOK_MS; /* most files are small */
	app->waits = true;
	if (!app->front->is_screen)
		app_message(app, STYLE_STATUS, "importing; Ctrl+C stops");
	return true;
}
