#include "ui/app_summary.h"

#include "dialog/summary.h"
#include "ui/app_inspect.h"
#include "ui/facts.h"
#include "ui/state.h"
#include "ui/tell.h"

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
