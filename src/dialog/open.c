#include "dialog/open.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "chat/branch.h"
#include "dialog/dialog.h"
#include "dialog/facts.h"
#include "dialog/kept.h"

/* A chat that begins now, without a journal if it cannot be saved. */
static enum status begin(const struct dialog *dialog, struct tree *tree, struct opened *out, struct error *err)
{
	*out = (struct opened){.tree = tree};
	if (!tree)
		return error_no_memory(err, NULL);
	if (dialog->config.saves && journal_create(&out->journal, &out->error))
		out->journal = NULL;
	return STATUS_OK;
}

enum status dialog_open_new(const struct dialog *dialog, struct opened *out, struct error *err)
{
	return begin(dialog, tree_create(), out, err);
}

enum status dialog_open_fork(struct dialog *dialog, uint32_t leaf, struct opened *out, struct error *err)
{
	uint32_t old = tree_leaf(dialog->tree);
	struct tree *tree;
	enum status status;

	tree_set_leaf(dialog->tree, leaf);
	tree = branch_copy(dialog->tree);
	tree_set_leaf(dialog->tree, old);
	status = begin(dialog, tree, out, err);
	if (!status)
		out->kept = dialog_kept_fork(dialog, leaf);
	return status;
}

/* Opening it again would meet our own lock. */
static bool is_held(const struct dialog *dialog, const char *path)
{
	return dialog->journal && dialog->store.recorded && journal_is_at(dialog->journal, path);
}

enum status dialog_open_saved(const struct dialog *dialog, const char *name, struct opened *out,
                              struct error *err)
{
	enum status status;
	bool is_copy;
	char *path;

	*out = (struct opened){.is_read = true};
	status = name && name[0] ? journal_resolve(name, &path, err) : journal_last(&path, err);
	if (status)
		return status;
	if (!is_held(dialog, path)) {
		status = journal_open(&out->journal, &out->tree, path, &is_copy, &out->n_damaged, err);
		if (!status && is_copy)
			out->kept = dialog_kept_read(path);
	}
	free(path);
	return status;
}

enum status dialog_open_read(const char *name, struct opened *out, struct error *err)
{
	enum status status;
	char *path;

	*out = (struct opened){.is_read = true};
	status = journal_resolve(name, &path, err);
	if (status)
		return status;
	status = journal_load(path, &out->tree, &out->n_damaged, NULL, err);
	free(path);
	return status;
}

bool dialog_save_last(struct dialog *dialog)
{
	return !dialog->journal || !journal_is_unsaved(dialog->journal) ||
	       journal_retry(dialog->journal, NULL) == STATUS_OK;
}

void dialog_close_journal(struct dialog *dialog)
{
	journal_close(dialog->journal);
	dialog->journal = NULL;
	dialog->store.recorded = false;
}

void dialog_hold(struct dialog *dialog, struct opened *chat)
{
	dialog_kept_save(dialog);
	tree_free(dialog->tree);
	journal_close(dialog->journal);
	dialog->tree = chat->tree;
	dialog->journal = chat->journal;
	dialog_kept_hold(dialog, chat->kept);
	dialog->store = (struct dialog_store){.n_stored = tree_n(chat->tree), .retry_at = STORE_NEVER,
	                                      .recorded = chat->is_read,
	                                      .is_aside = chat->is_read && chat->journal &&
	                                                  journal_is_aside(chat->journal)};
	dialog->opening_leaf = 0;
	dialog_edit_end(dialog);
	dialog_forget_stats(dialog);
	dialog_template_forget(dialog);
	if (chat->error.status)
		dialog_note(dialog, FACT_CANNOT_SAVE, &chat->error);
}

void dialog_put_title(const struct dialog *dialog, struct buf *out, size_t max)
{
	const char *title = dialog->journal ? journal_get_title(dialog->journal) : "";
	const struct node *node = tree_node(dialog->tree, tree_leaf(dialog->tree)), *first = NULL;

	for (; node && !title[0]; node = tree_node(dialog->tree, node->parent))
		first = node->role == ROLE_USER ? node : first;
	if (first)
		title = first->text;
	buf_append(out, title, utf8_cut(title, strcspn(title, "\n"), max));
}

void dialog_put_fork_title(const struct dialog *dialog, struct buf *out)
{
	static const char suffix[] = " (fork)";

	dialog_put_title(dialog, out, LIMIT_TITLE - sizeof suffix);
	buf_puts(out, suffix);
}
