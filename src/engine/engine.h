/* Everything needed to answer with a model on this machine, opened and closed
 * together. Belongs to the thread that opened it. */
#ifndef SOTTO_ENGINE_ENGINE_H
#define SOTTO_ENGINE_ENGINE_H

#include "base/error.h"
#include "catalog/beside.h"
#include "encode/chat_template.h"
#include "engine/backend.h"
#include "engine/cached_prompt.h"
#include "engine/session.h"
#include "gguf/reader.h"
#include "kernels/compute.h"
#include "model/model.h"
#include "sampler/chain.h"
#include "tokenizer/tokenizer.h"
#include "turn/engine_params.h"

struct engine {
	struct backend base;
	const struct gguf *gguf; /* the model's */
	struct beside beside;    /* what is said beside its file */
	struct model *model;
	struct tokenizer *tokenizer;
	struct chat_template *tmpl;
	struct compute compute;
	struct session *session;
	struct cached_prompt cached; /* what its history is made of */
	struct sampler *sampler;
	char *bias_words;    /* what the sampler's biases were made of; owned, NULL: there are none */
	bool has_breakers;   /* the sampler has DRY's, made of ... */
	char *breaker_words; /* ... these; owned, NULL for the usual ones */
	enum packing packing; /* as requested */
};

/* Only a model's file, with the keys of --override-kv in the place of its own. NULL on failure. */
enum status engine_open_file(struct gguf **out, const char *path, const struct engine_params *params,
                             struct error *err) MUST_CHECK;
/* Only the model, loaded as `params` say; close it with model_close. `compute` must be open.
 * `progress` and `ctx` are as in model_open and may be NULL. */
enum status engine_open_model(struct model **out, const struct engine_params *params,
                              const struct compute *compute, model_progress progress, void *ctx,
                              struct error *err) MUST_CHECK;

/* backend_ops.inspect (inspect.c). */
enum status engine_inspect(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                           struct inspection *out, struct error *err) MUST_CHECK;

/* The backend for every path that no other backend takes. */
extern const struct backend_ops engine_backend;

#endif
