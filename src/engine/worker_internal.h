/* The UI's thread and the worker's share: the queues of commands and events and the sampling
 * parameters (behind one mutex), the wake fd, and the cancel id.
 *
 * Every load and turn has a number from one rising counter; everything up to
 * the cancel id is cancelled. So a cancellation can neither be lost nor hit
 * what is posted after it, and cancelling a reply also stops the warming up
 * that it has to wait for.
 *
 * Only worker.c and worker_thread.c include this. */
#ifndef SOTTO_ENGINE_WORKER_INTERNAL_H
#define SOTTO_ENGINE_WORKER_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/wake.h"
#include "engine/loaded.h"
#include "engine/worker.h"
#include "models/searcher.h"

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

void worker_command_free(struct command *command); /* NULL is fine */

/* On any thread: the event becomes the queue's. */
void worker_send_event(struct worker *worker, struct worker_event *event);

/* The worker's thread: runs the commands up to `quit`. `arg`: the worker. */
void *worker_main(void *arg);

#endif
