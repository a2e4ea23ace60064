/* Another reply, or the rest of one. */
#include "ui/app_reply.h"

#include "base/role.h"
#include "chat/path.h"
#include "chat/tree.h"
#include "dialog/dialog.h"
#include "dialog/leaf.h"
#include "ui/app.h"
#include "ui/app_pick.h"
#include "ui/app_turn.h"
#include "ui/command.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/chat_view.h"

static uint32_t count_replies(const struct tree *tree, uint32_t parent)
{
	uint32_t n = 0;

	for (uint32_t id = 1; id <= tree_n(tree); id++) {
		const struct node *node = tree_node(tree, id);

		n += node && node->parent == parent && node->role == ROLE_ASSISTANT;
	}
	return n;
}

/* Why another reply can differ from the last one, or why it cannot; the user is told each only once. */
static void tell_take(struct app *app, const struct node *old)
{
	const struct sampler_params *sampler = app->config->sampler;

	if (sampler_params_is_greedy(sampler) && old && old->has_params &&
	    sampler_params_is_greedy(&old->params) && !app->told->cold) {
		app->told->cold = true;
		app_notice(app, STYLE_SYSTEM, "At temperature 0 the most likely token is always taken, so "
		           "another reply will be the same. With /temp 0.7 it can differ.");
	} else if (!sampler_params_is_greedy(sampler) && sampler->seed >= 0 && app->dialog->turn.take && !app->told->seed) {
		app->told->seed = true;
		app_notice(app, STYLE_SYSTEM, "The seed is fixed. So that this reply can differ, it is made with "
		           "seed %lld.", (long long)app_sampler(app).seed);
	}
}

/* The message that a reply answers: a summary made for it may be in between. */
static const struct node *question_of(const struct app *app, const struct node *node)
{
	while (node && node->sums_up)
		node = tree_node(app->dialog->tree, node->parent);
	return node && node->role == ROLE_USER ? node : NULL;
}

/* Another reply to the picked message, or in place of the picked reply; otherwise the last. */
bool app_regenerate(struct app *app, const struct command_call *call)
{
	const struct node *node;
	uint32_t leaf = tree_leaf(app->dialog->tree), picked = app_picked(app), old;

	(void)call;
	if (app_refuse_without_model(app))
		return true;
	node = tree_node(app->dialog->tree, picked ? picked : leaf);
	old = node && node->role == ROLE_ASSISTANT ? node->id : 0;
	if (old)
		node = tree_node(app->dialog->tree, node->parent);
	if (!question_of(app, node)) {
		app_message(app, STYLE_WARNING, "there is no message to reply to yet");
		return true;
	}
	/* In the journal the new reply's first record moves the leaf. */
	dialog_move_leaf(app->dialog, node->id);
	app_unpick(app);
	chat_view_to_bottom(app->view);
	if (app_generate(app, count_replies(app->dialog->tree, node->id))) {
		app->dialog->turn.replaced = leaf;
		tell_take(app, tree_node(app->dialog->tree, old));
	} else {
		dialog_move_leaf(app->dialog, leaf);
	}
	return true;
}

/* A reply may have been cut by Esc, by the limit of `predict`, by a full context, or by the end of the
 * program. What the model adds is appended to it. */
bool app_continue(struct app *app, const struct command_call *call)
{
	const struct node *leaf = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));

	(void)call;
	if (app_refuse_without_model(app))
		return true;
	if (leaf && leaf->role == ROLE_USER) {
		app_message(app, STYLE_WARNING, "there is no reply yet: %s or /regen asks for one",
		            app_key(app, "regen"));
	} else if (!leaf || leaf->role != ROLE_ASSISTANT || !path_user(app->dialog->tree, 1, 0)) {
		app_message(app, STYLE_WARNING, "there is no reply to continue");
	} else if (leaf->dropped) {
		app_message(app, STYLE_WARNING, "this reply is dropped: send it again with /undrop, then continue it");
	} else {
		app->dialog->edited = 0;
		chat_view_to_bottom(app->view);
		app_generate(app, 0);
	}
	return true;
}
