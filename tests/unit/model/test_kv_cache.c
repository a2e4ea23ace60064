#include <criterion/criterion.h>
#include <string.h>

#include "kernels/attention.h"
#include "model/kv_cache.h"
#include "model/scratch.h"

static const struct kv_types halves = {BLOCK_F16, BLOCK_F16}, floats = {BLOCK_F32, BLOCK_F32};

static struct plan *small(void)
{
	static struct plan hp = {
		.n_embd = 8, .n_layer = 2, .n_ropes = 1, .ropes = {{.dim = 4}},
		.layers = {{.mixers = MIXER_ATTENTION, .n_head = 2, .n_head_kv = 1, .head_dim_k = 4,
		            .head_dim_v = 3, .n_ff = 9},
		           {.mixers = MIXER_ATTENTION, .n_head = 6, .n_head_kv = 2, .head_dim_k = 4,
		            .head_dim_v = 3, .kv_layer = 1, .n_ff = 5}},
	};

	return &hp;
}

Test(kv_cache, gives_each_layer_its_own_aligned_memory)
{
	struct kv_cache cache;

	for (int type = 0; type < 2; type++) {
		size_t size = type ? 2 : 4;
		const unsigned char *end;

		cr_assert_eq(kv_cache_init(&cache, small(), 33, type ? halves : floats, NULL),
		             STATUS_OK);
		end = cache.memory;
		for (size_t i = 0; i < 2; i++) {
			const struct kv_layer *layer = &cache.layers[i];
			size_t heads = small()->layers[i].n_head_kv;

			cr_assert_eq(layer->n_kv_head, heads);
			cr_assert_eq((size_t)layer->k % 64, 0);
			cr_assert_eq((size_t)layer->v % 64, 0);
			cr_assert((const unsigned char *)layer->k >= end);
			cr_assert((const unsigned char *)layer->v >=
			          (const unsigned char *)layer->k + heads * 33 * 4 * size);
			end = (const unsigned char *)layer->v + heads * 33 * 3 * size;
			memset(layer->k, 1, heads * 33 * 4 * size);
			memset(layer->v, 1, heads * 33 * 3 * size);
		}
		cr_assert(end <= (const unsigned char *)cache.memory + cache.n_bytes);
		kv_cache_clear(&cache);
		for (size_t i = 0; i < cache.n_bytes; i++)
			cr_assert_eq(((const unsigned char *)cache.memory)[i], 0);
		kv_cache_deinit(&cache);
	}
}

Test(kv_cache, refuses_what_no_address_space_holds)
{
	struct kv_cache cache;
	struct error err = {0};

	cr_assert_eq(kv_cache_bytes(small(), SIZE_MAX, halves), UINT64_MAX);
	cr_assert_eq(kv_cache_init(&cache, small(), SIZE_MAX / 64, floats, &err), STATUS_NOMEM);
	cr_assert_eq(kv_cache_init(&cache, small(), (size_t)1 << 50, floats, &err), STATUS_NOMEM);
	kv_cache_deinit(&cache);
}

Test(scratch, has_room_for_the_largest_layer)
{
	struct scratch scratch;

	cr_assert_eq(scratch_init(&scratch, small(), 5, 33, 3, NULL), STATUS_OK);
	/* every part is written whole: ASan sees an overlap's end */
	memset(scratch.attention_tiles, 0, sizeof(float) * 3 * attention_tile_floats(3, 4, 3));
	memset(scratch.x, 0, sizeof(float) * 5 * 8);
	memset(scratch.q, 0, sizeof(float) * 5 * 6 * 4);
	memset(scratch.gate, 0, sizeof(float) * 5 * 9);
	memset(scratch.attention_chunks, 0, sizeof(float) * attention_chunk_floats(6, 3));
	cr_assert((char *)(scratch.attention_chunks + attention_chunk_floats(6, 3)) <=
	          (char *)scratch.memory + scratch_bytes(small(), 5, 33, 3));
	cr_assert_eq((size_t)scratch.gate % 64, 0);
	scratch_deinit(&scratch);
	cr_assert_eq(scratch_init(&scratch, small(), SIZE_MAX / 8, 33, 1, NULL), STATUS_NOMEM);
	scratch_deinit(&scratch);
}
