/* How a model is loaded and evaluated: data only. engine/options.h reads it. */
#ifndef SOTTO_TURN_ENGINE_PARAMS_H
#define SOTTO_TURN_ENGINE_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum kv_type { KV_F16, KV_F32, KV_Q8_0, KV_TYPE_COUNT };

struct engine_params {
	char *model;        /* path, or "server:NAME/MODEL"; owned; NULL for none */
	char *servers;      /* the file that lists servers; owned; NULL: servers.yaml (config/servers.h) */
	int32_t n_ctx;      /* tokens; 0 = the smallest of trained length, 8192 and what fits */
	int32_t n_batch;    /* tokens in a micro-batch; 0 = as plan_micro_batch says */
	int32_t n_threads;  /* 0 = one for each physical core */
	int32_t n_predict;  /* a reply's maximum length in tokens; -1 = until it ends */
	int kv_type_k, kv_type_v; /* enum kv_type */
	char *override_kv; /* words (gguf_override), owned; NULL: none */
	/* In the place of what the file says of its rotations (model/plan.h); 0: the file's ... */
	int rope_scaling; /* enum rope_scaling */
	float rope_freq_base, rope_freq_scale, rope_scale /* 1 / rope_freq_scale */;
	int32_t yarn_orig_ctx;
	float yarn_ext_factor, yarn_attn_factor, yarn_beta_fast, yarn_beta_slow; /* ... -1: the file's */
	bool mlock;  /* lock the weights in memory */
	int packing; /* enum packing (model/packing.h) */
	char *isa;          /* name of an instruction set (kernels/isa.h), owned; NULL: the best */
	bool kv_cache;      /* false: compute everything again for each token, for comparison */
	char *chat_template; /* file or name, owned; NULL: the model's own, or one that fits it */
	char *template_kwargs; /* JSON (encode/template_kwargs.h), owned; NULL: none */
	char *dry_breakers;  /* words (breakers.h), owned; NULL: the usual ones */
	char *logit_bias;    /* words (biases.h), owned; NULL: none */
	char *stop;          /* strings that end a reply, words (base/words.h), owned; NULL: none */
	char *samplers;      /* their order (sampler/order.h), owned; NULL: the usual one */
	int reasoning;       /* enum reasoning_mode (turn.h) */
	int effort;          /* enum effort */
	int context_policy;  /* enum context_policy (turn.h) */
	/* Not an option: another model is in memory. If this one does not fit beside it, loading
	 * fails with STATUS_NOMEM, where otherwise the context would be made smaller. */
	bool beside;
	/* Not an option either: the context that what comes beside the model recommends (catalog/beside.h), where n_ctx
	 * is 0; 0: none. */
	int32_t n_ctx_recommended;
};

/* The copy owns its strings; engine_params_free frees them and clears all fields. */
enum status engine_params_copy(struct engine_params *out, const struct engine_params *params,
                               struct error *err) MUST_CHECK;
void engine_params_free(struct engine_params *params);

#endif
