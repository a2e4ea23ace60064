/* What the blocks are made of: products, norms, the input of a block; and the simplest block. */
#include "model/blocks.h"

void apply_linears(const struct pass *p, const struct product *products, size_t n_products,
                   const float *x, size_t n)
{
	struct matmul jobs[PRODUCTS_MAX];
	struct activations in;
	size_t n_jobs = 0, cols = 0;

	for (size_t i = 0; i < n_products; i++) {
		const struct matrix *m = &products[i].linear->matrix;

		if (!m->data)
			continue;
		jobs[n_jobs++] = (struct matmul){.m = m, .a = &in, .y = products[i].y};
		cols = m->cols;
	}
	activations_set(&in, p->scratch->quants, x, n, cols);
	matmul_each(p->compute, jobs, n_jobs);
	for (size_t i = 0; i < n_products; i++) {
		const struct linear *linear = products[i].linear;
		size_t rows = linear->matrix.rows;

		if (!linear->matrix.data)
			continue;
		scale(p->compute, products[i].y, linear->scale, n * rows);
		add_bias(products[i].y, n, rows, linear->bias);
	}
}

void apply_linear(const struct pass *p, const struct linear *linear, const float *x, size_t n,
                  float *y)
{
	apply_linears(p, &(struct product){linear, y}, 1, x, n);
}

void apply_norm(const struct pass *p, const struct norm_weights *weights, size_t n, size_t width,
                float *x)
{
	if (weights->dim)
		normalise(p->compute, p->plan->norm, x, n * (width / weights->dim), weights,
		          p->plan->norm_eps, x);
}

const float *block_input(const struct pass *p, const struct norm_weights *norm)
{
	if (!norm->dim)
		return p->x;
	normalise(p->compute, p->plan->norm, p->x, p->n, norm, p->plan->norm_eps, p->scratch->norm);
	return p->scratch->norm;
}

void drop_skipped(struct pass *p)
{
	p->n -= p->skip;
	p->pos += p->skip;
	p->x += p->skip * p->plan->n_embd;
	p->skip = 0;
}

void block_feed_forward(const struct pass *p, const float *in, float *out)
{
	const struct layer_plan *l = p->layer;
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	bool gated = w->gate.matrix.data != NULL;
	float *hidden = gated ? s->gate : s->up;
	size_t n = p->n;

	apply_linears(p, (const struct product[]){{&w->gate, s->gate}, {&w->up, s->up}}, 2, in, n);
	if (l->gate_cutoff > 0)
		gaussian_topk(p->compute, hidden, n, l->n_ff, l->gate_cutoff);
	activate(p->compute, l->activation, hidden, gated ? s->up : NULL, n * l->n_ff);
	apply_norm(p, &w->hidden_norm, n, l->n_ff, hidden);
	apply_linear(p, &w->down, hidden, n, out);
}
