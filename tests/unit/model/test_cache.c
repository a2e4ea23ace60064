#include <criterion/criterion.h>
#include <string.h>

#include "kernels/attention.h"
#include "model/cache.h"
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

Test(cache, gives_each_layer_its_own_aligned_memory)
{
	struct cache cache;

	for (int type = 0; type < 2; type++) {
		size_t size = type ? 2 : 4;
		const unsigned char *end;

		cr_assert_eq(cache_init(&cache, small(), 33, type ? halves : floats, 0, NULL),
		             STATUS_OK);
		end = cache.memory;
		for (size_t i = 0; i < 2; i++) {
			const struct kv_layer *layer = &cache.kv[i];
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
		cache_clear(&cache);
		for (size_t i = 0; i < cache.n_bytes; i++)
			cr_assert_eq(((const unsigned char *)cache.memory)[i], 0);
		cache_deinit(&cache);
	}
}

Test(cache, refuses_what_no_address_space_holds)
{
	struct cache cache;
	struct error err = {0};

	cr_assert_eq(cache_bytes(small(), SIZE_MAX, halves), UINT64_MAX);
	cr_assert_eq(cache_init(&cache, small(), SIZE_MAX / 64, floats, 0, &err), STATUS_NOMEM);
	cr_assert_eq(cache_init(&cache, small(), (size_t)1 << 50, floats, 0, &err), STATUS_NOMEM);
	cache_deinit(&cache);
}

/* A layer of attention and one with a state: 3 taps of 12 channels, 2 heads of 4 x 4. */
static struct plan *recurrent(void)
{
	static struct plan plan;

	plan = *small();
	plan.layers[1] = (struct layer_plan){.mixers = MIXER_DELTA, .conv_taps = 3, .n_state_head = 2,
	                                     .n_state_group = 1, .state_key = 4, .state_value = 4,
	                                     .n_ff = 5, .kv_layer = 1};
	return &plan;
}

/* A micro-batch that leaves `value` in the state. */
static void advance(struct cache *cache, size_t pos, float value)
{
	float *next = cache_next_state(cache, 1);

	for (size_t i = 0; i < layer_state_floats(recurrent(), 1); i++)
		next[i] = value;
	cache_commit(cache, pos);
}

Test(cache, goes_back_to_the_nearest_state_it_has_kept)
{
	struct cache cache;

	cr_assert_eq(layer_conv_channels(recurrent(), 1), 16);
	cr_assert_eq(layer_state_floats(recurrent(), 1), 2 * 16 + 32);
	cr_assert_eq(cache_init(&cache, recurrent(), 33, halves, 1 << 20, NULL), STATUS_OK);
	cr_assert_eq(cache_state(&cache, 1)[0], 0);
	advance(&cache, 5, 5);
	cr_assert_eq(cache_state(&cache, 1)[63], 5);
	cache_checkpoint(&cache);
	advance(&cache, 9, 9);
	cache_checkpoint(&cache);
	advance(&cache, 12, 12);
	cr_assert_eq(cache_reach(&cache, 12), 12);
	cr_assert_eq(cache_reach(&cache, 20), 12, "behind the end: from there on");
	cr_assert_eq(cache_reach(&cache, 11), 9);
	cr_assert_eq(cache_reach(&cache, 8), 5);
	cr_assert_eq(cache_reach(&cache, 4), 0);
	cr_assert_eq(cache_rewind(&cache, 8), 5, "what stood behind is forgotten");
	cr_assert_eq(cache_state(&cache, 1)[0], 5);
	cr_assert_eq(cache_last_checkpoint(&cache), 5);
	cr_assert_eq(cache_rewind(&cache, 3), 0);
	cr_assert_eq(cache_state(&cache, 1)[0], 0);
	cache_deinit(&cache);
}

Test(cache, keeps_the_first_state_and_the_latest_within_its_budget)
{
	struct cache cache;
	uint64_t bytes = cache_state_bytes(recurrent());

	cr_assert_eq(cache_init(&cache, recurrent(), 33, halves, 3 * bytes, NULL), STATUS_OK);
	for (size_t pos = 1; pos <= 9; pos++) {
		advance(&cache, pos, (float)pos);
		cache_checkpoint(&cache);
		cache_checkpoint(&cache); /* of the same position: one */
	}
	cr_assert_eq(cache.n_checkpoints, 3);
	cr_assert_eq(cache_reach(&cache, 7), 1);
	cr_assert_eq(cache_rewind(&cache, 8), 8);
	cr_assert_eq(cache_state(&cache, 1)[7], 8);
	cr_assert_eq(cache_rewind(&cache, 7), 1);
	cache_clear(&cache);
	cr_assert_eq(cache_rewind(&cache, 0), 0);
	cr_assert_eq(cache_state(&cache, 1)[7], 0);
	cache_deinit(&cache);
	cr_assert_eq(cache_init(&cache, recurrent(), 33, halves, 0, NULL), STATUS_OK);
	for (size_t pos = 1; pos <= 4; pos++) {
		advance(&cache, pos, (float)pos);
		cache_checkpoint(&cache);
	}
	cr_assert_eq(cache.n_checkpoints, CACHE_CHECKPOINTS_MIN);
	cr_assert_eq(cache_reach(&cache, 3), 1);
	cache_deinit(&cache);
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

/* What a token reads of it: a window ends early, keys that layers share are read again, a state
 * is read and written. */
Test(cache, knows_what_a_token_reads)
{
	struct plan *hp = small();
	uint64_t far = cache_token_bytes(hp, 640, halves), windowed, shared, state;

	cr_assert_eq(far, cache_bytes(hp, 640, halves));
	hp->layers[1].window = 64;
	windowed = cache_token_bytes(hp, 640, halves);
	cr_assert_lt(windowed, far);
	cr_assert_eq(cache_token_bytes(hp, 64, halves), cache_bytes(hp, 64, halves));
	hp->layers[1].window = 0;
	hp->layers[1].kv_layer = 0;
	shared = cache_token_bytes(hp, 640, halves);
	cr_assert_eq(shared, 2 * cache_bytes(hp, 640, halves));
	hp->layers[0] = (struct layer_plan){.mixers = MIXER_SHORTCONV, .conv_taps = 3};
	hp->layers[1] = (struct layer_plan){.mixers = MIXER_SHORTCONV, .conv_taps = 3};
	state = cache_token_bytes(hp, 640, halves);
	cr_assert_gt(state, 0);
	cr_assert_eq(state, 2 * cache_state_bytes(hp));
	cr_assert_eq(cache_token_bytes(hp, 6400, halves), state, "however long the text is");
}
