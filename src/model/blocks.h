/* The blocks that layers are made of. They depend on plan and weights, not on families.
 * Private to this folder. */
#ifndef SOTTO_MODEL_BLOCKS_H
#define SOTTO_MODEL_BLOCKS_H

#include "kernels/matmul.h"
#include "kernels/ops.h"
#include "model/forward.h"
#include "model/weights.h"

/* A micro-batch on its way through the layers. */
struct pass {
	const struct forward *f;
	const struct plan *plan;
	const struct compute *compute;
	struct scratch *scratch;

	/* the layer that it is in */
	size_t index;
	const struct layer_plan *layer;
	const struct layer_weights *weights;

	size_t pos;  /* of the first token */
	size_t n;    /* tokens */
	size_t skip; /* the first of them, whose output is not needed */
	float *x;    /* [n][n_embd]: the residual stream */
};

/* Hands a place's rows [p->n][width] to the probe, if there is one. */
static inline void show(const struct pass *p, enum probe_place place, size_t width, const float *data)
{
	const struct probe *probe = p->f->probe;

	if (probe)
		probe->see(probe->ctx, &(struct probed){.place = place, .layer = p->index, .pos = p->pos,
		                                        .n = p->n, .width = width, .data = data});
}
/* The recurrent state that the layer leaves behind the last token. */
void show_state(const struct pass *p);

/* out[n - skip][n_embd] of in[n][n_embd]: attention over everything up to each position; keys and
 * values of all n are stored. */
void block_attention(const struct pass *p, const float *in, float *out);

/* The recurrent mixers; the state behind the last token is left in the cache. */
void block_delta(const struct pass *p, const float *in, float *out);
void block_mamba2(const struct pass *p, const float *in, float *out);
void block_shortconv(const struct pass *p, const float *in, float *out);

/* out[n][n_embd] of in[n][n_embd] */
void block_feed_forward(const struct pass *p, const float *in, float *out);

/* The same by the experts that the layer's router picks for each token. */
void block_experts(const struct pass *p, const float *in, float *out);

/* The embeddings of the tokens for all layers, into the scratch. */
void make_layer_embeddings(const struct pass *p);
/* out[n][n_embd] of in[n][n_embd]: this layer's, gated by `in`. */
void block_layer_embeddings(const struct pass *p, const float *in, float *out);

/* y[n][rows] = linear(x[n][cols]) */
void apply_linear(const struct pass *p, const struct linear *linear, const float *x, size_t n,
                  float *y);

/* Several products of the same x, quantised or arranged once, in one run of the threads; those
 * without a matrix are skipped. */
enum { PRODUCTS_MAX = 5 };
struct product {
	const struct linear *linear;
	float *y;
};
void apply_linears(const struct pass *p, const struct product *products, size_t n_products,
                   const float *x, size_t n);

/* Normalises rows of `width` floats in place, `width` a multiple of the norm's; nothing without
 * such a norm. */
void apply_norm(const struct pass *p, const struct norm_weights *weights, size_t n, size_t width,
                float *x);

/* A block's input: the stream, normalised if there is such a norm. */
const float *block_input(const struct pass *p, const struct norm_weights *norm);
/* Continues with only the tokens that are needed. */
void drop_skipped(struct pass *p);

#endif
