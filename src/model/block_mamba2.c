#include <math.h>

#include "kernels/scan.h"
#include "model/blocks.h"
#include "model/cache.h"

static float softplus(float x)
{
	return x > 20 ? x : log1pf(expf(x));
}

/* A head's time step is how much of the input it takes, and how much of the old it forgets. */
static void make_rates(const struct pass *p, struct activations *x)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t n_head = p->layer->n_state_head;

	apply_linear(p, &w->state_time, x, s->beta);
	for (size_t t = 0; t < p->n; t++)
		for (size_t h = 0; h < n_head; h++) {
			float *step = &s->beta[t * n_head + h];

			*step = softplus(*step + w->state_time_bias[h]);
			s->decay[t * n_head + h] = expf(*step * w->state_decay[h]);
		}
}

/* What passes by the states, a part of it for each head. */
static void add_skipped(const struct pass *p, size_t channels, size_t width)
{
	size_t n_value = p->layer->state_value;

	for (size_t t = p->skip; t < p->n; t++)
		for (size_t i = 0; i < width; i++)
			p->scratch->state_out[t * width + i] +=
				p->weights->state_skip[i / n_value] * p->scratch->conv_out[t * channels + i];
}

void block_mamba2(const struct pass *p, const float *in, float *out)
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
		.n_value = l->state_value,
		.decay = s->decay, .beta = s->beta, .stride = channels,
		.v = s->conv_out, .k = s->conv_out + width, .q = s->conv_out + width + keys,
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
	scan_states(p->compute, &scan);
	if (!n)
		return;
	add_skipped(p, channels, width);
	activate(p->compute, ACTIVATION_SILU, s->state_gate + first, s->state_out + first, n * width);
	apply_norm(p, &w->state_norm, n, width, s->state_gate + first);
	activations_set(&x, s->quants, s->state_gate + first, n, width);
	apply_linear(p, &w->state_out, &x, out);
}
