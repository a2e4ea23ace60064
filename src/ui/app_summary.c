/* The context policy 'summary': when a turn is refused for lack of room, the model sums up what would
 * fall out, and the turn is run again. The summary is a message of the chat. Nothing else changes: if
 * none can be made, nothing is left out, and the user chooses what to do. */
#include "ui/app_summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/role.h"
#include "base/sys.h"
#include "base/words.h"
#include "chat/path.h"
#include "chat/tree.h"
#include "chat/turn.h"
#include "dialog/dialog.h"
#include "dialog/leaf.h"
#include "dialog/store.h"
#include "engine/worker.h"
#include "turn/event.h"
#include "turn/turn.h"
#include "ui/app.h"
#include "ui/app_guide.h"
#include "ui/app_inspect.h"
#include "ui/app_queue.h"
#include "ui/app_turn.h"
#include "ui/facts.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/chat_view.h"

static const char head[] = "Summary of the conversation so far: ";

enum { SUMMARY_PARTS = 16, SUMMARY_TOKENS_MIN = 16 };

/* How long it may be: a part of the context, much less than what is freed. */
static int32_t most_tokens(const struct app *app)
{
	uint32_t n = app->model->n_ctx / SUMMARY_PARTS;

	return (int32_t)(n > SUMMARY_TOKENS_MIN ? n : SUMMARY_TOKENS_MIN);
}

/* ... and what the model thinks before, if its template cannot be told not to. */
static int32_t most_with_thoughts(const struct app *app)
{
	bool thinks = app->model->capabilities & CAPABILITY_REASONING &&
	              !(app->model->capabilities & CAPABILITY_SWITCH);

	return most_tokens(app) * (thinks ? 4 : 1);
}

/* Cuts the turn behind the last message that falls out, and asks for the summary there: all before is
 * in the cache. */
static void ask(struct chat_turn *turn, size_t n, const struct buf *question)
{
	turn->messages[n] = (struct message){.role = ROLE_USER, .text = buf_text(question),
	                                     .len = question->len};
	turn->turn.n_messages = n + 1;
	turn->turn.answered = false;
	turn->turn.policy = CONTEXT_STOP;
	turn->turn.reasoning.mode = REASONING_OFF;
	turn->turn.n_stops = 0;
}

/* How many messages are sent up to this one. */
static size_t count_up_to(const struct tree *tree, uint32_t message)
{
	size_t n_sent, n = 0;
	uint32_t *ids = path_sent(tree, &n_sent);

	for (size_t i = 0; ids && i < n_sent && !n; i++)
		n = ids[i] == message ? i + 1 : 0;
	free(ids);
	return n;
}

static bool post(struct app *app, struct error *err)
{
	struct chat_turn_source source = app_turn_source(app);
	struct sampler_params sampler = app_sampler(app);
	size_t n = count_up_to(app->dialog->tree, app->dialog->summary.up_to);
	struct chat_turn turn;
	struct buf question;
	enum status status;

	source.sampler = &sampler;
	buf_init(&question, KIB(4));
	buf_printf(&question, "Sum up our conversation so far, for yourself: you go on from the summary alone. "
	           "Keep what was asked, found and decided, names, numbers, code that is still needed, and what "
	           "is open. Answer with the summary only, in the language of the conversation, in at most %d "
	           "words.", most_tokens(app) * 6 / 10);
	status = chat_turn_build(&turn, &source, err);
	if (!status && (!n || buf_status(&question)))
		status = error_set(err, STATUS_NOMEM, "not enough memory for a summary");
	if (!status) {
		ask(&turn, n, &question);
		turn.turn.n_predict = most_with_thoughts(app);
		status = worker_post_generate(app->worker, &turn.turn, &app->dialog->turn.id, err);
	}
	chat_turn_free(&turn);
	buf_free(&question);
	return status == STATUS_OK;
}

/* No summary was made: the message stays, unanswered, and the user chooses what to do. */
static void give_up(struct app *app, const char *why)
{
	app->phase = PHASE_READY;
	app->stopping = app->dialog->summary.running = false;
	app->draw.now = true;
	app->gauge->generation = 0; /* count again */
	buf_free(&app->dialog->summary.text);
	if (app->dialog->turn.replaced)
		dialog_move_leaf(app->dialog, app->dialog->turn.replaced);
	app->dialog->turn.replaced = 0;
	app_notice(app, STYLE_WARNING, "No summary was made (%s). Nothing was left out or lost, but your message "
	           "is not answered yet: %s tries again; /context-policy roll and then %s leaves the oldest "
	           "messages out; /drop N leaves out what you choose.", why, app_key(app, "regen"),
	           app_key(app, "regen"));
	app_queue_to_line(app);
}

bool app_summary_begins(struct app *app, const struct event *done)
{
	uint32_t n = app->dialog->turn.n_left_out;
	struct error err;

	if (done->u.done.reason != DONE_ERROR || done->error->status != STATUS_CONTEXT || !n ||
	    !app->dialog->summary.up_to || app->dialog->turn.reply || app->dialog->summary.tried || app->dialog->turn.continues ||
	    app->config->engine->context_policy != CONTEXT_SUMMARY || app_is_guide(app) || app->stopping)
		return false;
	buf_init(&app->dialog->summary.text, LIMIT_MESSAGE);
	buf_puts(&app->dialog->summary.text, head);
	if (!post(app, &err)) {
		give_up(app, err.text);
		return true;
	}
	app->dialog->summary.running = true;
	app->phase = PHASE_PREFILL;
	app->dialog->turn.n_tokens = 0;
	app->dialog->turn.prefill_done = app->dialog->turn.prefill_total = 0;
	app_notice(app, STYLE_WARNING, "The context is full: the oldest %u message%s being summed up. %s stops "
	           "that.", n, n == 1 ? " is" : "s are", app_key(app, "escape"));
	return true;
}

/* Adds a summary at the end of the path. */
static bool add(struct app *app, const char *text, size_t len, uint32_t up_to)
{
	struct error err;
	uint32_t id;

	if (tree_add(app->dialog->tree, tree_leaf(app->dialog->tree), ROLE_SYSTEM, text, len, &id, &err)) {
		app_error(app, &err);
		return false;
	}
	tree_node(app->dialog->tree, id)->sums_up = up_to;
	dialog_store_message(app->dialog, id);
	app_tell_facts(app);
	app->gauge->generation = 0; /* count again */
	chat_view_to_bottom(app->view);
	return true;
}

static void end(struct app *app, const struct event *event)
{
	struct buf *text = &app->dialog->summary.text;
	/* Its end may have come just before it was stopped. */
	enum done_reason reason = app->stopping ? DONE_CANCELLED : event->u.done.reason;
	size_t len = text->len;

	while (len > strlen(head) && words_is_blank(text->data[len - 1]))
		len--;
	if (reason == DONE_ERROR || reason == DONE_CANCELLED) {
		give_up(app, reason == DONE_CANCELLED ? "it was stopped"
		             : event->error->status == STATUS_CONTEXT ? "the messages to sum up are too long for the context"
		                                                     : event->error->text);
		return;
	}
	if (buf_status(text) || len <= strlen(head)) {
		give_up(app, buf_status(text) ? "not enough memory" : "the model wrote nothing");
		return;
	}
	if (!add(app, buf_text(text), len, app->dialog->summary.up_to)) {
		give_up(app, "not enough memory");
		return;
	}
	app->dialog->summary.running = false;
	buf_free(text);
	app->phase = PHASE_READY;
	app_notice(app, STYLE_SYSTEM, "/edit summary edits the summary, /undrop summary sends the messages again "
	           "instead.");
	if (!app_generate_with_summary(app))
		app_queue_to_line(app);
}

void app_summary_event(struct app *app, const struct event *event)
{
	if (event->kind == EVENT_TOKEN) {
		app->phase = PHASE_GENERATING;
		app->dialog->turn.last_token_us = sys_now_us();
		if (app->dialog->turn.n_tokens == 0)
			app->dialog->turn.first_token_us = app->dialog->turn.last_token_us;
		if (app->dialog->turn.n_tokens < event->u.token.n_generated)
			app->dialog->turn.n_tokens = event->u.token.n_generated;
		if (event->u.token.recants)
			buf_clear(&app->dialog->summary.text);
		if (!event->u.token.reasoning)
			buf_append(&app->dialog->summary.text, event->u.token.bytes, event->u.token.len);
	} else if (event->kind == EVENT_DONE) {
		end(app, event);
	}
}

const struct node *app_find_summary(struct app *app)
{
	const struct node *node = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));

	while (node && !node->sums_up)
		node = tree_node(app->dialog->tree, node->parent);
	if (node && node->len)
		return node;
	app_message(app, STYLE_WARNING, "there is no summary; with /context-policy summary one is made when the "
	            "context is full");
	return NULL;
}

bool app_summary_replace(struct app *app, const struct node *old, const char *text, size_t len)
{
	if (!add(app, text, len, old->sums_up))
		return false;
	app_message(app, STYLE_STATUS, len ? "this summary is sent from now on"
	                                   : "the messages are sent again instead of their summary");
	return true;
}
