/* The worker: a thread that owns a model, a session and a sampler, and turns
 * conversations into streams of tokens. This is all the UI knows of the engine.
 *
 * Commands are posted, never waited for; answers come as events. Nothing else
 * is shared between the threads: two queues behind one mutex, one wake fd and
 * one atomic cancel id. The same interface will carry a remote server.
 *
 * Ownership: worker_post_* copies what it is given; worker_take_events
 * detaches the list, which the caller frees.
 *
 * Every accepted GENERATE (and PREFILL) is answered by exactly one
 * WORKER_DONE with its turn id, whatever happens; every accepted LOAD by
 * exactly one WORKER_MODEL or WORKER_LOAD_FAILED; every accepted CATALOG by
 * exactly one WORKER_CATALOG.
 * Busy is an answer (STATUS_BUSY), not a wait: GENERATE and LOAD while a turn
 * runs are refused (the UI cancels first, or queues).
 *
 * Threads: create, post, take and destroy belong to one thread (the UI's).
 * Its own thread blocks all signals. */
#ifndef SOTTO_ENGINE_WORKER_H
#define SOTTO_ENGINE_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/backend.h"
#include "engine/params.h"
#include "engine/turn.h"
#include "models/catalog.h"
#include "sampler/params.h"

struct worker;

enum worker_event_kind {
	WORKER_LOAD,        /* progress of loading */
	WORKER_MODEL,       /* a model is ready */
	WORKER_LOAD_FAILED, /* `error` says why; the old model stays, see `model` */
	WORKER_PREFILL,     /* progress of evaluating the prompt */
	WORKER_TOKEN,
	WORKER_NOTE,        /* `error.text` is something about this turn that the user should see:
	                     * how a conversation was changed to suit the template */
	WORKER_ASIDE,       /* what the model said beside its answer */
	WORKER_INSPECT,
	WORKER_CATALOG,     /* the model files of this machine */
	WORKER_DONE,        /* the turn has ended */
};

struct worker_event {
	struct worker_event *next;
	enum worker_event_kind kind;
	uint64_t turn; /* as worker_post_generate gave it; 0 for loading */
	union {
		struct {
			float fraction; /* 0..1 */
		} load;
		struct model_info model; /* in memory now; LOAD_FAILED: n_ctx 0 = none */
		struct {
			uint32_t done, total, cached, n_dropped;
		} prefill;
		struct token token; /* owns its bytes and candidates */
		struct {
			char *text; /* not sanitised; owned. Its tokens were reasoning. */
			char recipient[64]; /* the tool that it is for; "": none */
		} aside;
		struct backend_inspection inspect; /* owns all that it points to */
		struct catalog *catalog; /* owned by the event; NULL: `error` says why */
		struct {
			enum done_reason reason;
			struct turn_stats stats;
		} done;
	} u;
	struct error error; /* LOAD_FAILED, DONE with DONE_ERROR, a failed INSPECT (no messages then)
	                     * or CATALOG */
};

/* Starts the thread; no model is loaded. `decorate`: as backend_host.decorate, in that thread. */
enum status worker_create(struct worker **out, backend_decorator *decorate,
                          struct error *err) MUST_CHECK;
/* Cancels what runs, joins the thread, frees undelivered events. */
void worker_destroy(struct worker *worker);

/* Readable when events wait. */
int worker_fd(const struct worker *worker);
/* Detaches all waiting events, oldest first; NULL when there are none. */
struct worker_event *worker_take_events(struct worker *worker);
void worker_events_free(struct worker_event *events);

/* Loads params->model ("synthetic:..." is the test backend, see
 * engine/synthetic.h). */
enum status worker_post_load(struct worker *worker, const struct engine_params *params,
                             struct error *err) MUST_CHECK;
enum status worker_post_generate(struct worker *worker, const struct turn *turn,
                                 uint64_t *turn_id, struct error *err) MUST_CHECK;
/* Warms the cache with a conversation; a GENERATE pre-empts it. */
enum status worker_post_prefill(struct worker *worker, const struct turn *turn,
                                uint64_t *turn_id, struct error *err) MUST_CHECK;
/* Acts on the next token, also in mid-reply. Never busy. */
void worker_post_params(struct worker *worker, const struct sampler_params *params);
/* Counts tokens of a conversation; answered by WORKER_INSPECT, between turns
 * or at once. `purpose` comes back with it. */
enum status worker_post_inspect(struct worker *worker, const struct turn *turn,
                                enum inspect_purpose purpose, struct error *err) MUST_CHECK;
/* Looks for model files, in a thread of its own: also while a reply runs, and
 * however slow a disk is. STATUS_BUSY while one is under way. */
enum status worker_post_catalog(struct worker *worker, const struct engine_params *params,
                                struct error *err) MUST_CHECK;
/* Ends the turn (or the loading, turn 0) within some milliseconds; the whole
 * micro-batches of a prompt that were finished stay in the cache.
 * A turn that has ended already, or was never given out, is left alone. */
void worker_cancel(struct worker *worker, uint64_t turn_id);
bool worker_is_busy(const struct worker *worker); /* as far as posted and taken */

#endif
