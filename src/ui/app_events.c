/* What the worker tells: each event goes to the subject that it is about, and what is to be done
 * then follows here. Most are of a turn: what the model answers, and what follows when that has
 * ended. */
#include "ui/app_events.h"

#include <stdio.h>
#include <string.h>

#include "base/sys.h"
#include "dialog/dialog.h"
#include "dialog/events.h"
#include "dialog/model.h"
#include "engine/worker.h"
#include "ui/app_examine.h"
#include "ui/app_files.h"
#include "ui/app_inspect.h"
#include "ui/app_load.h"
#include "ui/app_log.h"
#include "ui/app_models.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/app_queue.h"
#include "ui/app_reply.h"
#include "ui/app_score.h"
#include "ui/app_send.h"
#include "ui/app_terminal.h"
#include "ui/app_wait.h"
#include "ui/app_wrong.h"
#include "ui/front.h"
#include "ui/tell.h"

/* ---- a turn, while it runs ---- */

/* A note that applies to every turn is shown once. */
static void tell_note(struct app *app, const char *text)
{
	if (strcmp(app->chat->note, text) == 0)
		return;
	snprintf(app->chat->note, sizeof app->chat->note, "%s", text);
	app_notice(app, STYLE_WARNING, "%s", text);
}

/* It is also in the reasoning, which is folded. */
static void tell_aside(struct app *app, const struct event *event)
{
	if (event->u.aside.recipient[0])
		app_notice(app, STYLE_SYSTEM, "The model calls a tool, but sotto has none: %s %s",
		           event->u.aside.recipient, event->u.aside.text);
	else
		app_notice(app, STYLE_SYSTEM, "Besides its answer, the model says: %s", event->u.aside.text);
}

/* What it tells of a reply. */
static void show(struct app *app, const struct event *event)
{
	switch (event->kind) {
	case EVENT_FITTED: app_mark_left_out(app, app->dialog->turn.left_out, app->dialog->turn.n_left_out); break;
	case EVENT_NOTE: tell_note(app, event->u.note); break;
	case EVENT_ASIDE: tell_aside(app, event); break;
	case EVENT_TOKEN:
		app->gauge->used = event->u.token.n_ctx_used;
		app->gauge->is_estimated = !(app->model->capabilities & CAPABILITY_COUNTS);
		if (event->u.token.recants)
			app->front->recanted(app);
		break;
	default: break;
	}
}

/* ---- its end ---- */

/* Why the message is back in the line, and what helps. */
static void tell_refused(struct app *app, const struct error *err)
{
	const char *advice = "";

	if (err->status == STATUS_CONTEXT)
		advice = app->dialog->turn.n_left_out
		         ? " /drop N leaves out one of your messages and its replies, /context-policy roll leaves out "
		           "the oldest ones; /new begins a new chat."
		         : app->model->place[0] ? " Shorten it, or have the server use a larger context."
		         : " Shorten it, or make the context larger: /set ctx-size N, then /model.";
	app_error(app, err);
	app_notice_until(app, NOTICE_UNTIL_COMMAND, STYLE_SYSTEM, "Your message is back in the input line.%s", advice);
}

enum { HINT_MAX = 128 };

/* " Alt+C goes on with it."; "" where the model cannot. */
static const char *how_to_go_on(const struct app *app, const char *verb, char text[HINT_MAX])
{
	text[0] = '\0';
	if (dialog_can_continue(app->dialog))
		snprintf(text, HINT_MAX, " %s %s.", app_key(app, "continue"), verb);
	return text;
}

/* Why the reply ended, where that is not obvious. */
static void tell_end(struct app *app, const struct event *event)
{
	const struct dialog_turn *turn = &app->dialog->turn;
	char text[HINT_MAX];

	switch (event->u.done.reason) {
	case DONE_END:
	case DONE_STOP:
		if (turn->continues && !turn->n_tokens)
			app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_SYSTEM,
			                 "The model has nothing to add: it takes the reply for complete.");
		else if (!turn->has_reply)
			app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_SYSTEM,
			                 "The model had nothing to say. /regen asks again.");
		break;
	case DONE_LENGTH:
		app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_SYSTEM, "Stopped after %u token%s, the limit of "
		                 "-n (/set predict).%s", turn->stats.n_generated, turn->stats.n_generated == 1 ? "" : "s",
		                 how_to_go_on(app, "continues", text));
		break;
	case DONE_CONTEXT:
		/* What the next message then does is told when the conversation has been counted. */
		if (app->model->n_ctx)
			app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_WARNING, "The context of %u tokens is full, so "
			                 "the reply stops here. /new begins a new chat.", app->model->n_ctx);
		else
			app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_WARNING, "The context is full, so the reply "
			                 "stops here. /new begins a new chat.");
		break;
	case DONE_EARLY:
		app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_WARNING, "The server ended early, without saying that "
		                 "the reply is complete.%s", how_to_go_on(app, "goes on with it", text));
		break;
	case DONE_FILTERED:
		app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_WARNING, "The server's content filter withheld the rest "
		                 "of the reply.");
		break;
	case DONE_CANCELLED:
		if (!turn->has_reply) /* a reply that was cut short says so itself */
			app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_SYSTEM, "Stopped before the reply began.");
		break;
	case DONE_ERROR:
		app->failed = true;
		if (!turn->n_tokens && app_give_back(app, event->error->status == STATUS_CONTEXT))
			tell_refused(app, event->error);
		else
			app_error_until(app, NOTICE_UNTIL_REPLY, event->error);
		break;
	}
}

/* The worker is idle again. */
static void rest(struct app *app)
{
	app->phase = PHASE_READY;
	app->stopping = false;
	app->draw.now = true;         /* the user may have pressed a key for it */
	app->gauge->generation = 0; /* count again, even if nothing was said */
}

static void on_end(struct app *app, const struct event *event)
{
	enum done_reason reason = event->u.done.reason;

	rest(app);
	app->gauge->used = event->u.done.stats.n_ctx_used;
	app->gauge->is_estimated = event->u.done.stats.estimated;
	app_tell_dropped(app, event->u.done.stats.n_dropped);
	tell_end(app, event);
	if (reason == DONE_CANCELLED || reason == DONE_EARLY || reason == DONE_ERROR)
		app_queue_to_line(app);
	else
		app_send_queued(app);
	if (!app_is_busy(app) && reason != DONE_CANCELLED)
		app_notify_end(app, reason == DONE_ERROR);
}

/* ---- the summary that it may want ---- */

static void on_no_summary(struct app *app, const char *why)
{
	rest(app);
	app_notice(app, STYLE_WARNING, "No summary was made (%s). Nothing was left out or lost, but your message "
	           "is not answered yet: %s tries again; /context-policy roll and then %s leaves the oldest "
	           "messages out; /drop N leaves out what you choose.", why, app_key(app, "regen"),
	           app_key(app, "regen"));
	app_queue_to_line(app);
}

static void begin_summary(struct app *app)
{
	size_t n = app->dialog->turn.n_left_out;
	struct error err;

	if (app_ask_summary(app, &err))
		on_no_summary(app, err.text);
	else
		app_notice(app, STYLE_WARNING, "The context is full: the oldest %zu message%s being summed up. %s stops "
		           "that.", n, n == 1 ? " is" : "s are", app_key(app, "escape"));
}

static void on_summary(struct app *app)
{
	struct error err;

	rest(app);
	chat_view_to_bottom(app->view);
	app_notice(app, STYLE_SYSTEM, "/edit summary edits the summary, /undrop summary sends the messages again "
	           "instead.");
	if (app_ask(app, &err)) {
		app_error(app, &err);
		app_queue_to_line(app);
	}
}

static void on_turn(struct app *app, const struct event *event)
{
	struct dialog *dialog = app->dialog;
	bool is_of_reply = !dialog->summary.running;
	enum turn_news news;
	struct error err;

	if (event->turn != dialog->turn.id || (app->phase != PHASE_PREFILL && app->phase != PHASE_GENERATING))
		return;
	news = dialog_event(dialog, event, sys_now_us(), &err);
	app_tell_facts(app);
	if (event->kind == EVENT_TOKEN)
		app->phase = PHASE_GENERATING;
	if (event->kind == EVENT_PREFILLING)
		app_tell_dropped(app, event->u.prefilling.n_dropped);
	if (is_of_reply) {
		show(app, event);
		app_wrong_look(app, event);
	}
	switch (news) {
	case TURN_GOES_ON: break;
	case TURN_IS_LOST:
		app_message(app, STYLE_ERROR, "%s", err.text);
		app_cancel(app);
		break;
	case TURN_HAS_ENDED: on_end(app, event); break;
	case TURN_WANTS_SUMMARY: begin_summary(app); break;
	case TURN_HAS_SUMMARY: on_summary(app); break;
	case TURN_HAS_NO_SUMMARY: on_no_summary(app, err.text); break;
	}
}

/* ---- all of them ---- */

static void on_inspected(struct app *app, const struct event *event)
{
	if (app_inspect_gave_way(app, event))
		return;
	if (event->u.inspected.purpose == INSPECT_FILE) {
		app_files_counted(app, event);
		return;
	}
	if (event->u.inspected.purpose != INSPECT_GAUGE) {
		if (!app->gauge->wants_answer)
			return;
		app->waits = app->gauge->wants_answer = false;
		if (event->error->status)
			app_error(app, event->error);
	}
	if (event->error->status)
		return;
	switch (event->u.inspected.purpose) {
	case INSPECT_GAUGE: app_show_gauge(app, event); break;
	case INSPECT_COUNTS: app_show_context(app, &event->u.inspected); break;
	case INSPECT_FILE: break;
	case INSPECT_TOKENS: app_open_panel(app, panel_inspect_open(&event->u.inspected), NULL, NULL); break;
	}
}

/* Texts that are weighed run as a turn does. */
static bool is_of_score(struct app *app, const struct event *event)
{
	bool ended, is_it = app_score_event(app, event, &ended);

	if (!ended)
		return is_it;
	rest(app);
	app_send_queued(app);
	return true;
}

/* So does a reply that is gone through once more. */
static bool is_of_examine(struct app *app, const struct event *event)
{
	bool ended, is_it = app_examine_event(app, event, &ended);

	if (!ended)
		return is_it;
	rest(app);
	app_examine_end(app);
	app_send_queued(app);
	return true;
}

static void on_event(struct app *app, const struct event *event)
{
	app_log_event(app, event);
	if (is_of_score(app, event) || is_of_examine(app, event))
		return;
	app_wait_look(app, event);
	switch (event->kind) {
	case EVENT_LOADING:
		if (app->phase == PHASE_LOADING)
			app->models->load_fraction = event->u.loading;
		break;
	case EVENT_MODEL:
		app_on_model(app, event->u.model);
		app_send_queued(app);
		break;
	case EVENT_LOAD_FAILED: {
		bool needs_guide = app_on_load_failed(app, event);

		app_queue_to_line(app);
		if (needs_guide)
			app_load_guide(app);
		break;
	}
	case EVENT_LEARNT: app_on_learnt(app, event->u.model); break;
	case EVENT_WAITING: break; /* app_wait_look has it */
	case EVENT_INSPECTED: on_inspected(app, event); break;
	default: on_turn(app, event); /* a token, and all else that happens in a turn */
	}
}

void app_take_events(struct app *app)
{
	struct event *events = worker_take_events(app->worker);

	for (struct event *event = events; event; event = event->next)
		on_event(app, event);
	if (events)
		app->draw.soon = true;
	worker_events_free(events);
}
