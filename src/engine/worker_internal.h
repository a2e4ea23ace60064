/* The worker's two sides, worker.c for the UI's thread and worker_thread.c for its own. They share
 * the queues of commands and events and the sampling parameters (behind one mutex), the wake fd,
 * and the cancel id.
 *
 * Every load and turn gets its id from one rising counter, and everything up to the cancel id is
 * cancelled. So a cancellation is never lost, never affects what is posted after it, and also
 * stops a prefill that the cancelled reply was waiting for. */
#ifndef SOTTO_ENGINE_WORKER_INTERNAL_H
#define SOTTO_ENGINE_WORKER_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/wake.h"
#include "engine/loaded.h"
#include "engine/worker.h"

enum command_kind { COMMAND_LOAD, COMMAND_TURN, COMMAND_INSPECT };

/* The event that answers a command, and what it points to: allocated with the command, so that it can
 * always be given. */
struct answer {
	struct event event; /* free(&answer->event) frees the answer */
	struct error error;
	struct model_info model;
	struct cache_difference difference;
};

struct worker_command {
	struct worker_command *next;
	enum command_kind kind;
	uint64_t id; /* 0 if it cannot be cancelled */
	enum backend_mode mode;
	struct engine_params engine; /* LOAD; owns its strings */
	struct turn *turn;    /* TURN, INSPECT; owned */
	struct answer *answer; /* owned until it is given */
};

struct worker {
	pthread_t thread;
	struct wake wake; /* readable while there are events */

	pthread_mutex_t lock;
	pthread_cond_t posted;
	struct worker_command *commands, **commands_end; /* locked */
	struct event *events, **events_end; /* locked */
	struct sampler_params params;              /* locked: for the next token */

	_Atomic uint64_t cancel; /* written by the UI's thread; UINT64_MAX: the worker ends */
	_Atomic uint64_t answer_now; /* the turn that is to end its reasoning; written by the UI's thread */
	backend_decorator *decorate; /* never changes, ... */
	const struct backend_ops *const *others; /* ... nor does this; as in backend_host */
	struct log *log; /* never changes after the first command */

	/* The UI's thread only: ids of commands whose answer has not been taken yet; 0 = none. */
	uint64_t last_id;
	uint64_t load_id, reply_id, warm_id;

	/* The worker's own thread only. */
	struct loaded loaded;
	uint64_t current;          /* the id of the command that runs */
	enum command_kind running; /* its kind */
	uint64_t last_progress_ms;
	struct sampler_params told; /* parameters that the turn has been told to use */
	bool has_told;
};

void worker_command_free(struct worker_command *command); /* NULL is fine */

/* The worker's thread: runs commands until it ends. `arg` is the worker. */
void *worker_main(void *arg);

#endif
