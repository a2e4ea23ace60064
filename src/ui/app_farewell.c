/* The end: what is kept of the chat, and what is said when the screen is closed. */
#include "ui/app_farewell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sanitize.h"
#include "dialog/dialog.h"
#include "dialog/events.h"
#include "ui/app_draft.h"
#include "ui/app_models.h"
#include "ui/state.h"

void app_save_all(struct app *app, bool wanted_model, struct farewell *out)
{
	dialog_interrupt(app->dialog);
	app_draft_leave(app);
	out->lacks_model = wanted_model && !app->models->path && app->phase == PHASE_NO_MODEL;
	out->is_rescued = dialog_store_rescue(app->dialog, &out->save_error);
}

/* What --resume finds the chat by: its id, or its path where the id leads to another chat or to
 * none. */
static const char *name_to_resume(const struct journal *journal)
{
	const char *name = journal_id(journal);
	char *found;

	if (journal_resolve(name, &found, NULL))
		return journal_path(journal);
	if (!journal_is_at(journal, found))
		name = journal_path(journal);
	free(found);
	return name;
}

/* A path may hold anything. */
static void print_line(FILE *to, const char *before, const char *text)
{
	struct buf safe = {.max = KIB(64)};

	if (sanitize_line(&safe, text, strlen(text)) == STATUS_OK)
		fprintf(to, "%s%s\n", before, buf_text(&safe));
	buf_free(&safe);
	fflush(to);
}

/* On the screen from before the chat: how to continue it, or that something is lost. */
void app_farewell(const struct app *app, const struct farewell *farewell)
{
	if (!app->end.gone && farewell->lacks_model)
		fprintf(stderr, "sotto: the model given with -m could not be loaded\n");
	if (dialog_has_unsaved(app->dialog)) {
		print_line(stderr, "sotto: the last messages of this chat could not be saved: ",
		           farewell->save_error.text);
		return;
	}
	if (!app->dialog->journal || !app->dialog->store.recorded || journal_is_unsaved(app->dialog->journal))
		return;
	if (farewell->is_rescued)
		print_line(stderr, "sotto: this chat is saved in ",
		           journal_path(app->dialog->journal));
	if (app->end.gone)
		return;
	print_line(stdout, "Continue this chat with:  sotto --resume ", name_to_resume(app->dialog->journal));
}
