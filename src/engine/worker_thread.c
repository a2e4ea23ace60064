/* The worker's own thread: takes commands from the queue, runs them, and answers with events. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sys.h"
#include "engine/worker_internal.h"

/* Progress is reported at most this often, except for the last step. */
enum { PROGRESS_INTERVAL_MS = 15 };

void worker_send_event(struct worker *worker, struct worker_event *event)
{
	bool first;

	pthread_mutex_lock(&worker->lock);
	first = !worker->events;
	*worker->events_end = event;
	worker->events_end = &event->next;
	pthread_mutex_unlock(&worker->lock);
	/* If there are others, the wake fd is signalled already: it is drained before they are taken. */
	if (first)
		wake_signal(&worker->wake);
}

static struct worker_event *make_event(struct worker *worker, enum worker_event_kind kind)
{
	struct worker_event *event = alloc_array(1, sizeof *event);

	if (event) {
		event->kind = kind;
		event->turn = kind == WORKER_LOAD ? 0 : worker->current;
	}
	return event;
}

static bool host_cancelled(void *ctx)
{
	struct worker *worker = ctx;

	return atomic_load_explicit(&worker->cancel, memory_order_relaxed) >= worker->current;
}

static bool host_ends(void *ctx)
{
	const struct worker *worker = ctx;

	return atomic_load_explicit(&worker->cancel, memory_order_relaxed) == UINT64_MAX;
}

/* A change is told of before the token that it is for. */
static void host_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	struct worker *worker = ctx;
	struct worker_event *event;

	pthread_mutex_lock(&worker->lock);
	*out = worker->params;
	pthread_mutex_unlock(&worker->lock);
	if (!worker->has_told || sampler_params_equal(out, &worker->told) ||
	    !(event = make_event(worker, WORKER_PARAMS)))
		return;
	worker->told = *out;
	event->u.params.at = n;
	event->u.params.params = *out;
	worker_send_event(worker, event);
}

static void host_begin(void *ctx, const struct turn_begin *begin)
{
	struct worker *worker = ctx;
	struct worker_event *event = make_event(worker, WORKER_BEGIN);

	worker->told = begin->params;
	worker->has_told = event;
	if (!event)
		return;
	event->u.begin = *begin;
	worker_send_event(worker, event);
}

static bool progress_is_due(struct worker *worker, bool last)
{
	uint64_t now = sys_now_ms();

	if (!last && now - worker->last_progress_ms < PROGRESS_INTERVAL_MS)
		return false;
	worker->last_progress_ms = now;
	return true;
}

static void host_loading(void *ctx, float fraction)
{
	struct worker *worker = ctx;
	struct worker_event *event;

	if (!progress_is_due(worker, fraction >= 1) || !(event = make_event(worker, WORKER_LOAD)))
		return;
	event->u.load.fraction = fraction;
	worker_send_event(worker, event);
}

static void host_prefilling(void *ctx, uint32_t done, uint32_t total, uint32_t cached,
                            uint32_t n_dropped)
{
	struct worker *worker = ctx;
	struct worker_event *event;

	if (!progress_is_due(worker, done == total) || !(event = make_event(worker, WORKER_PREFILL)))
		return;
	event->u.prefill.done = done;
	event->u.prefill.total = total;
	event->u.prefill.cached = cached;
	event->u.prefill.n_dropped = n_dropped;
	worker_send_event(worker, event);
}

static void host_fitted(void *ctx, const bool *left_out, size_t n)
{
	struct worker *worker = ctx;
	struct worker_event *event = make_event(worker, WORKER_FITTED);

	if (!event)
		return;
	event->u.fitted.left_out = alloc_array(n, sizeof *left_out);
	if (!event->u.fitted.left_out) {
		worker_events_free(event);
		return;
	}
	if (n)
		memcpy(event->u.fitted.left_out, left_out, n * sizeof *left_out);
	event->u.fitted.n = n;
	worker_send_event(worker, event);
}

static void host_note(void *ctx, const char *text)
{
	struct worker *worker = ctx;
	struct worker_event *event = make_event(worker, WORKER_NOTE);

	if (!event)
		return;
	error_set(&event->error, STATUS_OK, "%s", text);
	worker_send_event(worker, event);
}

static void host_aside(void *ctx, const char *recipient, const char *text)
{
	struct worker *worker = ctx;
	struct worker_event *event = make_event(worker, WORKER_ASIDE);

	if (!event)
		return;
	snprintf(event->u.aside.recipient, sizeof event->u.aside.recipient, "%s", recipient);
	event->u.aside.text = alloc_strndup(text, strlen(text));
	if (event->u.aside.text)
		worker_send_event(worker, event);
	else
		worker_events_free(event);
}

static enum status host_token(void *ctx, const struct token *token, struct error *err)
{
	struct worker *worker = ctx;
	struct worker_event *event = make_event(worker, WORKER_TOKEN);
	struct token_candidate *candidates;

	if (!event)
		return error_no_memory(err, NULL);
	event->u.token = *token;
	event->u.token.bytes = alloc_strndup(token->bytes, token->len);
	candidates = alloc_array(token->n_candidates, sizeof *candidates);
	event->u.token.candidates = candidates;
	if (!event->u.token.bytes || !candidates) {
		worker_events_free(event);
		return error_no_memory(err, NULL);
	}
	if (token->n_candidates)
		memcpy(candidates, token->candidates, token->n_candidates * sizeof *candidates);
	worker_send_event(worker, event);
	return STATUS_OK;
}

static enum status do_load(struct worker *worker, const struct command *command,
                           const struct backend_host *host, struct worker_event *answer)
{
	struct backend_host firm = *host; /* loads the old model again even after a cancellation */
	enum status status;

	firm.cancelled = host_ends;
	status = loaded_replace(&worker->loaded, &command->engine, host, &firm, &answer->error);
	answer->kind = status ? WORKER_LOAD_FAILED : WORKER_MODEL;
	answer->u.model = worker->loaded.info;
	return status;
}

static enum status do_turn(struct worker *worker, const struct command *command,
                           const struct backend_host *host, struct worker_event *answer)
{
	struct backend_result result = {.reason = DONE_ERROR};
	enum status status;

	if (!worker->loaded.backend) {
		status = error_set(&answer->error, STATUS_NOTFOUND, "no model is loaded");
	} else if (host_cancelled(worker)) {
		result.reason = DONE_CANCELLED;
		status = STATUS_OK;
	} else {
		status = backend_run(worker->loaded.backend, command->turn, command->mode, host, &result,
		                     &answer->error);
	}
	answer->u.done.reason = status ? DONE_ERROR : result.reason;
	answer->u.done.stats = result.stats;
	return status;
}

static enum status do_inspect(struct worker *worker, const struct command *command,
                              struct worker_event *answer)
{
	enum status status;

	if (host_ends(worker))
		return error_set(&answer->error, STATUS_CANCELLED, "the program is ending");
	if (!worker->loaded.backend)
		return error_set(&answer->error, STATUS_NOTFOUND, "no model is loaded");
	status = backend_inspect(worker->loaded.backend, command->turn, &answer->u.inspect,
	                         &answer->error);
	if (!status)
		answer->u.inspect.n_messages = command->turn->n_messages;
	return status;
}

static struct command *next_command(struct worker *worker)
{
	struct command *command;

	pthread_mutex_lock(&worker->lock);
	while (!worker->commands)
		pthread_cond_wait(&worker->posted, &worker->lock);
	command = worker->commands;
	worker->commands = command->next;
	if (!worker->commands)
		worker->commands_end = &worker->commands;
	pthread_mutex_unlock(&worker->lock);
	return command;
}

void *worker_main(void *arg)
{
	struct worker *worker = arg;
	const struct backend_host host = {
		.ctx = worker,
		.decorate = worker->decorate,
		.cancelled = host_cancelled,
		.params = host_params,
		.begin = host_begin,
		.loading = host_loading,
		.prefilling = host_prefilling,
		.fitted = host_fitted,
		.note = host_note,
		.aside = host_aside,
		.token = host_token,
	};
	bool quit = false;

	for (;;) {
		struct command *command = next_command(worker);
		struct worker_event *answer = command->answer;
		enum status status = STATUS_OK;

		command->answer = NULL;
		worker->current = command->id;
		worker->last_progress_ms = 0;
		worker->has_told = false;
		switch (command->kind) {
		case COMMAND_LOAD:
			status = do_load(worker, command, &host, answer);
			break;
		case COMMAND_TURN:
			status = do_turn(worker, command, &host, answer);
			break;
		case COMMAND_INSPECT:
			status = do_inspect(worker, command, answer);
			break;
		case COMMAND_CATALOG: /* never queued: searches have their own thread */
		case COMMAND_QUIT:
			quit = true;
			break;
		}
		if (quit)
			break;
		answer->error.status = status; /* an error on the way may have been recovered from */
		worker_send_event(worker, answer);
		worker_command_free(command);
	}
	loaded_close(&worker->loaded);
	return NULL;
}
