/* The sampler's sliders, with what they do to the reply that is made, or would have done to the one that is there. */
#include "ui/app_sliders.h"

#include <stdio.h>

#include "base/alloc.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"
#include "dialog/reply.h"
#include "sampler/order.h"
#include "ui/app_branch_at.h"
#include "ui/app_examine.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/app_settings.h"
#include "ui/tell.h"
#include "view/panel_sampler.h"

enum { NONE_MAX = 160 };

/* The panel's state. */
struct sliders {
	struct app *app;
	uint32_t reply; /* that was looked at; 0: none */
	char none[NONE_MAX];
};

static bool is_busy(const struct app *app)
{
	return app->phase == PHASE_PREFILL || app->phase == PHASE_GENERATING;
}

/* The tokens that the user wrote before the model went on: they are among those that are kept if it has gone through
 * the reply, and are not among its ids. */
static size_t count_written(const struct kept_reply *kept, const struct node *reply)
{
	const struct reply_run *run = &reply->runs[0];
	const size_t written = run->from_reasoning + run->from_text;
	size_t all = 0, n = 0;

	for (size_t i = 0; kept && i < kept_n(kept); i++) {
		n += all < written;
		all += kept_token(kept, i)->n_bytes;
	}
	return !run->from_id && all == reply->len + reply->reasoning_len ? n : 0;
}

/* The turns that made it, as far as their random numbers are known. */
static void take_runs(struct app *app, struct distribution_now *now, const struct node *reply)
{
	const size_t written = reply->n_runs ? count_written(now->reply, reply) : 0;

	now->no_what_if = reply->n_runs ? NULL : "how this reply was made is not recorded";
	if (dialog_kept_is_foreign(app->dialog, reply))
		now->no_what_if = "another model made this reply";
	for (size_t i = 0; i < reply->n_runs && !now->no_what_if; i++) {
		const struct reply_run *run = &reply->runs[i];

		if (run_is_remote(run))
			now->no_what_if = "a server does not tell its random numbers";
		else if (i == DISTRIBUTION_RUNS_MAX || !run->has_begun)
			now->no_what_if = "how all of this reply was made is not recorded";
		else
			now->runs[now->n_runs++] = (struct what_if_run){.from = run->from_id + written, .seed = run->begin.seed,
			                                                .first_is_put = run->has_first};
	}
	now->n_runs = now->no_what_if ? 0 : now->n_runs;
}

/* Why nothing is shown of a reply, if it has no candidates. */
static const char *why_none(struct sliders *sliders, const struct node *reply)
{
	const struct app *app = sliders->app;

	if (node_is_remote(reply) && dialog_kept_reply(app->dialog, reply->id))
		return "The server that made this reply gave no candidates for its tokens.";
	if (is_busy(app) || app->phase == PHASE_NO_MODEL)
		return NULL;
	if (!(app->model->capabilities & CAPABILITY_LOGITS))
		return "No candidates of this reply are kept, and this server gives none.";
	if (!(app->model->capabilities & CAPABILITY_EXAMINE))
		return "No candidates are kept: only a model that runs here can work them out.";
	snprintf(sliders->none, sizeof sliders->none, "No candidates of this reply are kept: %s works them out.",
	         app_key(app, "tokens"));
	return sliders->none;
}

static void look(void *ctx, struct distribution_now *now)
{
	struct sliders *sliders = ctx;
	struct app *app = sliders->app;
	const struct node *reply = app_picked_reply(app);
	const char *samplers = app->config->engine->samplers;
	struct error err;

	sliders->reply = reply ? reply->id : 0;
	now->params = dialog_sampler(app->dialog);
	if (!samplers || sampler_order_parse(&now->order, samplers, &err))
		now->order = sampler_order_default();
	if (!reply)
		return;
	now->reply = dialog_kept_reply(app->dialog, reply->id);
	now->is_finished = !is_busy(app);
	now->none = why_none(sliders, reply);
	if (!(app->model->capabilities & CAPABILITY_HELP)) /* the guide's answers are not chosen by samplers alone */
		take_runs(app, now, reply);
}

/* The reply under way was asked for with the old values. */
static void moved(struct app *app, const struct panel *panel)
{
	app_after_settings(app);
	if (is_busy(app) && !(app->model->capabilities & CAPABILITY_LIVE_PARAMS) && !panel_sampler_is_idle(panel))
		app_message(app, STYLE_STATUS, "it holds from the next reply on");
}

static void chosen(struct app *app, const struct panel *panel)
{
	const struct sliders *sliders = panel->state;

	(void)app_branch_at(app, sliders->reply, panel_sampler_chosen(panel));
}

bool app_sliders(struct app *app, const struct command_call *call)
{
	static const struct panel_use use = {.flags = PANEL_IS_DOCKED | PANEL_NEEDS_IDLE, .chosen = chosen,
	                                     .changed = moved};
	struct sliders *sliders = alloc_array(1, sizeof *sliders);
	struct distribution_source source = {sliders, look};

	(void)call;
	if (sliders)
		sliders->app = app;
	app_open_panel(app, sliders ? panel_sampler_open(app->config->settings, app->model, &source) : NULL, &use,
	               sliders);
	return true;
}
