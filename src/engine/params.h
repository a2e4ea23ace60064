/* How a model is loaded and evaluated: data only, and its option table. */
#ifndef SOTTO_ENGINE_PARAMS_H
#define SOTTO_ENGINE_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"

enum kv_type { KV_F16, KV_F32, KV_Q8_0, KV_TYPE_COUNT };
extern const char *const engine_kv_types[]; /* their names, then NULL */

struct engine_params {
	char *model;        /* path, owned; NULL for none */
	int32_t n_ctx;      /* 0 = the smallest of trained length, 8192 and what fits */
	int32_t n_batch;    /* tokens in a micro-batch; 0: plan_micro_batch */
	int32_t n_threads;  /* 0 = physical cores */
	int32_t n_predict;  /* most tokens in a reply; -1 = until it ends */
	int kv_type_k, kv_type_v; /* enum kv_type */
	bool mlock;  /* weights are locked in memory */
	int packing; /* enum packing (model/packing.h) */
	char *isa;          /* name of an instruction set (kernels/isa.h), owned; NULL: the best */
	bool kv_cache;      /* false: recompute everything, for comparison */
	char *chat_template; /* a file, or a name; owned; NULL: the model's own, or what suits it */
	int reasoning;       /* enum reasoning_mode (turn.h) */
	int effort;          /* enum effort */
	/* No option: another model is in memory and would have to go. STATUS_NOMEM then, rather than
	 * a smaller context than there would be without it. */
	bool beside;
};

extern const struct option engine_options[];
extern const size_t engine_n_options;

struct engine_params engine_params_default(void);

/* Owns its strings: engine_params_free, which leaves none. */
enum status engine_params_copy(struct engine_params *out, const struct engine_params *params,
                               struct error *err) MUST_CHECK;
void engine_params_free(struct engine_params *params);

#endif
