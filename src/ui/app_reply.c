/* Another reply, or the rest of one. */
#include "ui/app_reply.h"

#include "dialog/dialog.h"
#include "ui/app.h"
#include "ui/app_ask.h"
#include "ui/app_pick.h"
#include "ui/command.h"
#include "ui/facts.h"
#include "ui/state.h"
#include "ui/tell.h"

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
		dialog_not_asked(app->dialog);
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
	case CONTINUE_WELL:
		chat_view_to_bottom(app->view);
		if (app_ask(app, &err))
			app_error(app, &err);
		break;
	}
	return true;
}
