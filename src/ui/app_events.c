/* What the worker tells: each event goes to the subject that it is about, and what is to be done then
 * follows here. */
#include "ui/app_events.h"

#include "engine/worker.h"
#include "ui/app_files.h"
#include "ui/app_inspect.h"
#include "ui/app_load.h"
#include "ui/app_models.h"
#include "ui/app_panel.h"
#include "ui/app_queue.h"
#include "ui/app_send.h"
#include "ui/app_turn.h"
#include "ui/front.h"
#include "ui/state.h"
#include "ui/tell.h"

static void on_inspected(struct app *app, const struct event *event)
{
	if (event->u.inspected.purpose == INSPECT_FILE) {
		app_files_counted(app, event);
		return;
	}
	if (event->u.inspected.purpose != INSPECT_GAUGE)
		app->waits = false;
	if (event->error->status && event->u.inspected.purpose != INSPECT_GAUGE)
		app_error(app, event->error);
	if (event->error->status)
		return;
	switch (event->u.inspected.purpose) {
	case INSPECT_GAUGE: app_show_gauge(app, event); break;
	case INSPECT_COUNTS: app_show_context(app, &event->u.inspected); break;
	case INSPECT_FILE: break;
	case INSPECT_TOKENS: app_open_panel(app, panel_inspect_open(&event->u.inspected), NULL, NULL); break;
	}
}

static void on_event(struct app *app, const struct event *event)
{
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
	case EVENT_INSPECTED: on_inspected(app, event); break;
	default: app_turn_event(app, event);
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
