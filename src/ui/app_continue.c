/* Going on with a reply that was cut: by Esc, by the limit of `predict`, by a full context, or by the
 * end of the program. What the model adds is appended to it. */
#include "ui/app_internal.h"

#include "chat/path.h"

bool app_continue(struct app *app, const struct command_call *call)
{
	const struct node *leaf = tree_node(app->tree, tree_leaf(app->tree));

	(void)call;
	if (app_refuse_without_model(app))
		return true;
	if (leaf && leaf->role == ROLE_USER) {
		app_message(app, STYLE_WARNING, "there is no reply yet: Alt+R or /regen asks for one");
	} else if (!leaf || leaf->role != ROLE_ASSISTANT || !path_user(app->tree, 1, 0)) {
		app_message(app, STYLE_WARNING, "there is no reply to go on with");
	} else {
		app->chat.edited = 0;
		chat_view_to_bottom(app->view);
		app_generate(app, 0);
	}
	return true;
}
