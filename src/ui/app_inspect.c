/* What the model sees: the gauge counts it, /inspect and F8 show it. */
#include "ui/app_inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/role.h"
#include "base/utf8.h"
#include "chat/path.h"
#include "chat/tree.h"
#include "chat/turn.h"
#include "dialog/dialog.h"
#include "dialog/outgoing.h"
#include "dialog/reply.h"
#include "engine/worker.h"
#include "line/input_line.h"
#include "turn/event.h"
#include "turn/turn.h"
#include "ui/app.h"
#include "ui/app_files.h"
#include "ui/app_guide.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "ui/typed.h"
#include "view/chat_view.h"

/* To show the prompt or what fills the context, what is in the input line is added with its files,
 * unless it is a command. */
static enum status post(struct app *app, enum inspect_purpose purpose, struct error *err)
{
	struct chat_turn_source source = dialog_turn_source(app->dialog);
	struct outgoing draft = {.text = NULL};
	struct chat_turn turn;
	enum status status;
	size_t len;
	const char *line = input_line_text(&len);
	bool is_command = command_is(line, len);

	line = typed_message(&len);
	if (purpose != INSPECT_GAUGE && len && !is_command && app_files_join(app, line, len, &draft)) {
		source.draft = draft.text;
		source.draft_len = draft.len;
		source.draft_files = &draft.files;
	}
	status = chat_turn_build(&turn, &source, err);
	if (!status && turn.turn.n_messages)
		status = worker_post_inspect(app->worker, &turn.turn, purpose, err);
	else if (!status)
		status = error_set(err, STATUS_NOTFOUND, "there is no message yet");
	chat_turn_free(&turn);
	outgoing_free(&draft);
	return status;
}

bool app_ask_context(struct app *app, enum inspect_purpose purpose)
{
	struct error err;
	enum status status;

	if (app->phase == PHASE_NO_MODEL || app->phase == PHASE_LOADING) {
		app_message(app, STYLE_WARNING, "no model is loaded: nothing can be counted");
		return false;
	}
	status = post(app, purpose, &err);
	app->front->waits(app, !status);
	if (status)
		app_message(app, status == STATUS_NOTFOUND ? STYLE_WARNING : STYLE_ERROR, "%s", err.text);
	return true;
}

/* The answer opens a panel. */
bool app_inspect(struct app *app, const struct command_call *call)
{
	(void)call;
	return app_ask_context(app, INSPECT_TOKENS);
}

void app_update_gauge(struct app *app)
{
	uint32_t leaf = tree_leaf(app->dialog->tree);

	if (app->phase != PHASE_READY)
		return;
	if (app->gauge->wants_context)
		app_ask_context(app, INSPECT_COUNTS);
	app->gauge->wants_context = false;
	if (leaf == app->gauge->leaf && app->model->generation == app->gauge->generation)
		return;
	app->gauge->leaf = leaf;
	app->gauge->generation = app->model->generation;
	/* What cannot be counted yet (a system message alone) is counted with the first message. */
	if (post(app, INSPECT_GAUGE, NULL)) {
		app->gauge->used = 0;
		app_tell_dropped(app, 0);
	}
}

/* "the oldest 4 messages", or which they are by another policy. */
static void name_dropped(const struct app *app, uint32_t n, char text[64])
{
	bool ends = app->config->engine->context_policy == CONTEXT_ENDS;

	snprintf(text, 64, "%s%u message%s%s", ends ? "" : "the oldest ", n, n == 1 ? "" : "s",
	         ends ? " after the first ones" : "");
}

/* Why the policy that sums up leaves messages out. */
static const char *cannot_sum_up(const struct app *app)
{
	bool sums_up = app->config->engine->context_policy == CONTEXT_SUMMARY;

	return sums_up && app_is_guide(app) ? " The guide cannot sum them up." : "";
}

void app_tell_dropped(struct app *app, uint32_t n)
{
	char which[64];

	if (!n && chat_view_set_left_out(app->view, NULL, 0))
		return;
	if (n == app->gauge->n_dropped)
		return;
	app->gauge->n_dropped = app->gauge->n_next_dropped = n;
	app->draw.soon = true;
	name_dropped(app, n, which);
	if (n)
		app_notice(app, STYLE_WARNING, "The context is full: %s %s left out.%s", which,
		           n == 1 ? "is" : "are", cannot_sum_up(app));
}

void app_mark_left_out(struct app *app, const uint32_t *ids, size_t n)
{
	if (!ids || chat_view_set_left_out(app->view, ids, n))
		app_message(app, STYLE_ERROR, "not enough memory to mark what is left out");
	app->draw.soon = true;
}

static void mark_counted(struct app *app, const struct inspection *inspect)
{
	size_t n_sent, n = 0;
	uint32_t *ids = path_sent(app->dialog->tree, &n_sent);

	for (size_t i = 0; ids && i < n_sent && i < inspect->n_messages; i++)
		if (inspect->messages[i].left_out && tree_node(app->dialog->tree, ids[i])->role != ROLE_SYSTEM)
			ids[n++] = ids[i];
	app_mark_left_out(app, ids, n);
	free(ids);
}

/* What the next message will do to the oldest ones, before it happens. */
static void tell_next(struct app *app, uint32_t n)
{
	enum context_policy policy = (enum context_policy)app->config->engine->context_policy;
	const char *full = app->gauge->used < app->model->n_ctx ? "nearly full" : "full";
	char which[64];

	if (policy == CONTEXT_SUMMARY && app_is_guide(app))
		policy = CONTEXT_ROLL;
	name_dropped(app, n, which);
	switch (policy) {
	case CONTEXT_STOP:
		app_notice(app, STYLE_WARNING, "The context is %s: your next message may not fit. "
		           "/drop N leaves out one of your messages and its replies, /context-policy roll leaves out the oldest ones, /new begins a new chat.", full);
		break;
	case CONTEXT_SUMMARY:
		app_notice(app, STYLE_WARNING, "The context is %s: with your next message %s "
		           "may be summed up.", full, which);
		break;
	default:
		app_notice(app, STYLE_WARNING, "The context is %s: with your next message %s "
		           "may be left out.%s", full, which, cannot_sum_up(app));
	}
}

/* The conversation at rest; the user is told beforehand what the next message will push out. */
void app_show_gauge(struct app *app, const struct event *event)
{
	uint32_t next = event->u.inspected.n_next_dropped;

	if (app->phase != PHASE_READY || tree_leaf(app->dialog->tree) != app->gauge->leaf)
		return; /* another turn has begun */
	app->gauge->used = event->u.inspected.total;
	app_tell_dropped(app, event->u.inspected.n_dropped);
	mark_counted(app, &event->u.inspected);
	if (next > app->gauge->n_next_dropped)
		tell_next(app, next);
	app->gauge->n_next_dropped = next;
}
