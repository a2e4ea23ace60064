/* Latent attention (MLA): one vector a position is kept in place of the keys and values of
 * all heads. Head by head, queries are multiplied with the matrix that would make keys of it,
 * and the output with the one that would make values. */
#include <string.h>

#include "kernels/compute.h"
#include "kernels/kv_layer.h"
#include "model/blocks.h"
#include "model/cache.h"

/* Elements of a head that are rotated: before the others in the cache, after them in the
 * file. */
static size_t rotated(const struct layer_plan *l)
{
	return l->head_dim_k - l->head_dim_v;
}

/* Into scratch->latent_q: [n][n_head][latent.key, then what is rotated]. */
static void make_queries(const struct pass *p, struct activations *x)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t rank = p->layer->latent.q_rank;
	struct activations low;

	if (!rank) {
		apply_linear(p, &w->q, x, s->latent_q);
		return;
	}
	apply_linear(p, &w->q_a, x, s->latent_low);
	apply_norm(p, &w->q_a_norm, p->n, rank, s->latent_low);
	activations_set(&low, s->quants, s->latent_low, p->n, rank);
	apply_linear(p, &w->q, &low, s->latent_q);
}

/* The vectors of these positions, normalised, are the values and, behind what is rotated, the
 * keys. */
static void keep_latent(const struct pass *p, struct activations *x)
{
	const struct layer_plan *l = p->layer;
	struct scratch *s = p->scratch;
	size_t rank = l->head_dim_v, dim = l->head_dim_k, n_rotated = rotated(l);
	float *made = s->q; /* not in use yet */

	apply_linear(p, &p->weights->latent, x, made);
	for (size_t t = 0; t < p->n; t++) {
		memcpy(s->v + t * rank, made + t * dim, rank * sizeof *made);
		memcpy(s->k + t * dim, made + t * dim + rank, n_rotated * sizeof *made);
	}
	apply_norm(p, &p->weights->latent_norm, p->n, rank, s->v);
	for (size_t t = 0; t < p->n; t++)
		memcpy(s->k + t * dim + n_rotated, s->v + t * rank, rank * sizeof *made);
	rotate_heads(p, 1, s->k);
	kv_store(p->compute, &p->f->cache->kv[p->index], p->pos, p->n, s->k, s->v);
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

void block_latent(const struct pass *p, const float *in, float *out)
{
	const struct layer_plan *l = p->layer;
	struct scratch *s = p->scratch;
	size_t n = p->n - p->skip, width = (size_t)l->n_head * l->latent.value;
	struct activations x;

	activations_set(&x, s->quants, in, p->n, p->plan->n_embd);
	keep_latent(p, &x);
	if (n == 0)
		return;
	make_queries(p, &x);
	absorb_keys(p);
	rotate_heads(p, l->n_head, s->q);
	scale_queries_by_position(p, s->q);
	attend(p);
	unfold_values(p, n);
	activations_set(&x, s->quants, s->latent_q, n, width);
	apply_linear(p, &p->weights->o, &x, out);
}
