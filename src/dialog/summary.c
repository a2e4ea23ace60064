#include "dialog/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/words.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/leaf.h"
#include "dialog/model.h"

static const char head[] = "Summary of the conversation so far: ";

enum { SUMMARY_PARTS = 16, SUMMARY_TOKENS_MIN = 16, SUMMARY_TOKENS_USUAL = 512 };

/* How long it may be: a part of the context, much less than what is freed. A server may not say how long
 * that is. */
static int32_t most_tokens(const struct dialog *dialog)
{
	uint32_t n = dialog->model->n_ctx ? dialog->model->n_ctx / SUMMARY_PARTS : SUMMARY_TOKENS_USUAL;

	return (int32_t)(n > SUMMARY_TOKENS_MIN ? n : SUMMARY_TOKENS_MIN);
}

/* ... and what the model thinks before, if its template cannot be told not to. */
static int32_t most_with_reasoning(const struct dialog *dialog)
{
	bool reasons = dialog->model->capabilities & CAPABILITY_REASONING &&
	               !(dialog->model->capabilities & CAPABILITY_SWITCH);

	return most_tokens(dialog) * (reasons ? 4 : 1);
}

/* The last message that it is to stand for; 0: none falls out. */
static uint32_t up_to(const struct dialog *dialog)
{
	const struct dialog_turn *turn = &dialog->turn;

	return turn->n_left_out ? turn->left_out[turn->n_left_out - 1] : 0;
}

bool dialog_wants_summary(const struct dialog *dialog, const struct event *done)
{
	return done->u.done.reason == DONE_ERROR && done->error->status == STATUS_CONTEXT && up_to(dialog) &&
	       !dialog->turn.reply && !dialog->summary.tried && !dialog->turn.continues && dialog->config.sums_up &&
	       dialog->config.engine->context_policy == CONTEXT_SUMMARY && !dialog_is_with_guide(dialog) &&
	       !dialog->turn.is_stopped;
}

/* Cuts the turn behind the last message that falls out, and asks for the summary there: all before is
 * in the cache. */
static void ask(struct chat_turn *turn, size_t n, const char *question, size_t len)
{
	turn->messages[n] = (struct message){.role = ROLE_USER, .text = question, .len = len};
	turn->turn.n_messages = n + 1;
	turn->turn.answered = false;
	turn->turn.policy = CONTEXT_STOP;
	turn->turn.reasoning.mode = REASONING_OFF;
	turn->turn.n_stops = 0;
}

/* How many messages are sent up to this one. */
static size_t count_up_to(const struct tree *tree, uint32_t message)
{
	size_t n_sent, n = 0;
	uint32_t *ids = path_sent(tree, &n_sent);

	for (size_t i = 0; ids && i < n_sent && !n; i++)
		n = ids[i] == message ? i + 1 : 0;
	free(ids);
	return n;
}

enum status dialog_build_summary_turn(struct dialog *dialog, struct chat_turn *out, struct error *err)
{
	struct chat_turn_source source = dialog_turn_source(dialog);
	struct sampler_params sampler = dialog_sampler(dialog);
	struct buf *text = &dialog->summary.text;
	size_t n = count_up_to(dialog->tree, up_to(dialog));
	enum status status;

	source.sampler = &sampler;
	buf_free(text);
	buf_init(text, LIMIT_MESSAGE);
	buf_printf(text, "Sum up our conversation so far, for yourself: you go on from the summary alone. "
	           "Keep what was asked, found and decided, names, numbers, code that is still needed, and what "
	           "is open. Answer with the summary only, in the language of the conversation, in at most %d "
	           "words.", most_tokens(dialog) * 6 / 10);
	status = chat_turn_build(out, &source, err);
	if (!status && (!n || buf_status(text)))
		status = error_no_memory(err, "for a summary");
	if (!status) {
		ask(out, n, buf_text(text), text->len);
		out->turn.n_predict = most_with_reasoning(dialog);
	}
	return status;
}

void dialog_summary_runs(struct dialog *dialog, uint64_t id)
{
	struct dialog_turn *turn = &dialog->turn;

	turn->id = id;
	turn->n_tokens = turn->prefill_done = turn->prefill_total = 0;
	dialog->summary.running = true;
	buf_clear(&dialog->summary.text);
	buf_puts(&dialog->summary.text, head);
}

void dialog_summary_give_up(struct dialog *dialog)
{
	dialog->turn.is_stopped = dialog->summary.running = false;
	buf_free(&dialog->summary.text);
	if (dialog->turn.replaced)
		dialog_move_leaf(dialog, dialog->turn.replaced);
	dialog->turn.replaced = 0;
}

/* Adds a summary at the end of the path. */
static enum status add(struct dialog *dialog, const char *text, size_t len, uint32_t stands_for, struct error *err)
{
	uint32_t id;

	if (tree_add(dialog->tree, tree_leaf(dialog->tree), ROLE_SYSTEM, text, len, &id, err))
		return err->status;
	tree_node(dialog->tree, id)->sums_up = stands_for;
	dialog_store_message(dialog, id);
	return STATUS_OK;
}

void dialog_summary_token(struct dialog *dialog, const struct token *token)
{
	struct buf *text = &dialog->summary.text;

	if (token->recants)
		buf_clear(text);
	if (!token->reasoning)
		buf_append(text, token->bytes, token->len);
}

enum status dialog_summary_end(struct dialog *dialog, const struct event *done, struct error *err)
{
	struct buf *text = &dialog->summary.text;
	/* Its end may have come just before it was stopped. */
	enum done_reason reason = dialog->turn.is_stopped ? DONE_CANCELLED : done->u.done.reason;
	enum status status = STATUS_OK;
	size_t len = text->len;

	while (len > strlen(head) && words_is_blank(text->data[len - 1]))
		len--;
	if (reason == DONE_CANCELLED)
		status = error_set(err, STATUS_CANCELLED, "it was stopped");
	else if (reason == DONE_ERROR && done->error->status == STATUS_CONTEXT)
		status = error_set(err, STATUS_CONTEXT, "the messages to sum up are too long for the context");
	else if (reason == DONE_ERROR)
		status = error_set(err, done->error->status, "%s", done->error->text);
	else if (reason == DONE_EARLY)
		status = error_set(err, STATUS_IO, "the server ended it early");
	else if (reason == DONE_FILTERED)
		status = error_set(err, STATUS_DECLINED, "the server withheld a part of it");
	else if (buf_status(text))
		status = error_no_memory(err, NULL);
	else if (len <= strlen(head))
		status = error_set(err, STATUS_FORMAT, "the model wrote nothing");
	else if (add(dialog, buf_text(text), len, up_to(dialog), err))
		status = error_no_memory(err, NULL);
	if (status) {
		dialog_summary_give_up(dialog);
		return status;
	}
	dialog->summary.running = false;
	dialog->summary.tried = true;
	buf_free(text);
	return STATUS_OK;
}

const struct node *dialog_find_summary(const struct dialog *dialog)
{
	const struct node *node = tree_node(dialog->tree, tree_leaf(dialog->tree));

	while (node && !node->sums_up)
		node = tree_node(dialog->tree, node->parent);
	return node && node->len ? node : NULL;
}

enum status dialog_summary_replace(struct dialog *dialog, const struct node *old, const char *text, size_t len,
                                   struct error *err)
{
	return add(dialog, text, len, old->sums_up, err);
}
