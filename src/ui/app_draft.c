/* What has been typed and not sent: it is saved to disk while it is being typed, becomes part of the chat
 * when another is opened or sotto ends, and comes back with the chat. */
#include "ui/app_draft.h"

#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/limits.h"
#include "base/sys.h"
#include "chat/attachment.h"
#include "dialog/dialog.h"
#include "dialog/outgoing.h"
#include "dialog/queue.h"
#include "journal/draft_file.h"
#include "journal/journal.h"
#include "line/input_line.h"
#include "ui/app.h"
#include "ui/app_edit.h"
#include "ui/app_files.h"
#include "ui/app_mention.h"
#include "ui/app_queue.h"
#include "ui/command.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "ui/typed.h"

enum {
	PAUSE_MS = 1000,    /* after the last key; nothing is written during typing ... */
	OVERDUE_MS = 10000, /* ... for no longer than this */
};

/* The queue, what is in the line unless that is a command, and the files. */
static enum status compose(struct app *app, struct outgoing *out, bool *is_command)
{
	struct attached files;
	enum status status;
	struct buf words, text;
	size_t len;
	const char *line = input_line_text(&len);

	*out = (struct outgoing){.text = NULL};
	*is_command = command_is(line, len);
	buf_init(&words, LIMIT_MESSAGE);
	buf_init(&text, LIMIT_MESSAGE);
	attached_init(&files);
	status = app_queue_join(app, &words, &files);
	if (!status && len && !*is_command) {
		if (words.len)
			buf_putc(&words, '\n');
		line = typed_message(&len);
		status = buf_append(&words, line, len);
	}
	if (!status)
		status = attached_add_all(&files, &app->dialog->files.given.list, buf_text(&app->dialog->files.given.text), NULL);
	if (!status) /* an edited message's are `given`: those of the next one wait aside */
		status = attached_add_all(&files, &app->dialog->files.aside.list, buf_text(&app->dialog->files.aside.text), NULL);
	if (!status)
		status = attached_join(&files, buf_text(&words), words.len, &text, &out->files, NULL);
	if (!status && text.len && !(out->text = buf_take(&text, &out->len)))
		status = STATUS_NOMEM;
	attached_free(&files);
	buf_free(&words);
	buf_free(&text);
	return status;
}

/* Where the draft of this chat is kept. */
static void find_key(const struct app *app, char key[DRAFT_KEY_MAX])
{
	if (app->dialog->journal && app->dialog->store.recorded && journal_id(app->dialog->journal)[0] &&
	    !journal_why_copy(app->dialog->journal)[0])
		draft_key_of(key, app->dialog->journal);
	else
		draft_key_new(key);
}

static void remove_file(struct app *app)
{
	if (app->dialog->draft.key[0])
		draft_file_remove(app->dialog->draft.key, &io_system);
	app->dialog->draft.key[0] = '\0';
	app->dialog->draft.sum = 0;
}

/* False: a draft is there, and not on the disk. */
static bool save(struct app *app, const struct outgoing *draft)
{
	char key[DRAFT_KEY_MAX];
	struct error err;
	uint32_t sum;

	find_key(app, key);
	sum = crc32c(draft->text, draft->len);
	if (sum == app->dialog->draft.sum && strcmp(key, app->dialog->draft.key) == 0)
		return true;
	if (draft_file_save(key, draft->text, draft->len, &draft->files, &io_system, &err)) {
		if (reason_is_news(app->dialog->draft.failed, &err))
			app_message(app, STYLE_WARNING, "your draft is not being saved: %s", err.text);
		return false;
	}
	if (strcmp(key, app->dialog->draft.key) != 0)
		remove_file(app);
	memcpy(app->dialog->draft.key, key, sizeof key);
	app->dialog->draft.sum = sum;
	app->dialog->draft.failed[0] = '\0';
	return true;
}

bool app_draft_save(struct app *app)
{
	struct outgoing draft;
	bool is_command, is_saved = true;

	app->dialog->draft.due = app->dialog->draft.since = 0;
	if (!app->config->ui->save)
		return true;
	if (compose(app, &draft, &is_command)) /* too long for a message: what was kept stays */
		is_saved = false;
	else if (draft.len)
		is_saved = save(app, &draft);
	else if (!is_command) /* else it is only out of the way */
		remove_file(app);
	outgoing_free(&draft);
	return is_saved;
}

void app_draft_touch(struct app *app)
{
	uint64_t now = sys_now_ms();

	if (!app->dialog->draft.since)
		app->dialog->draft.since = now;
	app->dialog->draft.due = now + PAUSE_MS < app->dialog->draft.since + OVERDUE_MS ? now + PAUSE_MS
	                                                                : app->dialog->draft.since + OVERDUE_MS;
}

uint64_t app_draft_deadline(const struct app *app)
{
	return app->dialog->draft.due ? app->dialog->draft.due : APP_NEVER;
}

void app_draft_step(struct app *app, uint64_t now)
{
	if (app->dialog->draft.due && now >= app->dialog->draft.due)
		app_draft_save(app);
}

/* The chat is being closed. What its journal cannot take stays in the file. */
void app_draft_leave(struct app *app)
{
	if (app->dialog->edited && app_edit_is_changed(app)) { /* it is a draft, then */
		app->dialog->edited = 0;
		app_files_keep_edited(app);
	} else if (app->dialog->edited) {
		app_edit_leave(app);
	}
	app_queue_keep(app);
	if (!app->dialog->journal || !app->dialog->store.recorded) { /* it is not kept: the next one gets the line */
		app_queue_to_line(app);
		app_draft_save(app);
		return;
	}
	dialog_queue_clear(&app->dialog->queue);
	app_files_settle(app);
	app_files_clear(app);
	input_line_clear();
	if (!journal_is_unsaved(app->dialog->journal))
		remove_file(app);
	app->dialog->draft.key[0] = '\0';
	app->dialog->draft.sum = 0;
	app->dialog->draft.due = app->dialog->draft.since = 0;
}

static void bring_back(struct app *app, const char *draft, const struct attachments *files)
{
	size_t words = attachments_words(files, strlen(draft));

	if (!draft[0] || !app_files_take_from(app, draft, files) ||
	    (words && !typed_prepend(draft, words)))
		return;
	app_notice(app, STYLE_SYSTEM, "What you had not sent is back in the input line.");
	app_mentions_update(app);
}

/* The file is newer than the journal: it is removed when that has the draft. */
void app_draft_restore(struct app *app, bool is_copy)
{
	struct attachments files = {.n = 0};
	char key[DRAFT_KEY_MAX];
	char *text = NULL;

	find_key(app, key);
	if (is_copy || draft_file_load(key, &text, &files, NULL)) {
		bring_back(app, journal_get_draft(app->dialog->journal), journal_get_draft_files(app->dialog->journal));
		return;
	}
	memcpy(app->dialog->draft.key, key, sizeof key);
	bring_back(app, text, &files);
	free(text);
	attachments_free(&files);
}

/* A chat that never began has no journal: what was typed there comes back in the next new one. */
void app_draft_restore_lost(struct app *app)
{
	struct attachments files = {.n = 0};
	char key[DRAFT_KEY_MAX];
	char *text = NULL;

	if (!app->config->ui->save || draft_file_find_lost(key, NULL) ||
	    draft_file_load(key, &text, &files, NULL))
		return;
	bring_back(app, text, &files);
	app_draft_save(app); /* as our own, before the other goes */
	if (app->dialog->draft.key[0])
		draft_file_remove(key, &io_system);
	free(text);
	attachments_free(&files);
}
