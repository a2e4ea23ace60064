/* Attention: as usual, and latent (MLA), which keeps one vector a position in place of the keys
 * and values of all heads. */
#include <math.h>
#include <string.h>

#include "kernels/attention.h"
#include "kernels/kv_layer.h"
#include "kernels/rope.h"
#include "model/blocks.h"
#include "model/cache.h"

/* Rotates the first elements of each head. */
static void rotate_heads(const struct pass *p, size_t n_heads, float *x)
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

static void scale_queries_by_position(const struct pass *p, float *q)
{
	size_t width = (size_t)p->layer->n_head * p->layer->head_dim_k;
	double by = (double)p->layer->temperature_scale;

	for (size_t t = 0; t < p->n && by > 0; t++) {
		size_t pos = p->pos + t + p->plan->temperature_shift;
		double stretch = (double)(pos / p->plan->temperature_length);

		scale(p->compute, q + t * width, (float)(1 + by * log(1 + stretch)), width);
	}
}

/* Stores the keys and values in the scratch. */
static void keep(const struct pass *p)
{
	const struct layer_plan *l = p->layer;

	show(p, PROBE_KEY, (size_t)l->n_head_kv * l->head_dim_k, p->scratch->k);
	show(p, PROBE_VALUE, (size_t)l->n_head_kv * l->head_dim_v, p->scratch->v);
	kv_store(p->compute, &p->f->cache->kv[p->index], p->pos, p->n, p->scratch->k, p->scratch->v);
}

/* Attends the queries that are needed, into scratch->heads. */
static void attend(const struct pass *p)
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

	show(p, PROBE_QUERY, (size_t)l->n_head * l->head_dim_k, p->scratch->q);
	attention(p->compute, &attn, p->scratch->q + p->skip * l->n_head * l->head_dim_k,
	          p->pos + p->skip, p->n - p->skip, p->scratch->heads);
	show(p, PROBE_HEADS, (size_t)l->n_head * l->head_dim_v, p->scratch->heads);
}

/* ---- as usual ---- */

/* Normalises each head by itself, without weights. */
static void normalise_heads(const struct pass *p, size_t n_heads, size_t dim, float *x)
{
	normalise(p->compute, NORM_RMS, x, p->n * n_heads, &(struct norm_weights){.dim = dim, .n = 1},
	          p->plan->norm_eps, x);
}

/* Heads are normalised before they are rotated, or after. */
static void finish_heads(const struct pass *p, const struct norm_weights *norm, size_t n_heads,
                         enum probe_place plain, float *x)
{
	size_t width = n_heads * p->layer->head_dim_k;

	if (!p->layer->norms_after_rope)
		apply_norm(p, norm, p->n, width, x);
	show(p, plain, width, x);
	rotate_heads(p, n_heads, x);
	if (p->layer->norms_after_rope)
		apply_norm(p, norm, p->n, width, x);
	if (p->layer->norms_heads)
		normalise_heads(p, n_heads, p->layer->head_dim_k, x);
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

static void attend_usual(const struct pass *p, const float *in, float *out)
{
	const struct layer_plan *l = p->layer;
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t width = (size_t)l->n_head * l->head_dim_k, n = p->n - p->skip;

	apply_linears(p, (const struct product[]){{&w->k, s->k}, {&w->v, s->v},
	                                          {&w->q, l->gates_heads ? s->q_gates : s->q}},
	              n ? 3 : 2, in, p->n);
	if (l->kv_layer == p->index) {
		if (!w->v.matrix.data) /* the keys are the values, too */
			memcpy(s->v, s->k, p->n * l->n_head_kv * l->head_dim_k * sizeof *s->v);
		if (l->norms_values)
			normalise_heads(p, l->n_head_kv, l->head_dim_v, s->v);
		finish_heads(p, &w->k_norm, l->n_head_kv, PROBE_KEY_PLAIN, s->k);
		keep(p);
	}
	if (n == 0)
		return;
	if (l->gates_heads)
		split_gates(p);
	finish_heads(p, &w->q_norm, l->n_head, PROBE_QUERY_PLAIN, s->q);
	scale_queries_by_position(p, s->q);
	attend(p);
	if (l->gates_heads) {
		activate(p->compute, ACTIVATION_SIGMOID, s->gates + p->skip * width, s->heads, n * width);
		memcpy(s->heads, s->gates + p->skip * width, n * width * sizeof *s->heads);
	}
	apply_norm(p, &w->heads_norm, n, w->o.matrix.cols, s->heads);
	apply_linear(p, &w->o, s->heads, n, out);
}

/* ---- latent: head by head, queries are multiplied with the matrix that would make keys of the
 * vector, and the output with the one that would make values ---- */

/* Elements of a head that are rotated: before the others in the cache, after them in the
 * file. */
static size_t rotated(const struct layer_plan *l)
{
	return l->head_dim_k - l->head_dim_v;
}

/* The vectors of these positions, normalised, are the values and, behind what is rotated, the
 * keys. */
static void keep_latent(const struct pass *p, const float *made)
{
	const struct layer_plan *l = p->layer;
	struct scratch *s = p->scratch;
	size_t rank = l->head_dim_v, dim = l->head_dim_k, n_rotated = rotated(l);

	for (size_t t = 0; t < p->n; t++) {
		memcpy(s->v + t * rank, made + t * dim, rank * sizeof *made);
		memcpy(s->k + t * dim, made + t * dim + rank, n_rotated * sizeof *made);
	}
	apply_norm(p, &p->weights->latent_norm, p->n, rank, s->v);
	for (size_t t = 0; t < p->n; t++)
		memcpy(s->k + t * dim + n_rotated, s->v + t * rank, rank * sizeof *made);
	show(p, PROBE_KEY_PLAIN, dim, s->k);
	rotate_heads(p, 1, s->k);
	keep(p);
}

/* From head_in [n_head][n][cols], each head with its own matrix, to head_out [n_head][n][rows]. */
static void multiply_heads(const struct pass *p, const struct stack *stack, size_t n)
{
	struct scratch *s = p->scratch;
	size_t rows = stack->first.rows, cols = stack->first.cols, floats = activations_floats(cols);

	for (size_t h = 0; h < stack->n; h++) {
		s->head_matrices[h] = stack_at(stack, h);
		activations_set(&s->head_inputs[h], s->head_quants + h * n * floats,
		                s->head_in + h * n * cols, n, cols);
		s->head_jobs[h] = (struct matmul){.m = &s->head_matrices[h], .a = &s->head_inputs[h],
		                                  .y = s->head_out + h * n * rows};
	}
	matmul_each(p->compute, s->head_jobs, stack->n);
	for (size_t h = 0; h < stack->n && stack->scale; h++)
		scale(p->compute, s->head_out + h * n * rows, stack->scale[h], n * rows);
}

/* Into scratch->q: [n][n_head][what is rotated, then head_dim_v]. */
static void absorb_keys(const struct pass *p)
{
	const struct layer_plan *l = p->layer;
	struct scratch *s = p->scratch;
	size_t key = l->latent.key, n_rotated = rotated(l), from = key + n_rotated, n = p->n;

	for (size_t h = 0; h < l->n_head; h++)
		for (size_t t = 0; t < n; t++)
			memcpy(s->head_in + (h * n + t) * key, s->latent_q + (t * l->n_head + h) * from,
			       key * sizeof *s->head_in);
	multiply_heads(p, &p->weights->latent_key, n);
	for (size_t h = 0; h < l->n_head; h++)
		for (size_t t = 0; t < n; t++) {
			size_t at = t * l->n_head + h;
			float *q = s->q + at * l->head_dim_k;

			memcpy(q, s->latent_q + at * from + key, n_rotated * sizeof *q);
			memcpy(q + n_rotated, s->head_out + (h * n + t) * l->head_dim_v,
			       l->head_dim_v * sizeof *q);
		}
}

/* From scratch->heads [n][n_head][head_dim_v] to latent_q [n][n_head][latent.value]. */
static void unfold_values(const struct pass *p, size_t n)
{
	const struct layer_plan *l = p->layer;
	struct scratch *s = p->scratch;
	size_t rank = l->head_dim_v, value = l->latent.value;

	for (size_t h = 0; h < l->n_head; h++)
		for (size_t t = 0; t < n; t++)
			memcpy(s->head_in + (h * n + t) * rank, s->heads + (t * l->n_head + h) * rank,
			       rank * sizeof *s->head_in);
	multiply_heads(p, &p->weights->latent_value, n);
	for (size_t h = 0; h < l->n_head; h++)
		for (size_t t = 0; t < n; t++)
			memcpy(s->latent_q + (t * l->n_head + h) * value, s->head_out + (h * n + t) * value,
			       value * sizeof *s->head_out);
}

static void attend_latent(const struct pass *p, const float *in, float *out)
{
	const struct layer_plan *l = p->layer;
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t n = p->n - p->skip;
	/* s->latent_q: [n][n_head][latent.key, then what is rotated]; s->q is not in use yet */
	struct product products[] = {{&w->latent, s->q}, {&w->q, s->latent_q}};

	if (l->latent.q_rank)
		products[1] = (struct product){&w->q_a, s->latent_low};
	apply_linears(p, products, n ? 2 : 1, in, p->n);
	keep_latent(p, s->q);
	if (n == 0)
		return;
	if (l->latent.q_rank) {
		apply_norm(p, &w->q_a_norm, p->n, l->latent.q_rank, s->latent_low);
		apply_linear(p, &w->q, s->latent_low, p->n, s->latent_q);
	}
	absorb_keys(p);
	show(p, PROBE_QUERY_PLAIN, (size_t)l->n_head * l->head_dim_k, s->q);
	rotate_heads(p, l->n_head, s->q);
	scale_queries_by_position(p, s->q);
	attend(p);
	unfold_values(p, n);
	apply_linear(p, &w->o, s->latent_q, n, out);
}

void block_attention(const struct pass *p, const float *in, float *out)
{
	(p->layer->latent.key ? attend_latent : attend_usual)(p, in, out);
}
