/* The UI's thread and the worker's share: the queues of commands and events and the sampling
 * parameters (behind one mutex), the wake fd, and the cancel id.
 *
 * Every load and turn has a number from one rising counter; everything up to
 * the cancel id is cancelled. So a cancellation can neither be lost nor hit
 * what is posted after it, and cancelling a reply also stops the warming up
 * that it has to wait for. */
#include "engine/worker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sys.h"
#include "base/thread.h"
#include "base/wake.h"
#include "engine/backend.h"
#include "engine/loaded.h"
#include "models/searcher.h"

/* Progress is reported at most this often; the last step always. */
enum { PROGRESS_INTERVAL_MS = 15 };

enum command_kind { COMMAND_LOAD, COMMAND_TURN, COMMAND_INSPECT, COMMAND_CATALOG, COMMAND_QUIT };

struct command {
	struct command *next;
	enum command_kind kind;
	uint64_t id; /* 0 for commands that cannot be cancelled */
	enum backend_mode mode;
	struct engine_params engine; /* LOAD, CATALOG; owns its strings */
	struct turn *turn;    /* TURN, INSPECT; owned */
	/* The answer, made when the command is accepted so that it can always be given. */
	struct worker_event *answer;
};

struct worker {
	pthread_t thread;
	struct wake wake; /* readable: events wait */

	pthread_mutex_t lock;
	pthread_cond_t posted;
	struct command *commands, **commands_end; /* locked */
	struct worker_event *events, **events_end; /* locked */
	struct sampler_params params;              /* locked: of the next token */

	_Atomic uint64_t cancel; /* written by the UI's thread */
	struct command quit;     /* needs no memory when it is posted */
	backend_decorator *decorate; /* const from the start */

	/* The UI's thread only: what was posted and not yet answered by an event
	 * that was taken; 0 = nothing. */
	uint64_t last_id;
	uint64_t load_id, reply_id, warm_id;

	/* The UI's thread only: a search for models, and what asked for it (NULL: none is under way). */
	struct searcher searcher;
	struct command *search;

	/* The worker's own thread only. */
	struct loaded loaded;
	uint64_t current;
	uint64_t last_progress_ms;
};

static void event_free(struct worker_event *event)
{
	if (event->kind == WORKER_TOKEN) {
		free((char *)event->u.token.bytes);
		free((struct token_candidate *)event->u.token.candidates);
	} else if (event->kind == WORKER_ASIDE) {
		free(event->u.aside.text);
	} else if (event->kind == WORKER_INSPECT) {
		free(event->u.inspect.message_tokens);
		free(event->u.inspect.tokens);
		free(event->u.inspect.text);
	} else if (event->kind == WORKER_CATALOG) {
		catalog_free(event->u.catalog);
	}
	free(event);
}

void worker_events_free(struct worker_event *events)
{
	while (events) {
		struct worker_event *next = events->next;

		event_free(events);
		events = next;
	}
}

static void command_free(struct command *command)
{
	if (!command)
		return;
	engine_params_free(&command->engine);
	free(command->turn);
	if (command->answer)
		event_free(command->answer);
	free(command);
}

/* ---- the worker's thread ---- */

static void send_event(struct worker *worker, struct worker_event *event)
{
	bool first;

	pthread_mutex_lock(&worker->lock);
	first = !worker->events;
	*worker->events_end = event;
	worker->events_end = &event->next;
	pthread_mutex_unlock(&worker->lock);
	/* Whoever took the events before this one has drained the wake fd first. */
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

static void host_params(void *ctx, struct sampler_params *out)
{
	struct worker *worker = ctx;

	pthread_mutex_lock(&worker->lock);
	*out = worker->params;
	pthread_mutex_unlock(&worker->lock);
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
	send_event(worker, event);
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
	send_event(worker, event);
}

static void host_note(void *ctx, const char *text)
{
	struct worker *worker = ctx;
	struct worker_event *event = make_event(worker, WORKER_NOTE);

	if (!event)
		return;
	error_set(&event->error, STATUS_OK, "%s", text);
	send_event(worker, event);
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
		send_event(worker, event);
	else
		event_free(event);
}

static enum status host_token(void *ctx, const struct token *token, struct error *err)
{
	struct worker *worker = ctx;
	struct worker_event *event = make_event(worker, WORKER_TOKEN);
	struct token_candidate *candidates;

	if (!event)
		return error_set(err, STATUS_NOMEM, "not enough memory");
	event->u.token = *token;
	event->u.token.bytes = alloc_strndup(token->bytes, token->len);
	candidates = alloc_array(token->n_candidates, sizeof *candidates);
	event->u.token.candidates = candidates;
	if (!event->u.token.bytes || !candidates) {
		event_free(event);
		return error_set(err, STATUS_NOMEM, "not enough memory");
	}
	if (token->n_candidates)
		memcpy(candidates, token->candidates, token->n_candidates * sizeof *candidates);
	send_event(worker, event);
	return STATUS_OK;
}

static enum status do_load(struct worker *worker, const struct command *command,
                           const struct backend_host *host, struct worker_event *answer)
{
	struct backend_host firm = *host; /* brings the old model back, cancelled or not */
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
		return error_set(&answer->error, STATUS_CANCELLED, "the program ends");
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

static void *worker_main(void *arg)
{
	struct worker *worker = arg;
	const struct backend_host host = {
		.ctx = worker,
		.decorate = worker->decorate,
		.cancelled = host_cancelled,
		.params = host_params,
		.loading = host_loading,
		.prefilling = host_prefilling,
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
		case COMMAND_CATALOG: /* has its own thread */
		case COMMAND_QUIT:
			quit = true;
			break;
		}
		if (quit)
			break;
		answer->error.status = status; /* not what was got over on the way */
		send_event(worker, answer);
		command_free(command);
	}
	loaded_close(&worker->loaded);
	return NULL;
}

/* ---- the search's thread ---- */

static void take_catalog(void *ctx, struct catalog *catalog, const struct error *err)
{
	struct worker *worker = ctx;
	struct worker_event *answer = worker->search->answer;

	worker->search->answer = NULL;
	answer->u.catalog = catalog;
	answer->error = *err;
	send_event(worker, answer);
}

/* ---- the UI's thread ---- */

enum status worker_create(struct worker **out, backend_decorator *decorate, struct error *err)
{
	struct worker *worker = alloc_array(1, sizeof *worker);
	enum status status;
	int rc;

	*out = NULL;
	if (!worker)
		return error_set(err, STATUS_NOMEM, "not enough memory");
	status = wake_init(&worker->wake, err);
	if (status) {
		free(worker);
		return status;
	}
	worker->commands_end = &worker->commands;
	worker->events_end = &worker->events;
	worker->params = sampler_params_default();
	worker->quit.kind = COMMAND_QUIT;
	worker->decorate = decorate;
	atomic_init(&worker->cancel, 0);
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

static void post(struct worker *worker, struct command *command)
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

/* The search has answered, or is to stop: its thread is about to end. */
static void end_search(struct worker *worker)
{
	if (!worker->search)
		return;
	searcher_end(&worker->searcher);
	command_free(worker->search);
	worker->search = NULL;
}

void worker_destroy(struct worker *worker)
{
	if (!worker)
		return;
	searcher_stop(&worker->searcher);
	cancel_up_to(worker, UINT64_MAX);
	post(worker, &worker->quit);
	end_search(worker);
	pthread_join(worker->thread, NULL);
	worker_events_free(worker->events);
	pthread_cond_destroy(&worker->posted);
	pthread_mutex_destroy(&worker->lock);
	wake_deinit(&worker->wake);
	free(worker);
}

int worker_fd(const struct worker *worker)
{
	return worker->wake.read_fd;
}

struct worker_event *worker_take_events(struct worker *worker)
{
	struct worker_event *events;

	wake_drain(&worker->wake);
	pthread_mutex_lock(&worker->lock);
	events = worker->events;
	worker->events = NULL;
	worker->events_end = &worker->events;
	pthread_mutex_unlock(&worker->lock);
	for (const struct worker_event *event = events; event; event = event->next) {
		if (event->kind == WORKER_MODEL || event->kind == WORKER_LOAD_FAILED)
			worker->load_id = 0;
		else if (event->kind == WORKER_CATALOG)
			end_search(worker);
		else if (event->kind == WORKER_DONE && event->turn == worker->reply_id)
			worker->reply_id = 0;
		else if (event->kind == WORKER_DONE && event->turn == worker->warm_id)
			worker->warm_id = 0;
	}
	return events;
}

bool worker_is_busy(const struct worker *worker)
{
	return worker->reply_id || worker->load_id;
}

static enum status check_idle(const struct worker *worker, struct error *err)
{
	if (worker->reply_id)
		return error_set(err, STATUS_BUSY, "a reply is under way");
	if (worker->load_id)
		return error_set(err, STATUS_BUSY, "a model is being loaded");
	return STATUS_OK;
}

/* A command with room for its answer. */
static struct command *make_command(enum command_kind kind, enum worker_event_kind answer,
                                    struct error *err)
{
	struct command *command = alloc_array(1, sizeof *command);

	if (command) {
		command->kind = kind;
		command->answer = alloc_array(1, sizeof *command->answer);
		if (command->answer) {
			command->answer->kind = answer;
			return command;
		}
	}
	free(command);
	error_set(err, STATUS_NOMEM, "not enough memory");
	return NULL;
}

static struct command *make_engine_command(enum command_kind kind, enum worker_event_kind answer,
                                           const struct engine_params *params, struct error *err)
{
	struct command *command = make_command(kind, answer, err);

	if (!command)
		return NULL;
	if (engine_params_copy(&command->engine, params, err) == STATUS_OK)
		return command;
	command_free(command);
	return NULL;
}

enum status worker_post_load(struct worker *worker, const struct engine_params *params,
                             struct error *err)
{
	enum status status = check_idle(worker, err);
	struct command *command;

	if (status)
		return status;
	command = make_engine_command(COMMAND_LOAD, WORKER_MODEL, params, err);
	if (!command)
		return STATUS_NOMEM;
	cancel_up_to(worker, worker->warm_id);
	command->id = worker->load_id = ++worker->last_id;
	post(worker, command);
	return STATUS_OK;
}

static enum status post_turn(struct worker *worker, const struct turn *turn,
                             enum backend_mode mode, uint64_t *turn_id, struct error *err)
{
	enum status status = check_idle(worker, err);
	struct command *command;

	if (status)
		return status;
	command = make_command(COMMAND_TURN, WORKER_DONE, err);
	if (!command)
		return STATUS_NOMEM;
	status = turn_copy(&command->turn, turn, err);
	if (status) {
		command_free(command);
		return status;
	}
	cancel_up_to(worker, worker->warm_id);
	command->mode = mode;
	command->id = command->answer->turn = ++worker->last_id;
	*(mode == BACKEND_REPLY ? &worker->reply_id : &worker->warm_id) = command->id;
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

void worker_post_params(struct worker *worker, const struct sampler_params *params)
{
	pthread_mutex_lock(&worker->lock);
	worker->params = *params;
	pthread_mutex_unlock(&worker->lock);
}

enum status worker_post_inspect(struct worker *worker, const struct turn *turn,
                                enum inspect_purpose purpose, struct error *err)
{
	struct command *command = make_command(COMMAND_INSPECT, WORKER_INSPECT, err);
	enum status status;

	if (!command)
		return STATUS_NOMEM;
	command->answer->u.inspect.purpose = purpose;
	command->answer->u.inspect.message_tokens = alloc_array(turn->n_messages, sizeof(uint32_t));
	status = turn_copy(&command->turn, turn, err);
	if (!status && !command->answer->u.inspect.message_tokens)
		status = error_set(err, STATUS_NOMEM, "not enough memory");
	if (status) {
		command_free(command);
		return status;
	}
	post(worker, command);
	return STATUS_OK;
}

enum status worker_post_catalog(struct worker *worker, const struct engine_params *params,
                                struct error *err)
{
	bool is_idle = !worker_is_busy(worker) && !worker->warm_id;
	enum status status;

	if (worker->search)
		return error_set(err, STATUS_BUSY, "models are being looked for");
	worker->search = make_engine_command(COMMAND_CATALOG, WORKER_CATALOG, params, err);
	if (!worker->search)
		return STATUS_NOMEM;
	status = searcher_start(&worker->searcher, &worker->search->engine, is_idle, take_catalog,
	                        worker, err);
	if (status) {
		command_free(worker->search);
		worker->search = NULL;
	}
	return status;
}

void worker_cancel(struct worker *worker, uint64_t turn_id)
{
	if (turn_id == 0)
		turn_id = worker->load_id;
	if (turn_id <= worker->last_id)
		cancel_up_to(worker, turn_id);
}
