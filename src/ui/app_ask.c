#include "ui/app_ask.h"

#include "base/sys.h"
#include "dialog/dialog.h"
#include "engine/worker.h"
#include "ui/state.h"
#include "ui/tell.h"

bool app_refuse_without_model(struct app *app)
{
	if (app->phase != PHASE_NO_MODEL)
		return false;
	app_message(app, STYLE_WARNING, "no model is loaded: %s or /model FILE.gguf loads one",
	            app_key(app, "model"));
	return true;
}

/* Posts a turn that was built, with that status, and frees it. */
static enum status post(struct app *app, enum status status, struct chat_turn *turn, uint64_t *id,
                        struct error *err)
{
	if (!status)
		status = worker_post_generate(app->worker, &turn->turn, id, err);
	chat_turn_free(turn);
	if (!status)
		app->phase = PHASE_PREFILL;
	return status;
}

enum status app_ask(struct app *app, struct error *err)
{
	struct chat_turn turn;
	uint64_t id;
	enum status status = post(app, dialog_ask(app->dialog, &turn, err), &turn, &id, err);

	app->failed = status != STATUS_OK;
	if (status)
		return status;
	dialog_asked(app->dialog, id, sys_now_ms());
	app->stopping = false;
	chat_view_drop_notices(app->view, NOTICE_UNTIL_REPLY);
	return STATUS_OK;
}

enum status app_ask_summary(struct app *app, struct error *err)
{
	struct chat_turn turn;
	uint64_t id;
	enum status status = post(app, dialog_ask_summary(app->dialog, &turn, err), &turn, &id, err);

	if (status)
		dialog_summary_give_up(app->dialog);
	else
		dialog_summary_asked(app->dialog, id);
	return status;
}

void app_cancel(struct app *app)
{
	if (!app_is_busy(app))
		return;
	worker_cancel(app->worker, app->phase == PHASE_LOADING ? 0 : app->dialog->turn.id);
	app->dialog->turn.is_stopped = app->phase != PHASE_LOADING;
	app->stopping = true;
	app->draw.now = true;
}
