#include "kernels/scan.h"
#include "model/blocks.h"
#include "model/cache.h"

void apply_conv(const struct pass *p, bool activated)
{
	const struct layer_weights *w = p->weights;
	const struct conv conv = {
		.n = p->n, .n_channels = layer_conv_channels(p->plan, p->index),
		.n_taps = p->layer->conv_taps, .taps = w->conv, .bias = w->conv_bias,
		.activated = activated, .x = p->scratch->conv_in, .out = p->scratch->conv_out,
		.before = cache_state(p->f->cache, p->index),
		.next = cache_next_state(p->f->cache, p->index),
	};

	convolve(p->compute, &conv);
}

/* out = output_gate * conv(input_gate * x), of projections of the stream */
void block_shortconv(const struct pass *p, const float *in, float *out)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t n_embd = p->plan->n_embd, first = p->skip * n_embd, n = p->n - p->skip;
	struct activations x;

	activations_set(&x, s->quants, in, p->n, n_embd);
	apply_linears(p, (const struct product[]){{&w->conv_in, s->conv_in}, {&w->input_gate, s->state_out},
	                                          {&w->output_gate, s->state_gate}},
	              n ? 3 : 2, &x);
	multiply(p->compute, s->conv_in, s->state_out, p->n * n_embd);
	apply_conv(p, false);
	if (!n)
		return;
	multiply(p->compute, s->state_gate + first, s->conv_out + first, n * n_embd);
	activations_set(&x, s->quants, s->state_gate + first, n, n_embd);
	apply_linear(p, &w->state_out, &x, out);
}
