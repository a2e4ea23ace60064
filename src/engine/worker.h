/* The worker: a thread that owns a model, a session and a sampler, and turns
 * conversations into streams of tokens. This is all the UI knows about the engine.
 *
 * The UI posts commands and never waits for them; answers come as events. The
 * threads share nothing but two queues and the sampling parameters behind one
 * mutex, a wake fd and an atomic cancel id. A remote server will have the same
 * interface.
 *
 * Ownership: worker_post_* copies what it is given; worker_take_events detaches
 * the list of events, which the caller frees.
 *
 * Each accepted command is answered by exactly one event, whatever happens:
 * GENERATE and PREFILL by WORKER_DONE with the turn's id, LOAD by WORKER_MODEL or
 * WORKER_LOAD_FAILED, INSPECT by WORKER_INSPECT, CATALOG by WORKER_CATALOG. While a
 * turn runs, GENERATE and LOAD are refused with STATUS_BUSY (the UI cancels the
 * turn first, or queues).
 *
 * Threads: one thread (the UI's) makes all calls. The worker's own thread blocks
 * all signals. */
#ifndef SOTTO_ENGINE_WORKER_H
#define SOTTO_ENGINE_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "catalog/catalog.h"
#include "engine/backend.h"
#include "sampler/params.h"
#include "turn/engine_params.h"
#include "turn/turn.h"

struct worker;

enum worker_event_kind {
	WORKER_LOAD,        /* progress of loading */
	WORKER_MODEL,       /* a model is ready */
	WORKER_LOAD_FAILED, /* `error` says why; `model` is what is in memory now */
	WORKER_PREFILL,     /* progress of evaluating the prompt */
	WORKER_FITTED,      /* which messages of the turn are left out to make room */
	WORKER_BEGIN,       /* before a reply's first token */
	WORKER_PARAMS,      /* other parameters from the next token on, whose event follows this one */
	WORKER_TOKEN,
	WORKER_NOTE,        /* `error.text` tells the user something about this turn: how the
	                     * conversation was changed to suit the template */
	WORKER_ASIDE,       /* what the model said besides its answer */
	WORKER_INSPECT,
	WORKER_CATALOG,     /* the model files on this machine */
	WORKER_DONE,        /* the turn has ended */
};

struct worker_event {
	struct worker_event *next;
	enum worker_event_kind kind;
	uint64_t turn; /* the id that worker_post_generate returned; 0 for loading */
	union {
		struct {
			float fraction; /* 0..1 */
		} load;
		struct model_info model; /* in memory now; n_ctx is 0 if there is none */
		struct {
			uint32_t done, total, cached, n_dropped;
		} prefill;
		struct {
			bool *left_out; /* owned, [n]: as of backend_host.fitted */
			size_t n;
		} fitted;
		struct turn_begin begin;
		struct {
			uint32_t at; /* the token's number in the turn, as they are sampled */
			struct sampler_params params;
		} params;
		struct token token; /* owns its bytes and candidates */
		struct {
			char *text; /* owned, not sanitised; its tokens came as reasoning */
			char recipient[64]; /* the tool it is for; "": none */
		} aside;
		struct inspection inspect; /* owns what it points to */
		struct catalog *catalog; /* owned by the event; NULL: `error` says why */
		struct {
			enum done_reason reason;
			struct turn_stats stats;
		} done;
	} u;
	struct error error; /* LOAD_FAILED, DONE with DONE_ERROR, a failed INSPECT (no messages then)
	                     * or CATALOG */
};

/* Starts the thread, with no model loaded. `decorate` is called as backend_host.decorate, in that
 * thread. */
enum status worker_create(struct worker **out, backend_decorator *decorate,
                          struct error *err) MUST_CHECK;
/* Cancels what is running, joins the thread and frees events that were not taken. */
void worker_destroy(struct worker *worker);

/* Readable when there are events. */
int worker_fd(const struct worker *worker);
/* Detaches all events, oldest first; NULL if there are none. */
struct worker_event *worker_take_events(struct worker *worker);
void worker_events_free(struct worker_event *events);

/* Loads params->model; "synthetic:..." is the test backend, engine/synthetic.h. */
enum status worker_post_load(struct worker *worker, const struct engine_params *params,
                             struct error *err) MUST_CHECK;
enum status worker_post_generate(struct worker *worker, const struct turn *turn,
                                 uint64_t *turn_id, struct error *err) MUST_CHECK;
/* Evaluates a conversation ahead of its reply, to warm the cache; a GENERATE cancels it. */
enum status worker_post_prefill(struct worker *worker, const struct turn *turn,
                                uint64_t *turn_id, struct error *err) MUST_CHECK;
/* Takes effect with the next token, even during a reply. Never refused. */
void worker_post_params(struct worker *worker, const struct sampler_params *params);
/* Counts the tokens of a conversation, after the current turn if there is one. `purpose` comes
 * back with the answer. */
enum status worker_post_inspect(struct worker *worker, const struct turn *turn,
                                enum inspect_purpose purpose, struct error *err) MUST_CHECK;
/* Looks for model files in a thread of its own, so that neither a reply nor a slow disk holds it
 * up. STATUS_BUSY if a search is already running. */
enum status worker_post_catalog(struct worker *worker, const struct engine_params *params,
                                struct error *err) MUST_CHECK;
/* Ends the turn (0: the loading of a model) within a few milliseconds. Micro-batches of the prompt
 * that are finished stay in the cache. Does nothing if the turn has ended or the id is unknown. */
void worker_cancel(struct worker *worker, uint64_t turn_id);
/* Whether a reply or a load was posted whose last event has not been taken. */
bool worker_is_busy(const struct worker *worker);

#endif
