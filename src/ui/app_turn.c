/* One turn: a message goes to the worker, its events come back as a reply. */
#include "ui/app_turn.h"

#include <stdio.h>
#include <string.h>

#include "base/role.h"
#include "base/sys.h"
#include "catalog/catalog.h"
#include "chat/path.h"
#include "chat/run.h"
#include "chat/tree.h"
#include "dialog/dialog.h"
#include "dialog/leaf.h"
#include "dialog/model.h"
#include "dialog/outgoing.h"
#include "dialog/reply.h"
#include "dialog/store.h"
#include "dialog/template.h"
#include "engine/worker.h"
#include "turn/event.h"
#include "turn/turn.h"
#include "ui/app.h"
#include "ui/app_draft.h"
#include "ui/app_files.h"
#include "ui/app_guide.h"
#include "ui/app_inspect.h"
#include "ui/app_mention.h"
#include "ui/app_models.h"
#include "ui/app_pick.h"
#include "ui/app_queue.h"
#include "ui/app_queue_edit.h"
#include "ui/app_refused.h"
#include "ui/app_store.h"
#include "ui/app_summary.h"
#include "ui/app_terminal.h"
#include "ui/facts.h"
#include "ui/front.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/chat_view.h"

double app_tokens_per_second(const struct app *app)
{
	uint64_t us = app->dialog->turn.last_token_us - app->dialog->turn.first_token_us;

	if (app->phase == PHASE_GENERATING)
		return app->dialog->turn.n_tokens > 1 && us ? (double)(app->dialog->turn.n_tokens - 1) * 1e6 / (double)us : 0;
	/* Below a millisecond the clock is too coarse. */
	if (app->phase == PHASE_READY && app->chat->has_stats && app->chat->stats.decode_ms >= 1)
		return (double)app->chat->stats.n_generated * 1e3 / app->chat->stats.decode_ms;
	return 0;
}

struct chat_turn_source app_turn_source(const struct app *app)
{
	return (struct chat_turn_source){
		.tree = app->dialog->tree, .engine = app->config->engine, .sampler = app->config->sampler,
		.no_summary = app_is_guide(app), .stops = (const char *const *)app->dialog->template.stops, .n_stops = app->dialog->template.n_stops,
		.weight_rate = app->models->catalog ? app->models->catalog->weight_rate : 0};
}

struct sampler_params app_sampler(const struct app *app)
{
	struct sampler_params sampler = *app->config->sampler;

	if (sampler.seed >= 0)
		sampler.seed = (int64_t)(((uint64_t)sampler.seed + app->dialog->turn.take) & INT64_MAX);
	return sampler;
}

static enum status generate(struct app *app, uint32_t take, struct error *err)
{
	struct chat_turn_source source = app_turn_source(app);
	struct node *leaf = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));
	struct sampler_params sampler;
	struct chat_turn turn;
	enum status status;

	app->dialog->turn.take = take;
	sampler = app_sampler(app);
	source.sampler = &sampler;
	source.no_summary |= app->dialog->summary.tried;
	source.continues = leaf && leaf->role == ROLE_ASSISTANT;
	status = chat_turn_build(&turn, &source, err);
	run_free(&app->dialog->turn.run);
	if (!status)
		status = run_prepare(&app->dialog->turn.run, &turn.turn, app->dialog->tree, app->model, err);
	if (!status)
		status = worker_post_generate(app->worker, &turn.turn, &app->dialog->turn.id, err);
	chat_turn_free(&turn);
	app->failed = status != STATUS_OK;
	if (status)
		return status;
	app->phase = PHASE_PREFILL;
	app->dialog->turn.asked_at = sys_now_ms();
	app->stopping = false;
	app->dialog->turn.reply = 0;
	app->dialog->turn.n_tokens = 0;
	app->dialog->turn.has_run = false;
	app->dialog->turn.prefill_done = app->dialog->turn.prefill_total = app->dialog->turn.n_left_out = 0;
	app->dialog->turn.continues = source.continues;
	chat_view_drop_notices(app->view, NOTICE_UNTIL_REPLY);
	if (source.continues) {
		app->dialog->turn.reply = leaf->id;
		app->dialog->turn.state_before = leaf->state;
		leaf->state = NODE_STREAMING;
	}
	return STATUS_OK;
}

static enum status begin(struct app *app, uint32_t take, struct error *err)
{
	app->dialog->summary.tried = false;
	app->dialog->turn.sent.message = 0;
	return generate(app, take, err);
}

static bool told(struct app *app, enum status status, const struct error *err)
{
	if (status)
		app_error(app, err);
	return !status;
}

bool app_generate(struct app *app, uint32_t take)
{
	struct error err;

	return told(app, begin(app, take, &err), &err);
}

bool app_generate_with_summary(struct app *app)
{
	uint32_t replaced = app->dialog->turn.replaced;
	struct error err;
	bool begun;

	app->dialog->summary.tried = true;
	begun = told(app, generate(app, app->dialog->turn.take, &err), &err);
	app->dialog->turn.replaced = replaced;
	return begun;
}

/* A new chat begins with the settings' system prompt, unless a template opened it. */
static bool add_system_prompt(struct app *app, struct error *err)
{
	const char *prompt = app->config->ui->system_prompt;
	uint32_t id;

	if (tree_leaf(app->dialog->tree) || !prompt || !prompt[0])
		return true;
	if (tree_add(app->dialog->tree, 0, ROLE_SYSTEM, prompt, strlen(prompt), &id, err))
		return false;
	dialog_store_message(app->dialog, id);
	app_tell_facts(app);
	return true;
}

/* The message is in the chat: now its reply. False: it was refused at once, and is back where it was. */
static bool ask(struct app *app, struct dialog_sent *sent, uint32_t message)
{
	bool stays = true;
	struct error err;

	app_sent_stored(app, sent, message);
	if (begin(app, 0, &err)) {
		stays = !app_take_back(app, sent);
		app_error(app, &err);
	} else {
		app->dialog->turn.sent = *sent;
	}
	return stays;
}

static bool send_under(struct app *app, uint32_t parent, const struct outgoing *message,
                       struct dialog_sent *sent)
{
	const struct node *system = path_system(app->dialog->tree);
	struct error err;
	uint32_t id;

	if (tree_add(app->dialog->tree, parent, ROLE_USER, message->text, message->len, &id, &err)) {
		app_error(app, &err);
		return false;
	}
	if (tree_set_attachments(tree_node(app->dialog->tree, id), &message->files)) /* it has the whole text */
		app_message(app, STYLE_ERROR, "not enough memory to fold the message's files");
	/* On the disk before anything is computed. */
	dialog_store_message(app->dialog, id);
	app_tell_facts(app);
	app_unpick(app);
	chat_view_to_bottom(app->view);
	if (path_system(app->dialog->tree) != system) /* the old one came after the edited message */
		dialog_template_restore(app->dialog);
	dialog_template_check(app->dialog);
	app_tell_facts(app);
	return ask(app, sent, id);
}

static bool send_now(struct app *app, const struct outgoing *message)
{
	struct dialog_sent sent = app_sent_begin(app);
	struct error err;

	if (!add_system_prompt(app, &err)) {
		app_error(app, &err);
		return false;
	}
	return send_under(app, tree_leaf(app->dialog->tree), message, &sent);
}

/* A reply as the user has changed it: the model goes on from there. */
static bool go_on_from(struct app *app, const struct node *old, const char *text, size_t len,
                       struct dialog_sent *sent)
{
	const struct node *system = path_system(app->dialog->tree);
	struct node *node;
	struct error err;
	uint32_t id;

	if (tree_add(app->dialog->tree, old->parent, ROLE_ASSISTANT, text, len, &id, &err)) {
		app_error(app, &err);
		return false;
	}
	node = tree_node(app->dialog->tree, id);
	node->state = NODE_INTERRUPTED;
	if (tree_set_model(node, dialog_model_label(app->dialog)))
		app_message(app, STYLE_ERROR, "not enough memory for the reply's label");
	dialog_store_message(app->dialog, id);
	app_tell_facts(app);
	chat_view_to_bottom(app->view);
	if (path_system(app->dialog->tree) != system)
		dialog_template_restore(app->dialog);
	app_tell_facts(app);
	return ask(app, sent, id);
}

/* In the place of the message being edited. */
static bool send_edited(struct app *app, const struct outgoing *message)
{
	const struct node *old = tree_node(app->dialog->tree, app->dialog->edited);
	struct dialog_sent sent = app_sent_begin(app);
	bool done = old->sums_up ? app_summary_replace(app, old, message->text, message->len)
	            : old->role == ROLE_ASSISTANT ? go_on_from(app, old, message->text, message->len, &sent)
	                                          : send_under(app, old->parent, message, &sent);

	if (!done)
		return false;
	app->dialog->edited = 0;
	return true;
}

bool app_refuse_without_model(struct app *app)
{
	if (app->phase != PHASE_NO_MODEL)
		return false;
	app_message(app, STYLE_WARNING, "no model is loaded: %s or /model FILE.gguf loads one",
	            app_key(app, "model"));
	return true;
}

bool app_send(struct app *app, const char *text, size_t len)
{
	struct outgoing message;
	bool done;

	if (app_mentions_refuse(app, text, len) || !app_files_have_room(app) ||
	    (!app_is_busy(app) && app_refuse_without_model(app)) ||
	    !app_files_join(app, text, len, &message))
		return false;
	if (app->dialog->queue.edited)
		done = app_queue_replace(app, &message);
	else if (app_is_busy(app))
		done = app_queue_add(app, &message);
	else if (app->dialog->edited)
		done = send_edited(app, &message);
	else
		done = send_now(app, &message);
	if (done)
		app_files_clear(app);
	if (done && app->dialog->queue.edited)
		app_queue_edit_end(app);
	app_files_settle(app);
	if (done)
		app_draft_save(app); /* it is in the chat, or in the queue */
	outgoing_free(&message);
	return done;
}

void app_cancel(struct app *app)
{
	if (!app_is_busy(app))
		return;
	worker_cancel(app->worker, app->phase == PHASE_LOADING ? 0 : app->dialog->turn.id);
	app->stopping = true;
	app->draw.now = true;
}

void app_send_queued(struct app *app)
{
	if (app->dialog->queue.n == 0 || app->dialog->queue.edited == 1) /* it waits until it has been edited */
		return;
	if (send_now(app, &app->dialog->queue.items[0]))
		app_queue_drop_first(app);
	app_draft_save(app);
	if (!app_is_busy(app))
		app_queue_to_line(app);
}

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

/* The reply's node, which is made with the first token; NULL without memory. */
static struct node *reply_node(struct app *app)
{
	struct sampler_params sampler = app_sampler(app);

	if (!app->dialog->turn.reply &&
	    tree_add_reply(app->dialog->tree, &sampler, dialog_model_label(app->dialog), &app->dialog->turn.reply))
		return NULL;
	return tree_node(app->dialog->tree, app->dialog->turn.reply);
}

/* The run of the reply under way; NULL: it has none, or it is not the node's yet. */
static struct reply_run *reply_run(const struct app *app)
{
	struct node *node = app->dialog->turn.has_run ? tree_node(app->dialog->tree, app->dialog->turn.reply) : NULL;

	return node && node->n_runs ? &node->runs[node->n_runs - 1] : NULL;
}

static void on_begin(struct app *app, const struct turn_begin *begin)
{
	app->dialog->turn.run.begin = *begin;
	app->dialog->turn.run.has_begun = true;
}

/* Without memory the reply is one that cannot be made again, no more. */
static void on_params(struct app *app, const struct event *event)
{
	const struct node *node = tree_node(app->dialog->tree, app->dialog->turn.reply);
	struct reply_run *run = reply_run(app);

	run_add_change(run ? run : &app->dialog->turn.run, event->u.params.at, &event->u.params.params,
	               node ? node->len : 0);
}

static void on_token(struct app *app, const struct event *event)
{
	struct node *node = reply_node(app);

	if (node && app->dialog->turn.run.has_begun && !app->dialog->turn.has_run)
		app->dialog->turn.has_run = !tree_add_run(node, &app->dialog->turn.run);

	app->phase = PHASE_GENERATING;
	app->dialog->turn.last_token_us = sys_now_us();
	if (app->dialog->turn.n_tokens == 0)
		app->dialog->turn.first_token_us = app->dialog->turn.last_token_us;
	if (app->dialog->turn.n_tokens < event->u.token.n_generated)
		app->dialog->turn.n_tokens = event->u.token.n_generated;
	app->gauge->used = event->u.token.n_ctx_used;
	if (!node || tree_append_token(node, &event->u.token)) {
		app_message(app, STYLE_ERROR, "not enough memory for the reply");
		app_cancel(app);
		return;
	}
	if (event->u.token.recants)
		app->front->recanted(app);
	dialog_store_part(app->dialog, app->dialog->turn.reply, sys_now_ms());
	app_tell_facts(app);
}

/* Why the message is back in the line, and what helps. */
static void tell_refused(struct app *app, const struct error *err)
{
	const char *advice = "";

	if (err->status == STATUS_CONTEXT)
		advice = app->dialog->turn.n_left_out
		         ? " /drop N leaves out one of your messages and its replies, /context-policy roll leaves out "
		           "the oldest ones; /new begins a new chat."
		         : " Shorten it, or make the context larger: /set ctx-size N, then /model.";
	app_error(app, err);
	app_notice_until(app, NOTICE_UNTIL_COMMAND, STYLE_SYSTEM, "Your message is back in the input line.%s", advice);
}

/* Why the reply ended, where that is not obvious. */
static void tell_end(struct app *app, const struct event *event, bool has_reply)
{
	switch (event->u.done.reason) {
	case DONE_END:
	case DONE_STOP:
		if (app->dialog->turn.continues && !app->dialog->turn.n_tokens)
			app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_SYSTEM,
			                 "The model has nothing to add: it takes the reply for complete.");
		else if (!has_reply)
			app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_SYSTEM,
			                 "The model had nothing to say. /regen asks again.");
		break;
	case DONE_LENGTH:
		app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_SYSTEM, "Stopped after %u token%s, the limit of "
		                 "-n (/set predict). %s continues.", app->chat->stats.n_generated,
		                 app->chat->stats.n_generated == 1 ? "" : "s", app_key(app, "continue"));
		break;
	case DONE_CONTEXT:
		/* What the next message then does is told when the conversation has been counted. */
		app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_WARNING, "The context of %u tokens is full, so the "
		                 "reply stops here. /new begins a new chat.", app->model->n_ctx);
		break;
	case DONE_CANCELLED:
		if (!has_reply) /* a reply that was cut short says so itself */
			app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_SYSTEM, "Stopped before the reply began.");
		break;
	case DONE_ERROR:
		app->failed = true;
		if (!app->dialog->turn.n_tokens && app_give_back(app, event->error->status == STATUS_CONTEXT))
			tell_refused(app, event->error);
		else
			app_notice_until(app, NOTICE_UNTIL_REPLY, STYLE_ERROR, "Error: %s", event->error->text);
		break;
	}
}

static void on_done(struct app *app, const struct event *event)
{
	struct node *node = tree_node(app->dialog->tree, app->dialog->turn.reply);
	enum done_reason reason = event->u.done.reason;
	struct reply_run *run = reply_run(app);
	bool whole = reason != DONE_CANCELLED && reason != DONE_ERROR;

	if (run)
		snprintf(run->ended, sizeof run->ended, "%s", done_reason_name(reason));
	app->phase = PHASE_READY;
	app->stopping = false;
	app->draw.now = true; /* the user may have pressed a key for it */
	app->chat->stats = event->u.done.stats;
	app->chat->has_stats = true;
	app->gauge->used = app->chat->stats.n_ctx_used;
	app->gauge->generation = 0; /* count again, even if nothing was said */
	if (node && app->dialog->turn.continues && !app->dialog->turn.n_tokens && !whole) { /* as it was */
		node->state = app->dialog->turn.state_before;
	} else if (node) {
		node->state = whole ? NODE_COMPLETE : NODE_INTERRUPTED;
		dialog_store_end(app->dialog, app->dialog->turn.reply);
	} else if (app->dialog->turn.replaced) { /* there was no new reply */
		dialog_move_leaf(app->dialog, app->dialog->turn.replaced);
	}
	app_tell_facts(app);
	app->dialog->turn.replaced = 0;
	app_tell_dropped(app, app->chat->stats.n_dropped);
	tell_end(app, event, node != NULL);
	app->dialog->turn.reply = 0;
	if (whole)
		app_send_queued(app);
	else
		app_queue_to_line(app);
	if (!app_is_busy(app) && reason != DONE_CANCELLED)
		app_notify_end(app, reason == DONE_ERROR);
}

void app_turn_event(struct app *app, const struct event *event)
{
	bool ours = event->turn == app->dialog->turn.id &&
	            (app->phase == PHASE_PREFILL || app->phase == PHASE_GENERATING);

	if (ours && app->dialog->summary.running && event->kind != EVENT_PREFILLING) {
		app_summary_event(app, event);
		return;
	}
	switch (event->kind) {
	case EVENT_PREFILLING:
		if (!ours)
			break;
		app->dialog->turn.prefill_done = event->u.prefilling.done;
		app->dialog->turn.prefill_total = event->u.prefilling.total;
		app_tell_dropped(app, event->u.prefilling.n_dropped);
		break;
	case EVENT_FITTED:
		if (ours)
			app_on_fitted(app, event);
		break;
	case EVENT_BEGIN:
		if (ours)
			on_begin(app, &event->u.begin);
		break;
	case EVENT_PARAMS:
		if (ours)
			on_params(app, event);
		break;
	case EVENT_TOKEN:
		if (ours)
			on_token(app, event);
		break;
	case EVENT_NOTE:
		if (ours)
			tell_note(app, event->u.note);
		break;
	case EVENT_ASIDE:
		if (ours)
			tell_aside(app, event);
		break;
	case EVENT_DONE:
		if (ours && !app_summary_begins(app, event))
			on_done(app, event);
		break;
	default: break;
	}
}
