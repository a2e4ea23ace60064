/* A loaded model: its plan and weights, immutable, shareable between
 * sessions and threads. It keeps the gguf it was made from (weights lie in its
 * mapping). */
#ifndef SOTTO_MODEL_MODEL_H
#define SOTTO_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "gguf/reader.h"
#include "model/packing.h"
#include "model/plan.h"

struct kv_types;
struct model;
struct ropes;
struct threadpool;
struct weights;

/* Progress 0..1 while weights are packed; false = stop (STATUS_CANCELLED). */
typedef bool (*model_progress)(void *ctx, float fraction);

struct model_load {
	struct threadpool *pool; /* whose threads pack the weights; may be NULL */
	enum packing packing;    /* PACKING_AUTO: as much as fits */
	uint32_t n_ctx;          /* for PACKING_AUTO: a context that must fit, too; 0: a usual one */
	bool locks;              /* keeps the weights in memory (mlock), as far as it can */
	struct rope_wish rope;
	bool whole;              /* PACKING_AUTO packs all, or fails (STATUS_NOMEM) */
	model_progress progress; /* may be NULL */
	void *ctx;
};

/* Takes the gguf on success (model_close closes it). `load`: NULL is all zero. Checks the
 * architecture, every hyper-parameter and every tensor's name, shape and type; the error
 * lists the supported architectures if the architecture is not one of them. */
enum status model_open(struct model **out, struct gguf *gguf, const struct model_load *load,
                       struct error *err) MUST_CHECK;
void model_close(struct model *model);

const struct plan *model_plan(const struct model *model);
const struct gguf *model_gguf(const struct model *model);
const struct weights *model_weights(const struct model *model); /* model/weights.h */
/* Calls `say` for each key of the file that sotto and llama.cpp take differently, with a sentence. */
void model_differences(const struct model *model, void (*say)(void *ctx, const char *text), void *ctx);
/* Of a layer with attention sinks (kernels/attention.h): [n_head]; NULL: it has none. */
const float *model_sinks(const struct model *model, size_t layer);
uint64_t model_n_params(const struct model *model);
/* The model's rope sets for a context of n_ctx; ropes_deinit. */
enum status model_ropes(struct ropes *ropes, const struct model *model, size_t n_ctx,
                        struct error *err) MUST_CHECK;

/* Bytes of cache and scratch of a session of n_ctx tokens, the weights apart; UINT64_MAX for more
 * than can be. */
uint64_t model_context_bytes(const struct plan *plan, size_t n_ctx, size_t n_batch,
                             struct kv_types types, size_t n_threads);

/* Bytes in memory: without tables that are read from the file and what is not packed. */
uint64_t model_weight_bytes(const struct model *model);
/* Where the weights are. */
struct model_memory {
	enum packing packing; /* never PACKING_AUTO */
	uint64_t packed;      /* bytes of panels */
	uint64_t in_file;     /* bytes that are read from the file's mapping */
	double read_rate;     /* bytes a second at which these were read while loading; 0: none were */
	uint64_t available;   /* free memory before loading */
	uint64_t all;         /* bytes of panels, had all been packed */
	struct error lock_error; /* why locking failed; STATUS_OK: it did not, or was not wanted */
	size_t unit_bytes;    /* a product's pack buffer for each thread (kernels/compute.h); 0: none */
};
struct model_memory model_memory(const struct model *model);

/* What can be said from a file's header alone, no weight being read: whether
 * architecture, keys (*plan, which is large) and block types are such
 * as model_open takes. Errors without the path. */
enum status model_check(struct plan *plan, const struct gguf *gguf, struct error *err) MUST_CHECK;

#endif
