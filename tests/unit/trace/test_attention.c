/* Queries, keys, values, rotations and the weights of every head, for every family, against the formulas in double:
 * from a layer's input to what it adds to the stream. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "definitions.h"
#include "trace/attention.h"
#include "trace/rotation.h"

#define CLOSE 2e-4
#define CLOSE_WEIGHTS 2e-3 /* scores are exponents: their error grows with their size */

/* What a layer with keys and values of its own has stored, by position. Of latent attention keys and values are those of
 * each head. */
struct stored {
	size_t n_head; /* of keys and values */
	double *k[TRACED_IDS], *v[TRACED_IDS];
};

struct attention_case {
	const char *family;
	struct traced traced;
	struct stored *stored; /* [n_layer] */
};

static double largest_of(double a, double b)
{
	return !(b <= a) ? b : a; /* NaN stays */
}

/* ---- as usual ---- */

static void finish_heads(const struct attention_case *c, size_t layer, const struct norm_weights *norm, size_t n_heads,
                         size_t pos, double *x)
{
	const struct plan *plan = c->traced.plan;
	const struct layer_plan *l = &plan->layers[layer];
	double eps = (double)plan->norm_eps;

	if (!l->norms_after_rope)
		define_norm(plan->norm, norm, eps, n_heads * l->head_dim_k, x);
	for (size_t h = 0; h < n_heads; h++)
		define_rotation(&c->traced, layer, pos, x + h * l->head_dim_k);
	if (l->norms_after_rope)
		define_norm(plan->norm, norm, eps, n_heads * l->head_dim_k, x);
	if (l->norms_heads)
		define_plain_norm(NORM_RMS, eps, l->head_dim_k, n_heads, x);
}

static void define_keys(struct attention_case *c, size_t layer, size_t pos, const double *in)
{
	const struct plan *plan = c->traced.plan;
	const struct layer_plan *l = &plan->layers[layer];
	const struct layer_weights *w = &c->traced.model->weights.layers[layer];
	struct stored *stored = &c->stored[layer];
	size_t n_k = (size_t)l->n_head_kv * l->head_dim_k, n_v = (size_t)l->n_head_kv * l->head_dim_v;

	stored->n_head = l->n_head_kv;
	stored->k[pos] = zeros(n_k);
	stored->v[pos] = zeros(n_v);
	define_linear(&w->k, in, stored->k[pos]);
	if (w->v.matrix.data)
		define_linear(&w->v, in, stored->v[pos]);
	else
		memcpy(stored->v[pos], stored->k[pos], n_k * sizeof(double));
	if (l->norms_values)
		define_plain_norm(NORM_RMS, (double)plan->norm_eps, l->head_dim_v, l->n_head_kv, stored->v[pos]);
	finish_heads(c, layer, &w->k_norm, l->n_head_kv, pos, stored->k[pos]);
	cr_expect(distance(traced_row(&c->traced, PROBE_KEY, layer, pos), stored->k[pos], n_k) < CLOSE,
	          "%s: keys of layer %zu at %zu", c->family, layer, pos);
	cr_expect(distance(traced_row(&c->traced, PROBE_VALUE, layer, pos), stored->v[pos], n_v) < CLOSE,
	          "%s: values of layer %zu at %zu", c->family, layer, pos);
}

static double stretch(const struct attention_case *c, size_t layer, size_t pos)
{
	const struct plan *plan = c->traced.plan;
	double by = (double)plan->layers[layer].temperature_scale;

	if (by <= 0)
		return 1;
	return 1 + by * log(1 + floor((double)(pos + plan->temperature_shift) / (double)plan->temperature_length));
}

/* Queries, and gates [n_head][head_dim_k], which is NULL where there are none. */
static double *define_queries(const struct attention_case *c, size_t layer, size_t pos, const double *in, double **gates)
{
	const struct layer_plan *l = &c->traced.plan->layers[layer];
	const struct layer_weights *w = &c->traced.model->weights.layers[layer];
	size_t dim = l->head_dim_k, n = (size_t)l->n_head * dim;
	double *both = zeros(2 * n), *q = zeros(n);

	define_linear(&w->q, in, both);
	*gates = l->gates_heads ? zeros(n) : NULL;
	for (size_t h = 0; h < l->n_head; h++) {
		memcpy(q + h * dim, both + (l->gates_heads ? 2 : 1) * h * dim, dim * sizeof *q);
		if (l->gates_heads)
			memcpy(*gates + h * dim, both + (2 * h + 1) * dim, dim * sizeof *q);
	}
	free(both);
	finish_heads(c, layer, &w->q_norm, l->n_head, pos, q);
	for (size_t i = 0; i < n; i++)
		q[i] *= stretch(c, layer, pos);
	cr_expect(distance(traced_row(&c->traced, PROBE_QUERY, layer, pos), q, n) < CLOSE, "%s: queries of layer %zu at %zu",
	          c->family, layer, pos);
	return q;
}

/* ---- latent ---- */

/* From the vector that is kept, with keys and values of each head as they were before anything was absorbed. */
static void define_latent_keys(struct attention_case *c, size_t layer, size_t pos, const double *in)
{
	const struct plan *plan = c->traced.plan;
	const struct layer_plan *l = &plan->layers[layer];
	const struct layer_weights *w = &c->traced.model->weights.layers[layer];
	size_t rank = l->head_dim_v, n_rot = l->head_dim_k - rank, key = l->latent.key, dim = key + n_rot;
	double *made = zeros(l->head_dim_k);
	struct stored *stored = &c->stored[layer];
	float *row = calloc(key, sizeof *row);

	stored->n_head = l->n_head;
	stored->k[pos] = zeros(l->n_head * dim);
	stored->v[pos] = zeros((size_t)l->n_head * l->latent.value);
	define_linear(&w->latent, in, made);
	define_norm(plan->norm, &w->latent_norm, (double)plan->norm_eps, rank, made);
	define_rotation(&c->traced, layer, pos, made + rank);
	for (size_t h = 0; h < l->n_head; h++) {
		struct matrix m = stack_at(&w->latent_key, h); /* rank x key */
		double *k = stored->k[pos] + h * dim;

		for (size_t r = 0; r < rank; r++) {
			matrix_row(&m, r, row);
			for (size_t i = 0; i < key; i++)
				k[i] += (double)row[i] * made[r] * (w->latent_key.scale ? (double)w->latent_key.scale[h] : 1);
		}
		memcpy(k + key, made + rank, n_rot * sizeof *k);
		define_stack(&w->latent_value, h, made, stored->v[pos] + h * l->latent.value);
	}
	free(made);
	free(row);
}

static double *define_latent_queries(const struct attention_case *c, size_t layer, size_t pos, const double *in)
{
	const struct plan *plan = c->traced.plan;
	const struct layer_plan *l = &plan->layers[layer];
	const struct layer_weights *w = &c->traced.model->weights.layers[layer];
	size_t dim = l->latent.key + l->head_dim_k - l->head_dim_v;
	double *q = zeros(l->n_head * dim), *low = zeros(l->latent.q_rank);

	if (l->latent.q_rank) {
		define_linear(&w->q_a, in, low);
		define_norm(plan->norm, &w->q_a_norm, (double)plan->norm_eps, l->latent.q_rank, low);
	}
	define_linear(&w->q, l->latent.q_rank ? low : in, q);
	for (size_t h = 0; h < l->n_head; h++)
		define_rotation(&c->traced, layer, pos, q + h * dim + l->latent.key);
	for (size_t i = 0; i < l->n_head * dim; i++)
		q[i] *= stretch(c, layer, pos);
	free(low);
	return q;
}

/* ---- what heads look at ---- */

static bool is_hidden(const struct layer_plan *l, size_t q, size_t k)
{
	if (!l->window)
		return false;
	return l->by_chunks ? k / l->window != q / l->window : q - k >= l->window;
}

/* The weights of a query for positions 0 .. pos; returns what goes to a sink. */
static double define_weights(const struct attention_case *c, size_t layer, size_t head, size_t pos, const double *q,
                             size_t dim, double *weights)
{
	const struct layer_plan *l = &c->traced.plan->layers[layer];
	const struct stored *stored = &c->stored[l->kv_layer];
	const float *sinks = c->traced.model->weights.layers[layer].sinks;
	size_t kv_head = head * stored->n_head / l->n_head;
	double most = sinks ? (double)sinks[head] : -INFINITY, sum;

	for (size_t k = 0; k <= pos; k++) {
		double score = 0;

		for (size_t i = 0; i < dim; i++)
			score += q[i] * stored->k[k][kv_head * dim + i];
		score *= (double)l->attention_scale;
		if (l->softcap > 0)
			score = (double)l->softcap * tanh(score / (double)l->softcap);
		weights[k] = is_hidden(l, pos, k) ? -INFINITY : score;
		most = fmax(most, weights[k]);
	}
	sum = sinks ? exp((double)sinks[head] - most) : 0;
	for (size_t k = 0; k <= pos; k++)
		sum += weights[k] = exp(weights[k] - most);
	for (size_t k = 0; k <= pos; k++)
		weights[k] /= sum;
	return sinks ? exp((double)sinks[head] - most) / sum : 0;
}

/* The head's output, and how far the trace's weights are. */
static double check_head(const struct attention_case *c, const struct attention_trace *trace, size_t pos, const double *q,
                         size_t dim, size_t n_value, double *out)
{
	const struct stored *stored = &c->stored[trace->kv_layer];
	size_t kv_head = trace->head * stored->n_head / c->traced.plan->layers[trace->layer].n_head;
	double weights[TRACED_IDS], furthest = 0;
	double sink = define_weights(c, trace->layer, trace->head, pos, q, dim, weights);

	for (size_t k = 0; k <= pos; k++) {
		furthest = largest_of(furthest, fabs(weights[k] - attention_row(trace, pos)[k]));
		for (size_t i = 0; i < n_value; i++)
			out[i] += weights[k] * stored->v[k][kv_head * n_value + i];
	}
	cr_expect_eq(trace->sink != NULL, c->traced.model->weights.layers[trace->layer].sinks != NULL);
	if (trace->sink)
		furthest = largest_of(furthest, fabs(sink - trace->sink[pos]));
	return furthest;
}

static bool is_attention_alone(const struct layer_plan *l)
{
	return l->mixers == MIXER_ATTENTION;
}

static void check_output(const struct attention_case *c, size_t layer, size_t pos, double *heads, size_t width,
                         const double *gates, double max)
{
	const struct plan *plan = c->traced.plan;
	const struct layer_weights *w = &c->traced.model->weights.layers[layer];
	double *out = zeros(plan->n_embd), off;

	for (size_t i = 0; i < width && gates; i++)
		heads[i] *= sigmoid(gates[i]);
	define_norm(plan->norm, &w->heads_norm, (double)plan->norm_eps, width, heads);
	define_linear(&w->o, heads, out);
	off = distance(traced_row(&c->traced, PROBE_MIXER_OUT, layer, pos), out, plan->n_embd);
	if (is_attention_alone(&plan->layers[layer]))
		cr_expect(off < max, "%s: layer %zu at %zu adds something else, off by %g", c->family, layer, pos, off);
	free(out);
}

static void check_layer(struct attention_case *c, size_t layer)
{
	const struct plan *plan = c->traced.plan;
	const struct layer_plan *l = &plan->layers[layer];
	bool is_latent = l->latent.key > 0;
	size_t dim = is_latent ? l->latent.key + l->head_dim_k - l->head_dim_v : l->head_dim_k;
	size_t n_value = is_latent ? l->latent.value : l->head_dim_v;
	struct attention_trace *traces = calloc(l->n_head, sizeof *traces);
	struct error err = {0};
	double furthest = 0;

	for (size_t h = 0; h < l->n_head; h++) {
		cr_assert_eq(attention_check(c->traced.model, layer, h, &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(attention_make(&traces[h], c->traced.model, &c->traced.recorder, layer, h, &err), STATUS_OK, "%s",
		             err.text);
		cr_assert_eq(traces[h].n, TRACED_IDS);
	}
	for (size_t pos = 0; pos < TRACED_IDS; pos++) {
		double *in = traced_doubles(&c->traced, PROBE_MIXER_IN, layer, pos, plan->n_embd), *gates = NULL, *q;
		double *heads = zeros(l->n_head * n_value);

		if (l->kv_layer == layer)
			(is_latent ? define_latent_keys : define_keys)(c, layer, pos, in);
		q = is_latent ? define_latent_queries(c, layer, pos, in) : define_queries(c, layer, pos, in, &gates);
		for (size_t h = 0; h < l->n_head; h++)
			furthest = largest_of(furthest, check_head(c, &traces[h], pos, q + h * dim, dim, n_value, heads + h * n_value));
		if (!is_latent)
			cr_expect(distance(traced_row(&c->traced, PROBE_HEADS, layer, pos), heads, l->n_head * n_value) < CLOSE_WEIGHTS,
			          "%s: heads of layer %zu at %zu", c->family, layer, pos);
		check_output(c, layer, pos, heads, l->n_head * n_value, gates, CLOSE_WEIGHTS);
		free(in);
		free(gates);
		free(heads);
		free(q);
	}
	cr_expect(furthest < CLOSE_WEIGHTS, "%s: weights of layer %zu are off by %g", c->family, layer, furthest);
	for (size_t h = 0; h < l->n_head; h++)
		attention_free(&traces[h]);
	free(traces);
}

static void check_family(const char *family)
{
	struct attention_case c = {.family = family};

	traced_open(&c.traced, family);
	c.stored = calloc(c.traced.plan->n_layer, sizeof *c.stored);
	for (size_t layer = 0; layer < c.traced.plan->n_layer; layer++)
		if (c.traced.plan->layers[layer].mixers & MIXER_ATTENTION)
			check_layer(&c, layer);
	for (size_t layer = 0; layer < c.traced.plan->n_layer; layer++)
		for (size_t pos = 0; pos < TRACED_IDS; pos++) {
			free(c.stored[layer].k[pos]);
			free(c.stored[layer].v[pos]);
		}
	free(c.stored);
	traced_close(&c.traced);
}

Test(attention, is_what_the_formulas_say_for_every_family)
{
	for (const struct family_spec *spec = family_specs; spec->name; spec++)
		check_family(spec->name);
}

Test(attention, names_what_there_is)
{
	struct traced traced;
	struct error err = {0};

	traced_open(&traced, "qwen35");
	cr_expect_eq(attention_check(traced.model, 999, 0, &err), STATUS_USAGE);
	cr_expect_not_null(strstr(err.text, "there is no layer 999: this model has 0 to "), "%s", err.text);
	cr_expect_eq(attention_check(traced.model, 0, 0, &err), STATUS_USAGE);
	cr_expect_not_null(strstr(err.text, "layer 0 has no attention; layer "), "%s", err.text);
	traced_close(&traced);
}

/* ---- rotations ---- */

static void check_rotation(const struct traced *traced, const char *family, size_t set, size_t pos)
{
	const struct rope_plan *rope = &traced->plan->ropes[set];
	struct rotation rotation;
	struct error err = {0};

	cr_assert_eq(rotation_make(&rotation, traced->model, traced->plan->n_ctx_train, set, pos, &err), STATUS_OK, "%s",
	             err.text);
	cr_assert_eq(rotation.n, rope->dim / 2);
	for (size_t i = 0; i < rotation.n; i++) {
		const struct rotated_pair *pair = &rotation.pairs[i];
		double angle = define_angle(traced, set, i, pos), by = (double)rope->magnitude;

		cr_expect(fabs(pair->angle - angle) <= 1e-9 * (1 + angle), "%s: set %zu, pair %zu at %zu: %g, not %g", family, set,
		          i, pos, pair->angle, angle);
		cr_expect(fabs((double)pair->cosine - cos(angle) * by) < 1e-6 && fabs((double)pair->sine - sin(angle) * by) < 1e-6,
		          "%s: set %zu, pair %zu at %zu", family, set, i, pos);
		cr_expect_eq(pair->second - pair->first, rope->pairing == ROPE_ADJACENT ? 1 : rotation.n);
	}
	rotation_free(&rotation);
}

Test(rotation, is_what_the_formula_says_for_every_family)
{
	static const size_t positions[] = {0, 1, 39, 1000, 100000};

	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		struct traced traced;

		traced_open(&traced, spec->name);
		for (size_t set = 0; set < traced.plan->n_ropes; set++)
			for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++)
				check_rotation(&traced, spec->name, set, positions[i]);
		traced_close(&traced);
	}
}
