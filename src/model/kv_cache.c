#include "model/kv_cache.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/alloc.h"

enum { ALIGNMENT = 64 };

/* Bytes of one layer's keys (or values), rounded up to whole cache lines. */
static uint64_t part_bytes(uint64_t n_head_kv, uint64_t n_ctx, uint64_t dim, enum block_type type)
{
	uint64_t bytes = kv_tile_bytes(type, dim);

	if (__builtin_mul_overflow(bytes, n_head_kv, &bytes) ||
	    __builtin_mul_overflow(bytes, kv_tiles(n_ctx), &bytes) || bytes > UINT64_MAX - ALIGNMENT)
		return UINT64_MAX;
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* How many heads a layer stores. */
static uint64_t n_stored(const struct plan *plan, uint32_t layer)
{
	const struct layer_plan *l = &plan->layers[layer];

	return l->mixers & MIXER_ATTENTION && l->kv_layer == layer ? l->n_head_kv : 0;
}

uint64_t kv_cache_bytes(const struct plan *plan, size_t n_ctx, struct kv_types types)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < plan->n_layer; i++) {
		const struct layer_plan *l = &plan->layers[i];
		uint64_t heads = n_stored(plan, i);

		if (__builtin_add_overflow(total, part_bytes(heads, n_ctx, l->head_dim_k, types.k),
		                           &total) ||
		    __builtin_add_overflow(total, part_bytes(heads, n_ctx, l->head_dim_v, types.v),
		                           &total))
			return UINT64_MAX;
	}
	return total;
}

enum status kv_cache_init(struct kv_cache *cache, const struct plan *plan, size_t n_ctx,
                          struct kv_types types, struct error *err)
{
	uint64_t n_bytes = kv_cache_bytes(plan, n_ctx, types);
	unsigned char *at;

	*cache = (struct kv_cache){0};
	if (n_bytes > SIZE_MAX / 2)
		return error_set(err, STATUS_NOMEM, "a context of %zu tokens is too large", n_ctx);
	cache->layers = alloc_array(plan->n_layer, sizeof *cache->layers);
	if (!cache->layers)
		return error_set(err, STATUS_NOMEM, "not enough memory for the KV cache");
	at = mmap(NULL, (size_t)n_bytes, PROT_READ | PROT_WRITE,
	          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED) {
		int errnum = errno;

		kv_cache_deinit(cache);
		return error_errno(err, errnum, "cannot map %llu bytes for the KV cache",
		                   (unsigned long long)n_bytes);
	}
	cache->memory = at;
	cache->n_bytes = (size_t)n_bytes;
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		const struct layer_plan *l = &plan->layers[i];
		struct kv_layer *layer = &cache->layers[i];
		uint64_t heads = n_stored(plan, i);

		*layer = (struct kv_layer){.types = types, .n_kv_head = (size_t)heads, .n_ctx = n_ctx,
		                           .k_dim = l->head_dim_k, .v_dim = l->head_dim_v};
		layer->k = at;
		at += part_bytes(heads, n_ctx, l->head_dim_k, types.k);
		layer->v = at;
		at += part_bytes(heads, n_ctx, l->head_dim_v, types.v);
	}
	return STATUS_OK;
}

void kv_cache_deinit(struct kv_cache *cache)
{
	if (cache->memory)
		munmap(cache->memory, cache->n_bytes);
	free(cache->layers);
	*cache = (struct kv_cache){0};
}

void kv_cache_clear(struct kv_cache *cache)
{
	/* Private anonymous pages read as zero after this (madvise(2)). */
	madvise(cache->memory, cache->n_bytes, MADV_DONTNEED);
}
