#include <math.h>
#include <string.h>

#include "kernels/attention.h"
#include "kernels/kv_layer.h"
#include "kernels/rope.h"
#include "model/blocks.h"
#include "model/cache.h"

void rotate_heads(const struct pass *p, size_t n_heads, float *x)
{
	const struct layer_plan *l = p->layer;
	const struct rope_set *set;
	size_t first = p->pos - p->f->pos; /* row of the rope tables */

	if (l->rope == ROPE_NONE)
		return;
	set = &p->f->ropes->sets[l->rope];
	rope(p->compute, set->pairing,
	     p->scratch->rope[l->rope] + first * 2 * set->n_pairs, set->n_pairs, p->n, n_heads,
	     l->head_dim_k, x);
}

/* Normalises each head by itself, without weights. */
static void normalise_heads(const struct pass *p, size_t n_heads, size_t dim, float *x)
{
	normalise(p->compute, NORM_RMS, x, p->n * n_heads, &(struct norm_weights){.dim = dim, .n = 1},
	          p->plan->norm_eps, x);
}

/* Heads are normalised before they are rotated, or after. */
static void finish_heads(const struct pass *p, const struct norm_weights *norm, size_t n_heads,
                         float *x)
{
	size_t width = n_heads * p->layer->head_dim_k;

	if (!p->layer->norms_after_rope)
		apply_norm(p, norm, p->n, width, x);
	rotate_heads(p, n_heads, x);
	if (p->layer->norms_after_rope)
		apply_norm(p, norm, p->n, width, x);
	if (p->layer->norms_heads)
		normalise_heads(p, n_heads, p->layer->head_dim_k, x);
}

void scale_queries_by_position(const struct pass *p, float *q)
{
	size_t width = (size_t)p->layer->n_head * p->layer->head_dim_k;
	double by = (double)p->layer->temperature_scale;

	for (size_t t = 0; t < p->n && by > 0; t++) {
		size_t pos = p->pos + t + p->plan->temperature_shift;
		double stretch = (double)(pos / p->plan->temperature_length);

		scale(p->compute, q + t * width, (float)(1 + by * log(1 + stretch)), width);
	}
}

/* Each head's gate follows its queries. */
static void split_gates(const struct pass *p)
{
	size_t dim = p->layer->head_dim_k, n_heads = p->n * p->layer->n_head;
	struct scratch *s = p->scratch;

	for (size_t i = 0; i < n_heads; i++) {
		memcpy(s->q + i * dim, s->q_gates + 2 * i * dim, dim * sizeof *s->q);
		memcpy(s->gates + i * dim, s->q_gates + (2 * i + 1) * dim, dim * sizeof *s->q);
	}
}

/* Attends the queries that are needed, into scratch->heads. */
void attend(const struct pass *p)
{
	const struct layer_plan *l = p->layer;
	const struct attention attn = {
		.kv = &p->f->cache->kv[l->kv_layer],
		.n_head = l->n_head,
		.window = l->window,
		.by_chunks = l->by_chunks,
		.scale = l->attention_scale,
		.softcap = l->softcap,
		.sinks = p->weights->sinks,
		.tiles = p->scratch->attention_tiles,
		.chunks = p->scratch->attention_chunks,
	};

	attention(p->compute, &attn, p->scratch->q + p->skip * l->n_head * l->head_dim_k,
	          p->pos + p->skip, p->n - p->skip, p->scratch->heads);
}

void block_attention(const struct pass *p, const float *in, float *out)
{
	const struct layer_plan *l = p->layer;
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t width = (size_t)l->n_head * l->head_dim_k, n = p->n - p->skip;
	struct activations x;

	activations_set(&x, s->quants, in, p->n, p->plan->n_embd);
	apply_linears(p, (const struct product[]){{&w->k, s->k}, {&w->v, s->v},
	                                          {&w->q, l->gates_heads ? s->q_gates : s->q}},
	              n ? 3 : 2, &x);
	if (l->kv_layer == p->index) {
		if (!w->v.matrix.data) /* the keys are the values, too */
			memcpy(s->v, s->k, p->n * l->n_head_kv * l->head_dim_k * sizeof *s->v);
		if (l->norms_values)
			normalise_heads(p, l->n_head_kv, l->head_dim_v, s->v);
		finish_heads(p, &w->k_norm, l->n_head_kv, s->k);
		kv_store(p->compute, &p->f->cache->kv[p->index], p->pos, p->n, s->k, s->v);
	}
	if (n == 0)
		return;
	if (l->gates_heads)
		split_gates(p);
	finish_heads(p, &w->q_norm, l->n_head, s->q);
	scale_queries_by_position(p, s->q);
	attend(p);
	if (l->gates_heads) {
		activate(p->compute, ACTIVATION_SIGMOID, s->gates + p->skip * width, s->heads, n * width);
		memcpy(s->heads, s->gates + p->skip * width, n * width * sizeof *s->heads);
	}
	apply_norm(p, &w->heads_norm, n, w->o.matrix.cols, s->heads);
	activations_set(&x, s->quants, s->heads, n, w->o.matrix.cols);
	apply_linear(p, &w->o, &x, out);
}
