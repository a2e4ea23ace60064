/* Probes change nothing and see the same whatever the batch; sums of what passes through the layers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "definitions.h"
#include "engine/session.h"
#include "support/logits.h"
#include "trace/layers.h"

static void see(void *ctx, const struct probed *seen)
{
	layers_see(ctx, seen);
}

/* Evaluates the ids with a probe; returns the logits of the last. */
static float *evaluate(const struct traced *traced, const struct probe *probe, int32_t n_batch, bool no_cache)
{
	struct logits_options options = {.kv_type = KV_F32, .n_batch = n_batch, .no_cache = no_cache};
	struct session *session = logits_open_session(traced->model, &options);
	size_t n_bytes = traced->plan->n_vocab * sizeof(float);
	float *logits = malloc(n_bytes);
	struct error err = {0};

	session_set_probe(session, probe);
	must(session_eval(session, traced->ids, TRACED_IDS / 2, 0, NULL, &err), &err);
	must(session_eval(session, traced->ids + TRACED_IDS / 2, TRACED_IDS / 2, TRACED_IDS / 2, NULL, &err), &err);
	memcpy(logits, session_logits(session), n_bytes);
	session_free(session);
	return logits;
}

static void expect_same_records(const struct recorder *one, const struct recorder *other, const char *family, int32_t batch)
{
	for (size_t i = 0; i < one->n; i++) {
		const struct record *a = &one->records[i], *b = recorder_find(other, a->place, a->layer);

		if (!a->n) {
			cr_expect_null(b);
			continue;
		}
		cr_assert(b && a->n == b->n && a->width == b->width && a->pos == b->pos, "%s: place %d of layer %zu, batch %d", family,
		          (int)a->place, a->layer, (int)batch);
		cr_expect(memcmp(a->data, b->data, a->n * a->width * sizeof(float)) == 0, "%s: place %d of layer %zu, batch %d",
		          family, (int)a->place, a->layer, (int)batch);
	}
}

static void check_batch(const struct traced *traced, const char *family, const float *plain, int32_t n_batch, bool no_cache)
{
	struct recorder recorder = {.n = 0};
	struct probe probe = recorder_probe(&recorder);
	float *logits;

	for (size_t i = 0; i < traced->recorder.n; i++)
		recorder_want(&recorder, traced->recorder.records[i].place, traced->recorder.records[i].layer);
	logits = evaluate(traced, &probe, n_batch, no_cache);
	cr_expect(memcmp(logits, plain, traced->plan->n_vocab * sizeof *logits) == 0, "%s: a probe changes the logits", family);
	expect_same_records(&traced->recorder, &recorder, family, n_batch);
	recorder_free(&recorder);
	free(logits);
}

Test(probe, changes_nothing_and_sees_the_same_in_every_batch)
{
	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		struct traced traced;
		float *plain;

		traced_open(&traced, spec->name);
		plain = evaluate(&traced, NULL, 0, false);
		check_batch(&traced, spec->name, plain, 1, false);
		check_batch(&traced, spec->name, plain, 7, false);
		check_batch(&traced, spec->name, plain, 0, true);
		free(plain);
		traced_close(&traced);
	}
}

/* What a layer lacks is not shown, and all else is. */
Test(probe, shows_what_a_layer_has)
{
	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		struct traced traced;

		traced_open(&traced, spec->name);
		for (size_t i = 0; i < traced.plan->n_layer; i++) {
			const struct layer_plan *l = &traced.plan->layers[i];
			const struct recorder *r = &traced.recorder;
			bool attends = (l->mixers & MIXER_ATTENTION) != 0, has_ffn = l->n_ff || l->experts.n;

			cr_expect_not_null(recorder_find(r, PROBE_STREAM, i));
			cr_expect_eq(recorder_find(r, PROBE_MIXER_IN, i) != NULL, l->mixers != 0, "%s, layer %zu", spec->name, i);
			cr_expect_eq(recorder_find(r, PROBE_MIXER_OUT, i) != NULL, l->mixers != 0, "%s, layer %zu", spec->name, i);
			cr_expect_eq(recorder_find(r, PROBE_QUERY, i) != NULL, attends, "%s, layer %zu", spec->name, i);
			cr_expect_eq(recorder_find(r, PROBE_KEY, i) != NULL, attends && l->kv_layer == i, "%s, layer %zu", spec->name, i);
			cr_expect_eq(recorder_find(r, PROBE_FFN_OUT, i) != NULL, has_ffn, "%s, layer %zu", spec->name, i);
			cr_expect_eq(recorder_find(r, PROBE_CHOSEN, i) != NULL, l->experts.n > 0, "%s, layer %zu", spec->name, i);
			cr_expect_eq(recorder_find(r, PROBE_STATE, i) != NULL, layer_state_floats(traced.plan, i) > 0, "%s, layer %zu",
			             spec->name, i);
		}
		cr_expect_not_null(recorder_find(&traced.recorder, PROBE_FINAL, traced.plan->n_layer));
		traced_close(&traced);
	}
}

static bool is_near(double found, double expected)
{
	return fabs(found - expected) <= 1e-9 * (1 + fabs(expected));
}

static void check_figures(const struct traced *traced, const struct layers_trace *layers, size_t layer)
{
	enum probe_place place = layer < traced->plan->n_layer ? PROBE_STREAM : PROBE_FINAL;
	struct layer_figures found = layers_figures(layers, layer);
	size_t n = (size_t)traced->plan->n_embd * TRACED_IDS;
	const float *x = traced_row(traced, place, layer, 0);
	double sum = 0, square = 0, largest = 0;

	for (size_t i = 0; i < n; i++) {
		sum += (double)x[i];
		square += (double)x[i] * (double)x[i];
		largest = fmax(largest, fabs((double)x[i]));
	}
	cr_expect(is_near(found.rms, sqrt(square / (double)n)) && is_near(found.mean, sum / (double)n));
	cr_expect(is_near(fabs(found.largest), largest));
	cr_expect_eq((double)x[found.pos * traced->plan->n_embd + found.element], found.largest);
	if (layer && layer < traced->plan->n_layer)
		cr_expect(is_near(found.growth, found.rms / layers_figures(layers, layer - 1).rms));
}

Test(layers, sum_what_passes_through)
{
	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		struct layers_trace layers;
		struct traced traced;
		struct error err = {0};

		traced_open(&traced, spec->name);
		must(layers_trace_init(&layers, traced.plan->n_layer, &err), &err);
		free(evaluate(&traced, &(struct probe){.ctx = &layers, .see = see}, 9, false));
		for (size_t i = 0; i <= traced.plan->n_layer; i++)
			check_figures(&traced, &layers, i);
		layers_trace_free(&layers);
		traced_close(&traced);
	}
}

Test(layers, keep_what_is_no_number)
{
	const float rows[] = {1, -5, NAN, 7, 3, 4};
	struct layers_trace layers;
	struct error err = {0};

	must(layers_trace_init(&layers, 1, &err), &err);
	layers_see(&layers, &(struct probed){.place = PROBE_STREAM, .layer = 0, .pos = 10, .n = 3, .width = 2, .data = rows});
	cr_expect(isnan(layers_figures(&layers, 0).largest));
	cr_expect_eq(layers_figures(&layers, 0).pos, 11);
	cr_expect_eq(layers_figures(&layers, 0).element, 0);
	layers_trace_free(&layers);
}
