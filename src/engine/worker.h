/* The worker: a thread that owns a model, a session and a sampler, and turns
 * conversations into streams of tokens. This is all the UI knows about the engine.
 *
 * The UI posts commands and never waits for them; answers come as events. The
 * threads share nothing but two queues and the sampling parameters behind one
 * mutex, a wake fd, an atomic cancel id and that of a turn that is to answer now.
 *
 * Ownership: worker_post_* copies what it is given; worker_take_events detaches
 * the list of events, which the caller frees.
 *
 * Each accepted command is answered by exactly one event, whatever happens:
 * GENERATE and PREFILL by EVENT_DONE with the turn's id, LOAD by EVENT_MODEL or
 * EVENT_LOAD_FAILED, INSPECT by EVENT_INSPECTED. While a turn runs, GENERATE and LOAD
 * are refused with STATUS_BUSY (the UI cancels the turn first, or queues).
 *
 * Threads: one thread (the UI's) makes all calls. The worker's own thread blocks
 * all signals. */
#ifndef SOTTO_ENGINE_WORKER_H
#define SOTTO_ENGINE_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sampler/params.h"
#include "turn/engine_params.h"
#include "turn/event.h"
#include "turn/turn.h"

struct worker;

struct backend_ops;
struct log;

/* Starts the thread, with no model loaded. `decorate`, which is called in that thread, and `others` are as in
 * backend_host. */
enum status worker_create(struct worker **out, backend_decorator *decorate,
                          const struct backend_ops *const *others, struct error *err) MUST_CHECK;
/* Whoever looks for a fault reads there what its thread does (base/log.h). Before the first command; `log` outlives the
 * worker. */
void worker_log_to(struct worker *worker, struct log *log);
/* Cancels what is running, joins the thread and frees events that were not taken. */
void worker_destroy(struct worker *worker);

/* Readable when there are events. */
int worker_fd(const struct worker *worker);
/* Detaches all events, oldest first; NULL if there are none. */
struct event *worker_take_events(struct worker *worker);
void worker_events_free(struct event *events);

/* Loads params->model; "synthetic:..." is the test backend, engine/synthetic.h. */
enum status worker_post_load(struct worker *worker, const struct engine_params *params,
                             struct error *err) MUST_CHECK;
enum status worker_post_generate(struct worker *worker, const struct turn *turn,
                                 uint64_t *turn_id, struct error *err) MUST_CHECK;
/* Evaluates a conversation ahead of its reply, to warm the cache; a GENERATE cancels it. */
enum status worker_post_prefill(struct worker *worker, const struct turn *turn,
                                uint64_t *turn_id, struct error *err) MUST_CHECK;
/* Goes through a reply once more (BACKEND_EXAMINE), or weighs texts (BACKEND_SCORE); to the UI these are turns: cancelled
 * as those, refused while one runs, and ended by EVENT_DONE. */
enum status worker_post_examine(struct worker *worker, const struct turn *turn,
                                uint64_t *turn_id, struct error *err) MUST_CHECK;
enum status worker_post_score(struct worker *worker, const struct turn *turn,
                              uint64_t *turn_id, struct error *err) MUST_CHECK;
/* Takes effect with the next token, even during a reply. Never refused. */
void worker_post_params(struct worker *worker, const struct sampler_params *params);
/* Counts the tokens of a conversation, after the current turn if there is one. `purpose` comes
 * back with the answer. It gives way to a turn or a load that is posted meanwhile: the answer is
 * STATUS_CANCELLED then, and may be asked for again. */
enum status worker_post_inspect(struct worker *worker, const struct turn *turn,
                                enum inspect_purpose purpose, struct error *err) MUST_CHECK;
/* Ends the turn (0: the loading of a model) within a few milliseconds. Micro-batches of the prompt
 * that are finished stay in the cache. Does nothing if the turn has ended or the id is unknown. */
void worker_cancel(struct worker *worker, uint64_t turn_id);
/* The reply under way is to end its reasoning and answer (CAPABILITY_ANSWER_NOW). Never refused. */
void worker_answer_now(struct worker *worker, uint64_t turn_id);
/* Whether a reply, a load or a prefill (which stands in the way of neither) was posted whose last event
 * has not been taken. */
bool worker_is_busy(const struct worker *worker);

#endif
