#include "dialog/reply.h"

#include <stdlib.h>

#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"
#include "dialog/leaf.h"
#include "dialog/model.h"

struct chat_turn_source dialog_turn_source(const struct dialog *dialog)
{
	return (struct chat_turn_source){
		.tree = dialog->tree, .engine = dialog->config.engine, .sampler = dialog->config.sampler,
		.no_summary = !dialog->config.sums_up || dialog_is_with_guide(dialog),
		.stops = (const char *const *)dialog->template.stops.texts, .n_stops = dialog->template.stops.n,
		.weight_rate = dialog->config.weight_rate ? *dialog->config.weight_rate : 0};
}

struct sampler_params dialog_sampler(const struct dialog *dialog)
{
	struct sampler_params sampler = *dialog->config.sampler;

	if (sampler.seed >= 0)
		sampler.seed = (int64_t)(((uint64_t)sampler.seed + dialog->turn.take) & INT64_MAX);
	return sampler;
}

static void prepare(struct dialog *dialog, uint32_t take, uint32_t replaced)
{
	dialog->turn.sent.message = 0;
	dialog->turn.take = take;
	dialog->turn.replaced = replaced;
	dialog_branch_end(dialog);
	dialog->summary.tried = false;
}

static uint32_t count_replies(const struct tree *tree, uint32_t parent)
{
	uint32_t n = 0;

	for (uint32_t id = tree_first_child(tree, parent); id; id = tree_node(tree, id)->next)
		n += tree_node(tree, id)->role == ROLE_ASSISTANT;
	return n;
}

/* The message that a reply answers: a summary made for it may be in between. */
static bool has_question(const struct tree *tree, const struct node *node)
{
	while (node && node->sums_up)
		node = tree_node(tree, node->parent);
	return node && node->role == ROLE_USER;
}

bool dialog_take_again(struct dialog *dialog, uint32_t picked, const struct node **old)
{
	uint32_t leaf = tree_leaf(dialog->tree);
	const struct node *node = tree_node(dialog->tree, picked ? picked : leaf);

	*old = node && node->role == ROLE_ASSISTANT ? node : NULL;
	if (*old)
		node = tree_node(dialog->tree, node->parent);
	if (!has_question(dialog->tree, node))
		return false;
	prepare(dialog, count_replies(dialog->tree, node->id), leaf);
	dialog_move_leaf(dialog, node->id); /* in the journal the new reply's first record moves it */
	return true;
}

enum continue_answer dialog_continue(struct dialog *dialog)
{
	const struct node *leaf = tree_node(dialog->tree, tree_leaf(dialog->tree));

	if (leaf && leaf->role == ROLE_USER)
		return CONTINUE_UNANSWERED;
	if (!leaf || leaf->role != ROLE_ASSISTANT || !path_user(dialog->tree, 1, 0))
		return CONTINUE_NOTHING;
	if (leaf->dropped)
		return CONTINUE_DROPPED;
	if (!dialog_can_continue(dialog))
		return CONTINUE_CANNOT;
	if (dialog->edit.message)
		dialog_edit_end(dialog);
	prepare(dialog, 0, 0);
	return CONTINUE_WELL;
}

enum status dialog_build_turn(struct dialog *dialog, struct chat_turn *out, struct error *err)
{
	struct chat_turn_source source = dialog_turn_source(dialog);
	const struct node *leaf = tree_node(dialog->tree, tree_leaf(dialog->tree));
	struct sampler_params sampler = dialog_sampler(dialog);
	enum status status;

	source.sampler = &sampler;
	source.no_summary |= dialog->summary.tried;
	source.continues = leaf && leaf->role == ROLE_ASSISTANT;
	if (dialog_branch_has_begun(&dialog->turn.branch)) {
		source.begun = &dialog->turn.branch.begun;
		source.continues = true;
	}
	status = chat_turn_build(out, &source, err);
	out->turn.has_first = dialog->turn.branch.has_first;
	out->turn.n_candidates = dialog_kept_wanted(dialog);
	out->turn.first = dialog->turn.branch.first;
	run_free(&dialog->turn.run);
	return status ? status : run_prepare(&dialog->turn.run, &out->turn, dialog->tree, dialog->model, err);
}

void dialog_turn_runs(struct dialog *dialog, uint64_t id, uint64_t now_ms)
{
	struct node *leaf = tree_node(dialog->tree, tree_leaf(dialog->tree));
	struct dialog_turn *turn = &dialog->turn;

	turn->id = id;
	turn->asked_at = now_ms;
	turn->is_stopped = turn->has_run = false;
	turn->reply = turn->n_tokens = turn->prefill_done = turn->prefill_total = 0;
	free(turn->left_out);
	turn->left_out = NULL;
	turn->n_left_out = 0;
	turn->continues = leaf && leaf->role == ROLE_ASSISTANT;
	if (turn->continues) {
		turn->reply = leaf->id;
		turn->state_before = leaf->state;
		leaf->state = NODE_STREAMING;
	}
}

void dialog_stop_turn(struct dialog *dialog)
{
	dialog->turn.is_stopped = true;
}

void dialog_forget_stats(struct dialog *dialog)
{
	dialog->turn.has_stats = false;
}
