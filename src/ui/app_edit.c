/* Messages that were sent. Back in the input line to be edited, what is sent from there gets the
 * same parent (an edited reply is continued); taken back, they are no longer on the path, but stay
 * in the tree with what followed. /pin and /drop, also in F9, say which are always sent to the
 * model, however little room there is, and which never; both marks are kept in the journal. */
#include "ui/app_edit.h"

#include <string.h>

#include "base/number.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/marks.h"
#include "dialog/model.h"
#include "line/input_line.h"
#include "ui/app_branch.h"
#include "ui/app_files.h"
#include "ui/app_inspect.h"
#include "ui/app_open.h"
#include "ui/app_pick.h"
#include "ui/command.h"
#include "ui/tell.h"
#include "ui/typed.h"

/* ---- summaries of what falls out of the context ---- */

/* The path's last summary; NULL: there is none, and the user was told. */
static const struct node *find_summary(struct app *app)
{
	const struct node *node = dialog_find_summary(app->dialog);

	if (!node)
		app_message(app, STYLE_WARNING, "there is no summary; with /context-policy summary one is made when the "
		            "context is full");
	return node;
}

void app_tell_summary(struct app *app, size_t len)
{
	app->gauge->generation = 0; /* count again */
	app_message(app, STYLE_STATUS, len ? "this summary is sent from now on"
	                                   : "the messages are sent again instead of their summary");
}

/* Takes a summary back. */
static void drop_summary(struct app *app, const struct node *summary)
{
	struct error err;
	enum status status = dialog_summary_replace(app->dialog, summary, "", 0, &err);

	app_tell_facts(app);
	if (status) {
		app_error(app, &err);
		return;
	}
	chat_view_to_bottom(app->view);
	app_tell_summary(app, 0);
}

/* ---- /edit and /undo ---- */

/* Puts a message into the input line. False: it does not fit, and the user was told. */
static bool to_line(struct app *app, const struct node *node)
{
	struct error err;

	return app_went_well(app, typed_set(node->text, attachments_words(&node->attachments, node->len), &err), &err);
}

/* The user's message that a command's argument counts back to, by default the last. NULL: there is
 * none, and the user was told; *done is false if the argument can be corrected. */
static const struct node *count_back(struct app *app, const struct command_call *call, bool *done)
{
	const char *argument = call->argument;
	const struct node *node;
	int64_t nth = 1, n = 0;

	*done = !argument[0];
	if (argument[0] && (!number_parse_int(argument, &nth) || nth < 1)) {
		app_message(app, STYLE_ERROR, "/%s takes a number: 1 is your last message, 2 the one before",
		            call->command ? call->command->name : "edit");
		return NULL;
	}
	node = path_user(app->dialog->tree, nth, app->dialog->opening_leaf);
	if (node)
		return node;
	while (path_user(app->dialog->tree, n + 1, app->dialog->opening_leaf))
		n++;
	if (n)
		app_message(app, STYLE_WARNING, "you have written only %lld message%s in this chat", (long long)n, n == 1 ? "" : "s");
	else
		app_message(app, STYLE_WARNING, "you have not written a message yet");
	return node;
}

/* The last reply; NULL: there is none, and the user was told. */
static const struct node *find_reply(struct app *app)
{
	const struct node *node = path_reply(app->dialog->tree);

	if (!node)
		app_message(app, STYLE_WARNING, "there is no reply yet");
	return node;
}

bool app_edit_as(struct app *app, const struct node *node, uint32_t edited)
{
	struct error err;

	if (node->role == ROLE_ASSISTANT && !dialog_can_continue(app->dialog)) {
		app_message(app, STYLE_WARNING, "%s cannot go on with an edited reply: edit your own message instead", app->model->name);
		return false;
	}
	if (!to_line(app, node) || !app_went_well(app, dialog_edit_message(app->dialog, edited, node, &err), &err))
		return false;
	app_files_tell_edited(app);
	app->chat->picked = 0;
	return true;
}

/* The picked message, the last one of the user's, or the one that the argument counts back to, the
 * last reply or the summary; sending ends it. */
bool app_edit(struct app *app, const struct command_call *call)
{
	const struct node *node = call->argument[0] ? NULL : tree_node(app->dialog->tree, app_picked(app));
	bool done = true;

	if (strcmp(call->argument, "reply") == 0)
		node = find_reply(app);
	else if (strcmp(call->argument, "summary") == 0)
		node = find_summary(app);
	else if (!node)
		node = count_back(app, call, &done);
	if (!node)
		return done;
	app_edit_as(app, node, node->id);
	return true;
}

/* The last turn, or as many as the argument says: the leaf moves to before them. */
bool app_undo(struct app *app, const struct command_call *call)
{
	bool done;
	const struct node *node = count_back(app, call, &done);

	if (!node)
		return done;
	app_go_to(app, node->parent);
	app_message(app, STYLE_STATUS, "taken back; it is still in /branches");
	if (input_line_is_empty() && app_files_take_from(app, node->text, &node->attachments))
		to_line(app, node);
	chat_view_to_bottom(app->view);
	return true;
}

bool app_edit_is_changed(const struct app *app)
{
	const struct node *node = tree_node(app->dialog->tree, app->dialog->edit.message);

	return !input_line_is_empty() && !typed_is(node->text, attachments_words(&node->attachments, node->len));
}

void app_edit_leave(struct app *app)
{
	bool is_changed = app_edit_is_changed(app);

	dialog_edit_end(app->dialog);
	input_line_hide(); /* in lines it stays where it stands */
	typed_leave(is_changed);
}

/* ---- /pin and /drop ---- */

/* What a command without a number is about: the picked message. */
static const struct node *picked(const struct app *app, const struct command_call *call)
{
	return call->argument[0] ? NULL : tree_node(app->dialog->tree, app_picked(app));
}

static void drop_node(struct app *app, const struct node *node, bool turn, bool dropped)
{
	size_t n = dialog_set_dropped(app->dialog, node, turn, dropped);
	const char *what = n == 1 ? "this message" : "these messages";

	app_tell_facts(app);
	app->gauge->generation = 0; /* count again */
	if (!n)
		app_message(app, STYLE_STATUS, "this message is not dropped; /drop stops sending one");
	else if (dropped)
		app_message(app, STYLE_STATUS, "%s (%zu) will no longer be sent; /undrop undoes that",
		            what, n);
	else
		app_message(app, STYLE_STATUS, "%s (%zu) will be sent again", what, n);
}

static bool drop(struct app *app, const struct command_call *call, bool takes_back)
{
	const struct node *one = picked(app, call), *node = one;
	bool done = true;

	if (!node)
		node = count_back(app, call, &done);
	if (!node)
		return done;
	drop_node(app, node, !one, !takes_back && !node->dropped);
	return true;
}

void app_toggle_dropped(struct app *app, uint32_t message)
{
	const struct node *node = tree_node(app->dialog->tree, message);

	drop_node(app, node, false, !node->dropped);
}

/* A turn of the user's, or the message that is picked; again: back. */
bool app_drop(struct app *app, const struct command_call *call)
{
	return drop(app, call, false);
}

bool app_undrop(struct app *app, const struct command_call *call)
{
	const struct node *summary;

	if (strcmp(call->argument, "summary") == 0) {
		summary = find_summary(app);
		if (summary)
			drop_summary(app, summary);
		return true;
	}
	return drop(app, call, true);
}

void app_toggle_pinned(struct app *app, uint32_t message)
{
	bool pinned = dialog_toggle_pinned(app->dialog, tree_node(app->dialog->tree, message));

	app_tell_facts(app);
	app->gauge->generation = 0; /* count again */
	app_message(app, STYLE_STATUS, pinned
	            ? "pinned: this message and its reply stay when the context is full; /pin again undoes that"
	            : "no longer pinned");
}

bool app_pin(struct app *app, const struct command_call *call)
{
	const struct node *node = picked(app, call);
	bool done = true;

	if (!node)
		node = count_back(app, call, &done);
	if (node)
		app_toggle_pinned(app, node->id);
	return node || done;
}
