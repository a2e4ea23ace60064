/* Another chat on the screen; leaving one that is not saved is refused once. */
#include "ui/app_open.h"

#include "base/limits.h"
#include "dialog/dialog.h"
#include "dialog/model.h"
#include "dialog/open.h"
#include "ui/app_copy.h"
#include "ui/app_draft.h"
#include "ui/app_find.h"
#include "ui/app_inspect.h"
#include "ui/app_load.h"
#include "ui/app_models.h"
#include "ui/app_pick.h"
#include "ui/app_template.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/tell.h"

/* Whether messages would be lost, which is refused once: says so, and how to do it anyway
 * (`anyway`). */
static bool refuse_to_lose(struct app *app, const char *anyway)
{
	bool refused = dialog_refuses_to_lose(app->dialog);

	app_tell_facts(app);
	if (!refused)
		return false;
	chat_view_to_bottom(app->view);
	app_notice(app, STYLE_ERROR, "Messages of this chat are not saved and would be lost. "
	           "/save FILE.yaml writes a copy of it to a file; %s.", anyway);
	return true;
}

void app_leave(struct app *app, bool forced)
{
	if (forced || !refuse_to_lose(app, "/quit! or a second /quit leaves without saving them"))
		app_quit(app, 0);
}

bool app_quit_command(struct app *app, const struct command_call *call)
{
	app_leave(app, call->forced);
	return true;
}

/* Takes over a chat that was made or opened. */
static void hold(struct app *app, struct opened *chat)
{
	bool lost = !dialog_save_last(app->dialog);

	app_draft_leave(app);
	app_tell_facts(app);
	app_find_end(app);
	chat_view_set_tree(app->view, chat->tree);
	dialog_hold(app->dialog, chat);
	*app->chat = (struct app_chat){.picked = 0};
	*app->gauge = (struct app_gauge){.leaf = 0};
	app->copy->reply = 0;
	app->failed = false;
	app->front->new_chat(app, false);
	if (lost)
		app_notice(app, STYLE_ERROR, "The last messages of the previous chat could not be saved.");
	app_tell_facts(app);
}

bool app_start_chat(struct app *app)
{
	struct opened chat;

	if (dialog_open_new(app->dialog, &chat, NULL))
		return false;
	hold(app, &chat);
	return true;
}

bool app_new_chat(struct app *app, const struct command_call *call)
{
	(void)call;
	if (refuse_to_lose(app, "a second /new starts the new chat without saving them"))
		return true;
	if (app_start_chat(app))
		app_template_start(app);
	else
		app_message(app, STYLE_ERROR, "not enough memory");
	return true;
}

/* A new chat that begins with the messages up to here, or to the picked one; the old one stays as it is. */
bool app_fork(struct app *app, const struct command_call *call)
{
	uint32_t leaf = tree_leaf(app->dialog->tree), picked;
	struct opened chat;
	struct error err;
	struct buf title = {.max = LIMIT_MESSAGE};

	if (!leaf) {
		app_message(app, STYLE_WARNING, "there is no message to begin another chat with yet");
		return true;
	}
	if (refuse_to_lose(app, "a second /fork leaves this chat without saving them"))
		return true;
	picked = app_picked(app);
	if (!app_went_well(app, dialog_open_fork(app->dialog, picked ? picked : leaf, &chat, &err),
	                   &err))
		return true;
	if (call->argument[0])
		buf_puts(&title, call->argument);
	else
		dialog_put_fork_title(app->dialog, &title);
	hold(app, &chat);
	app->front->new_chat(app, true);
	dialog_template_restore(app->dialog);
	dialog_store_tree(app->dialog, buf_text(&title));
	app_tell_facts(app);
	app_notice(app, STYLE_SYSTEM, "A new chat from here: \"%s\". The old one stays as it was (%s).",
	           buf_text(&title), app_key(app, "load"));
	buf_free(&title);
	return true;
}

/* What there is to say of a chat that was read. */
static void tell_opened(struct app *app, const struct opened *chat)
{
	const struct journal *journal = app->dialog->journal;
	size_t n_edited = journal_n_edited(journal);
	bool saves = app->dialog->config.saves;

	if (saves && journal_why_copy(journal)[0])
		app_notice(app, STYLE_WARNING, "This chat %s: what you write here goes to a copy, %s",
		           journal_why_copy(journal), journal_copy_id(journal));
	if (saves && app->dialog->store.is_aside)
		app_notice(app, STYLE_WARNING, "This chat is saved in %s: the disk was full, or its place could not "
		           "be written to. It goes back with what you write.", journal_path(journal));
	if (chat->n_damaged)
		app_notice(app, STYLE_WARNING, "%zu damaged part%s of this chat's file could not be read; "
		           "nothing was deleted", chat->n_damaged, chat->n_damaged == 1 ? "" : "s");
	if (n_edited)
		app_notice(app, STYLE_STATUS, "%zu part%s of this chat's file %s edited by hand", n_edited,
		           n_edited == 1 ? "" : "s", n_edited == 1 ? "was" : "were");
}

static enum status open_chat(struct app *app, const char *name, struct error *err)
{
	struct opened chat;
	enum status status = dialog_open_saved(app->dialog, name, &chat, err);

	if (status)
		return status;
	if (!chat.tree) {
		app_message(app, STYLE_STATUS, "this chat is already open");
		return STATUS_OK;
	}
	hold(app, &chat);
	app_draft_restore(app);
	tell_opened(app, &chat);
	if (!app->dialog->config.saves)
		dialog_close_journal(app->dialog);
	dialog_template_restore(app->dialog);
	app_tell_facts(app);
	app_guide_instructed(app);
	return STATUS_OK;
}

bool app_open_chat(struct app *app, const char *name)
{
	struct error err;

	if (refuse_to_lose(app, "ask again to open the other chat without saving them"))
		return true;
	if (open_chat(app, name, &err) == STATUS_OK) {
		app_offer_chat_model(app);
		return true;
	}
	app_error(app, &err);
	return false;
}

bool app_wants_resume(const struct app *app)
{
	const struct ui_params *ui = app->config->ui;

	return ui->resume_last || (ui->resume && ui->resume[0]);
}

enum status app_resume_chat(struct app *app, struct error *err)
{
	const char *name = app->config->ui->resume, *missing;
	enum status status = open_chat(app, name, err);
	struct error model_error;

	if (status == STATUS_NOTFOUND && !(name && name[0])) { /* no chat was named: this is the first one */
		app_notice(app, STYLE_SYSTEM, "There is no chat to continue yet.");
		return STATUS_OK;
	}
	if (status)
		return status;
	app->models->presumed = dialog_choose_chat_model(app->dialog, &missing, &model_error);
	if (missing && !app->models->presumed)
		app_notice(app, STYLE_WARNING, "The model of this chat, %s, is not there: %s", missing, model_error.text);
	return STATUS_OK;
}
