/* The rung about windows that are too long for what was evaluated: the kernel attends over keys that are all alike, and
 * of the values only those at the window's edge, just inside and just outside, are not zero. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "doctor/rung.h"
#include "kernels/attention.h"

enum { LONGEST = 1 << 14 };

struct edge {
	double inside, outside; /* how much of each comes out, in parts of a position's share */
};

/* Memory of one attention. */
struct bench {
	struct kv_layer kv;
	void *k, *v;
	float *row_k, *row_v, *q, *out, *tiles, *chunks;
};

static void bench_free(struct bench *b)
{
	free(b->k);
	free(b->v);
	free(b->row_k);
	free(b->row_v);
	free(b->q);
	free(b->out);
	free(b->tiles);
	free(b->chunks);
}

static void *zeros(uint64_t n_bytes)
{
	unsigned char *memory = alloc_aligned(64, (size_t)((n_bytes + 63) / 64 * 64));

	for (uint64_t i = 0; memory && i < n_bytes; i++)
		memory[i] = 0;
	return memory;
}

static bool bench_init(struct bench *b, const struct layer_plan *l, size_t n)
{
	size_t group = l->n_head / l->n_head_kv, tiles = kv_tiles(n) * l->n_head_kv;

	*b = (struct bench){.kv = {.types = {BLOCK_F16, BLOCK_F16}, .n_kv_head = l->n_head_kv, .n_ctx = n,
	                           .k_dim = l->head_dim_k, .v_dim = l->head_dim_v}};
	b->kv.k = b->k = zeros(tiles * kv_tile_bytes(BLOCK_F16, l->head_dim_k));
	b->kv.v = b->v = zeros(tiles * kv_tile_bytes(BLOCK_F16, l->head_dim_v));
	b->row_k = alloc_array((size_t)l->n_head_kv * l->head_dim_k, sizeof(float));
	b->row_v = alloc_array((size_t)l->n_head_kv * l->head_dim_v, sizeof(float));
	b->q = alloc_array((size_t)l->n_head * l->head_dim_k, sizeof(float));
	b->out = alloc_array((size_t)l->n_head * l->head_dim_v, sizeof(float));
	b->tiles = zeros(attention_tile_floats(group, l->head_dim_k, l->head_dim_v) * sizeof(float));
	b->chunks = zeros(attention_chunks(n) * attention_chunk_floats(l->n_head, l->head_dim_v) * sizeof(float));
	return b->k && b->v && b->row_k && b->row_v && b->q && b->out && b->tiles && b->chunks;
}

/* The value at a position: 1 in one element. */
static void put_value(const struct patient *p, struct bench *b, size_t pos, size_t element)
{
	const struct compute alone = {.isa = p->compute.isa};

	for (size_t i = 0; i < b->kv.n_kv_head * b->kv.v_dim; i++)
		b->row_v[i] = i % b->kv.v_dim == element;
	kv_store(&alone, &b->kv, pos, 1, b->row_k, b->row_v);
}

static bool look(const struct patient *p, const struct layer_plan *l, struct edge *edge)
{
	const struct compute alone = {.isa = p->compute.isa};
	size_t window = l->window, pos = window + 1, first = l->by_chunks ? window : pos - window + 1;
	size_t n_seen = pos - first + 1;
	struct bench b;
	bool has_memory = bench_init(&b, l, pos + 1);

	if (has_memory) {
		const struct attention a = {.kv = &b.kv, .n_head = l->n_head, .window = window, .by_chunks = l->by_chunks,
		                            .scale = l->attention_scale, .softcap = l->softcap, .tiles = b.tiles, .chunks = b.chunks};

		put_value(p, &b, first, 0);
		put_value(p, &b, first - 1, 1);
		attention(&alone, &a, b.q, pos, 1, b.out);
		*edge = (struct edge){.inside = (double)b.out[0] * (double)n_seen, .outside = (double)b.out[1] * (double)n_seen};
	}
	bench_free(&b);
	return has_memory;
}

static void judge(const struct patient *p, size_t layer, const struct edge *edge, struct diagnosis *out)
{
	unsigned window = p->plan->layers[layer].window;
	bool longer = edge->outside > 0.1, shorter = edge->inside < 0.5;
	char cause[160];

	diagnose_number(out, edge->outside, "weight of the position outside the window");
	if (!longer && !shorter)
		return;
	snprintf(cause, sizeof cause, "The window of attention is off by one: layer %zu sees %u positions, and the file says %u.",
	         layer, longer ? window + 1 : window - 1, window);
	diagnose_finding(out, cause, "Just inside the window a position has %.2f of its share, just outside %.2f.", edge->inside,
	                 edge->outside);
	diagnose_show(out, "sotto trace -m %s -p Hello --attention %zu,0", p->params.model, layer);
}

enum status check_windows(struct patient *p, struct diagnosis *out, struct error *err)
{
	uint32_t looked_at = 0;
	size_t n = 0;

	diagnose_fine(out, "%s", "");
	for (size_t i = 0; i < p->plan->n_layer && out->verdict == VERDICT_FINE; i++) {
		const struct layer_plan *l = &p->plan->layers[i];
		struct edge edge;

		if (!(l->mixers & MIXER_ATTENTION) || l->window < 2 || l->window > LONGEST || l->head_dim_v < 2)
			continue;
		n++;
		if (l->window == looked_at)
			continue;
		looked_at = l->window;
		if (!look(p, l, &edge))
			return error_no_memory(err, NULL);
		judge(p, i, &edge, out);
	}
	if (!n)
		diagnose_skipped(out, "No layer has a window.");
	return STATUS_OK;
}
