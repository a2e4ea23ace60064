#include "dialog/kept.h"

#include <limits.h>

#include "dialog/dialog.h"
#include "journal/beside.h"
#include "kept/kept_file.h"

/* ---- what is kept ---- */

/* Whether all tokens of a message are kept, and no others: by their ids, or where those are unknown by their length. A
 * server that goes on behind another candidate leaves the ids before that unknown. */
static bool is_of(const struct kept_reply *reply, const struct node *node)
{
	size_t before;

	if (!node || node->role != ROLE_ASSISTANT)
		return false;
	before = node->ids_unknown || kept_n(reply) < node->n_ids ? kept_n(reply) : kept_n(reply) - node->n_ids;
	if ((before || !node->n_ids) && kept_bytes(reply, kept_n(reply)) != (uint64_t)node->len + node->reasoning_len)
		return false;
	for (size_t i = before; i < kept_n(reply); i++)
		if (kept_token(reply, i)->id != node->ids[i - before])
			return false;
	return node->ids_unknown || kept_n(reply) >= node->n_ids;
}

/* A chat may have been changed by hand, or taken back what it had. */
static void drop_foreign(struct dialog *dialog)
{
	for (uint32_t node = kept_last(dialog->kept), before; node; node = before) {
		const struct kept_reply *reply = kept_reply(dialog->kept, node);

		before = kept_before(dialog->kept, node);
		if (!reply || !is_of(reply, tree_node(dialog->tree, node)))
			kept_drop(dialog->kept, node);
	}
}

static bool file_path(const struct dialog *dialog, char path[PATH_MAX])
{
	return dialog->journal && journal_beside(journal_path(dialog->journal), path, PATH_MAX);
}

const struct kept *dialog_kept(struct dialog *dialog)
{
	char path[PATH_MAX];

	if (dialog->kept || !(dialog->kept = kept_create()))
		return dialog->kept;
	if (file_path(dialog, path)) {
		kept_file_read(dialog->kept, path, &io_system);
		drop_foreign(dialog);
	}
	return dialog->kept;
}

const struct kept_reply *dialog_kept_reply(struct dialog *dialog, uint32_t node)
{
	return dialog_kept(dialog) ? kept_reply(dialog->kept, node) : NULL;
}

bool dialog_kept_is_foreign(struct dialog *dialog, const struct node *reply)
{
	const struct kept_reply *kept = dialog_kept_reply(dialog, reply->id);
	const struct reply_run *run = node_run_at(reply, SIZE_MAX);

	if (!kept || !dialog->model)
		return false;
	if (run)
		return strcmp(run->model.file, kept_model_name(kept)) != 0;
	return !reply->model || strcmp(reply->model, dialog->model->name) != 0;
}

static bool can_tell(const struct dialog *dialog)
{
	return dialog->model && dialog->model->capabilities & CAPABILITY_LOGITS;
}

size_t dialog_kept_wanted(const struct dialog *dialog)
{
	const bool *keeps = dialog->config.keeps_candidates;

	if (!can_tell(dialog) || !keeps || !*keeps)
		return 0;
	return dialog->model->identity.server[0] ? KEPT_SHOWN : TOKEN_CANDIDATES_MAX; /* more are refused by some */
}

/* ---- a reply ---- */

static void begin_at(struct dialog *dialog, uint32_t node, size_t from, const struct turn_begin *begin)
{
	const char *model = dialog->model ? dialog->model->identity.file : "";

	/* Without memory none are kept, no more. */
	if (dialog->kept)
		(void)!kept_begin(dialog->kept, node, from, model, begin, NULL);
}

void dialog_kept_go_on(struct dialog *dialog, uint32_t id, const struct turn_begin *begin)
{
	const struct kept_reply *reply = dialog_kept_reply(dialog, id);
	const struct node *node = tree_node(dialog->tree, id);
	bool has_begun = node->n_ids || node->len || node->reasoning_len;

	if ((has_begun && (!reply || !is_of(reply, node))) || (can_tell(dialog) && !dialog_kept_wanted(dialog)))
		dialog_kept_drop(dialog, id);
	else
		begin_at(dialog, id, has_begun ? kept_n(reply) : 0, begin);
}

void dialog_kept_begin(struct dialog *dialog, uint32_t node, const struct turn_begin *begin)
{
	if (dialog_kept(dialog))
		begin_at(dialog, node, 0, begin);
}

enum status dialog_kept_add(struct dialog *dialog, uint32_t node, const struct token *token, uint32_t us,
                            struct error *err)
{
	return dialog_kept(dialog) ? kept_add(dialog->kept, node, token, us, err)
	                           : error_no_memory(err, "for the candidates of a reply");
}

enum status dialog_kept_branch(struct dialog *dialog, uint32_t to, uint32_t from, size_t n, struct error *err)
{
	return dialog_kept(dialog) ? kept_copy(dialog->kept, to, from, n, err)
	                           : error_no_memory(err, "for the candidates of a reply");
}

void dialog_kept_drop(struct dialog *dialog, uint32_t node)
{
	if (dialog->kept)
		kept_drop(dialog->kept, node);
}

/* ---- the file ---- */

void dialog_kept_save(struct dialog *dialog)
{
	char path[PATH_MAX];

	/* The file of a chat that goes on as a copy is another sotto's. */
	if (dialog->kept && file_path(dialog, path) && !journal_is_unsaved(dialog->journal) &&
	    !journal_copy_id(dialog->journal)[0])
		kept_file_write(dialog->kept, path, &io_system);
}

struct kept *dialog_kept_read(const char *chat)
{
	struct kept *kept = kept_create();
	char path[PATH_MAX];

	if (kept && journal_beside(chat, path, sizeof path))
		kept_file_read(kept, path, &io_system);
	return kept;
}

void dialog_kept_hold(struct dialog *dialog, struct kept *kept)
{
	kept_free(dialog->kept);
	dialog->kept = kept;
	if (kept)
		drop_foreign(dialog);
}

struct kept *dialog_kept_fork(struct dialog *dialog, uint32_t leaf)
{
	struct kept *fork = dialog_kept(dialog) ? kept_create() : NULL;
	const struct node *node = tree_node(dialog->tree, leaf);
	uint32_t depth = 0;

	for (const struct node *at = node; at; at = tree_node(dialog->tree, at->parent))
		depth++;
	/* The copy's ids are those of its places. */
	for (; fork && node; node = tree_node(dialog->tree, node->parent), depth--)
		if (kept_take_over(fork, depth, kept_reply(dialog->kept, node->id), NULL)) {
			kept_free(fork);
			fork = NULL;
		}
	return fork;
}
