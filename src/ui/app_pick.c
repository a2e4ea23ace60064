/* Picking a message with Alt+Up and Alt+Down: Alt+E, Alt+R, Alt+Left, Alt+Right and /fork act on it
 * instead of the last one. */
#include "ui/app_pick.h"

#include "base/role.h"
#include "chat/branch.h"
#include "dialog/dialog.h"
#include "ui/app_find.h"
#include "ui/app_open.h"
#include "ui/keymap.h"
#include "ui/state.h"
#include "ui/tell.h"

uint32_t app_picked(const struct app *app)
{
	return app->chat->picked && branch_is_shown(app->dialog->tree, app->chat->picked) ? app->chat->picked : 0;
}

void app_part_none(struct app *app)
{
	if (app->part->at && !app->find->n)
		chat_view_show_text(app->view, 0, 0, 0);
	app->part->at = app->part->asked = 0;
}

/* The nearest message from `node` upwards that somebody has said; NULL: there is none. */
static const struct node *said(const struct app *app, const struct node *node)
{
	while (node && node->role == ROLE_SYSTEM)
		node = tree_node(app->dialog->tree, node->parent);
	return node;
}

static const struct node *above(const struct app *app, uint32_t picked)
{
	const struct node *node = tree_node(app->dialog->tree, picked ? picked : tree_leaf(app->dialog->tree));

	return said(app, node && picked ? tree_node(app->dialog->tree, node->parent) : node);
}

static const struct node *below(const struct app *app, uint32_t picked)
{
	const struct node *node = said(app, tree_node(app->dialog->tree, tree_leaf(app->dialog->tree))), *found = NULL;

	for (; node && node->id != picked; node = said(app, tree_node(app->dialog->tree, node->parent)))
		found = node;
	return node ? found : NULL;
}

bool app_unpick(struct app *app)
{
	bool had_any = app_picked(app);

	app_part_none(app);
	app->chat->picked = 0;
	return had_any;
}

bool app_pick(struct app *app, int step)
{
	uint32_t picked = app_picked(app);
	const struct node *node = step < 0 ? above(app, picked) : below(app, picked);

	if (!node && step < 0) {
		app_message(app, STYLE_STATUS, picked ? "this is the first message" : "there is no message yet");
		return true;
	}
	if (!node) {
		app_unpick(app);
		chat_view_to_bottom(app->view);
		return true;
	}
	app_part_none(app);
	app->chat->picked = node->id;
	chat_view_show(app->view, node->id);
	return true;
}

void app_pick_hints(const struct app *app, int cols, struct buf *out)
{
	const struct node *node = tree_node(app->dialog->tree, app_picked(app));
	struct branch_take take = branch_take_of(app->dialog->tree, node->id);
	bool is_reply = node->role == ROLE_ASSISTANT;
	struct key_hint hints[8];
	size_t n = 0;

	/* The most wanted first: what there is no room for is left out. */
	hints[n++] = (struct key_hint){"edit", "edit"};
	if (is_reply)
		hints[n++] = (struct key_hint){"regen", "another reply"};
	hints[n++] = (struct key_hint){"=Enter", "copy"};
	hints[n++] = (struct key_hint){"=Tab", "parts"};
	if (take.n > 1)
		hints[n++] = (struct key_hint){take.index > 1 ? "prev" : "next", "other version"};
	hints[n++] = (struct key_hint){"escape", "unpick"};
	key_hints(app->keys, hints, n, cols, out);
}
