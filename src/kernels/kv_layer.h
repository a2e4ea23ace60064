/* The cached keys and values of one layer, by absolute position: their layout in memory, and
 * how they are stored.
 *
 * Positions are in tiles of KV_TILE, so that attention takes the scores of many keys side by
 * side without sums across a vector: a tile of keys is transposed, a tile of values is not.
 * Each head has its tiles one after another; the last may be partly used. */
#ifndef SOTTO_KERNELS_KV_LAYER_H
#define SOTTO_KERNELS_KV_LAYER_H

#include <stddef.h>
#include <stdint.h>

#include "gguf/types.h"

struct compute;

enum {
	KV_TILE = 64,   /* positions */
	KV_BLOCK = 32,  /* elements of a row that share a scale in Q8_0; the last may be fewer */
};

/* BLOCK_F32 and BLOCK_F16: keys [dim][KV_TILE], values [KV_TILE][dim].
 * BLOCK_Q8_0: int8_t likewise, and after these half-precision scales, of keys
 * [blocks of dim][KV_TILE], of values [KV_TILE][blocks of dim]. */
struct kv_types {
	enum block_type k, v;
};

struct kv_layer {
	struct kv_types types;
	size_t n_kv_head, n_ctx, k_dim, v_dim;
	void *k; /* [n_kv_head][tiles of n_ctx] tiles of keys */
	void *v; /* [n_kv_head][tiles of n_ctx] tiles of values */
};

static inline size_t kv_tiles(size_t n_ctx)
{
	return n_ctx / KV_TILE + (n_ctx % KV_TILE != 0);
}

static inline size_t kv_blocks(size_t dim)
{
	return (dim + KV_BLOCK - 1) / KV_BLOCK;
}

/* Bytes of a tile of keys or values with `dim` elements; dim < 2^32. */
static inline uint64_t kv_tile_bytes(enum block_type type, uint64_t dim)
{
	if (type == BLOCK_Q8_0)
		return KV_TILE * (dim + sizeof(uint16_t) * ((dim + KV_BLOCK - 1) / KV_BLOCK));
	return KV_TILE * dim * (type == BLOCK_F32 ? sizeof(float) : sizeof(uint16_t));
}

/* A tile of a head. */
static inline void *kv_keys(const struct kv_layer *kv, size_t head, size_t tile)
{
	return (unsigned char *)kv->k + (head * kv_tiles(kv->n_ctx) + tile) *
	                                (size_t)kv_tile_bytes(kv->types.k, kv->k_dim);
}

static inline void *kv_values(const struct kv_layer *kv, size_t head, size_t tile)
{
	return (unsigned char *)kv->v + (head * kv_tiles(kv->n_ctx) + tile) *
	                                (size_t)kv_tile_bytes(kv->types.v, kv->v_dim);
}

/* Stores k[n][n_kv_head][k_dim] and v[n][n_kv_head][v_dim] at positions pos ..
 * pos + n - 1 < n_ctx, rounded to the layer's types; what half precision cannot
 * hold becomes its largest number. */
void kv_store(const struct compute *compute, const struct kv_layer *kv, size_t pos, size_t n,
              const float *k, const float *v);

#endif
