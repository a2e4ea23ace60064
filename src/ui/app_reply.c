/* Replies: asking for one, for another, for the rest of one. */
#include "ui/app_reply.h"

#include "base/sys.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "engine/worker.h"
#include "ui/app_pick.h"
#include "ui/app_score.h"
#include "ui/app_wait.h"
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
	enum status status = post(app, dialog_build_turn(app->dialog, &turn, err), &turn, &id, err);

	app->failed = status != STATUS_OK;
	if (status)
		return status;
	dialog_turn_runs(app->dialog, id, sys_now_ms());
	app->stopping = false;
	chat_view_drop_notices(app->view, NOTICE_UNTIL_REPLY);
	return STATUS_OK;
}

enum status app_ask_summary(struct app *app, struct error *err)
{
	struct chat_turn turn;
	uint64_t id;
	enum status status = post(app, dialog_build_summary_turn(app->dialog, &turn, err), &turn, &id, err);

	if (status)
		dialog_summary_give_up(app->dialog);
	else
		dialog_summary_runs(app->dialog, id);
	return status;
}

void app_cancel(struct app *app)
{
	if (!app_is_busy(app))
		return;
	worker_cancel(app->worker, app->phase == PHASE_LOADING ? 0
	              : app->score->turn ? app->score->turn
	              : app->dialog->examine.turn ? app->dialog->examine.turn : app->dialog->turn.id);
	if (app->phase != PHASE_LOADING && !app->score->turn && !app->dialog->examine.turn)
		dialog_stop_turn(app->dialog);
	app->stopping = true;
	app->draw.now = true;
}

/* ---- answer now ---- */

static bool is_thinking(const struct app *app)
{
	const struct node *reply = tree_node(app->dialog->tree, app->dialog->turn.reply);

	return app->phase == PHASE_GENERATING && !app->stopping && reply && reply->reasoning_len && !reply->len;
}

bool app_can_answer_now(const struct app *app)
{
	return app->model->capabilities & CAPABILITY_ANSWER_NOW && is_thinking(app) &&
	       app->wait->answer_turn != app->dialog->turn.id;
}

bool app_answer_now(struct app *app, const struct command_call *call)
{
	(void)call;
	if (!is_thinking(app)) {
		app_message(app, STYLE_WARNING, "the model is not thinking");
	} else if (!(app->model->capabilities & CAPABILITY_ANSWER_NOW)) {
		app_message(app, STYLE_WARNING, "this model cannot be told to stop thinking; %s stops the reply",
		            app_key(app, "escape"));
	} else {
		app->wait->answer_turn = app->dialog->turn.id;
		worker_answer_now(app->worker, app->dialog->turn.id);
		app_message(app, STYLE_STATUS, "the model was told to answer now");
	}
	return true;
}

/* ---- another, or the rest of one ---- */

/* Why another reply can differ from the last one, or why it cannot; the user is told each only once. */
static void tell_take(struct app *app, const struct node *old)
{
	const struct sampler_params *sampler = app->config->sampler;

	if (sampler_params_is_greedy(sampler) && old && old->has_params &&
	    sampler_params_is_greedy(&old->params) && !app->told->cold) {
		app->told->cold = true;
		app_notice(app, STYLE_SYSTEM, "At temperature 0 the most likely token is always taken, so "
		           "another reply will be the same. With /temp 0.7 it can differ.");
	} else if (!sampler_params_is_greedy(sampler) && sampler->seed >= 0 && app->dialog->turn.take && !app->told->seed) {
		app->told->seed = true;
		app_notice(app, STYLE_SYSTEM, "The seed is fixed. So that this reply can differ, it is made with "
		           "seed %lld.", (long long)dialog_sampler(app->dialog).seed);
	}
}

/* Another reply to the picked message, or in place of the picked reply; otherwise the last. */
bool app_regenerate(struct app *app, const struct command_call *call)
{
	const struct node *old;
	struct error err;

	(void)call;
	if (app_refuse_without_model(app))
		return true;
	if (!dialog_take_again(app->dialog, app_picked(app), &old)) {
		app_message(app, STYLE_WARNING, "there is no message to reply to yet");
		return true;
	}
	app_tell_facts(app);
	app_unpick(app);
	chat_view_to_bottom(app->view);
	if (app_ask(app, &err)) {
		dialog_turn_cannot_run(app->dialog);
		app_error(app, &err);
	} else {
		tell_take(app, old);
	}
	return true;
}

/* A reply may have been cut by Esc, by the limit of `predict`, by a full context, or by the end of the
 * program. What the model adds is appended to it. */
bool app_continue(struct app *app, const struct command_call *call)
{
	struct error err;

	(void)call;
	if (app_refuse_without_model(app))
		return true;
	switch (dialog_continue(app->dialog)) {
	case CONTINUE_UNANSWERED:
		app_message(app, STYLE_WARNING, "there is no reply yet: %s or /regen asks for one",
		            app_key(app, "regen"));
		break;
	case CONTINUE_NOTHING: app_message(app, STYLE_WARNING, "there is no reply to continue"); break;
	case CONTINUE_DROPPED:
		app_message(app, STYLE_WARNING, "this reply is dropped: send it again with /undrop, then continue it");
		break;
	case CONTINUE_CANNOT:
		app_message(app, STYLE_WARNING, "%s runs on a server that cannot go on with a reply: %s asks for another one",
		            app->model->name, app_key(app, "regen"));
		break;
	case CONTINUE_WELL:
		chat_view_to_bottom(app->view);
		if (app_ask(app, &err))
			app_error(app, &err);
		break;
	}
	return true;
}
