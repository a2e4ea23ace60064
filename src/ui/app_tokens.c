/* The picked reply, or the last one, token by token. Where no candidates of it are kept, as in older chats, the model
 * goes through it once more; a server cannot, and it is said. */
#include "ui/app_tokens.h"

#include "base/alloc.h"
#include "base/number.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"
#include "ui/app_branch_at.h"
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

static const struct node *wanted(const struct app *app)
{
	const struct node *picked = tree_node(app->dialog->tree, app_picked(app));

	return picked && picked->role == ROLE_ASSISTANT ? picked : path_reply(app->dialog->tree);
}

static bool is_of_server(const struct node *reply)
{
	return reply->n_runs && run_is_remote(&reply->runs[reply->n_runs - 1]);
}

/* ---- the panel ---- */

static void chosen(struct app *app, const struct panel *panel)
{
	const struct tokens_use *use = panel->state;
	const char *bytes;
	size_t len, k;
	int32_t id;

	k = panel_tokens_chosen(panel, &id, &bytes, &len);
	(void)app_branch_at(app, use->reply, k, id, bytes, len);
}

static void show(struct app *app, const struct node *reply, size_t at)
{
	static const struct panel_use use = {.flags = PANEL_NEEDS_IDLE | PANEL_HAS_MESSAGES, .chosen = chosen};
	const struct panel_tokens_source source = {
		.kept = dialog_kept(app->dialog), .tokens = dialog_kept_reply(app->dialog, reply->id), .reply = reply,
		.shade = SHADE_PROBABILITY,
		.no_candidates = is_of_server(reply) ? "The server gave no candidates for this token."
		                                     : "No candidates of this token are kept."};
	struct tokens_use *state = alloc_array(1, sizeof *state);

	if (state)
		state->reply = reply->id;
	app_open_panel(app, state ? panel_tokens_open(&source, at) : NULL, &use, state);
}

/* ---- what is shown ---- */

/* The number in "/tokens 12", from 0. False: it is none, and the user was told. */
static bool read_number(struct app *app, const struct command_call *call, size_t n, size_t *at)
{
	int64_t number;

	*at = app->front->is_screen ? 0 : TOKENS_OVERVIEW;
	if (!call || !call->argument[0])
		return true;
	if (!number_parse_int(call->argument, &number) || number < 1 || (uint64_t)number > n) {
		app_message(app, STYLE_ERROR, "/tokens takes the number of a token: the reply has 1 to %zu", n);
		return false;
	}
	*at = (size_t)number - 1;
	return true;
}

/* Nothing is kept of it. */
static void tell_none(struct app *app, const struct node *reply)
{
	if (is_of_server(reply))
		app_message(app, STYLE_WARNING, "the server that made this reply gave no candidates for its tokens; a model "
		            "that runs here does (%s)", app_key(app, "model"));
	else
		app_message(app, STYLE_WARNING, "no candidates of this reply are kept");
}

bool app_tokens(struct app *app, const struct command_call *call)
{
	const struct node *reply = wanted(app);
	const struct kept_reply *tokens = reply ? dialog_kept_reply(app->dialog, reply->id) : NULL;
	size_t at;

	if (!reply) {
		app_message(app, STYLE_WARNING, "there is no reply yet");
		return true;
	}
	if (!tokens || !kept_n(tokens)) {
		tell_none(app, reply);
		return true;
	}
	if (!read_number(app, call, kept_n(tokens), &at))
		return false;
	show(app, reply, at);
	return true;
}
