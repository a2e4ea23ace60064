#include "ui/app_wait.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/sanitize.h"
#include "base/utf8.h"
#include "dialog/dialog.h"
#include "turn/event.h"
#include "ui/state.h"

/* Of what the user sees going on: loading, the turn that runs, or counting that was asked for. */
static bool is_of_now(const struct app *app, const struct event *event)
{
	switch (app->phase) {
	case PHASE_LOADING: return true;
	case PHASE_PREFILL:
	case PHASE_GENERATING: return event->turn == app->dialog->turn.id;
	default: return app->waits;
	}
}

const char *app_waits_for(const struct app *app)
{
	return app_is_busy(app) || app->waits ? app->wait->text : "";
}

void app_wait_look(struct app *app, const struct event *event)
{
	struct app_wait *wait = app->wait;
	const char *text = event->kind == EVENT_WAITING ? event->u.waiting.text : "";
	struct buf line = {.max = KIB(4)};

	if (!is_of_now(app, event) || event->kind == EVENT_SENT || event->kind == EVENT_LEARNT)
		return;
	sanitize_line(&line, text, utf8_cut(text, strlen(text), sizeof wait->text - 1));
	snprintf(wait->text, sizeof wait->text, "%.*s", (int)utf8_cut(buf_text(&line), line.len, sizeof wait->text - 1),
	         buf_text(&line));
	buf_free(&line);
	app->draw.soon = true;
}
