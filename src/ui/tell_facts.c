/* What has happened to the conversation, in words. */
#include "dialog/dialog.h"
#include "ui/app_settings.h"
#include "ui/tell.h"

static void tell(struct app *app, const struct fact *fact)
{
	const struct dialog *dialog = app->dialog;
	const char *why = fact->error.text;

	switch (fact->kind) {
	case FACT_NOT_SAVED:
		app_notice(app, STYLE_ERROR, "Not saved: %s. The chat is kept in memory, and sotto will try again.", why);
		break;
	case FACT_SAVED_AGAIN: app_message(app, STYLE_SUCCESS, "everything is saved again"); break;
	case FACT_SAVED_ASIDE:
		app_notice(app, STYLE_WARNING, "This chat is saved in %s until it can be written where it belongs.",
		           journal_path(dialog->journal));
		break;
	case FACT_CANNOT_SAVE: app_notice(app, STYLE_ERROR, "This chat cannot be saved: %s", why); break;
	case FACT_DRAFT_NOT_SAVED: app_message(app, STYLE_WARNING, "your draft is not being saved: %s", why); break;
	case FACT_OPTIONS:
		if (app->worker)
			app_after_settings(app);
		break;
	case FACT_TEMPLATE_LOST:
		app_notice(app, STYLE_WARNING, "The prompt template of this chat can no longer be used: "
		           "%s. Its system message stays, its options are left out.", why);
		break;
	case FACT_TEMPLATE_CHANGED:
		app_notice(app, STYLE_WARNING, "The template %s has changed on disk: /template %s applies it",
		           dialog->template.name, dialog->template.call);
		break;
	case FACT_FILES_UNFOLDED: app_message(app, STYLE_ERROR, "not enough memory to fold the message's files"); break;
	case FACT_REPLY_UNLABELLED: app_message(app, STYLE_ERROR, "not enough memory for the reply's label"); break;
	case FACT_TEMPLATE_GONE:
		app_notice(app, STYLE_WARNING, "The file of the template %s is gone: %s", dialog->template.name,
		           dialog->template.path);
		break;
	}
}

void app_tell_facts(struct app *app)
{
	struct fact fact;

	while (dialog_take_fact(app->dialog, &fact))
		tell(app, &fact);
}
