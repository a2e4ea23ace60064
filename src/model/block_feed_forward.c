#include "model/blocks.h"

void block_feed_forward(const struct pass *p, size_t n, const float *in, float *out)
{
	const struct layer_plan *l = p->layer;
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	bool gated = w->gate.matrix.data != NULL;
	float *hidden = gated ? s->gate : s->up;
	struct activations x;

	activations_set(&x, s->quants, in, n, p->plan->n_embd);
	apply_linears(p, (const struct product[]){{&w->gate, s->gate}, {&w->up, s->up}}, 2, &x);
	if (l->gate_cutoff > 0)
		gaussian_topk(p->compute, hidden, n, l->n_ff, l->gate_cutoff);
	activate(p->compute, l->activation, hidden, gated ? s->up : NULL, n * l->n_ff);
	apply_norm(p, &w->hidden_norm, n, l->n_ff, hidden);
	activations_set(&x, s->quants, hidden, n, l->n_ff);
	apply_linear(p, &w->down, &x, out);
}
