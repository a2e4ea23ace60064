#include "ui/app_log.h"

#include "base/limits.h"
#include "base/log.h"
#include "turn/event.h"
#include "ui/command.h"
#include "ui/tell.h"

static void tell_what_is_logged(struct app *app)
{
	struct buf text = {.max = KIB(64)};

	buf_puts(&text, "Logged: ");
	if (log_describe(app->config->log, &text) == STATUS_OK)
		app_notice(app, STYLE_SYSTEM, "%s.", buf_text(&text));
	buf_free(&text);
}

bool app_log(struct app *app, const struct command_call *call)
{
	struct error err;

	if (!app->config->log) {
		app_message(app, STYLE_WARNING, "there is no log");
		return true;
	}
	if (call->argument[0] && !app_went_well(app, log_use(app->config->log, call->argument, &err), &err))
		return false;
	tell_what_is_logged(app);
	return true;
}

void app_log_event(struct app *app, const struct event *event)
{
	struct log *log = app->config->log;
	unsigned long long turn = event->turn;

	switch (event->kind) {
	case EVENT_MODEL:
		log_line(log, LOG_UI, "model %llu is loaded", (unsigned long long)event->u.model->generation);
		break;
	case EVENT_LOAD_FAILED: log_line(log, LOG_UI, "loading failed: status %d", (int)event->error->status); break;
	case EVENT_LEARNT: log_line(log, LOG_UI, "more is known of the model"); break;
	case EVENT_FITTED: log_line(log, LOG_UI, "turn %llu: %zu messages are fitted", turn, event->u.fitted.n); break;
	case EVENT_BEGIN: log_line(log, LOG_UI, "turn %llu: its reply begins", turn); break;
	case EVENT_PARAMS:
		log_line(log, LOG_UI, "turn %llu: other parameters from token %u on", turn, event->u.params.at);
		break;
	case EVENT_INSPECTED:
		log_line(log, LOG_UI, "counted, purpose %d: %u tokens, status %d", (int)event->u.inspected.purpose,
		         event->u.inspected.total, (int)event->error->status);
		break;
	case EVENT_DONE:
		log_line(log, LOG_UI, "turn %llu: done, %s", turn, done_reason_name(event->u.done.reason));
		break;
	default: break;
	}
}
