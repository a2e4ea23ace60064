#include "ui/app_branch_at.h"

#include "dialog/branch_at.h"
#include "dialog/dialog.h"
#include "ui/app_pick.h"
#include "ui/app_reply.h"
#include "ui/tell.h"

bool app_branch_at(struct app *app, uint32_t reply, struct token_choice choice)
{
	struct error err;

	if (app_refuse_while_busy(app) || app_refuse_without_model(app))
		return false;
	if (dialog_branch_at(app->dialog, reply, choice.at, choice.id, choice.bytes, choice.len, &err)) {
		app_error(app, &err);
		return false;
	}
	app_tell_facts(app);
	app_unpick(app);
	chat_view_to_bottom(app->view);
	if (!app_ask(app, &err))
		return true;
	dialog_turn_cannot_run(app->dialog);
	app_error(app, &err);
	return false;
}
