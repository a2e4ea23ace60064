/* The picked reply, or the last one, token by token. Where no candidates of it are kept, as in older chats, the model
 * goes through it once more; a server cannot, and it is said. */
#include "ui/app_tokens.h"

#include "base/alloc.h"
#include "base/number.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"
#include "ui/app_branch_at.h"
#include "ui/app_confidence.h"
#include "ui/app_examine.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/app_reply.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/tell.h"
#include "view/panel_tokens.h"

/* The reply that is shown. */
struct tokens_use {
	uint32_t reply;
};

/* ---- the panel ---- */

static void chosen(struct app *app, const struct panel *panel)
{
	const struct tokens_use *use = panel->state;

	(void)app_branch_at(app, use->reply, panel_tokens_chosen(panel));
}

static void show(struct app *app, const struct node *reply, size_t at)
{
	static const struct panel_use use = {.flags = PANEL_NEEDS_IDLE | PANEL_HAS_MESSAGES, .chosen = chosen};
	const struct panel_tokens_source source = {
		.tokens = dialog_kept_reply(app->dialog, reply->id), .reply = reply,
		.reader = dialog_kept_is_foreign(app->dialog, reply) ? app->model->name : NULL, .shade = SHADE_PROBABILITY,
		.no_candidates = node_is_remote(reply) ? "The server gave no candidates for this token."
		                                     : "No candidates of this token are kept."};
	struct tokens_use *state = alloc_array(1, sizeof *state);

	if (state)
		state->reply = reply->id;
	app_open_panel(app, state ? panel_tokens_open(&source, at) : NULL, &use, state);
}

/* ---- what is shown ---- */

/* The number in "/tokens 12", from 0. False: it is none, and the user was told. */
static bool read_number(struct app *app, const struct command_call *call, size_t *at)
{
	int64_t number;

	*at = app->front->is_screen ? 0 : TOKENS_OVERVIEW;
	if (!call || !call->argument[0])
		return true;
	if (!number_parse_int(call->argument, &number) || number < 1) {
		app_message(app, STYLE_ERROR, "/tokens takes the number of a token, from 1");
		return false;
	}
	*at = (size_t)number - 1;
	return true;
}

static void show_if_there(struct app *app, const struct node *reply, size_t at)
{
	const size_t n = kept_n(dialog_kept_reply(app->dialog, reply->id));

	if (at < n || at == TOKENS_OVERVIEW)
		show(app, reply, at);
	else
		app_message(app, STYLE_ERROR, "this reply has only %zu tokens", n);
}

/* It has been gone through once more. */
static void then_show(struct app *app, uint32_t reply, uint64_t at)
{
	const struct node *node = tree_node(app->dialog->tree, reply);

	if (node && dialog_kept_reply(app->dialog, reply))
		show_if_there(app, node, (size_t)at);
}

/* Nothing is kept of it: a server gave none, or it is of an older chat. */
static void look_again(struct app *app, const struct node *reply, size_t at)
{
	if (node_is_remote(reply) && app->model->place[0])
		app_message(app, STYLE_WARNING, "no candidates of this reply are kept, and a server cannot go through it "
		            "once more; a model that runs here can: %s loads one", app_key(app, "model"));
	else
		(void)app_examine(app, reply->id, then_show, at);
}

bool app_tokens(struct app *app, const struct command_call *call)
{
	const struct node *reply = app_picked_reply(app);
	const struct kept_reply *tokens = reply ? dialog_kept_reply(app->dialog, reply->id) : NULL;
	size_t at;

	if (!reply) {
		app_message(app, STYLE_WARNING, "there is no reply yet");
		return true;
	}
	if (app->dialog->examine.turn)
		return !app_refuse_while_busy(app);
	if (!read_number(app, call, &at))
		return false;
	if (!at && !(call && call->argument[0]))
		at = app_unsure_token(app, reply);
	if (tokens && kept_n(tokens))
		show_if_there(app, reply, at);
	else
		look_again(app, reply, at);
	return true;
}
