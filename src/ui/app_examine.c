#include "ui/app_examine.h"

#include <stdio.h>

#include "dialog/dialog.h"
#include "engine/worker.h"
#include "ui/app_reply.h"
#include "ui/app_wait.h"
#include "ui/tell.h"

static void tell_progress(struct app *app)
{
	const struct dialog_examine *examine = &app->dialog->examine;

	if (examine->n) /* otherwise there is only its text */
		snprintf(app->wait->text, sizeof app->wait->text, "going through the reply %zu/%zu", examine->n_done,
		         examine->n);
	else
		snprintf(app->wait->text, sizeof app->wait->text, "going through the reply %zu", examine->n_done);
	app->draw.soon = true;
}

bool app_examine(struct app *app, uint32_t reply, examined *then, uint64_t argument)
{
	struct chat_turn turn;
	struct error err;
	uint64_t id;
	enum status status;

	if (app_refuse_while_busy(app) || app_refuse_without_model(app))
		return false;
	status = dialog_build_examine(app->dialog, reply, &turn, &err);
	if (!status) {
		turn.turn.n_candidates = TOKEN_CANDIDATES_MAX;
		status = worker_post_examine(app->worker, &turn.turn, &id, &err);
	}
	chat_turn_free(&turn);
	if (status) {
		app_message(app, STYLE_WARNING, "%s", err.text);
		return false;
	}
	dialog_examine_runs(app->dialog, reply, id);
	*app->examine = (struct app_examine){.then = then, .argument = argument, .reply = reply};
	app->phase = PHASE_PREFILL;
	app->stopping = false;
	app->waits = true;
	tell_progress(app);
	return true;
}

bool app_examine_event(struct app *app, const struct event *event, bool *ended)
{
	*ended = false;
	if (!app->dialog->examine.turn || event->turn != app->dialog->examine.turn)
		return false;
	*ended = dialog_examine_event(app->dialog, event);
	if (!*ended) {
		tell_progress(app);
		return true;
	}
	app->wait->text[0] = '\0';
	app->waits = false;
	app->examine->is_done = event->u.done.reason == DONE_END;
	if (event->u.done.reason == DONE_ERROR)
		app_error(app, event->error);
	else if (!app->examine->is_done)
		app_message(app, STYLE_STATUS, "stopped before the end of the reply: nothing of it is kept");
	return true;
}

void app_examine_end(struct app *app)
{
	const struct app_examine examine = *app->examine;

	*app->examine = (struct app_examine){.reply = 0};
	if (examine.is_done && examine.then)
		examine.then(app, examine.reply, examine.argument);
}
