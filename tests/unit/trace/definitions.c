#include "definitions.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/session.h"
#include "support/logits.h"

void traced_open(struct traced *traced, const char *family)
{
	struct family_model made = family_model_of(family);
	struct probe probe = recorder_probe(&traced->recorder);
	struct session *session;
	struct error err = {0};

	*traced = (struct traced){.recorder = {.n = 0}};
	family_open(&traced->opened, &made, PACKING_NONE);
	traced->model = traced->opened.model;
	traced->plan = model_plan(traced->model);
	for (size_t layer = 0; layer <= traced->plan->n_layer; layer++)
		for (int place = PROBE_STREAM; place <= PROBE_FINAL; place++)
			recorder_want(&traced->recorder, (enum probe_place)place, layer);
	for (size_t i = 0; i < REFERENCE_IDS; i++)
		traced->ids[i] = (int32_t)(i * 37 % 100);
	session = logits_open_session(traced->model, &(struct logits_options){.kv_type = KV_F32, .n_batch = 16});
	session_set_probe(session, &probe);
	must(session_eval(session, traced->ids, TRACED_IDS, 0, NULL, &err), &err);
	session_free(session);
}

void traced_close(struct traced *traced)
{
	recorder_free(&traced->recorder);
	family_close(&traced->opened);
}

const float *traced_row(const struct traced *traced, enum probe_place place, size_t layer, size_t pos)
{
	const struct record *record = recorder_find(&traced->recorder, place, layer);

	cr_assert_not_null(record, "%s: place %d of layer %zu was not seen", traced->plan ? "the model" : "", (int)place, layer);
	cr_assert(pos < record->n);
	return record->data + pos * record->width;
}

double *traced_doubles(const struct traced *traced, enum probe_place place, size_t layer, size_t pos, size_t n)
{
	const float *row = traced_row(traced, place, layer, pos);
	double *out = zeros(n);

	cr_assert_eq(recorder_find(&traced->recorder, place, layer)->width, n);
	for (size_t i = 0; i < n; i++)
		out[i] = (double)row[i];
	return out;
}

double *zeros(size_t n)
{
	double *out = calloc(n + 1, sizeof *out);

	cr_assert_not_null(out);
	return out;
}

void define_matrix(const struct matrix *m, const double *x, double *y)
{
	float *row = calloc(m->cols, sizeof *row);

	cr_assert_not_null(row);
	for (size_t r = 0; r < m->rows; r++) {
		matrix_row(m, r, row);
		y[r] = 0;
		for (size_t c = 0; c < m->cols; c++)
			y[r] += (double)row[c] * x[c];
	}
	free(row);
}

void define_linear(const struct linear *linear, const double *x, double *y)
{
	define_matrix(&linear->matrix, x, y);
	for (size_t r = 0; r < linear->matrix.rows; r++)
		y[r] = y[r] * (double)linear->scale + (linear->bias ? (double)linear->bias[r] : 0);
}

void define_stack(const struct stack *stack, size_t i, const double *x, double *y)
{
	struct matrix m = stack_at(stack, i);

	define_matrix(&m, x, y);
	for (size_t r = 0; r < m.rows; r++)
		y[r] = y[r] * (stack->scale ? (double)stack->scale[i] : 1) +
		       (stack->bias ? (double)stack->bias[i * stack->step + r] : 0);
}

static void normalise_one(enum norm norm, double eps, size_t n, double *x)
{
	double mean = 0, square = 0, by;

	for (size_t i = 0; i < n && norm == NORM_LAYER; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (x[i] - mean) * (x[i] - mean);
	by = norm == NORM_L2 ? 1 / fmax(sqrt(square), eps) : 1 / sqrt(square / (double)n + eps);
	for (size_t i = 0; i < n; i++)
		x[i] = (x[i] - mean) * by;
}

void define_plain_norm(enum norm norm, double eps, size_t dim, size_t n, double *x)
{
	for (size_t i = 0; i < n; i++)
		normalise_one(norm, eps, dim, x + i * dim);
}

void define_norm(enum norm norm, const struct norm_weights *weights, double eps, size_t width, double *x)
{
	size_t dim = weights->dim;

	if (!dim)
		return;
	define_plain_norm(norm, eps, dim, width / dim, x);
	for (size_t i = 0; i < width; i++) {
		size_t at = i / dim % weights->n * dim + i % dim;

		if (weights->weight)
			x[i] *= (double)weights->weight[at];
		if (weights->bias)
			x[i] += (double)weights->bias[at];
	}
}

double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

double define_activation(enum activation activation, double g, const double *y)
{
	double by = y ? *y : 1;

	switch (activation) {
	case ACTIVATION_SILU: return g * sigmoid(g) * by;
	case ACTIVATION_GELU:
	case ACTIVATION_GELU_F16: return 0.5 * g * (1 + tanh(0.79788456080286535588 * (g + 0.044715 * g * g * g))) * by;
	case ACTIVATION_RELU2: return fmax(g, 0) * fmax(g, 0) * by;
	case ACTIVATION_SIGMOID: return sigmoid(g) * by;
	case ACTIVATION_CLAMPED:
		g = fmin(g, 7);
		return g * sigmoid(1.702 * g) * (fmax(-7, fmin(7, by)) + 1);
	default: cr_assert_fail("an activation without a definition"); return 0;
	}
}

/* Of YaRN's ramp: 1 below `low`, 0 above `high`. */
static double extrapolated(const struct rope_plan *rope, size_t i)
{
	double width = fmax(0.001, (double)rope->high - (double)rope->low);

	return (double)rope->yarn * (1 - fmin(1, fmax(0, ((double)i - (double)rope->low) / width)));
}

double define_angle(const struct traced *traced, size_t set, size_t i, size_t pos)
{
	const struct weights *w = &traced->model->weights;
	const struct rope_plan *rope = &traced->plan->ropes[set];
	const float *factors = w->rope_factors;
	double of = extrapolated(rope, i), angle = (double)pos / pow((double)rope->base, 2 * (double)i / (double)rope->dim);

	if (w->rope_factors_long) /* the sessions of these tests are as long as the model was trained for */
		factors = traced->plan->n_ctx_train > traced->plan->n_ctx_original ? w->rope_factors_long
		                                                                   : w->rope_factors_short;
	if (factors && set == 0)
		angle /= (double)factors[i];
	return angle * (of + (1 - of) * (double)rope->freq_scale);
}

void define_rotation(const struct traced *traced, size_t layer, size_t pos, double *head)
{
	int set = traced->plan->layers[layer].rope;
	const struct rope_plan *rope;

	if (set == ROPE_NONE)
		return;
	rope = &traced->plan->ropes[set];
	for (size_t i = 0; i < rope->dim / 2; i++) {
		size_t first = rope->pairing == ROPE_ADJACENT ? 2 * i : i;
		size_t second = rope->pairing == ROPE_ADJACENT ? 2 * i + 1 : i + rope->dim / 2;
		double angle = define_angle(traced, (size_t)set, i, pos), a = head[first], b = head[second];

		head[first] = (a * cos(angle) - b * sin(angle)) * (double)rope->magnitude;
		head[second] = (a * sin(angle) + b * cos(angle)) * (double)rope->magnitude;
	}
}

double distance(const float *found, const double *expected, size_t n)
{
	double furthest = 0, largest = 1;

	for (size_t i = 0; i < n; i++) {
		double off = fabs((double)found[i] - expected[i]);

		largest = fmax(largest, fabs(expected[i]));
		if (!(off <= furthest))
			furthest = off;
	}
	return furthest / largest;
}
