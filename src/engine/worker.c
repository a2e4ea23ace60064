/* The UI's side of the worker: it posts commands and takes events. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "engine/worker_internal.h"

static void event_free(struct event *event)
{
	if (event->kind == EVENT_INSPECTED) {
		free(event->u.inspected.messages);
		free(event->u.inspected.tokens);
		free(event->u.inspected.text);
		free(event->u.inspected.request);
	}
	free(event);
}

void worker_events_free(struct event *events)
{
	while (events) {
		struct event *next = events->next;

		event_free(events);
		events = next;
	}
}

void worker_command_free(struct worker_command *command)
{
	if (!command)
		return;
	engine_params_free(&command->engine);
	free(command->turn);
	if (command->answer)
		event_free(&command->answer->event);
	free(command);
}

enum status worker_create(struct worker **out, backend_decorator *decorate,
                          const struct backend_ops *const *others, struct error *err)
{
	struct worker *worker = alloc_array(1, sizeof *worker);
	enum status status;
	int rc;

	*out = NULL;
	if (!worker)
		return error_no_memory(err, NULL);
	status = wake_init(&worker->wake, err);
	if (status) {
		free(worker);
		return status;
	}
	worker->commands_end = &worker->commands;
	worker->events_end = &worker->events;
	worker->params = sampler_params_default();
	worker->decorate = decorate;
	worker->others = others;
	atomic_init(&worker->cancel, 0);
	atomic_init(&worker->answer_now, 0);
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->posted, NULL);
	rc = thread_start(&worker->thread, worker_main, worker);
	if (rc) {
		pthread_cond_destroy(&worker->posted);
		pthread_mutex_destroy(&worker->lock);
		wake_deinit(&worker->wake);
		free(worker);
		return error_errno(err, rc, "cannot start a thread");
	}
	*out = worker;
	return STATUS_OK;
}

static void post(struct worker *worker, struct worker_command *command)
{
	pthread_mutex_lock(&worker->lock);
	if (command->kind == COMMAND_TURN && command->mode == BACKEND_REPLY)
		worker->params = command->turn->sampler;
	*worker->commands_end = command;
	worker->commands_end = &command->next;
	pthread_cond_signal(&worker->posted);
	pthread_mutex_unlock(&worker->lock);
}

static void cancel_up_to(struct worker *worker, uint64_t id)
{
	if (id > atomic_load_explicit(&worker->cancel, memory_order_relaxed))
		atomic_store_explicit(&worker->cancel, id, memory_order_relaxed);
}

void worker_destroy(struct worker *worker)
{
	if (!worker)
		return;
	pthread_mutex_lock(&worker->lock);
	cancel_up_to(worker, UINT64_MAX);
	pthread_cond_signal(&worker->posted);
	pthread_mutex_unlock(&worker->lock);
	pthread_join(worker->thread, NULL);
	worker_events_free(worker->events);
	pthread_cond_destroy(&worker->posted);
	pthread_mutex_destroy(&worker->lock);
	wake_deinit(&worker->wake);
	free(worker);
}

void worker_log_to(struct worker *worker, struct log *log)
{
	worker->log = log;
}

int worker_fd(const struct worker *worker)
{
	return worker->wake.read_fd;
}

struct event *worker_take_events(struct worker *worker)
{
	struct event *events;

	wake_drain(&worker->wake);
	pthread_mutex_lock(&worker->lock);
	events = worker->events;
	worker->events = NULL;
	worker->events_end = &worker->events;
	pthread_mutex_unlock(&worker->lock);
	for (const struct event *event = events; event; event = event->next) {
		if (event->kind == EVENT_MODEL || event->kind == EVENT_LOAD_FAILED)
			worker->load_id = 0;
		else if (event->kind == EVENT_DONE && event->turn == worker->reply_id)
			worker->reply_id = 0;
		else if (event->kind == EVENT_DONE && event->turn == worker->warm_id)
			worker->warm_id = 0;
	}
	return events;
}

bool worker_is_busy(const struct worker *worker)
{
	return worker->reply_id || worker->load_id || worker->warm_id;
}

/* A command and the event that will answer it; NULL after an error. Only what counts tokens may be
 * posted while something else is under way. */
static enum status make_command(struct worker_command **out, const struct worker *worker,
                                enum command_kind kind, enum event_kind answer, struct error *err)
{
	struct worker_command *command;

	*out = NULL;
	if (kind != COMMAND_INSPECT && worker->reply_id)
		return error_set(err, STATUS_BUSY, "a reply is under way");
	if (kind != COMMAND_INSPECT && worker->load_id)
		return error_set(err, STATUS_BUSY, "a model is being loaded");
	command = alloc_array(1, sizeof *command);
	if (!command || !(command->answer = alloc_array(1, sizeof *command->answer))) {
		free(command);
		return error_no_memory(err, NULL);
	}
	command->kind = kind;
	command->answer->event.kind = answer;
	command->answer->event.error = &command->answer->error;
	*out = command;
	return STATUS_OK;
}

enum status worker_post_load(struct worker *worker, const struct engine_params *params,
                             struct error *err)
{
	struct worker_command *command;
	enum status status = make_command(&command, worker, COMMAND_LOAD, EVENT_MODEL, err);

	if (!status)
		status = engine_params_copy(&command->engine, params, err);
	if (status) {
		worker_command_free(command);
		return status;
	}
	cancel_up_to(worker, worker->warm_id);
	command->id = worker->load_id = ++worker->last_id;
	post(worker, command);
	return STATUS_OK;
}

static enum status post_turn(struct worker *worker, const struct turn *turn,
                             enum backend_mode mode, uint64_t *turn_id, struct error *err)
{
	struct worker_command *command;
	enum status status = make_command(&command, worker, COMMAND_TURN, EVENT_DONE, err);

	if (!status)
		status = turn_copy(&command->turn, turn, err);
	if (status) {
		worker_command_free(command);
		return status;
	}
	cancel_up_to(worker, worker->warm_id);
	command->mode = mode;
	command->id = command->answer->event.turn = ++worker->last_id;
	*(mode == BACKEND_WARM ? &worker->warm_id : &worker->reply_id) = command->id;
	if (turn_id)
		*turn_id = command->id;
	post(worker, command);
	return STATUS_OK;
}

enum status worker_post_generate(struct worker *worker, const struct turn *turn,
                                 uint64_t *turn_id, struct error *err)
{
	return post_turn(worker, turn, BACKEND_REPLY, turn_id, err);
}

enum status worker_post_prefill(struct worker *worker, const struct turn *turn,
                                uint64_t *turn_id, struct error *err)
{
	return post_turn(worker, turn, BACKEND_WARM, turn_id, err);
}

enum status worker_post_examine(struct worker *worker, const struct turn *turn,
                                uint64_t *turn_id, struct error *err)
{
	return post_turn(worker, turn, BACKEND_EXAMINE, turn_id, err);
}

enum status worker_post_score(struct worker *worker, const struct turn *turn,
                              uint64_t *turn_id, struct error *err)
{
	return post_turn(worker, turn, BACKEND_SCORE, turn_id, err);
}

void worker_answer_now(struct worker *worker, uint64_t turn_id)
{
	atomic_store_explicit(&worker->answer_now, turn_id, memory_order_relaxed);
}

void worker_post_params(struct worker *worker, const struct sampler_params *params)
{
	pthread_mutex_lock(&worker->lock);
	worker->params = *params;
	pthread_mutex_unlock(&worker->lock);
}

enum status worker_post_inspect(struct worker *worker, const struct turn *turn,
                                enum inspect_purpose purpose, struct error *err)
{
	struct worker_command *command;
	struct inspection *inspect;
	enum status status = make_command(&command, worker, COMMAND_INSPECT, EVENT_INSPECTED, err);

	if (!status) {
		inspect = &command->answer->event.u.inspected;
		inspect->purpose = purpose;
		inspect->messages = alloc_array(turn->n_messages, sizeof *inspect->messages);
		status = inspect->messages ? turn_copy(&command->turn, turn, err) : error_no_memory(err, NULL);
	}
	if (status)
		worker_command_free(command);
	else
		post(worker, command);
	return status;
}

void worker_cancel(struct worker *worker, uint64_t turn_id)
{
	if (turn_id == 0)
		turn_id = worker->load_id;
	if (turn_id <= worker->last_id)
		cancel_up_to(worker, turn_id);
}
