/* A message, back in the input line. If it is edited, what is sent from there gets the same parent (an
 * edited reply is continued); if it is taken back, it is no longer on the path. The old message, and what followed
 * it, stay in the tree. */
#include "ui/app_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "line/input_line.h"
#include "line/line_history.h"
#include "ui/app_branch.h"
#include "ui/app_files.h"
#include "ui/app_inspect.h"
#include "ui/app_open.h"
#include "ui/app_pick.h"
#include "ui/command.h"
#include "ui/facts.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "ui/typed.h"

static enum status as_line(struct buf *out, const struct node *node)
{
	typed_put(out, node->text, attachments_words(&node->attachments, node->len));
	return buf_status(out);
}

/* Puts a message into the input line. False: it does not fit, and the user was told. */
static bool to_line(struct app *app, const struct node *node)
{
	enum status status;
	struct error err;
	struct buf text = {.max = LIMIT_MESSAGE};

	status = as_line(&text, node);
	if (status)
		error_set(&err, status, status == STATUS_LIMIT ? "the message is too long for the line"
		                                               : "not enough memory for the line");
	else
		status = input_line_set(buf_text(&text), text.len, &err);
	buf_free(&text);
	if (status)
		app_message(app, STYLE_ERROR, "%s", err.text);
	return !status;
}

const struct node *app_count_back(struct app *app, const struct command_call *call, bool *done)
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
	if (!to_line(app, node) || !app_files_edit(app, edited, node->text, &node->attachments))
		return false;
	app->dialog->edited = edited;
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
		node = app_find_summary(app);
	else if (!node)
		node = app_count_back(app, call, &done);
	if (!node)
		return done;
	app_edit_as(app, node, node->id);
	return true;
}

/* The last turn, or as many as the argument says: the leaf moves to before them. */
bool app_undo(struct app *app, const struct command_call *call)
{
	bool done;
	const struct node *node = app_count_back(app, call, &done);

	if (!node)
		return done;
	app_go_to(app, node->parent);
	app_message(app, STYLE_STATUS, "taken back; it is still in /branches");
	if (input_line_is_empty() && app_files_take_from(app, node->text, &node->attachments))
		to_line(app, node);
	chat_view_to_bottom(app->view);
	return true;
}

static bool is_unchanged(const struct node *node, const char *line, size_t len)
{
	struct buf text = {.max = LIMIT_MESSAGE};
	bool same;

	same = !as_line(&text, node) && text.len == len && memcmp(buf_text(&text), line, len) == 0;
	buf_free(&text);
	return same;
}

bool app_edit_is_changed(const struct app *app)
{
	size_t len;
	const char *line = input_line_text(&len);

	return len && !is_unchanged(tree_node(app->dialog->tree, app->dialog->edited), line, len);
}

void app_edit_leave(struct app *app)
{
	size_t len;
	const char *line = input_line_text(&len);
	char *text = app_edit_is_changed(app) ? alloc_strndup(line, len) : NULL;
	struct error err;

	app->dialog->edited = 0;
	dialog_files_settle(app->dialog);
	input_line_hide(); /* in lines it stays where it stands */
	input_line_clear();
	/* Esc must not destroy what was typed: Up brings it back. */
	if (text && line_history_add(text, false, &err))
		app_message(app, STYLE_WARNING, "%s", err.text);
	free(text);
}

/* ---- summaries of what falls out of the context ---- */

const struct node *app_find_summary(struct app *app)
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

void app_drop_summary(struct app *app, const struct node *summary)
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
