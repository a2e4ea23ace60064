/* The tree on the screen and the journal behind it. A failed write never stops the chat: it is
 * shown, and tried again. */
#include "ui/app_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "chat/attachment.h"
#include "chat/branch.h"
#include "chat/tree.h"
#include "dialog/dialog.h"
#include "dialog/store.h"
#include "journal/journal.h"
#include "ui/app.h"
#include "ui/app_copy.h"
#include "ui/app_draft.h"
#include "ui/app_find.h"
#include "ui/app_guide.h"
#include "ui/app_inspect.h"
#include "ui/app_load.h"
#include "ui/app_pick.h"
#include "ui/app_template.h"
#include "ui/app_terminal.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/state.h"
#include "view/chat_view.h"

enum {
	RETRY_MIN_MS = 1000, /* after a failed write; doubles up to ... */
	RETRY_MAX_MS = 60000,
};

/* Saved, in its place or in the rescue folder, from where it goes back as soon as that works. */
static void saved(struct app *app)
{
	const bool aside = journal_is_aside(app->dialog->journal);

	if (aside && !app->dialog->store.is_aside)
		app_notice(app, STYLE_WARNING, "This chat is saved in %s until it can be written where it belongs.",
		           journal_path(app->dialog->journal));
	else if (!aside && (app->dialog->store.is_unsaved || app->dialog->store.is_aside))
		app_message(app, STYLE_SUCCESS, "everything is saved again");
	app->dialog->store.is_unsaved = app->dialog->store.refused_to_lose = false;
	app->dialog->store.why_unsaved[0] = '\0';
	app->dialog->store.is_aside = aside;
	app->dialog->store.retry_at = aside ? sys_now_ms() + RETRY_MAX_MS : STORE_NEVER;
}

void app_store_check(struct app *app, enum status status, const struct error *err)
{
	bool was_unsaved = app->dialog->store.is_unsaved;

	if (!app->dialog->journal)
		return;
	if (status == STATUS_OK && !journal_is_unsaved(app->dialog->journal)) {
		saved(app);
		return;
	}
	app->dialog->store.is_unsaved = true;
	app->dialog->store.retry_ms = was_unsaved ? app->dialog->store.retry_ms * 2 : RETRY_MIN_MS;
	if (app->dialog->store.retry_ms > RETRY_MAX_MS)
		app->dialog->store.retry_ms = RETRY_MAX_MS;
	app->dialog->store.retry_at = sys_now_ms() + app->dialog->store.retry_ms;
	if (status ? reason_is_news(app->dialog->store.why_unsaved, err) : !was_unsaved)
		app_notice(app, STYLE_ERROR, "Not saved: %s. The chat is kept in memory, and sotto will try "
		           "again.", status ? err->text : "an earlier write failed");
}

void app_store_retry(struct app *app)
{
	struct error err;

	app_store_check(app, journal_retry(app->dialog->journal, &err), &err);
	app->draw.now = true;
}

bool app_has_unsaved(const struct app *app)
{
	if (!app->config->ui->save || app->dialog->store.n_copied >= tree_n(app->dialog->tree))
		return false;
	return app->dialog->journal ? journal_is_unsaved(app->dialog->journal) : !app_template_is_fresh(app);
}

bool app_refuse_to_lose(struct app *app, const char *anyway)
{
	if (app->dialog->journal && journal_is_unsaved(app->dialog->journal))
		app_store_retry(app);
	if (app->dialog->store.refused_to_lose || !app_has_unsaved(app))
		return false;
	app->dialog->store.refused_to_lose = true;
	chat_view_to_bottom(app->view);
	app_notice(app, STYLE_ERROR, "Messages of this chat are not saved and would be lost. "
	           "/save FILE.yaml writes a copy of it to a file; %s.", anyway);
	return true;
}

void app_leave(struct app *app, bool forced)
{
	if (forced || !app_refuse_to_lose(app, "/quit! or a second /quit leaves without saving them"))
		app_quit(app, 0);
}

/* While a write is pending, the back-off decides when to try again, not each message. */
static void check_write(struct app *app, enum status status, const struct error *err)
{
	if (status && app->dialog->store.is_unsaved)
		return;
	app_store_check(app, status, err);
}

/* A template's opening messages are saved with the first message of the user. */
void app_store_message(struct app *app, uint32_t id)
{
	struct error err;

	if (!app->dialog->journal)
		return;
	app->dialog->store.recorded = true;
	app->dialog->store.refused_to_lose = false;
	while (app->dialog->store.n_stored < id) {
		const struct node *node = tree_node(app->dialog->tree, (uint32_t)++app->dialog->store.n_stored);

		check_write(app, journal_node(app->dialog->journal, node, &err), &err);
	}
}

void app_store_part(struct app *app, uint32_t id)
{
	struct error err;

	app->dialog->store.n_stored = id > app->dialog->store.n_stored ? id : app->dialog->store.n_stored;
	if (app->dialog->journal)
		check_write(app, journal_reply_part(app->dialog->journal, tree_node(app->dialog->tree, id), sys_now_ms(),
		                                    &err), &err);
}

void app_store_end(struct app *app, uint32_t id)
{
	struct error err;

	app->dialog->store.n_stored = id > app->dialog->store.n_stored ? id : app->dialog->store.n_stored;
	if (app->dialog->journal)
		check_write(app, journal_reply_end(app->dialog->journal, tree_node(app->dialog->tree, id), &err), &err);
}

void app_store_marks(struct app *app, uint32_t id)
{
	struct error err;

	if (app->dialog->journal && app->dialog->store.n_stored < id)
		app_store_message(app, id); /* has them */
	else if (app->dialog->journal)
		check_write(app, journal_mark(app->dialog->journal, tree_node(app->dialog->tree, id), &err), &err);
}

void app_store_leaf(struct app *app)
{
	struct error err;

	if (app->dialog->journal)
		check_write(app, journal_leaf(app->dialog->journal, tree_leaf(app->dialog->tree), &err), &err);
}

void app_store_draft(struct app *app, const char *text, size_t len, const struct attachments *files)
{
	struct error err;

	if (!app->dialog->journal)
		return;
	app->dialog->store.recorded = true;
	check_write(app, journal_draft(app->dialog->journal, text, len, files, &err), &err);
}

/* Takes over a chat that was made or opened; the old one is closed. */
static void take_chat(struct app *app, struct tree *tree, struct journal *journal)
{
	bool lost = app->dialog->journal && journal_is_unsaved(app->dialog->journal) &&
	            journal_retry(app->dialog->journal, NULL) != STATUS_OK;

	app_draft_leave(app);
	app_find_end(app);
	chat_view_set_tree(app->view, tree);
	tree_free(app->dialog->tree);
	journal_close(app->dialog->journal);
	app->dialog->tree = tree;
	app->dialog->journal = journal;
	*app->chat = (struct app_chat){.picked = 0};
	app->dialog->store = (struct dialog_store){.n_stored = tree_n(tree), .retry_at = STORE_NEVER};
	app->dialog->opening_leaf = app->dialog->edited = 0;
	*app->gauge = (struct app_gauge){.leaf = 0};
	app->copy->reply = 0;
	app->failed = false;
	app_template_forget(app);
	app->front->new_chat(app, false);
	if (lost)
		app_notice(app, STYLE_ERROR, "The last messages of the previous chat could not be saved.");
}

/* Makes an empty chat, without a journal if it cannot be saved. */
static bool make_chat(struct app *app)
{
	struct tree *tree = tree_create();
	struct journal *journal = NULL;
	struct error err;
	enum status status = STATUS_OK;

	if (!tree)
		return false;
	if (app->config->ui->save)
		status = journal_create(&journal, &err);
	take_chat(app, tree, status ? NULL : journal);
	if (status)
		app_notice(app, STYLE_ERROR, "This chat cannot be saved: %s", err.text);
	return true;
}

bool app_new_chat(struct app *app, const struct command_call *call)
{
	(void)call;
	if (app_refuse_to_lose(app, "a second /new starts the new chat without saving them"))
		return true;
	if (make_chat(app))
		app_template_start(app);
	else
		app_message(app, STYLE_ERROR, "not enough memory");
	return true;
}

/* What the list of chats shows for this one, and that it is a fork. */
static void put_fork_title(struct buf *out, const struct app *app)
{
	static const char suffix[] = " (fork)";

	app_put_title(app, out, LIMIT_TITLE - sizeof suffix);
	buf_puts(out, suffix);
}

/* A journal that begins with the tree. */
static enum status record_tree(struct journal **journal, const struct tree *tree, const char *title,
                               struct error *err)
{
	enum status status = journal_create(journal, err);

	if (status) {
		*journal = NULL;
		return status;
	}
	return journal_tree(*journal, tree, title, err);
}

/* A new chat that begins with the messages up to here, or to the picked one; the old one stays as it is. */
bool app_fork(struct app *app, const struct command_call *call)
{
	uint32_t leaf = tree_leaf(app->dialog->tree);
	struct journal *journal = NULL;
	struct tree *tree;
	struct error err;
	struct buf title;
	enum status status = STATUS_OK;

	if (!leaf) {
		app_message(app, STYLE_WARNING, "there is no message to begin another chat with yet");
		return true;
	}
	if (app_refuse_to_lose(app, "a second /fork leaves this chat without saving them"))
		return true;
	if (app_picked(app))
		tree_set_leaf(app->dialog->tree, app->chat->picked);
	tree = branch_copy(app->dialog->tree);
	if (!tree) {
		tree_set_leaf(app->dialog->tree, leaf);
		app_message(app, STYLE_ERROR, "not enough memory");
		return true;
	}
	buf_init(&title, LIMIT_MESSAGE);
	if (call->argument[0])
		buf_puts(&title, call->argument);
	else
		put_fork_title(&title, app);
	if (app->config->ui->save)
		status = record_tree(&journal, tree, buf_text(&title), &err);
	take_chat(app, tree, journal);
	app->dialog->store.recorded = journal != NULL;
	app->front->new_chat(app, true);
	app_template_restore(app);
	if (journal)
		app_store_check(app, status, &err);
	else if (status)
		app_notice(app, STYLE_ERROR, "This chat cannot be saved: %s", err.text);
	app_notice(app, STYLE_SYSTEM, "A new chat from here: \"%s\". The old one stays as it was (%s).",
	           buf_text(&title), app_key(app, "load"));
	buf_free(&title);
	return true;
}

static enum status open_chat(struct app *app, const char *name, struct error *err)
{
	struct tree *tree;
	struct journal *journal;
	char *path;
	bool forked = false;
	size_t n_damaged = 0, n_edited;

	enum status status = journal_resolve(name, &path, err);

	if (!status && app->dialog->journal && app->dialog->store.recorded && journal_is_at(app->dialog->journal, path)) {
		free(path); /* opening it again would meet our own lock */
		app_message(app, STYLE_STATUS, "this chat is already open");
		return STATUS_OK;
	}
	if (!status) {
		status = journal_open(&journal, &tree, path, &forked, &n_damaged, err);
		free(path);
	}
	if (status)
		return status;
	n_edited = journal_n_edited(journal);
	take_chat(app, tree, journal);
	app->dialog->store.recorded = true;
	app_draft_restore(app, forked);
	if (forked && app->config->ui->save)
		app_notice(app, STYLE_WARNING, "This chat %s: what you write here goes to a copy, %s",
		           journal_why_copy(journal), journal_copy_id(journal));
	app->dialog->store.is_aside = journal_is_aside(journal);
	if (app->dialog->store.is_aside && app->config->ui->save)
		app_notice(app, STYLE_WARNING, "This chat is saved in %s: the disk was full, or its place could not "
		           "be written to. It goes back with what you write.", journal_path(journal));
	if (!app->config->ui->save) { /* read, but not written to */
		journal_close(journal);
		app->dialog->journal = NULL;
		app->dialog->store.recorded = false;
	}
	if (n_damaged)
		app_notice(app, STYLE_WARNING, "%zu damaged part%s of this chat's file could not be read; "
		           "nothing was deleted", n_damaged, n_damaged == 1 ? "" : "s");
	if (n_edited)
		app_notice(app, STYLE_STATUS, "%zu part%s of this chat's file %s edited by hand", n_edited,
		           n_edited == 1 ? "" : "s", n_edited == 1 ? "was" : "were");
	app_template_restore(app);
	app_guide_instructed(app);
	return STATUS_OK;
}

bool app_open_chat(struct app *app, const char *name)
{
	struct error err;

	if (app_refuse_to_lose(app, "ask again to open the other chat without saving them"))
		return true;
	if (open_chat(app, name, &err) == STATUS_OK) {
		app_offer_chat_model(app);
		return true;
	}
	app_error(app, &err);
	return false;
}

bool app_start_chat(struct app *app)
{
	return make_chat(app);
}

bool app_wants_resume(const struct app *app)
{
	const struct ui_params *ui = app->config->ui;

	return ui->resume_last || (ui->resume && ui->resume[0]);
}

enum status app_resume_chat(struct app *app, struct error *err)
{
	const char *name = app->config->ui->resume;
	enum status status = STATUS_OK;
	char *last = NULL;

	if (!name || !name[0]) {
		status = journal_last(&last, err);
		if (status == STATUS_NOTFOUND) { /* no chat was named: this is the first one */
			app_notice(app, STYLE_SYSTEM, "There is no chat to continue yet.");
			return STATUS_OK;
		}
		name = last;
	}
	if (!status)
		status = open_chat(app, name, err);
	free(last);
	if (!status)
		app_take_chat_model(app);
	return status;
}
