#include <math.h>

#include "kernels/scan.h"
#include "model/blocks.h"
#include "model/cache.h"

/* log(1 + exp(x)), which is x for large ones */
static float softplus(float x)
{
	return x > 20 ? x : log1pf(expf(x));
}

/* How much of the old is kept, and of the new learnt, by each head for each token. */
static void make_rates(const struct pass *p, struct activations *x)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t n_head = p->layer->n_state_head;

	apply_linear(p, &w->state_time, x, s->decay);
	apply_linear(p, &w->state_beta, x, s->beta);
	activate(p->compute, ACTIVATION_SIGMOID, s->beta, NULL, p->n * n_head);
	for (size_t t = 0; t < p->n; t++)
		for (size_t h = 0; h < n_head; h++) {
			float *decay = &s->decay[t * n_head + h];

			*decay = expf(w->state_decay[h] * softplus(*decay + w->state_time_bias[h]));
		}
}

/* Keys and queries have length 1, queries divided by the root of their dimension. */
static void normalise_keys(const struct pass *p, size_t channels)
{
	const struct layer_plan *l = p->layer;
	struct norm_weights unit = {.dim = l->state_key, .n = 1};
	size_t width = (size_t)l->n_state_group * l->state_key;

	for (size_t t = 0; t < p->n; t++) {
		float *q = p->scratch->conv_out + t * channels;

		normalise(p->compute, NORM_L2, q, 2 * l->n_state_group, &unit, p->plan->norm_eps, q);
		scale(p->compute, q, 1 / sqrtf((float)l->state_key), width);
	}
}

void block_delta(const struct pass *p, const float *in, float *out)
{
	const struct layer_plan *l = p->layer;
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t channels = layer_conv_channels(p->plan, p->index);
	size_t keys = (size_t)l->n_state_group * l->state_key;
	size_t width = (size_t)l->n_state_head * l->state_value, n = p->n - p->skip;
	size_t conv = layer_conv_floats(p->plan, p->index), first = p->skip * width;
	const struct scan scan = {
		.n = p->n, .n_head = l->n_state_head, .n_group = l->n_state_group, .n_key = l->state_key,
		.n_value = l->state_value, .is_delta = true, .groups_alternate = l->groups_alternate,
		.decay = s->decay, .beta = s->beta, .stride = channels,
		.q = s->conv_out, .k = s->conv_out + keys, .v = s->conv_out + 2 * keys,
		.before = cache_state(p->f->cache, p->index) + conv,
		.next = cache_next_state(p->f->cache, p->index) + conv,
		.out = s->state_out,
	};
	struct activations x;

	activations_set(&x, s->quants, in, p->n, p->plan->n_embd);
	apply_linear(p, &w->conv_in, &x, s->conv_in);
	make_rates(p, &x);
	if (n)
		apply_linear(p, &w->output_gate, &x, s->state_gate);
	apply_conv(p, true);
	normalise_keys(p, channels);
	scan_states(p->compute, &scan);
	if (!n)
		return;
	apply_norm(p, &w->state_norm, n, width, s->state_out + first);
	activate(p->compute, ACTIVATION_SILU, s->state_gate + first, s->state_out + first, n * width);
	activations_set(&x, s->quants, s->state_gate + first, n, width);
	apply_linear(p, &w->state_out, &x, out);
}
