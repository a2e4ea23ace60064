/* Recurrent mixers: a short convolution between two gates, and those whose heads have states,
 * the gated delta net and Mamba-2. Both go through such a convolution first, and the same scan;
 * they differ in how fast heads forget and in where norm and gate are. */
#include <math.h>

#include "kernels/scan.h"
#include "model/blocks.h"
#include "model/cache.h"

/* The layer's convolution of scratch->conv_in, with its state, into scratch->conv_out. */
static void apply_conv(const struct pass *p, bool activated)
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

void show_state(const struct pass *p)
{
	struct pass last = *p;

	if (!p->f->probe)
		return;
	last.pos += p->n - 1;
	last.n = 1;
	show(&last, PROBE_STATE, layer_state_floats(p->plan, p->index), cache_next_state(p->f->cache, p->index));
}

/* log(1 + exp(x)), which is x for large ones */
static float softplus(float x)
{
	return x > 20 ? x : log1pf(expf(x));
}

/* From projections of the stream to each head's time steps and decays. */
static void make_rates(const struct pass *p, float *steps)
{
	const struct layer_weights *w = p->weights;
	size_t n_head = p->layer->n_state_head;

	for (size_t t = 0; t < p->n; t++)
		for (size_t h = 0; h < n_head; h++) {
			float *step = &steps[t * n_head + h];

			*step = softplus(*step + w->state_time_bias[h]);
			p->scratch->decay[t * n_head + h] = expf(*step * w->state_decay[h]);
		}
}

/* From one projection for both: how much is learnt, and the steps. */
static void split_rates(const struct pass *p, const float *rates, float *beta, float *steps)
{
	size_t n_head = p->layer->n_state_head, in_group = n_head / p->layer->n_state_group;

	for (size_t i = 0; i < p->n * n_head; i++) {
		const float *group = rates + i / in_group * 2 * in_group;

		beta[i] = group[i % in_group];
		steps[i] = group[in_group + i % in_group];
	}
}

/* Floats of a token's keys, or of its queries; of its values, or of what the heads give. */
static size_t key_width(const struct pass *p)
{
	return (size_t)p->layer->n_state_group * p->layer->state_key;
}

static size_t value_width(const struct pass *p)
{
	return (size_t)p->layer->n_state_head * p->layer->state_value;
}

/* From scratch->conv_out, where keys, queries and values begin at these places of each token. */
static void scan(const struct pass *p, bool is_delta, size_t k, size_t q, size_t v)
{
	const struct layer_plan *l = p->layer;
	struct scratch *s = p->scratch;
	size_t conv = layer_conv_floats(p->plan, p->index);

	scan_states(p->compute, &(struct scan){
		.n = p->n, .n_head = l->n_state_head, .n_group = l->n_state_group,
		.n_key = l->state_key, .n_value = l->state_value,
		.is_delta = is_delta, .groups_alternate = l->groups_alternate,
		.decay = s->decay, .beta = s->beta,
		.k = s->conv_out + k, .q = s->conv_out + q, .v = s->conv_out + v,
		.stride = layer_conv_channels(p->plan, p->index),
		.before = cache_state(p->f->cache, p->index) + conv,
		.next = cache_next_state(p->f->cache, p->index) + conv,
		.out = s->state_out});
}

/* What goes through the convolution, how much is learnt, the steps, and the gate of what comes out
 * in the end. */
static void project(const struct pass *p, const float *in, float *steps)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	const struct product products[] = {
		{&w->conv_in, s->conv_in},     {&w->state_beta, s->beta},       {&w->state_time, steps},
		{&w->state_rates, s->rates},   {&w->output_gate, s->state_gate}};

	apply_linears(p, products, p->n > p->skip ? 5 : 4, in, p->n);
	if (w->state_rates.matrix.data)
		split_rates(p, s->rates, s->beta, steps);
	make_rates(p, steps);
	apply_conv(p, true);
}

/* Keys and queries have length 1, queries divided by the root of their dimension. */
static void normalise_keys(const struct pass *p)
{
	struct norm_weights unit = {.dim = p->layer->state_key, .n = 1};
	size_t channels = layer_conv_channels(p->plan, p->index);

	for (size_t t = 0; t < p->n; t++) {
		float *q = p->scratch->conv_out + t * channels; /* the keys stand behind them */

		normalise(p->compute, NORM_L2, q, 2 * (size_t)p->layer->n_state_group, &unit,
		          p->plan->norm_eps, q);
		scale(p->compute, q, 1 / sqrtf((float)p->layer->state_key), key_width(p));
	}
}

void block_delta(const struct pass *p, const float *in, float *out)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t keys = key_width(p), width = value_width(p), n = p->n - p->skip;
	float *gate = s->state_gate + p->skip * width, *heads = s->state_out + p->skip * width;

	project(p, in, s->state_out); /* not needed for the steps yet */
	activate(p->compute, ACTIVATION_SIGMOID, s->beta, NULL, p->n * p->layer->n_state_head);
	normalise_keys(p);
	scan(p, true, keys, 0, 2 * keys);
	show_state(p);
	if (!n)
		return;
	apply_norm(p, &w->state_norm, n, width, heads);
	activate(p->compute, ACTIVATION_SILU, gate, heads, n * width);
	apply_linear(p, &w->state_out, gate, n, out);
}

/* Adds what bypasses the states, scaled for each head. */
static void add_skipped(const struct pass *p, size_t width)
{
	size_t n_value = p->layer->state_value, channels = layer_conv_channels(p->plan, p->index);

	for (size_t t = p->skip; t < p->n; t++) {
		const float *values = p->scratch->conv_out + t * channels;
		float *heads = p->scratch->state_out + t * width;

		for (size_t h = 0; h < p->layer->n_state_head; h++)
			for (size_t i = h * n_value; i < (h + 1) * n_value; i++)
				heads[i] += p->weights->state_skip[h] * values[i];
	}
}

void block_mamba2(const struct pass *p, const float *in, float *out)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t keys = key_width(p), width = value_width(p), n = p->n - p->skip;
	float *gate = s->state_gate + p->skip * width, *heads = s->state_out + p->skip * width;

	project(p, in, s->beta); /* a head's input is scaled by its step */
	scan(p, false, width, width + keys, 0);
	show_state(p);
	if (!n)
		return;
	add_skipped(p, width);
	activate(p->compute, ACTIVATION_SILU, gate, heads, n * width);
	apply_norm(p, &w->state_norm, n, width, gate);
	apply_linear(p, &w->state_out, gate, n, out);
}

/* out = output_gate * conv(input_gate * x), of projections of the stream */
void block_shortconv(const struct pass *p, const float *in, float *out)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t n_embd = p->plan->n_embd, first = p->skip * n_embd, n = p->n - p->skip;

	apply_linears(p, (const struct product[]){{&w->conv_in, s->conv_in}, {&w->input_gate, s->state_out},
	                                          {&w->output_gate, s->state_gate}},
	              n ? 3 : 2, in, p->n);
	multiply(p->compute, s->conv_in, s->state_out, p->n * n_embd);
	apply_conv(p, false);
	show_state(p);
	if (!n)
		return;
	multiply(p->compute, s->state_gate + first, s->conv_out + first, n * n_embd);
	apply_linear(p, &w->state_out, s->state_gate + first, n, out);
}
