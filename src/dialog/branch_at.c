#include "dialog/branch_at.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "chat/reply_place.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"
#include "dialog/model.h"

/* Where the reply's token number k begins. */
static struct reply_place place_of(const struct kept_reply *kept, const struct node *reply, size_t k)
{
	return reply_place(reply, kept_bytes(kept, k), kept_bytes(kept, kept_n(kept)));
}

/* Whether the model in memory knows the reply's tokens by their ids. */
static bool knows_ids(const struct dialog *dialog, const struct node *reply, int32_t id)
{
	const struct model_identity *model = dialog->model ? &dialog->model->identity : NULL;
	const struct reply_run *run = reply->n_runs ? &reply->runs[reply->n_runs - 1] : NULL;

	return model && !model->server[0] && id >= 0 && !reply->ids_unknown &&
	       (!run || strcmp(run->model.file, model->file) == 0);
}

static enum status check_text(const char *bytes, size_t len, struct error *err)
{
	const size_t cut = sizeof ((struct token_candidate *)0)->text;

	if (len && len < cut && utf8_valid(bytes, len))
		return STATUS_OK;
	return error_set(err, STATUS_USAGE, "only a model that runs here, and made the reply, can go on from %s",
	                 len < cut ? "a token that is not a text by itself" : "a token that long");
}

/* Takes over the beginning of the reply, with a text of its own behind it. */
static enum status take_beginning(struct dialog *dialog, const struct node *reply, size_t k, const char *bytes,
                                  size_t len, struct error *err)
{
	const struct reply_place place = place_of(dialog_kept_reply(dialog, reply->id), reply, k);
	struct dialog_branch *branch = &dialog->turn.branch;
	struct buf text = {.max = LIMIT_MESSAGE};
	const bool by_id = branch->has_first;

	if (buf_append(&text, reply->text, place.text) || buf_append(&text, bytes, len)) {
		buf_free(&text);
		return error_no_memory(err, "for the reply");
	}
	branch->from = reply->id;
	branch->n_tokens = k;
	branch->n_put = len;
	branch->begun = (struct message){.role = ROLE_ASSISTANT, .len = text.len, .reasoning = reply->reasoning,
	                                 .reasoning_len = place.reasoning};
	if (by_id) {
		branch->begun.ids = reply->ids;
		branch->begun.n_ids = k < reply->n_ids ? k : reply->n_ids;
		branch->begun.n_reasoning_ids = k < reply->n_reasoning_ids ? k : reply->n_reasoning_ids;
	}
	buf_text(&text);
	branch->begun.text = buf_take(&text, NULL);
	return STATUS_OK;
}

enum status dialog_branch_at(struct dialog *dialog, uint32_t node, size_t k, int32_t id, const char *bytes,
                             size_t len, struct error *err)
{
	const struct kept_reply *kept = dialog_kept_reply(dialog, node);
	const struct node *reply = tree_node(dialog->tree, node), *replaced;
	bool by_id;

	if (!reply || !kept || k >= kept_n(kept))
		return error_set(err, STATUS_USAGE, "no candidates of this reply are kept");
	by_id = knows_ids(dialog, reply, id);
	if (!by_id && check_text(bytes, len, err))
		return err->status;
	if (k || !by_id ? !dialog_can_continue(dialog) : false)
		return error_set(err, STATUS_UNSUPPORTED, "%s runs on a server that cannot go on with a reply",
		                 dialog->model->name);
	if (!dialog_take_again(dialog, node, &replaced))
		return error_set(err, STATUS_USAGE, "there is no message that this reply answers");
	dialog->turn.branch.has_first = by_id;
	dialog->turn.branch.first = id;
	if (!take_beginning(dialog, reply, k, bytes, by_id ? 0 : len, err))
		return STATUS_OK;
	(void)dialog_turn_cannot_run(dialog);
	return err->status;
}

/* The token of which only the text is known. */
static enum status add_put(struct dialog *dialog, const struct node *reply, struct error *err)
{
	const struct dialog_branch *branch = &dialog->turn.branch;
	const struct token token = {.id = -1, .bytes = branch->begun.text + branch->begun.len - branch->n_put,
	                            .len = branch->n_put, .put = true};

	return branch->n_put ? dialog_kept_add(dialog, reply->id, &token, 0, err) : STATUS_OK;
}

enum status dialog_branch_begin(struct dialog *dialog, struct node *reply)
{
	const struct dialog_branch *branch = &dialog->turn.branch;
	const struct message *begun = &branch->begun;
	enum status status = STATUS_OK;

	if (!branch->from)
		return STATUS_OK;
	for (size_t i = 0; i < begun->n_ids && !status; i++)
		status = tree_append_id(reply, begun->ids[i]);
	reply->n_reasoning_ids = begun->n_reasoning_ids;
	if (!status && begun->reasoning_len)
		status = tree_append_reasoning(reply, begun->reasoning, begun->reasoning_len);
	if (!status)
		status = tree_append(reply, begun->text, begun->len);
	/* Without memory no candidates are kept, no more. */
	if (!status && dialog_kept_branch(dialog, reply->id, branch->from, branch->n_tokens, NULL) == STATUS_OK)
		(void)!add_put(dialog, reply, NULL);
	return status;
}

bool dialog_branch_has_begun(const struct dialog_branch *branch)
{
	return branch->begun.n_ids || branch->begun.len || branch->begun.reasoning_len;
}

void dialog_branch_end(struct dialog *dialog)
{
	free((char *)dialog->turn.branch.begun.text);
	dialog->turn.branch = (struct dialog_branch){.from = 0};
}
