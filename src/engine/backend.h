/* A backend turns conversations into tokens: our own engine (engine/generate.c),
 * the test backend (engine/synthetic.c), a server (remote/remote.h). The worker runs
 * a backend in its thread, `sotto run` in the main thread.
 *
 * A backend knows nothing of threads, queues or screens; it calls its host. All
 * calls, in both directions, are made on the thread that opened the backend. */
#ifndef SOTTO_ENGINE_BACKEND_H
#define SOTTO_ENGINE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/log.h"
#include "turn/engine_params.h"
#include "turn/difference.h"
#include "turn/event.h"
#include "turn/inspection.h"
#include "turn/turn.h"

struct backend;

/* What a backend may ask of whoever runs it, and tell them. */
struct backend_host {
	void *ctx;
	backend_decorator *decorate; /* NULL: no backend is wrapped */
	const struct backend_ops *const *others; /* kinds besides the engine's own, NULL-terminated; NULL: none */
	/* Polled every few milliseconds while computing or loading; true = stop now.
	 * It stays true until the call that it stops has returned. */
	bool (*cancelled)(void *ctx);
	/* The sampling parameters for the next token of the turn, its number n from 0. */
	void (*params)(void *ctx, uint32_t n, struct sampler_params *out);
	/* What happens. A token that cannot be told ends the turn; other events may be lost. */
	enum status (*event)(void *ctx, const struct event *event, struct error *err);
	/* Whether the user wants the answer now, of a model that is still thinking; NULL: never. Only for
	 * CAPABILITY_ANSWER_NOW. */
	bool (*wants_answer)(void *ctx);
	struct log *log; /* what is told to whoever looks for a fault; NULL: nothing */
};

/* Tells any event but a token. */
static inline void backend_tell(const struct backend_host *host, const struct event *event)
{
	(void)host->event(host->ctx, event, NULL);
}

/* Tells which messages of a turn are kept. */
void backend_tell_fitted(const struct backend_host *host, const struct turn *turn, const bool *keep);

struct backend_result {
	enum done_reason reason;
	struct turn_stats stats;
	struct cache_difference difference; /* why no more of the prompt was in the cache; a server does not tell */
	/* The reply was cut within a character: its bytes so far are only in the tokens. */
	bool in_character;
};

enum backend_mode {
	BACKEND_REPLY,
	BACKEND_WARM, /* evaluate the conversation, generate nothing */
	/* The last message is a reply: its tokens are told as if they were sampled now, with candidates and what
	 * probability they had, and nothing is generated. Only of CAPABILITY_EXAMINE. */
	BACKEND_EXAMINE,
	/* Each of turn.answers is weighed as a reply to the conversation, or with turn.continued as what the last
	 * reply goes on with: EVENT_SCORED. Nothing is generated. Only of CAPABILITY_EXAMINE. */
	BACKEND_SCORE,
};

/* One for each kind of backend; `struct backend` begins with a pointer to it. */
struct backend_ops {
	const char *prefix; /* of the model paths that it takes; "" takes all others */
	/* Whether params->model looks like a model; reads next to nothing, and asks no server. NULL: not checked. */
	enum status (*check)(const struct engine_params *params, struct error *err);
	enum status (*open)(struct backend **out, const struct engine_params *params,
	                    const struct backend_host *host, struct model_info *info,
	                    struct error *err);
	/* Runs a turn. STATUS_OK with a reason, or the error that ended it; result->stats is
	 * filled in either case. A cancelled turn is STATUS_OK with DONE_CANCELLED. */
	enum status (*run)(struct backend *backend, const struct turn *turn,
	                   enum backend_mode mode, const struct backend_host *host,
	                   struct backend_result *result, struct error *err);
	/* Counts a turn; whatever `cancelled` ends is STATUS_CANCELLED. */
	enum status (*inspect)(struct backend *backend, const struct turn *turn, const struct backend_host *host,
	                       struct inspection *out, struct error *err);
	void (*close)(struct backend *backend);
};

struct backend {
	const struct backend_ops *ops;
};

/* Whether a path is a file's: no other kind of backend takes it. */
bool backend_is_file(const char *path, const struct backend_ops *const *others);
/* Whether params->model can be opened, as far as its first bytes tell. */
enum status backend_check(const struct engine_params *params, const struct backend_ops *const *others,
                          struct error *err) MUST_CHECK;
/* Opens what params->model names; STATUS_CANCELLED if the host said stop. */
enum status backend_open(struct backend **out, const struct engine_params *params,
                         const struct backend_host *host, struct model_info *info,
                         struct error *err) MUST_CHECK;
enum status backend_run(struct backend *backend, const struct turn *turn,
                        enum backend_mode mode, const struct backend_host *host,
                        struct backend_result *result, struct error *err) MUST_CHECK;
enum status backend_inspect(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                            struct inspection *out, struct error *err) MUST_CHECK;
void backend_close(struct backend *backend); /* NULL is fine */

#endif
