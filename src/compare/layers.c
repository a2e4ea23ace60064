#include "compare/layers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/session.h"

static float *held_row(const struct layers *layers, size_t layer, size_t row)
{
	return layers->held + (layer * layers->n_held + row) * layers->n_embd;
}

/* A micro-batch at a time; the judged one begins anew when it has caught up. */
static void hold(void *ctx, size_t layer, const float *x, size_t n)
{
	struct layers *layers = ctx;
	size_t at = layers->n[SIDE_REFERENCE][layer];

	if (at + n > layers->n_held)
		return; /* an evaluation that was stopped */
	memcpy(held_row(layers, layer, at), x, n * layers->n_embd * sizeof *x);
	layers->n[SIDE_REFERENCE][layer] += n;
}

static void compare(void *ctx, size_t layer, const float *x, size_t n)
{
	struct layers *layers = ctx;
	struct layer_sums *sums = &layers->sums[layer];
	size_t at = layers->n[SIDE_JUDGED][layer];
	const float *reference = held_row(layers, layer, at);

	if (at + n > layers->n[SIDE_REFERENCE][layer])
		return;
	for (size_t i = 0; i < n * layers->n_embd; i++) {
		double a = (double)x[i], b = (double)reference[i];

		sums->squares[SIDE_JUDGED] += a * a;
		sums->squares[SIDE_REFERENCE] += b * b;
		sums->products += a * b;
		sums->differences += (a - b) * (a - b);
	}
	sums->n += n * layers->n_embd;
	layers->n[SIDE_JUDGED][layer] += n;
	if (layers->n[SIDE_JUDGED][layer] == layers->n[SIDE_REFERENCE][layer])
		layers->n[SIDE_JUDGED][layer] = layers->n[SIDE_REFERENCE][layer] = 0;
}

enum status layers_begin(struct layers *layers, size_t n_layer, size_t n_embd, size_t n_held, struct session *judged,
                         struct session *reference, struct error *err)
{
	*layers = (struct layers){
		.n_layer = n_layer, .n_embd = n_embd, .n_held = n_held,
		.sums = alloc_array(n_layer + 1, sizeof *layers->sums),
		.n = {alloc_array(n_layer + 1, sizeof *layers->n[0]), alloc_array(n_layer + 1, sizeof *layers->n[0])}};
	if (n_embd && n_held && n_layer < SIZE_MAX / n_held / n_embd - 1)
		layers->held = alloc_array((n_layer + 1) * n_held * n_embd, sizeof *layers->held);
	if (!layers->sums || !layers->n[0] || !layers->n[1] || !layers->held)
		return error_no_memory(err, "for the layers");
	session_set_trace(reference, hold, layers);
	session_set_trace(judged, compare, layers);
	return STATUS_OK;
}

void layers_free(struct layers *layers)
{
	free(layers->sums);
	free(layers->held);
	free(layers->n[0]);
	free(layers->n[1]);
	*layers = (struct layers){0};
}

double layers_rms(const struct layers *layers, size_t layer, enum compared_side side)
{
	const struct layer_sums *sums = &layers->sums[layer];

	return sums->n ? sqrt(sums->squares[side] / (double)sums->n) : 0;
}

double layers_difference(const struct layers *layers, size_t layer)
{
	const struct layer_sums *sums = &layers->sums[layer];

	return sums->squares[SIDE_REFERENCE] > 0 ? sqrt(sums->differences / sums->squares[SIDE_REFERENCE]) : 0;
}

double layers_cosine(const struct layers *layers, size_t layer)
{
	const struct layer_sums *sums = &layers->sums[layer];
	double both = sqrt(sums->squares[SIDE_JUDGED]) * sqrt(sums->squares[SIDE_REFERENCE]);

	return both > 0 ? sums->products / both : 1;
}
