/* /pin and /drop, also in F9: which messages are always sent to the model, however little room there
 * is, and which are never sent. Both marks are kept in the journal; nothing is deleted. */
#include "ui/app_marks.h"

#include <string.h>

#include "dialog/dialog.h"
#include "dialog/marks.h"
#include "ui/app_edit.h"
#include "ui/app_inspect.h"
#include "ui/app_pick.h"
#include "ui/command.h"
#include "ui/facts.h"
#include "ui/state.h"
#include "ui/tell.h"

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
		node = app_count_back(app, call, &done);
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
		summary = app_find_summary(app);
		if (summary)
			app_drop_summary(app, summary);
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
		node = app_count_back(app, call, &done);
	if (node)
		app_toggle_pinned(app, node->id);
	return node || done;
}
