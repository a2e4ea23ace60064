/* Picking a message with Alt+Up and Alt+Down: what Alt+E, Alt+R, Alt+Left, Alt+Right and /fork are
 * about, in place of the last one. */
#include "ui/app_internal.h"

#include "chat/branch.h"

uint32_t app_picked(const struct app *app)
{
	return app->chat.picked && branch_is_shown(app->tree, app->chat.picked) ? app->chat.picked : 0;
}

/* The nearest message from `node` upwards that somebody has said; NULL: there is none. */
static const struct node *said(const struct app *app, const struct node *node)
{
	while (node && node->role == ROLE_SYSTEM)
		node = tree_node(app->tree, node->parent);
	return node;
}

static const struct node *above(const struct app *app, uint32_t picked)
{
	const struct node *node = tree_node(app->tree, picked ? picked : tree_leaf(app->tree));

	return said(app, node && picked ? tree_node(app->tree, node->parent) : node);
}

static const struct node *below(const struct app *app, uint32_t picked)
{
	const struct node *node = said(app, tree_node(app->tree, tree_leaf(app->tree))), *found = NULL;

	for (; node && node->id != picked; node = said(app, tree_node(app->tree, node->parent)))
		found = node;
	return node ? found : NULL;
}

bool app_unpick(struct app *app)
{
	bool had_any = app_picked(app);

	app_part_none(app);
	app->chat.picked = 0;
	return had_any;
}

void app_pick(struct app *app, int step)
{
	uint32_t picked = app_picked(app);
	const struct node *node = step < 0 ? above(app, picked) : below(app, picked);

	if (!node && step < 0) {
		app_message(app, STYLE_STATUS, picked ? "this is the first message" : "there is no message yet");
		return;
	}
	if (!node) {
		app_unpick(app);
		chat_view_to_bottom(app->view);
		return;
	}
	app_part_none(app);
	app->chat.picked = node->id;
	chat_view_show(app->view, node->id);
	if (node->role == ROLE_USER)
		app_message(app, STYLE_STATUS, "%s changes this message, %s and %s: other wordings, %s",
		            app_key(app, "edit"), app_key(app, "prev"), app_key(app, "next"),
		            app_key(app, "escape"));
	else
		app_message(app, STYLE_STATUS, "%s another reply, %s changes this one, %s, %s: others, %s",
		            app_key(app, "regen"), app_key(app, "edit"), app_key(app, "prev"),
		            app_key(app, "next"), app_key(app, "escape"));
}
