#include "dialog/draft.h"

#include <string.h>

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/limits.h"
#include "dialog/dialog.h"
#include "dialog/outgoing.h"

enum {
	PAUSE_MS = 1000,    /* after the last key; nothing is written during typing ... */
	OVERDUE_MS = 10000, /* ... for no longer than this */
};

void dialog_draft_touch(struct dialog *dialog, uint64_t now_ms)
{
	struct dialog_draft *draft = &dialog->draft;

	if (!draft->since)
		draft->since = now_ms;
	draft->due = now_ms + PAUSE_MS < draft->since + OVERDUE_MS ? now_ms + PAUSE_MS : draft->since + OVERDUE_MS;
}

/* ---- in its file ---- */

static enum status add_files(struct attached *all, const struct attached *files)
{
	return files ? attached_add_all(all, &files->list, buf_text(&files->text), NULL) : STATUS_OK;
}

/* The queue, the line and files; NULL: none of these. Whatever fails, it does not fit in a message. */
static enum status compose(const struct dialog *dialog, const char *line, size_t len, const struct attached *first,
                           const struct attached *more, struct outgoing *out)
{
	struct attached files;
	enum status status;
	struct buf words, text;

	*out = (struct outgoing){.text = NULL};
	buf_init(&words, LIMIT_MESSAGE);
	buf_init(&text, LIMIT_MESSAGE);
	attached_init(&files);
	status = dialog_queue_join(dialog, &words, &files);
	if (words.len && len)
		buf_putc(&words, '\n');
	(void)(status || (status = buf_append(&words, line, len)) || (status = add_files(&files, first)) ||
	       (status = add_files(&files, more)) ||
	       (status = attached_join(&files, buf_text(&words), words.len, &text, &out->files, NULL)));
	if (!status && text.len && !(out->text = buf_take(&text, &out->len)))
		status = STATUS_NOMEM;
	if (status)
		outgoing_free(out);
	attached_free(&files);
	buf_free(&words);
	buf_free(&text);
	return status;
}

/* Where the draft of this chat is kept, which has a record in its journal or not. */
static void find_key(const struct dialog *dialog, bool recorded, char key[DRAFT_KEY_MAX])
{
	const struct journal *journal = dialog->journal;

	if (journal && recorded && journal_id(journal)[0] && !journal_why_copy(journal)[0])
		draft_key_of(key, journal);
	else
		draft_key_new(key);
}

static void forget_file(struct dialog_draft *draft)
{
	draft->key[0] = '\0';
	draft->sum = 0;
}

static void remove_file(struct dialog_draft *draft)
{
	if (draft->key[0])
		draft_file_remove(draft->key, &io_system);
	forget_file(draft);
}

/* False: a draft is there, and not on the disk. */
static bool save(struct dialog *dialog, bool recorded, const struct outgoing *message)
{
	struct dialog_draft *draft = &dialog->draft;
	uint32_t sum = crc32c(message->text, message->len);
	char key[DRAFT_KEY_MAX];
	struct error err;

	find_key(dialog, recorded, key);
	if (sum == draft->sum && strcmp(key, draft->key) == 0)
		return true;
	if (draft_file_save(key, message->text, message->len, &message->files, &io_system, &err)) {
		if (reason_is_news(draft->failed, &err))
			dialog_note(dialog, FACT_DRAFT_NOT_SAVED, &err);
		return false;
	}
	if (strcmp(key, draft->key) != 0)
		remove_file(draft);
	memcpy(draft->key, key, sizeof key);
	draft->sum = sum;
	draft->failed[0] = '\0';
	return true;
}

bool dialog_draft_save(struct dialog *dialog, const struct dialog_sent *refused, const char *line, size_t len,
                       bool is_hidden)
{
	struct outgoing message;
	bool is_saved = true;

	dialog->draft.due = dialog->draft.since = 0;
	if (!dialog->config.saves)
		return true;
	/* An edited message's files are `given`: those of the next one wait aside. */
	if (compose(dialog, line, len, &dialog->files.given, &dialog->edit.aside, &message))
		is_saved = false; /* too long for a message: what was kept stays */
	else if (message.len)
		is_saved = save(dialog, refused ? refused->recorded : dialog->store.recorded, &message);
	else if (!is_hidden) /* else it is only out of the way */
		remove_file(&dialog->draft);
	outgoing_free(&message);
	return is_saved || (refused && (!dialog->journal || journal_is_unsaved(dialog->journal)));
}

/* ---- in the chat ---- */

void dialog_draft_keep(struct dialog *dialog, const char *line, size_t len)
{
	const struct attached *given = &dialog->files.given;
	struct outgoing draft;

	if (!dialog->journal || (!dialog->store.recorded && dialog->queue.n == 0))
		return;
	/* A draft has to fit: without the files, then, or without the line. */
	if (compose(dialog, line, len, given, NULL, &draft) && compose(dialog, line, len, NULL, NULL, &draft) &&
	    compose(dialog, line, 0, given, NULL, &draft) && compose(dialog, line, 0, NULL, NULL, &draft))
		return;
	/* An empty line keeps the old draft: the line must be emptied to type /quit. */
	if (draft.len)
		dialog_store_draft(dialog, draft.text, draft.len, &draft.files);
	outgoing_free(&draft);
}

void dialog_draft_leave(struct dialog *dialog)
{
	dialog_queue_clear(dialog);
	dialog_files_clear(&dialog->files);
	if (!journal_is_unsaved(dialog->journal))
		remove_file(&dialog->draft);
	forget_file(&dialog->draft);
	dialog->draft.due = dialog->draft.since = 0;
}

/* ---- back again ---- */

static bool load(const char *key, struct outgoing *out)
{
	*out = (struct outgoing){.text = NULL};
	if (draft_file_load(key, &out->text, &out->files, NULL))
		return false;
	out->len = strlen(out->text);
	return true;
}

void dialog_draft_load(struct dialog *dialog, struct outgoing *out)
{
	const struct journal *journal = dialog->journal;
	const char *draft = journal_get_draft(journal);
	char key[DRAFT_KEY_MAX];

	find_key(dialog, dialog->store.recorded, key);
	/* The file is newer than the journal: it is removed when that has the draft. */
	if (!journal_why_copy(journal)[0] && load(key, out)) {
		memcpy(dialog->draft.key, key, sizeof key);
		return;
	}
	*out = (struct outgoing){.text = alloc_strndup(draft, strlen(draft))};
	if (out->text && !attachments_copy(&out->files, journal_get_draft_files(journal)))
		out->len = strlen(draft);
}

bool dialog_draft_find_lost(const struct dialog *dialog, struct outgoing *out, char key[DRAFT_KEY_MAX])
{
	return dialog->config.saves && !draft_file_find_lost(key, NULL) && load(key, out);
}

void dialog_draft_drop_lost(const struct dialog *dialog, const char *key)
{
	if (dialog->draft.key[0])
		draft_file_remove(key, &io_system);
}
