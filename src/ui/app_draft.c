#include "ui/app_draft.h"

#include "dialog/dialog.h"
#include "line/input_line.h"
#include "ui/app_edit.h"
#include "ui/app_files.h"
#include "ui/app_queue.h"
#include "ui/command.h"
#include "ui/tell.h"
#include "ui/typed.h"

bool app_draft_save(struct app *app, const struct dialog_sent *refused)
{
	size_t len;
	const char *line = input_line_text(&len);
	bool is_command = command_is(line, len), is_saved;

	line = typed_message(&len);
	is_saved = dialog_draft_save(app->dialog, refused, line, is_command ? 0 : len, is_command);
	app_tell_facts(app);
	return is_saved;
}

void app_draft_leave(struct app *app)
{
	struct dialog *dialog = app->dialog;
	const char *line;
	size_t len;

	if (dialog->edit.message && app_edit_is_changed(app))
		dialog_edit_to_new(dialog); /* it is a draft, then */
	else if (dialog->edit.message)
		app_edit_leave(app);
	app_queue_edit_keep(app);
	line = typed_message(&len);
	dialog_draft_keep(dialog, line, len);
	if (!dialog->journal || !dialog->store.recorded) { /* it is not kept: the next one gets the line */
		app_queue_to_line(app);
		app_draft_save(app, NULL);
		return;
	}
	dialog_draft_leave(dialog);
	input_line_clear();
}

static void bring_back(struct app *app, const struct outgoing *draft)
{
	size_t words = outgoing_words(draft);

	if (!draft->len || !app_files_take_from(app, draft->text, &draft->files) ||
	    (words && !typed_prepend(draft->text, words)))
		return;
	app_notice(app, STYLE_SYSTEM, "What you had not sent is back in the input line.");
	app_mentions_update(app);
}

void app_draft_restore(struct app *app)
{
	struct outgoing draft;

	dialog_draft_load(app->dialog, &draft);
	bring_back(app, &draft);
	outgoing_free(&draft);
}

void app_draft_restore_lost(struct app *app)
{
	char key[DRAFT_KEY_MAX];
	struct outgoing draft;

	if (!dialog_draft_find_lost(app->dialog, &draft, key))
		return;
	bring_back(app, &draft);
	app_draft_save(app, NULL);
	dialog_draft_drop_lost(app->dialog, key);
	outgoing_free(&draft);
}
