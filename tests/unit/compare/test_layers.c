#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/limits.h"
#include "compare/layers.h"
#include "compare/run.h"
#include "engine/options.h"
#include "engine/session.h"
#include "kernels/compute.h"
#include "model/model.h"
#include "support/gguf_memory.h"
#include "support/tiny_model.h"

enum { N = 40, HELD = 7 };

struct loaded {
	struct buf file;
	struct model *model;
	struct session *session;
	float *streams; /* [n_layer + 1][N][n_embd] */
	size_t *n;      /* [n_layer + 1] */
};

static struct compute compute;

static void load(struct loaded *m, uint64_t seed)
{
	struct tiny_model tiny = tiny_model_default();
	struct engine_params params = engine_params_default();
	struct gguf *gguf;

	tiny.seed = seed;
	params.n_ctx = N;
	buf_init(&m->file, MIB(16));
	cr_assert_eq(tiny_model_write(&tiny, &m->file, NULL), STATUS_OK);
	cr_assert_eq(gguf_open_memory(&gguf, m->file.data, m->file.len, NULL), STATUS_OK);
	cr_assert_eq(model_open(&m->model, gguf, NULL, NULL), STATUS_OK);
	cr_assert_eq(session_create(&m->session, m->model, &compute, &params, NULL), STATUS_OK);
}

static void unload(struct loaded *m)
{
	session_free(m->session);
	model_close(m->model);
	buf_free(&m->file);
	free(m->streams);
	free(m->n);
}

static void keep(void *ctx, size_t layer, const float *x, size_t n)
{
	struct loaded *m = ctx;
	size_t width = model_plan(m->model)->n_embd;

	for (size_t i = 0; i < n * width; i++)
		m->streams[(layer * N + m->n[layer]) * width + i] = x[i];
	m->n[layer] += n;
}

/* The whole text at once, without what is tested. */
static void evaluate(struct loaded *m, const int32_t *ids)
{
	const struct plan *plan = model_plan(m->model);

	m->streams = calloc((plan->n_layer + 1) * N * plan->n_embd, sizeof *m->streams);
	m->n = calloc(plan->n_layer + 1, sizeof *m->n);
	session_set_trace(m->session, keep, m);
	cr_assert_eq(session_eval(m->session, ids, N, 0, NULL, NULL), STATUS_OK);
	session_set_trace(m->session, NULL, NULL);
}

static void check_layer(const struct layers *layers, size_t layer, const float *a, const float *b, size_t n)
{
	double squares[N_SIDES] = {0}, products = 0, differences = 0;

	for (size_t i = 0; i < n; i++) {
		squares[0] += pow((double)a[i], 2);
		squares[1] += pow((double)b[i], 2);
		products += (double)a[i] * (double)b[i];
		differences += pow((double)a[i] - (double)b[i], 2);
	}
	for (size_t side = 0; side < N_SIDES; side++)
		cr_assert_float_eq(layers_rms(layers, layer, (enum compared_side)side), sqrt(squares[side] / (double)n), 1e-9);
	cr_assert_float_eq(layers_difference(layers, layer), sqrt(differences / squares[1]), 1e-9);
	cr_assert_float_eq(layers_cosine(layers, layer), products / sqrt(squares[0] * squares[1]), 1e-9);
}

/* As from both texts evaluated at once, though it goes through them in stretches. */
Test(layers, figures)
{
	struct loaded m[N_SIDES] = {0};
	struct layers layers;
	struct compared_text text = {0};
	struct comparison comparison = {0};
	struct logits_source sources[N_SIDES];
	const struct compare_run run = {.text = &text, .n_at_once = HELD};
	int32_t ids[N];
	size_t n_layer, n_embd;

	cr_assert_eq(compute_open(&compute, NULL, 1, NULL), STATUS_OK);
	for (size_t i = 0; i < N; i++)
		ids[i] = (int32_t)(1 + i * 7 % 50);
	for (size_t side = 0; side < N_SIDES; side++) {
		load(&m[side], side + 1);
		evaluate(&m[side], ids);
		sources[side] = source_of_session(m[side].session, model_plan(m[side].model)->n_vocab);
	}
	n_layer = model_plan(m[0].model)->n_layer;
	n_embd = model_plan(m[0].model)->n_embd;
	cr_assert_eq(text_add(&text, ids, NULL, N, NULL), STATUS_OK);
	cr_assert_eq(layers_begin(&layers, n_layer, n_embd, HELD, m[SIDE_JUDGED].session, m[SIDE_REFERENCE].session, NULL),
	             STATUS_OK);
	cr_assert_eq(compare_run(&run, &sources[0], &sources[1], &comparison, NULL), STATUS_OK);
	for (size_t layer = 0; layer <= n_layer; layer++)
		check_layer(&layers, layer, m[0].streams + layer * N * n_embd, m[1].streams + layer * N * n_embd, N * n_embd);
	comparison_free(&comparison);
	text_free(&text);
	for (size_t side = 0; side < N_SIDES; side++)
		unload(&m[side]);
	layers_free(&layers);
	compute_close(&compute);
}
