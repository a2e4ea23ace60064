/* The worker's own thread: takes commands from the queue, runs them, and answers with events. */
#include "base/sys.h"
#include "engine/worker_internal.h"

/* Progress is reported at most this often, except for the last step. */
enum { PROGRESS_INTERVAL_MS = 15 };

/* Appends an event to the queue, which then owns it. */
static void send_event(struct worker *worker, struct event *event)
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

/* Sends a copy; false without memory. */
static bool tell(struct worker *worker, const struct event *event)
{
	struct event *copy = event_copy(event);

	if (!copy)
		return false;
	copy->turn = worker->running == COMMAND_TURN ? worker->current : 0;
	send_event(worker, copy);
	return true;
}

static bool host_cancelled(void *ctx)
{
	struct worker *worker = ctx;

	return atomic_load_explicit(&worker->cancel, memory_order_relaxed) >= worker->current;
}

static bool host_wants_answer(void *ctx)
{
	struct worker *worker = ctx;

	return worker->running == COMMAND_TURN &&
	       atomic_load_explicit(&worker->answer_now, memory_order_relaxed) == worker->current;
}

static bool host_ends(void *ctx)
{
	const struct worker *worker = ctx;

	return atomic_load_explicit(&worker->cancel, memory_order_relaxed) == UINT64_MAX;
}

/* Counting tokens, which may mean asking a server, gives way to whatever else is posted. */
static bool host_gives_way(void *ctx)
{
	struct worker *worker = ctx;
	bool waits = false;

	if (host_ends(worker))
		return true;
	pthread_mutex_lock(&worker->lock);
	for (const struct worker_command *command = worker->commands; command && !waits; command = command->next)
		waits = command->kind != COMMAND_INSPECT;
	pthread_mutex_unlock(&worker->lock);
	return waits;
}

/* A change is told of before the token that it is for. */
static void host_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	struct worker *worker = ctx;

	pthread_mutex_lock(&worker->lock);
	*out = worker->params;
	pthread_mutex_unlock(&worker->lock);
	if (worker->has_told && !sampler_params_equal(out, &worker->told) &&
	    tell(worker, &(struct event){.kind = EVENT_PARAMS, .u.params = {n, *out}}))
		worker->told = *out;
}

static bool progress_is_due(struct worker *worker, bool last)
{
	uint64_t now = sys_now_ms();

	if (!last && now - worker->last_progress_ms < PROGRESS_INTERVAL_MS)
		return false;
	worker->last_progress_ms = now;
	return true;
}

/* What is known of the model in memory, whose generation is the worker's to count. What a backend learns while
 * it is being opened is in the answer to that; the model in memory is still the old one. */
static enum status learn(struct worker *worker, const struct event *event, struct error *err)
{
	uint64_t generation = worker->loaded.info.generation;

	if (worker->running == COMMAND_LOAD)
		return STATUS_OK;
	worker->loaded.info = *event->u.model;
	worker->loaded.info.generation = generation;
	return tell(worker, &(struct event){.kind = EVENT_LEARNT, .u.model = &worker->loaded.info})
	               ? STATUS_OK : error_no_memory(err, NULL);
}

static enum status host_event(void *ctx, const struct event *event, struct error *err)
{
	struct worker *worker = ctx;
	bool is_told;

	if ((event->kind == EVENT_LOADING && !progress_is_due(worker, event->u.loading >= 1)) ||
	    (event->kind == EVENT_PREFILLING &&
	     !progress_is_due(worker, event->u.prefilling.done == event->u.prefilling.total)))
		return STATUS_OK;
	if (event->kind == EVENT_LEARNT)
		return learn(worker, event, err);
	is_told = tell(worker, event);
	if (event->kind == EVENT_BEGIN) {
		worker->told = event->u.begin.params;
		worker->has_told = is_told;
	}
	return is_told ? STATUS_OK : error_no_memory(err, NULL);
}

static enum status do_load(struct worker *worker, const struct worker_command *command,
                           const struct backend_host *host, struct answer *answer)
{
	struct backend_host firm = *host; /* loads the old model again even after a cancellation */
	enum status status;

	firm.cancelled = host_ends;
	status = loaded_replace(&worker->loaded, &command->engine, host, &firm, &answer->error);
	answer->event.kind = status ? EVENT_LOAD_FAILED : EVENT_MODEL;
	answer->model = worker->loaded.info;
	answer->event.u.model = &answer->model;
	return status;
}

static enum status do_turn(struct worker *worker, const struct worker_command *command,
                           const struct backend_host *host, struct answer *answer)
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
	answer->event.u.done.reason = status ? DONE_ERROR : result.reason;
	answer->event.u.done.stats = result.stats;
	answer->difference = result.difference;
	answer->event.u.done.difference = &answer->difference;
	return status;
}

static enum status do_inspect(struct worker *worker, const struct worker_command *command,
                              const struct backend_host *host, struct answer *answer)
{
	struct backend_host yielding = *host;
	enum status status;

	if (host_ends(worker))
		return error_set(&answer->error, STATUS_CANCELLED, "the program is ending");
	if (!worker->loaded.backend)
		return error_set(&answer->error, STATUS_NOTFOUND, "no model is loaded");
	yielding.cancelled = host_gives_way;
	answer->event.u.inspected.difference = &answer->difference;
	status = backend_inspect(worker->loaded.backend, command->turn, &yielding,
	                         &answer->event.u.inspected, &answer->error);
	if (!status)
		answer->event.u.inspected.n_messages = command->turn->n_messages;
	return status;
}

/* NULL: the worker ends. */
static struct worker_command *next_command(struct worker *worker)
{
	struct worker_command *command;

	pthread_mutex_lock(&worker->lock);
	while (!worker->commands && !host_ends(worker))
		pthread_cond_wait(&worker->posted, &worker->lock);
	command = worker->commands;
	if (command)
		worker->commands = command->next;
	if (!worker->commands)
		worker->commands_end = &worker->commands;
	pthread_mutex_unlock(&worker->lock);
	return command;
}

void *worker_main(void *arg)
{
	struct worker *worker = arg;
	struct backend_host host = {
		.ctx = worker,
		.decorate = worker->decorate,
		.others = worker->others,
		.cancelled = host_cancelled,
		.params = host_params,
		.event = host_event,
		.wants_answer = host_wants_answer,
	};

	for (struct worker_command *command; (command = next_command(worker)) != NULL;) {
		struct answer *answer = command->answer;
		enum status status = STATUS_OK;

		host.log = worker->log;
		command->answer = NULL;
		worker->current = command->id;
		worker->running = command->kind;
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
			status = do_inspect(worker, command, &host, answer);
			break;
		}
		answer->error.status = status; /* an error on the way may have been recovered from */
		send_event(worker, &answer->event);
		worker_command_free(command);
	}
	loaded_close(&worker->loaded);
	return NULL;
}
