/* Keeping the chat: /save, which names it or writes a copy; /quit, which loses nothing that is not
 * saved. */
#include "ui/app_save.h"

#include <string.h>

#include "base/home_path.h"
#include "base/limits.h"
#include "dialog/dialog.h"
#include "ui/app_open.h"
#include "ui/app_write.h"
#include "ui/command.h"
#include "ui/facts.h"
#include "ui/state.h"
#include "ui/tell.h"

static bool save_copy(struct app *app, const char *name)
{
	const char *title = app->dialog->journal ? journal_get_title(app->dialog->journal) : "";
	enum status status;
	struct error err;
	struct buf path = {.max = KIB(16)};

	status = home_path_put_typed(&path, name, &err);
	if (!status)
		status = journal_export(app->dialog->tree, title, buf_text(&path), &err);
	if (status) {
		app_message(app, STYLE_ERROR, "%s", err.text);
	} else {
		/* The rest of an unfinished reply is not in the copy. */
		app->dialog->store.n_copied = app->dialog->turn.reply ? app->dialog->turn.reply - 1 : tree_n(app->dialog->tree);
		app_tell_written(app, "the chat", buf_text(&path), 0);
	}
	buf_free(&path);
	return !status;
}

/* With a '/' or .yaml it is a path to write to, otherwise a name for the chat. */
bool app_save(struct app *app, const struct command_call *call)
{
	const char *name = call->argument;
	enum status status;
	struct error err;
	size_t len = call->argument_len;

	if (!name[0]) {
		if (!app->dialog->journal)
			app_notice(app, STYLE_SYSTEM, "This chat is not saved. /save FILE.yaml writes it to a file.");
		else if (!app->dialog->store.recorded)
			app_notice(app, STYLE_SYSTEM, "This chat will be saved from its first message on.");
		else
			app_notice(app, STYLE_SYSTEM, "This chat is saved as you go, in %s",
			           journal_path(app->dialog->journal));
		return true;
	}
	if (strchr(name, '/') || strcmp(name, "~") == 0 || (len > 5 && strcmp(name + len - 5, ".yaml") == 0))
		return save_copy(app, name);
	if (!app->dialog->journal) {
		app_message(app, STYLE_ERROR, "this chat is not saved; /save FILE.yaml writes it to a file");
		return false;
	}
	status = dialog_store_title(app->dialog, name, &err);
	app_tell_facts(app);
	if (!status)
		app_notice(app, STYLE_SUCCESS, "This chat is now called \"%s\"", name);
	return true;
}

bool app_quit_command(struct app *app, const struct command_call *call)
{
	app_leave(app, call->forced);
	return true;
}
