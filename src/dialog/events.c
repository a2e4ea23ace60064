#include "dialog/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"
#include "dialog/leaf.h"
#include "dialog/model.h"

static void count_token(struct dialog_turn *turn, const struct token *token, uint64_t now_us)
{
	turn->last_token_us = now_us;
	if (turn->n_tokens == 0)
		turn->first_token_us = now_us;
	if (turn->n_tokens < token->n_generated)
		turn->n_tokens = token->n_generated;
}

/* ---- the reply ---- */

/* Its node, which is made with the first token; NULL without memory. */
static struct node *reply_node(struct dialog *dialog)
{
	struct sampler_params sampler = dialog_sampler(dialog);
	char label[MODEL_LABEL_MAX];

	if (dialog->turn.reply)
		return tree_node(dialog->tree, dialog->turn.reply);
	if (tree_add_reply(dialog->tree, &sampler, dialog_model_label(dialog, label), &dialog->turn.reply) ||
	    dialog_branch_begin(dialog, tree_node(dialog->tree, dialog->turn.reply)))
		return NULL;
	return tree_node(dialog->tree, dialog->turn.reply);
}

/* Its run; NULL: it has none, or that is not the node's yet. */
static struct reply_run *reply_run(const struct dialog *dialog)
{
	struct node *node = dialog->turn.has_run ? tree_node(dialog->tree, dialog->turn.reply) : NULL;

	return node && node->n_runs ? &node->runs[node->n_runs - 1] : NULL;
}

/* Without memory the reply is one that cannot be made again, no more. */
static void take_params(struct dialog *dialog, const struct event *event)
{
	const struct node *node = tree_node(dialog->tree, dialog->turn.reply);
	struct reply_run *run = reply_run(dialog);

	run_add_change(run ? run : &dialog->turn.run, event->u.params.at, &event->u.params.params,
	               node ? node->len : 0);
}

static void take_sent(struct dialog *dialog, const char *json)
{
	struct reply_run *run = reply_run(dialog);

	run_set_sent(run ? run : &dialog->turn.run, json);
}

/* Without memory its candidates are not kept, no more. */
static void keep(struct dialog *dialog, uint32_t node, const struct token *token, uint64_t now_us)
{
	struct dialog_turn *turn = &dialog->turn;
	uint32_t us = turn->n_tokens ? (uint32_t)(now_us - turn->last_token_us) : 0;

	if (!turn->n_tokens)
		dialog_kept_go_on(dialog, node, &turn->begin);
	(void)!dialog_kept_add(dialog, node, token, us, NULL);
}

static enum turn_news take_token(struct dialog *dialog, const struct token *token, uint64_t now_us,
                                 struct error *err)
{
	struct dialog_turn *turn = &dialog->turn;
	struct node *node = reply_node(dialog);

	if (node && turn->run.has_begun && !turn->has_run)
		turn->has_run = !tree_add_run(node, &turn->run);
	if (node)
		keep(dialog, node->id, token, now_us);
	count_token(turn, token, now_us);
	if (!node || tree_append_token(node, token)) {
		error_no_memory(err, "for the reply");
		return TURN_IS_LOST;
	}
	dialog_store_part(dialog, turn->reply, now_us / 1000);
	return TURN_GOES_ON;
}

static void take_begin(struct dialog_turn *turn, const struct turn_begin *begin)
{
	turn->begin = *begin;
	turn->begin.n_tail = begin->n_tail < PROMPT_TAIL_MAX ? begin->n_tail : PROMPT_TAIL_MAX;
	turn->begin.tail = turn->tail;
	if (turn->begin.n_tail)
		memcpy(turn->tail, begin->tail + begin->n_tail - turn->begin.n_tail, turn->begin.n_tail * sizeof *turn->tail);
	turn->run.begin = turn->begin;
	turn->run.begin.tail = NULL; /* a run has none */
	turn->run.begin.n_tail = 0;
	turn->run.has_begun = true;
}

static void take_left_out(struct dialog *dialog, const bool *left_out, size_t n_told)
{
	size_t n_sent, n = 0, at = 0;
	uint32_t *ids = path_sent(dialog->tree, &n_sent);

	for (size_t i = 0; ids && i < n_sent && at < n_told; i++)
		if (tree_node(dialog->tree, ids[i])->role != ROLE_SYSTEM && left_out[at++])
			ids[n++] = ids[i];
	free(dialog->turn.left_out);
	dialog->turn.left_out = ids;
	dialog->turn.n_left_out = n;
}

static void end(struct dialog *dialog, const struct event *event)
{
	enum done_reason reason = event->u.done.reason;
	struct dialog_turn *turn = &dialog->turn;
	struct node *node = tree_node(dialog->tree, turn->reply);
	struct reply_run *run = reply_run(dialog);
	bool whole = reason != DONE_CANCELLED && reason != DONE_ERROR && reason != DONE_EARLY;

	if (run)
		snprintf(run->ended, sizeof run->ended, "%s", done_reason_name(reason));
	if (node && turn->continues && !turn->n_tokens && !whole) { /* as it was */
		node->state = turn->state_before;
	} else if (node) {
		node->state = whole ? NODE_COMPLETE : NODE_INTERRUPTED;
		dialog_store_end(dialog, turn->reply);
		dialog_kept_save(dialog);
	} else if (turn->replaced) { /* there was no new reply */
		dialog_move_leaf(dialog, turn->replaced);
	}
	turn->stats = event->u.done.stats;
	turn->difference = event->u.done.difference ? *event->u.done.difference
	                                            : (struct cache_difference){.kind = CACHE_SAME};
	turn->has_stats = true;
	turn->has_reply = node != NULL;
	turn->is_stopped = false;
	turn->reply = turn->replaced = 0;
}

/* ---- the summary that it waits for ---- */

static enum turn_news take_summary(struct dialog *dialog, const struct event *event, uint64_t now_us,
                                   struct error *err)
{
	if (event->kind == EVENT_DONE)
		return dialog_summary_end(dialog, event, err) ? TURN_HAS_NO_SUMMARY : TURN_HAS_SUMMARY;
	if (event->kind == EVENT_TOKEN) {
		count_token(&dialog->turn, &event->u.token, now_us);
		dialog_summary_token(dialog, &event->u.token);
	}
	return TURN_GOES_ON;
}

enum turn_news dialog_event(struct dialog *dialog, const struct event *event, uint64_t now_us,
                            struct error *err)
{
	struct dialog_turn *turn = &dialog->turn;

	if (dialog->summary.running && event->kind != EVENT_PREFILLING)
		return take_summary(dialog, event, now_us, err);
	switch (event->kind) {
	case EVENT_PREFILLING:
		turn->prefill_done = event->u.prefilling.done;
		turn->prefill_total = event->u.prefilling.total;
		break;
	case EVENT_FITTED: take_left_out(dialog, event->u.fitted.left_out, event->u.fitted.n); break;
	case EVENT_BEGIN: take_begin(turn, &event->u.begin); break;
	case EVENT_SENT: take_sent(dialog, event->u.sent); break;
	case EVENT_PARAMS: take_params(dialog, event); break;
	case EVENT_TOKEN: return take_token(dialog, &event->u.token, now_us, err);
	case EVENT_DONE:
		if (dialog_wants_summary(dialog, event))
			return TURN_WANTS_SUMMARY;
		end(dialog, event);
		return TURN_HAS_ENDED;
	default: break;
	}
	return TURN_GOES_ON;
}

void dialog_interrupt(struct dialog *dialog)
{
	struct node *node = tree_node(dialog->tree, dialog->turn.reply);

	if (!node || node->state != NODE_STREAMING)
		return;
	node->state = NODE_INTERRUPTED;
	dialog_store_end(dialog, node->id);
	dialog_kept_save(dialog);
}
