#include "dialog/store.h"

#include "dialog/dialog.h"
#include "dialog/facts.h"
#include "dialog/kept.h"

enum {
	RETRY_MIN_MS = 1000, /* after a failed write; doubles up to ... */
	RETRY_MAX_MS = 60000,
	UNTIMED = 0,         /* retry_at, until dialog_store_step knows the time */
};

/* Saved, in its place or in the rescue folder, from where it goes back as soon as that works. */
static void saved(struct dialog *dialog)
{
	struct dialog_store *store = &dialog->store;
	const bool aside = journal_is_aside(dialog->journal);

	if (aside && !store->is_aside)
		dialog_note(dialog, FACT_SAVED_ASIDE, NULL);
	else if (!aside && (store->is_unsaved || store->is_aside))
		dialog_note(dialog, FACT_SAVED_AGAIN, NULL);
	store->is_unsaved = store->refused_to_lose = false;
	store->reason[0] = '\0';
	store->is_aside = aside;
	store->retry_ms = RETRY_MAX_MS;
	store->retry_at = aside ? UNTIMED : STORE_NEVER;
}

/* After each call of the journal. */
static void check(struct dialog *dialog, enum status status, const struct error *err)
{
	struct dialog_store *store = &dialog->store;
	bool was_unsaved = store->is_unsaved;

	if (status == STATUS_OK && !journal_is_unsaved(dialog->journal)) {
		saved(dialog);
		return;
	}
	store->is_unsaved = true;
	store->retry_ms = was_unsaved ? store->retry_ms * 2 : RETRY_MIN_MS;
	if (store->retry_ms > RETRY_MAX_MS)
		store->retry_ms = RETRY_MAX_MS;
	store->retry_at = UNTIMED;
	if (status ? !reason_is_news(store->reason, err) : was_unsaved)
		return;
	if (status)
		store->why = *err;
	else
		error_set(&store->why, STATUS_IO, "an earlier write failed");
	dialog_note(dialog, FACT_NOT_SAVED, &store->why);
}

/* While a write is pending, the time decides when to try again, not each message and token. */
static void check_write(struct dialog *dialog, enum status status, const struct error *err)
{
	if (!dialog->store.is_unsaved || (!status && !journal_is_unsaved(dialog->journal)))
		check(dialog, status, err);
}

/* A template's opening messages are saved with the first message of the user. */
void dialog_store_message(struct dialog *dialog, uint32_t id)
{
	struct dialog_store *store = &dialog->store;
	struct error err;

	if (!dialog->journal)
		return;
	store->recorded = true;
	store->refused_to_lose = false;
	while (store->n_stored < id) {
		const struct node *node = tree_node(dialog->tree, (uint32_t)++store->n_stored);

		check_write(dialog, journal_node(dialog->journal, node, &err), &err);
	}
}

static void count_stored(struct dialog *dialog, uint32_t id)
{
	if (dialog->store.n_stored < id)
		dialog->store.n_stored = id;
}

void dialog_store_part(struct dialog *dialog, uint32_t id, uint64_t now_ms)
{
	struct error err;

	count_stored(dialog, id);
	if (dialog->journal)
		check_write(dialog, journal_reply_part(dialog->journal, tree_node(dialog->tree, id), now_ms, &err), &err);
}

void dialog_store_end(struct dialog *dialog, uint32_t id)
{
	struct error err;

	count_stored(dialog, id);
	if (dialog->journal)
		check_write(dialog, journal_reply_end(dialog->journal, tree_node(dialog->tree, id), &err), &err);
}

void dialog_store_marks(struct dialog *dialog, uint32_t id)
{
	struct error err;

	if (dialog->journal && dialog->store.n_stored < id)
		dialog_store_message(dialog, id); /* has them */
	else if (dialog->journal)
		check_write(dialog, journal_mark(dialog->journal, tree_node(dialog->tree, id), &err), &err);
}

void dialog_store_leaf(struct dialog *dialog)
{
	struct error err;

	if (dialog->journal)
		check_write(dialog, journal_leaf(dialog->journal, tree_leaf(dialog->tree), &err), &err);
}

void dialog_store_draft(struct dialog *dialog, const char *text, size_t len,
                        const struct attachments *files)
{
	struct error err;

	if (!dialog->journal)
		return;
	dialog->store.recorded = true;
	check_write(dialog, journal_draft(dialog->journal, text, len, files, &err), &err);
}

void dialog_store_tree(struct dialog *dialog, const char *title)
{
	struct error err;

	if (!dialog->journal)
		return;
	dialog->store.recorded = true;
	check(dialog, journal_tree(dialog->journal, dialog->tree, title, &err), &err);
	dialog_kept_save(dialog);
}

enum status dialog_store_title(struct dialog *dialog, const char *title, struct error *err)
{
	enum status status = journal_title(dialog->journal, title, err);

	dialog->store.recorded = true;
	check(dialog, status, err);
	return status;
}

enum status dialog_store_copy(struct dialog *dialog, const char *path, struct error *err)
{
	const char *title = dialog->journal ? journal_get_title(dialog->journal) : "";
	uint32_t reply = dialog->turn.reply;

	if (journal_export(dialog->tree, title, path, err))
		return err->status;
	dialog->store.n_copied = reply ? reply - 1 : tree_n(dialog->tree); /* the rest of a reply is not in the copy */
	return STATUS_OK;
}

void dialog_store_retry(struct dialog *dialog)
{
	struct error err;

	check(dialog, journal_retry(dialog->journal, &err), &err);
	dialog_kept_save(dialog);
}

bool dialog_store_step(struct dialog *dialog, uint64_t now_ms)
{
	struct dialog_store *store = &dialog->store;
	bool is_due = store->retry_at != UNTIMED && now_ms >= store->retry_at;

	if (is_due)
		dialog_store_retry(dialog);
	if (store->retry_at == UNTIMED)
		store->retry_at = now_ms + store->retry_ms;
	return is_due;
}

bool dialog_store_rescue(struct dialog *dialog, struct error *err)
{
	struct journal *journal = dialog->journal;

	error_set(err, STATUS_IO, "this chat has no file");
	return journal && (journal_is_unsaved(journal) || dialog->store.is_aside) && !journal_retry(journal, err) &&
	       journal_is_aside(journal);
}

bool dialog_has_unsaved(const struct dialog *dialog)
{
	if (!dialog->config.saves || dialog->store.n_copied >= tree_n(dialog->tree))
		return false;
	return dialog->journal ? journal_is_unsaved(dialog->journal) : !dialog_is_fresh(dialog);
}

bool dialog_refuses_to_lose(struct dialog *dialog)
{
	if (dialog->journal && journal_is_unsaved(dialog->journal))
		dialog_store_retry(dialog);
	if (dialog->store.refused_to_lose || !dialog_has_unsaved(dialog))
		return false;
	return dialog->store.refused_to_lose = true;
}
