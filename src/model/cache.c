#include "model/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
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

/* Floats of a layer's state, rounded up to whole cache lines. */
static size_t padded_state(const struct plan *plan, uint32_t layer)
{
	size_t line = ALIGNMENT / sizeof(float);

	return (layer_state_floats(plan, layer) + line - 1) / line * line;
}

uint64_t cache_state_bytes(const struct plan *plan)
{
	uint64_t floats = 0;

	for (uint32_t i = 0; i < plan->n_layer; i++)
		floats += padded_state(plan, i); /* below 2^60, by the plan's ranges */
	return floats * sizeof(float);
}

/* Adds the bytes of a layer's keys and values of n positions; UINT64_MAX stays. */
static void add_kv(uint64_t *total, const struct layer_plan *l, uint64_t heads, size_t n,
                   struct kv_types types)
{
	if (__builtin_add_overflow(*total, part_bytes(heads, n, l->head_dim_k, types.k), total) ||
	    __builtin_add_overflow(*total, part_bytes(heads, n, l->head_dim_v, types.v), total))
		*total = UINT64_MAX;
}

static uint64_t kv_bytes(const struct plan *plan, size_t n_ctx, struct kv_types types)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < plan->n_layer; i++)
		add_kv(&total, &plan->layers[i], n_stored(plan, i), n_ctx, types);
	return total;
}

static uint64_t add_states(const struct plan *plan, uint64_t bytes, uint64_t n)
{
	uint64_t states;

	if (__builtin_mul_overflow(cache_state_bytes(plan), n, &states) ||
	    __builtin_add_overflow(bytes, states, &bytes))
		return UINT64_MAX;
	return bytes;
}

uint64_t cache_bytes(const struct plan *plan, size_t n_ctx, struct kv_types types)
{
	return add_states(plan, kv_bytes(plan, n_ctx, types), 2 + CACHE_CHECKPOINTS_MIN);
}

uint64_t cache_token_bytes(const struct plan *plan, size_t n_positions, struct kv_types types)
{
	uint64_t total = 2 * cache_state_bytes(plan);

	for (uint32_t i = 0; i < plan->n_layer; i++) {
		const struct layer_plan *l = &plan->layers[i], *stored = &plan->layers[l->kv_layer];
		size_t n = l->window && l->window < n_positions ? l->window : n_positions;

		if (l->mixers & MIXER_ATTENTION)
			add_kv(&total, stored, stored->n_head_kv, n, types);
	}
	return total;
}

/* Divides the memory among the layers. */
static void lay_out(struct cache *cache, const struct plan *plan, size_t n_ctx, struct kv_types types)
{
	unsigned char *at = cache->memory;
	size_t offset = 0;

	for (size_t i = 0; i < 2; i++) {
		cache->states[i] = (float *)(void *)at;
		at += cache->n_floats * sizeof(float);
	}
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		const struct layer_plan *l = &plan->layers[i];
		uint64_t heads = n_stored(plan, i);

		cache->offsets[i] = offset;
		offset += padded_state(plan, i);
		cache->kv[i] = (struct kv_layer){.types = types, .n_kv_head = (size_t)heads, .n_ctx = n_ctx,
		                                 .k_dim = l->head_dim_k, .v_dim = l->head_dim_v};
		cache->kv[i].k = at;
		at += part_bytes(heads, n_ctx, l->head_dim_k, types.k);
		cache->kv[i].v = at;
		at += part_bytes(heads, n_ctx, l->head_dim_v, types.v);
	}
}

enum status cache_init(struct cache *cache, const struct plan *plan, size_t n_ctx,
                       struct kv_types types, uint64_t budget, struct error *err)
{
	uint64_t state_bytes = cache_state_bytes(plan);
	uint64_t n_bytes = add_states(plan, kv_bytes(plan, n_ctx, types), 2);
	void *memory;

	*cache = (struct cache){.n_floats = (size_t)(state_bytes / sizeof(float))};
	if (n_bytes > SIZE_MAX / 2)
		return error_set(err, STATUS_NOMEM, "a context of %zu tokens is too large", n_ctx);
	cache->kv = alloc_array(plan->n_layer, sizeof *cache->kv);
	cache->offsets = alloc_array(plan->n_layer, sizeof *cache->offsets);
	if (!cache->kv || !cache->offsets) {
		cache_deinit(cache);
		return error_no_memory(err, "for the KV cache");
	}
	/* one byte at least: a model may have neither keys nor states */
	memory = mmap(NULL, (size_t)n_bytes + 1, PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		int errnum = errno;

		cache_deinit(cache);
		return error_errno(err, errnum, "cannot map %llu bytes for the KV cache",
		                   (unsigned long long)n_bytes);
	}
	cache->memory = memory;
	cache->n_bytes = (size_t)n_bytes + 1;
	cache->max_checkpoints = CACHE_CHECKPOINTS;
	if (state_bytes && budget / state_bytes < cache->max_checkpoints)
		cache->max_checkpoints = (size_t)(budget / state_bytes);
	if (cache->max_checkpoints < CACHE_CHECKPOINTS_MIN)
		cache->max_checkpoints = CACHE_CHECKPOINTS_MIN;
	lay_out(cache, plan, n_ctx, types);
	return STATUS_OK;
}

static void drop_checkpoints(struct cache *cache, size_t n)
{
	while (cache->n_checkpoints > n)
		free(cache->checkpoints[--cache->n_checkpoints].states);
}

void cache_deinit(struct cache *cache)
{
	drop_checkpoints(cache, 0);
	if (cache->memory)
		munmap(cache->memory, cache->n_bytes);
	free(cache->kv);
	free(cache->offsets);
	*cache = (struct cache){0};
}

void cache_clear(struct cache *cache)
{
	/* Private anonymous pages read as zero after this (madvise(2)). */
	madvise(cache->memory, cache->n_bytes, MADV_DONTNEED);
	drop_checkpoints(cache, 0);
	cache->pos = 0;
}

static size_t state_size(const struct cache *cache)
{
	return cache->n_floats * sizeof(float);
}

/* How many checkpoints are at or before `pos`. */
static size_t n_before(const struct cache *cache, size_t pos)
{
	size_t n = cache->n_checkpoints;

	while (n && cache->checkpoints[n - 1].pos > pos)
		n--;
	return n;
}

size_t cache_last_checkpoint(const struct cache *cache)
{
	return cache->n_checkpoints ? cache->checkpoints[cache->n_checkpoints - 1].pos : 0;
}

size_t cache_reach(const struct cache *cache, size_t pos)
{
	size_t n = n_before(cache, pos), kept = n ? cache->checkpoints[n - 1].pos : 0;

	if (!cache->n_floats)
		return pos;
	return cache->pos <= pos && cache->pos > kept ? cache->pos : kept;
}

size_t cache_rewind(struct cache *cache, size_t pos)
{
	size_t reach = cache_reach(cache, pos);

	if (!cache->n_floats)
		return pos;
	drop_checkpoints(cache, n_before(cache, pos));
	if (cache->pos == reach)
		return reach;
	if (reach)
		memcpy(cache->states[cache->now], cache->checkpoints[cache->n_checkpoints - 1].states,
		       state_size(cache));
	else
		memset(cache->states[cache->now], 0, state_size(cache));
	cache->pos = reach;
	return reach;
}

void cache_checkpoint(struct cache *cache)
{
	struct checkpoint *list = cache->checkpoints, fresh = {.pos = cache->pos};
	size_t n = cache->n_checkpoints;

	if (!cache->n_floats || !cache->pos || (n && list[n - 1].pos >= cache->pos))
		return;
	if (n == cache->max_checkpoints) { /* the first one usually belongs to the system prompt */
		fresh.states = list[1].states;
		memmove(&list[1], &list[2], (n - 2) * sizeof *list);
		cache->n_checkpoints--;
	} else {
		fresh.states = malloc(state_size(cache));
	}
	if (!fresh.states)
		return;
	memcpy(fresh.states, cache->states[cache->now], state_size(cache));
	list[cache->n_checkpoints++] = fresh;
}

const float *cache_state(const struct cache *cache, size_t layer)
{
	return cache->states[cache->now] + cache->offsets[layer];
}

float *cache_next_state(const struct cache *cache, size_t layer)
{
	return cache->states[1 - cache->now] + cache->offsets[layer];
}

void cache_commit(struct cache *cache, size_t pos)
{
	cache->now = 1 - cache->now;
	cache->pos = pos;
}
