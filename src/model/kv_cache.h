/* Keys and values of every layer for every position of a context. */
#ifndef SOTTO_MODEL_KV_CACHE_H
#define SOTTO_MODEL_KV_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/kv_layer.h"
#include "model/plan.h"

struct kv_cache {
	/* [n_layer], pointing into `memory`; without heads where a layer stores none. */
	struct kv_layer *layers;
	void *memory;            /* mapped: pages cost nothing until they are written */
	size_t n_bytes;
};

/* UINT64_MAX when the product leaves 64 bits. `types`: of kernels/kv_layer.h's. */
uint64_t kv_cache_bytes(const struct plan *plan, size_t n_ctx, struct kv_types types);

enum status kv_cache_init(struct kv_cache *cache, const struct plan *plan, size_t n_ctx,
                          struct kv_types types, struct error *err) MUST_CHECK;
void kv_cache_deinit(struct kv_cache *cache);

/* Forgets everything: all reads as zero, the memory goes back to the system. */
void kv_cache_clear(struct kv_cache *cache);

#endif
