/* A backend turns conversations into tokens: our own engine (engine/generate.c),
 * the test backend (engine/synthetic.c), later a remote server. The worker runs
 * one in its thread, `sotto run` one in the main thread.
 *
 * A backend knows nothing of threads, queues or screens: it calls its host. All
 * calls, in both directions, are made on the thread that opened the backend. */
#ifndef SOTTO_ENGINE_BACKEND_H
#define SOTTO_ENGINE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/params.h"
#include "engine/turn.h"

struct backend;

/* May add notes to `info`. */
typedef void backend_decorator(struct backend **backend, struct model_info *info);

/* What a backend may ask of and tell to whoever runs it. */
struct backend_host {
	void *ctx;
	/* Puts another backend around one that was opened, or leaves it (guide/guide.h); NULL: leave. */
	backend_decorator *decorate;
	/* Polled every few milliseconds of computing, while loading too; true =
	 * stop now. It stays true until the call that it stops has returned. */
	bool (*cancelled)(void *ctx);
	/* The sampling parameters of the next token. */
	void (*params)(void *ctx, struct sampler_params *out);
	void (*loading)(void *ctx, float fraction);
	void (*prefilling)(void *ctx, uint32_t done, uint32_t total, uint32_t cached,
	                   uint32_t n_dropped);
	/* How the conversation was changed to suit the model: one sentence, at most
	 * once a turn, before its first token. Not sanitised. */
	void (*note)(void *ctx, const char *text);
	/* What the model says beside its answer, once it is whole; its tokens came as reasoning.
	 * `recipient`: the tool that it is for, "" for none. Neither is sanitised. NULL: nobody
	 * wants to know. */
	void (*aside)(void *ctx, const char *recipient, const char *text);
	/* What the token points to is borrowed for the call. A failure ends the turn with it. */
	enum status (*token)(void *ctx, const struct token *token, struct error *err);
};

struct backend_result {
	enum done_reason reason;
	struct turn_stats stats;
};

/* What a conversation is counted for. */
enum inspect_purpose {
	INSPECT_GAUGE,  /* how full the context is */
	INSPECT_COUNTS, /* who takes how much of it */
	INSPECT_TOKENS, /* the prompt token by token, which is given for this alone */
};

struct backend_inspection {
	enum inspect_purpose purpose; /* given by the caller */
	uint32_t *message_tokens; /* room for a count for each message, given by the caller;
	                           * `total` counts those that are sent */
	size_t n_messages; /* of a WORKER_INSPECT: that were counted */
	uint32_t total, cached, n_ctx, n_dropped;
	/* Of a system message that the backend has put in place of the turn's, which have 0 then. */
	uint32_t help_tokens;
	/* Of an answered turn: how many messages would be left out if the next one were as long as
	 * the last one, or a sixteenth of the context; n_dropped else. */
	uint32_t n_next_dropped;
	uint32_t n_past; /* in the cache now: those beyond `cached` will be dropped */
	/* INSPECT_TOKENS: the prompt, `total` tokens, and their text, which the caller frees. Not
	 * sanitised; tokens may end within a character. */
	struct prompt_token *tokens;
	char *text;
};

enum backend_mode {
	BACKEND_REPLY,
	BACKEND_WARM, /* evaluate the conversation, generate nothing */
};

/* One row a kind of backend; `struct backend` begins with a pointer to it. */
struct backend_ops {
	const char *prefix; /* of the model paths that it takes; "" takes all others */
	/* Whether there is something like a model; reads next to nothing. NULL: there is. */
	enum status (*check)(const char *path, struct error *err);
	enum status (*open)(struct backend **out, const struct engine_params *params,
	                    const struct backend_host *host, struct model_info *info,
	                    struct error *err);
	/* Runs a turn. STATUS_OK with a reason, or the error of a turn that could
	 * not go on; result->stats is filled in both cases. A cancelled turn is OK
	 * with DONE_CANCELLED. */
	enum status (*run)(struct backend *backend, const struct turn *turn,
	                   enum backend_mode mode, const struct backend_host *host,
	                   struct backend_result *result, struct error *err);
	enum status (*inspect)(struct backend *backend, const struct turn *turn,
	                       struct backend_inspection *out, struct error *err);
	void (*close)(struct backend *backend);
};

struct backend {
	const struct backend_ops *ops;
};

/* Whether params->model could be opened as far as a look at its first bytes tells. */
enum status backend_check(const struct engine_params *params, struct error *err) MUST_CHECK;
/* Opens what params->model names; STATUS_CANCELLED when the host said stop. */
enum status backend_open(struct backend **out, const struct engine_params *params,
                         const struct backend_host *host, struct model_info *info,
                         struct error *err) MUST_CHECK;
enum status backend_run(struct backend *backend, const struct turn *turn,
                        enum backend_mode mode, const struct backend_host *host,
                        struct backend_result *result, struct error *err) MUST_CHECK;
enum status backend_inspect(struct backend *backend, const struct turn *turn,
                            struct backend_inspection *out, struct error *err) MUST_CHECK;
void backend_close(struct backend *backend); /* NULL is fine */

#endif
