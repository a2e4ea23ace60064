/* What fills the context: /context and F9. */
#include "ui/app_context.h"

#include <string.h>

#include "base/limits.h"
#include "chat/ledger.h"
#include "dialog/dialog.h"
#include "turn/inspection.h"
#include "turn/turn.h"
#include "ui/app.h"
#include "ui/app_guide.h"
#include "ui/app_inspect.h"
#include "ui/app_marks.h"
#include "ui/app_panel.h"
#include "ui/command.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/panel.h"
#include "view/panel_context.h"

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
		return app_ask_context(app, INSPECT_COUNTS);
	app_message(app, STYLE_STATUS, "the context will be counted when the reply is done");
	return true;
}

static void show_as_text(struct app *app, const struct ledger *ledger)
{
	struct buf text;

	buf_init(&text, MIB(16));
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
	app->gauge->context_again = app_ask_context(app, INSPECT_COUNTS);
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
		.reserve = inspect->reserve};
	struct ledger ledger;

	if (!ledger_make(&ledger, app->dialog->tree, &counts))
		app_message(app, STYLE_ERROR, "not enough memory");
	else if (app->gauge->context_as_text)
		show_as_text(app, &ledger);
	else
		show_as_table(app, &ledger);
	ledger_free(&ledger);
}
