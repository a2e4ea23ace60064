/* What the blocks are made of: products, norms, the input of a block. */
#include "model/blocks.h"

void apply_linears(const struct pass *p, const struct product *products, size_t n,
                   struct activations *x)
{
	struct matmul jobs[PRODUCTS_MAX];
	size_t n_jobs = 0;

	for (size_t i = 0; i < n; i++)
		if (products[i].linear->matrix.data)
			jobs[n_jobs++] = (struct matmul){.m = &products[i].linear->matrix, .a = x,
			                                 .y = products[i].y};
	matmul_each(p->compute, jobs, n_jobs);
	for (size_t i = 0; i < n; i++) {
		const struct linear *linear = products[i].linear;
		size_t rows = linear->matrix.rows;

		if (!linear->matrix.data)
			continue;
		scale(p->compute, products[i].y, linear->scale, x->n * rows);
		add_bias(products[i].y, x->n, rows, linear->bias);
	}
}

void apply_linear(const struct pass *p, const struct linear *linear, struct activations *x,
                  float *y)
{
	apply_linears(p, &(struct product){linear, y}, 1, x);
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
