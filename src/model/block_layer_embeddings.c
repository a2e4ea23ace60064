/* Embeddings of a token for each layer (Gemma 3n): one part is looked up, one made of the
 * token's first embedding; each layer adds its own through a gate. */
#include <math.h>

#include "model/blocks.h"
#include "model/model_internal.h"

void make_layer_embeddings(const struct pass *p)
{
	const struct weights *w = &p->f->model->weights;
	size_t d = p->plan->n_layer_embd, n_layer = p->plan->n_layer, width = n_layer * d;
	float *rows = p->scratch->layer_embd_rows, *out = p->scratch->layer_embd;
	size_t n_batch = p->scratch->n_batch;
	float looked_up = sqrtf((float)d), half = 1 / sqrtf(2);

	apply_linear(p, &w->layer_embd_proj, p->x, p->n, rows);
	scale(p->compute, rows, 1 / sqrtf((float)p->plan->n_embd), p->n * width);
	apply_norm(p, &w->layer_embd_norm, p->n, width, rows);
	for (size_t t = 0; t < p->n; t++)
		for (size_t i = 0; i < n_layer; i++)
			for (size_t k = 0; k < d; k++)
				out[(i * n_batch + t) * d + k] = rows[(t * n_layer + i) * d + k];
	/* a row of the table is as long as all layers' parts of a token */
	for (size_t t = 0; t < p->n; t++) {
		matrix_row(&w->layer_embd, (size_t)p->f->tokens[t], rows);
		for (size_t i = 0; i < n_layer; i++)
			for (size_t k = 0; k < d; k++) {
				float *at = &out[(i * n_batch + t) * d + k];

				*at = (*at + rows[i * d + k] * looked_up) * half;
			}
	}
}

void block_layer_embeddings(const struct pass *p, const float *in, float *out)
{
	const struct layer_weights *w = p->weights;
	size_t d = p->plan->n_layer_embd, first = p->pos - p->f->pos;
	const float *embd = p->scratch->layer_embd + (p->index * p->scratch->n_batch + first) * d;
	float *gate = p->scratch->layer_embd_rows;

	apply_linear(p, &w->embd_gate, in, p->n, gate);
	activate(p->compute, p->layer->activation, gate, embd, p->n * d);
	apply_linear(p, &w->embd_proj, gate, p->n, out);
	apply_norm(p, &w->embd_post_norm, p->n, p->plan->n_embd, out);
}
