/* States of every family that has some, against the recurrences in double. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "definitions.h"
#include "trace/states.h"

#define CLOSE 2e-4

enum { RECURRENT = MIXER_DELTA | MIXER_MAMBA2 | MIXER_SHORTCONV };

/* A layer on its way through the tokens. */
struct recurrence {
	const struct traced *traced;
	const char *family;
	size_t layer, n_channels;
	const struct layer_plan *l;
	const struct layer_weights *w;
	double *inputs[TRACED_IDS]; /* of the convolution, [n_channels] */
	double *states;             /* [n_state_head][state_value][state_key] */
};

static double softplus(double x)
{
	return x > 30 ? x : log1p(exp(x));
}

/* What the convolution gives for token `pos`. */
static void convolve_token(const struct recurrence *r, size_t pos, bool activated, double *out)
{
	size_t n_taps = r->l->conv_taps;

	for (size_t c = 0; c < r->n_channels; c++) {
		out[c] = r->w->conv_bias ? (double)r->w->conv_bias[c] : 0;
		for (size_t j = 0; j < n_taps; j++)
			if (pos + 1 + j >= n_taps)
				out[c] += (double)r->w->conv[j * r->n_channels + c] * r->inputs[pos + 1 + j - n_taps][c];
		if (activated)
			out[c] *= sigmoid(out[c]);
	}
}

/* How much is learnt, and how fast the old is forgotten, before they become rates. */
static void project_rates(const struct recurrence *r, const double *in, double *beta, double *step)
{
	size_t n = r->l->n_state_head, in_group = n / r->l->n_state_group;
	double *both;

	if (!r->w->state_rates.matrix.data) {
		if (r->w->state_beta.matrix.data)
			define_linear(&r->w->state_beta, in, beta);
		define_linear(&r->w->state_time, in, step);
		return;
	}
	both = zeros(2 * n);
	define_linear(&r->w->state_rates, in, both);
	for (size_t h = 0; h < n; h++) {
		size_t at = h / in_group * 2 * in_group + h % in_group;

		beta[h] = both[at];
		step[h] = both[at + in_group];
	}
	free(both);
}

static size_t group_of(const struct layer_plan *l, size_t head)
{
	return l->groups_alternate ? head % l->n_state_group : head / (l->n_state_head / l->n_state_group);
}

/* s = decay s + learnt k, and s q. */
static void step_head(const struct layer_plan *l, bool is_delta, double *state, double decay, double beta, const double *k,
                      const double *q, const double *v, double *out)
{
	for (size_t i = 0; i < l->state_value; i++) {
		double *s = state + i * l->state_key, known = 0, learnt;

		for (size_t j = 0; j < l->state_key; j++)
			known += (s[j] *= decay) * k[j];
		learnt = beta * (is_delta ? v[i] - known : v[i]);
		out[i] = 0;
		for (size_t j = 0; j < l->state_key; j++)
			out[i] += (s[j] += learnt * k[j]) * q[j];
	}
}

/* One token through a delta net or Mamba-2: `heads` is what comes out of the states. */
static void step_states(struct recurrence *r, size_t pos, const double *in, double *heads)
{
	const struct layer_plan *l = r->l;
	bool is_delta = (l->mixers & MIXER_DELTA) != 0;
	size_t keys = (size_t)l->n_state_group * l->state_key, values = (size_t)l->n_state_head * l->state_value;
	double *mixed = zeros(r->n_channels), *beta = zeros(l->n_state_head), *step = zeros(l->n_state_head);
	double *q = is_delta ? mixed : mixed + values + keys, *k = is_delta ? mixed + keys : mixed + values;
	double *v = is_delta ? mixed + 2 * keys : mixed;

	convolve_token(r, pos, true, mixed);
	project_rates(r, in, beta, step);
	if (is_delta) {
		define_plain_norm(NORM_L2, (double)r->traced->plan->norm_eps, l->state_key, l->n_state_group, q);
		define_plain_norm(NORM_L2, (double)r->traced->plan->norm_eps, l->state_key, l->n_state_group, k);
		for (size_t i = 0; i < keys; i++)
			q[i] /= sqrt((double)l->state_key);
	}
	for (size_t h = 0; h < l->n_state_head; h++) {
		double time = softplus(step[h] + (double)r->w->state_time_bias[h]);
		size_t at = group_of(l, h) * l->state_key;

		step_head(l, is_delta, r->states + h * l->state_value * l->state_key, exp(time * (double)r->w->state_decay[h]),
		          is_delta ? sigmoid(beta[h]) : time, k + at, q + at, v + h * l->state_value, heads + h * l->state_value);
		for (size_t i = 0; i < l->state_value && !is_delta; i++)
			heads[h * l->state_value + i] += (double)r->w->state_skip[h] * v[h * l->state_value + i];
	}
	free(mixed);
	free(beta);
	free(step);
}

/* Norm and gate, in the order that the mixer has them, and the way out. */
static void define_output(const struct recurrence *r, const double *in, double *heads, double *out)
{
	const struct plan *plan = r->traced->plan;
	size_t width = (size_t)r->l->n_state_head * r->l->state_value;
	bool is_delta = (r->l->mixers & MIXER_DELTA) != 0;
	double *gate = zeros(width);

	define_linear(&r->w->output_gate, in, gate);
	if (is_delta)
		define_norm(plan->norm, &r->w->state_norm, (double)plan->norm_eps, width, heads);
	for (size_t i = 0; i < width; i++)
		heads[i] *= gate[i] * sigmoid(gate[i]);
	if (!is_delta)
		define_norm(plan->norm, &r->w->state_norm, (double)plan->norm_eps, width, heads);
	define_linear(&r->w->state_out, heads, out);
	free(gate);
}

static void step_token(struct recurrence *r, size_t pos)
{
	const struct plan *plan = r->traced->plan;
	double *in = traced_doubles(r->traced, PROBE_MIXER_IN, r->layer, pos, plan->n_embd), *out = zeros(plan->n_embd), off;
	double *made = zeros(plan->n_embd), *heads = zeros((size_t)r->l->n_state_head * r->l->state_value);

	r->inputs[pos] = zeros(r->n_channels);
	define_linear(&r->w->conv_in, in, r->inputs[pos]);
	if (r->l->mixers & MIXER_SHORTCONV) {
		define_linear(&r->w->input_gate, in, made);
		for (size_t i = 0; i < plan->n_embd; i++)
			r->inputs[pos][i] *= made[i];
		convolve_token(r, pos, false, out);
		define_linear(&r->w->output_gate, in, made);
		for (size_t i = 0; i < plan->n_embd; i++)
			made[i] *= out[i];
		define_linear(&r->w->state_out, made, out);
	} else {
		step_states(r, pos, in, heads);
		define_output(r, in, heads, out);
	}
	off = distance(traced_row(r->traced, PROBE_MIXER_OUT, r->layer, pos), out, plan->n_embd);
	if (!(r->l->mixers & MIXER_ATTENTION)) /* else the two are added */
		cr_expect(off < 10 * CLOSE, "%s: layer %zu at %zu adds something else, off by %g", r->family, r->layer, pos, off);
	free(in);
	free(out);
	free(made);
	free(heads);
}

static double norm_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}

static bool is_near(double found, double expected)
{
	return fabs(found - expected) <= CLOSE * (1 + fabs(expected));
}

/* The state behind the last token, and its figures. */
static void check_state(const struct recurrence *r)
{
	const struct layer_plan *l = r->l;
	const float *found = traced_row(r->traced, PROBE_STATE, r->layer, 0);
	size_t kept = l->conv_taps - 1, n_head = (size_t)l->state_value * l->state_key;
	double *last = zeros(kept * r->n_channels), off;
	struct state_trace trace;
	struct error err = {0};

	for (size_t i = 0; i < kept; i++)
		memcpy(last + i * r->n_channels, r->inputs[TRACED_IDS - kept + i], r->n_channels * sizeof *last);
	cr_expect(distance(found, last, kept * r->n_channels) < CLOSE, "%s: last inputs of layer %zu", r->family, r->layer);
	off = distance(found + kept * r->n_channels, r->states, l->n_state_head * n_head);
	cr_expect(off < CLOSE, "%s: the state of layer %zu is off by %g", r->family, r->layer, off);
	cr_assert_eq(states_make(&trace, r->traced->model, &r->traced->recorder, r->layer, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(trace.pos, TRACED_IDS - 1);
	cr_expect(is_near(trace.convolution.norm, norm_of(last, kept * r->n_channels)));
	cr_assert_eq(trace.n_head, l->n_state_head);
	for (size_t h = 0; h < trace.n_head; h++)
		cr_expect(is_near(state_head(&trace, h).norm, norm_of(r->states + h * n_head, n_head)), "%s: head %zu of layer %zu",
		          r->family, h, r->layer);
	free(last);
}

static void check_layer(const struct traced *traced, const char *family, size_t layer)
{
	const struct layer_plan *l = &traced->plan->layers[layer];
	struct recurrence r = {.traced = traced, .family = family, .layer = layer, .l = l,
	                       .w = &traced->model->weights.layers[layer],
	                       .n_channels = layer_conv_channels(traced->plan, layer)};

	r.states = zeros((size_t)l->n_state_head * l->state_value * l->state_key);
	for (size_t pos = 0; pos < TRACED_IDS; pos++)
		step_token(&r, pos);
	check_state(&r);
	for (size_t pos = 0; pos < TRACED_IDS; pos++)
		free(r.inputs[pos]);
	free(r.states);
}

Test(states, are_what_the_recurrences_say_for_every_family)
{
	unsigned seen = 0;

	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		struct traced traced;

		traced_open(&traced, spec->name);
		for (size_t layer = 0; layer < traced.plan->n_layer; layer++) {
			cr_expect_eq(states_has(traced.model, layer), (traced.plan->layers[layer].mixers & RECURRENT) != 0);
			if (!states_has(traced.model, layer))
				continue;
			check_layer(&traced, spec->name, layer);
			seen |= traced.plan->layers[layer].mixers;
		}
		traced_close(&traced);
	}
	cr_expect_eq(seen & RECURRENT, RECURRENT);
}
