#include "kernels/kv_layer.h"

#include <math.h>
#include <stdbool.h>

#include "kernels/compute.h"
#include "kernels/float16.h"
#include "kernels/ops_kernels.h"

enum { MAX_QUANT = 127 };

/* Where element d of position `at` stands in a tile: keys are transposed. */
struct tile_place {
	size_t start, step;
};

static struct tile_place place_in(bool transposed, size_t dim, size_t at)
{
	return transposed ? (struct tile_place){at, KV_TILE} : (struct tile_place){at * dim, 1};
}

static void store_halves(const struct vector_kernels *ops, uint16_t *tile, struct tile_place place,
                         const float *x, size_t dim)
{
	uint16_t halves[KV_BLOCK];

	if (place.step == 1) {
		ops->to_f16(x, dim, tile + place.start);
		return;
	}
	for (size_t d = 0; d < dim; d += KV_BLOCK) {
		size_t n = dim - d < KV_BLOCK ? dim - d : KV_BLOCK;

		ops->to_f16(x + d, n, halves);
		for (size_t i = 0; i < n; i++)
			tile[place.start + (d + i) * place.step] = halves[i];
	}
}

/* The scale is rounded first, so that the quants go with what is stored. */
static uint16_t block_scale(const float *x, size_t n)
{
	float largest = 0;

	for (size_t i = 0; i < n; i++)
		largest = fabsf(x[i]) > largest ? fabsf(x[i]) : largest;
	return f16_from_f32(fminf(largest / MAX_QUANT, 65504.0f));
}

static int8_t quantize(float x, float inverse)
{
	float q = rintf(x * inverse);

	if (!(q > -MAX_QUANT)) /* NaN, too */
		return -MAX_QUANT;
	return (int8_t)(q < MAX_QUANT ? q : MAX_QUANT);
}

static void store_quants(void *tile, bool transposed, size_t at, const float *x, size_t dim)
{
	int8_t *quants = tile;
	uint16_t *scales = (void *)(quants + dim * KV_TILE);
	struct tile_place place = place_in(transposed, dim, at);
	struct tile_place scale_place = place_in(transposed, kv_blocks(dim), at);

	for (size_t block = 0; block < kv_blocks(dim); block++) {
		size_t first = block * KV_BLOCK;
		size_t n = dim - first < KV_BLOCK ? dim - first : KV_BLOCK;
		uint16_t scale = block_scale(x + first, n);
		float inverse = scale ? 1 / f32_from_f16(scale) : 0;

		scales[scale_place.start + block * scale_place.step] = scale;
		for (size_t i = first; i < first + n; i++)
			quants[place.start + i * place.step] = quantize(x[i], inverse);
	}
}

static void store_row(const struct vector_kernels *ops, enum block_type type, void *tile,
                      bool transposed, size_t at, const float *x, size_t dim)
{
	struct tile_place place = place_in(transposed, dim, at);

	if (type == BLOCK_Q8_0)
		store_quants(tile, transposed, at, x, dim);
	else if (type == BLOCK_F16)
		store_halves(ops, tile, place, x, dim);
	else
		for (size_t i = 0; i < dim; i++)
			((float *)tile)[place.start + i * place.step] = x[i];
}

void kv_store(const struct compute *compute, const struct kv_layer *kv, size_t pos, size_t n,
              const float *k, const float *v)
{
	const struct vector_kernels *ops = compute->isa->ops;

	for (size_t p = pos; p < pos + n; p++)
		for (size_t head = 0; head < kv->n_kv_head; head++) {
			size_t tile = p / KV_TILE, at = p % KV_TILE;

			store_row(ops, kv->types.k, kv_keys(kv, head, tile), true, at, k,
			          kv->k_dim);
			store_row(ops, kv->types.v, kv_values(kv, head, tile), false, at, v,
			          kv->v_dim);
			k += kv->k_dim;
			v += kv->v_dim;
		}
}
