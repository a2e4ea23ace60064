/* What the model sees: the gauge counts it, /inspect and F8 show it, /context and F9 what fills it. */
#include "ui/app_inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "engine/worker.h"
#include "line/input_line.h"
#include "ui/app_edit.h"
#include "ui/app_files.h"
#include "ui/app_load.h"
#include "ui/app_panel.h"
#include "ui/command.h"
#include "ui/tell.h"
#include "ui/typed.h"
#include "view/panel_context.h"

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

/* Asks for what /context or F8 show. */
static void ask(struct app *app, enum inspect_purpose purpose)
{
	struct error err;
	enum status status = post(app, purpose, &err);

	app->waits = app->gauge->wants_answer = !status;
	if (status)
		app_message(app, status == STATUS_NOTFOUND ? STYLE_WARNING : STYLE_ERROR, "%s", err.text);
}

/* False: it was refused, and the user was told. */
static bool ask_context(struct app *app, enum inspect_purpose purpose)
{
	if (app_has_model(app)) {
		ask(app, purpose);
		return true;
	}
	app_message(app, STYLE_WARNING, "no model is loaded: nothing can be counted");
	return false;
}

bool app_inspect_gave_way(struct app *app, const struct event *event)
{
	if (event->error->status != STATUS_CANCELLED)
		return false;
	switch (event->u.inspected.purpose) {
	case INSPECT_GAUGE: app->gauge->generation = 0; break; /* app_update_gauge asks, when nothing else runs */
	case INSPECT_FILE: dialog_files_asked(&app->dialog->files, false); break;
	case INSPECT_COUNTS:
	case INSPECT_TOKENS:
		if (app->gauge->wants_answer)
			ask(app, event->u.inspected.purpose);
	}
	return true;
}

bool app_inspect_leave(struct app *app)
{
	struct app_gauge *gauge = app->gauge;
	bool is_asked = gauge->wants_answer || gauge->wants_context;

	gauge->wants_answer = gauge->wants_context = false;
	app->waits = app->waits && !is_asked;
	return is_asked;
}

/* The answer opens a panel. */
bool app_inspect(struct app *app, const struct command_call *call)
{
	(void)call;
	return ask_context(app, INSPECT_TOKENS);
}

void app_update_gauge(struct app *app)
{
	uint32_t leaf = tree_leaf(app->dialog->tree);

	if (app->phase != PHASE_READY)
		return;
	if (app->gauge->wants_context)
		ask_context(app, INSPECT_COUNTS);
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
	const char *full = app->gauge->used < app->model->n_ctx || !app->model->n_ctx ? "nearly full" : "full";
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
	app->gauge->is_estimated = event->u.inspected.estimated;
	app_tell_dropped(app, event->u.inspected.n_dropped);
	mark_counted(app, &event->u.inspected);
	if (next > app->gauge->n_next_dropped)
		tell_next(app, next);
	app->gauge->n_next_dropped = next;
}

/* The answer opens a panel, or is a notice. */
bool app_context(struct app *app, const struct command_call *call)
{
	bool as_text = strcmp(call->argument, "text") == 0;

	if (call->argument[0] && !as_text) {
		app_message(app, STYLE_ERROR, "/context takes no argument, or `text`, which writes the table into "
		            "the chat");
		return false;
	}
	app->gauge->context_as_text = as_text;
	app->gauge->context_again = false;
	app->gauge->wants_context = app->phase == PHASE_PREFILL || app->phase == PHASE_GENERATING;
	if (!app->gauge->wants_context)
		return ask_context(app, INSPECT_COUNTS);
	app_message(app, STYLE_STATUS, "the context will be counted when the reply is done");
	return true;
}

static void show_as_text(struct app *app, const struct ledger *ledger)
{
	struct buf text = {.max = MIB(16)};

	buf_puts(&text, "Context: ");
	ledger_put_sum(&text, ledger);
	buf_putc(&text, '\n');
	ledger_put_text(&text, ledger);
	if (!buf_status(&text))
		app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
}

/* /pin and /drop of the selected message; then the table is counted again. */
static void mark_selected(struct app *app, const struct panel *panel)
{
	uint32_t message;
	enum panel_context_wish wish = panel_context_wish(panel, &message);

	if (app_refuse_while_busy(app))
		return;
	if (!message) {
		app_message(app, STYLE_WARNING, "choose a message: nothing else can be pinned or dropped");
		return;
	}
	if (wish == CONTEXT_WISH_PIN)
		app_toggle_pinned(app, message);
	else
		app_toggle_dropped(app, message);
	app->gauge->context_as_text = false;
	app->gauge->context_again = ask_context(app, INSPECT_COUNTS);
}

static const struct panel_use context_use = {.flags = PANEL_HAS_MESSAGES, .changed = mark_selected};

/* The policy, and what that word means. */
static const char *policy_words(const struct app *app)
{
	switch ((enum context_policy)app->config->engine->context_policy) {
	case CONTEXT_ROLL: return "roll, which leaves out the oldest messages";
	case CONTEXT_ENDS: return "ends, which leaves out messages after the first ones";
	case CONTEXT_SUMMARY:
		return app_is_guide(app) ? "the oldest messages are left out; the guide cannot sum them up"
		                         : "summary, which sums up the oldest messages";
	case CONTEXT_STOP: break;
	}
	return "stop, which refuses your message";
}

static void show_as_table(struct app *app, const struct ledger *ledger)
{
	const char *policy = policy_words(app);
	bool is_open = app->panel && app->panel_use == &context_use;

	if (!is_open && !app->gauge->context_again)
		app_open_panel(app, panel_context_open(ledger, policy), &context_use, NULL);
	else if (is_open && !panel_context_replace(app->panel, ledger, policy))
		app_message(app, STYLE_ERROR, "not enough memory");
	app->gauge->context_again = false;
	app->draw.soon = true;
}

void app_show_context(struct app *app, const struct inspection *inspect)
{
	const struct ledger_counts counts = {
		.messages = inspect->messages, .n = inspect->n_messages, .help = inspect->help,
		.total = inspect->total, .cached = inspect->cached, .n_ctx = inspect->n_ctx,
		.reserve = inspect->reserve, .estimated = inspect->estimated,
		.is_total_known = inspect->is_total_known};
	struct ledger ledger;

	if (!ledger_make(&ledger, app->dialog->tree, &counts))
		app_message(app, STYLE_ERROR, "not enough memory");
	else if (app->gauge->context_as_text)
		show_as_text(app, &ledger);
	else
		show_as_table(app, &ledger);
	ledger_free(&ledger);
}
