/* Gemma 3n (Gemma Team 2025). Four residual streams, of which the layers compute one (AltUp);
 * beside attention a product of low rank (Laurel); in the first layers only the largest gates of
 * the feed-forward count; embeddings for each layer; the last layers reuse the keys and values of
 * earlier ones. */
#include <inttypes.h>
#include <math.h>

#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "model/blocks.h"
#include "model/model_internal.h"

/* The layers with keys and values of their own, where no key says how many, and those with few gates
 * come first. Files have a key for the latter, too, but the reference implementation uses this number. */
enum { N_STREAMS = 4, N_WITH_KEYS = 20, N_SPARSE = 10 };
#define GATE_CUTOFF 1.6448533535f /* above it are 5 % of a normal distribution */

#define SLICE(tensor, field, i) \
	{tensor, WEIGHTS_LINEAR, WEIGHTS_GLOBAL(field[i]), DIM_EMBD, DIM_EMBD, \
	 .slices = DIM_SIDE_STREAMS, .slice = (i)}

static const struct weights_group altup = {.is_global = true, WEIGHTS_ROWS(
	SLICE("altup_proj", altup_proj, 0),
	SLICE("altup_proj", altup_proj, 1),
	SLICE("altup_proj", altup_proj, 2),
	SLICE("altup_unembd_proj", altup_unembd, 0),
	SLICE("altup_unembd_proj", altup_unembd, 1),
	SLICE("altup_unembd_proj", altup_unembd, 2))};

static const struct weights_group altup_layer = {WEIGHTS_ROWS(
	{"altup_router", WEIGHTS_LINEAR, WEIGHTS_LAYER(altup_router), DIM_STREAMS, DIM_EMBD},
	{"altup_router_norm", WEIGHTS_NORM, WEIGHTS_LAYER(altup_router_norm), DIM_ONE, DIM_EMBD},
	{"altup_predict_coef", WEIGHTS_LINEAR, WEIGHTS_LAYER(predict), DIM_STREAMS2, DIM_STREAMS},
	{"altup_correct_coef", WEIGHTS_LINEAR, WEIGHTS_LAYER(correct), DIM_STREAMS, DIM_STREAMS},
	{"altup_correct_scale.weight", WEIGHTS_VECTOR, WEIGHTS_LAYER(correct_scale), DIM_ONE, DIM_EMBD})};

static const struct weights_group laurel_layer = {WEIGHTS_ROWS(
	{"laurel_l", WEIGHTS_LINEAR, WEIGHTS_LAYER(laurel_l), DIM_LAUREL, DIM_EMBD},
	{"laurel_r", WEIGHTS_LINEAR, WEIGHTS_LAYER(laurel_r), DIM_EMBD, DIM_LAUREL},
	{"laurel_post_norm", WEIGHTS_NORM, WEIGHTS_LAYER(laurel_norm), DIM_ONE, DIM_EMBD})};

/* ---- AltUp (Baykal et al. 2023, "Alternating Updates for Efficient Transformers"): each layer
 * predicts all streams from all of them and corrects them by the error of the first one's
 * prediction ---- */

enum {
	STRETCH = 64,    /* elements of all streams at a time */
	GRAIN = 1 << 14, /* floats that are worth waking a thread for */
};

/* Stream i, which begins with the token that p->x begins with; 0 is p->x. */
static float *altup_stream(const struct pass *p, size_t i)
{
	size_t first = p->pos - p->f->pos;

	if (i == 0)
		return p->x;
	return p->scratch->streams +
	       ((i - 1) * p->scratch->n_batch + first) * p->plan->n_embd;
}

/* What the tasks below share. */
struct altup_job {
	float *streams[N_STREAMS];
	size_t n_streams, n_embd;
	const float *coefs;
	const float *computed;
};

static void run_tokens(const struct pass *p, threadpool_task task, const float *computed)
{
	struct altup_job job = {.n_streams = 1 + p->plan->n_side_streams, .n_embd = p->plan->n_embd,
	                  .coefs = p->scratch->coefs, .computed = computed};

	for (size_t i = 0; i < job.n_streams; i++)
		job.streams[i] = altup_stream(p, i);
	threadpool_run(p->compute->pool, p->n, GRAIN / (job.n_embd * job.n_streams) + 1, task, &job);
}

/* scratch->coefs: linear(tanh(router(norm(x[n][n_embd])) / n_embd)) */
static void route(const struct pass *p, const float *x, const struct linear *linear)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t n_embd = p->plan->n_embd, n_streams = 1 + p->plan->n_side_streams;

	normalise(p->compute, p->plan->norm, x, p->n, &w->altup_router_norm, p->plan->norm_eps, s->norm);
	scale(p->compute, s->norm, 1 / (float)n_embd, p->n * n_embd);
	apply_linear(p, &w->altup_router, s->norm, p->n, s->routes);
	softcap(p->compute, s->routes, 1, p->n * n_streams);
	apply_linear(p, linear, s->routes, p->n, s->coefs);
}

/* Elements begin .. begin + n - 1 of a token's streams: each gets coefs[to][from] of all. */
static void mix_stretch(const struct altup_job *job, size_t begin, size_t n, const float *coefs)
{
	float old[N_STREAMS][STRETCH];

	for (size_t from = 0; from < job->n_streams; from++)
		for (size_t k = 0; k < n; k++)
			old[from][k] = job->streams[from][begin + k];
	for (size_t to = 0; to < job->n_streams; to++) {
		float *stream = job->streams[to] + begin, sum[STRETCH] = {0};

		for (size_t from = 0; from < job->n_streams; from++)
			for (size_t k = 0; k < n; k++)
				sum[k] += coefs[to * job->n_streams + from] * old[from][k];
		for (size_t k = 0; k < n; k++)
			stream[k] += sum[k];
	}
}

static void predict_tokens(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct altup_job *job = ctx;

	(void)thread;
	for (size_t t = begin; t < end; t++)
		for (size_t i = 0; i < job->n_embd; i += STRETCH)
			mix_stretch(job, t * job->n_embd + i,
			            job->n_embd - i < STRETCH ? job->n_embd - i : STRETCH,
			            job->coefs + t * job->n_streams * job->n_streams);
}

static void altup_predict(const struct pass *p)
{
	route(p, p->x, &p->weights->predict);
	run_tokens(p, predict_tokens, NULL);
}

static void correct_tokens(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct altup_job *job = ctx;

	(void)thread;
	for (size_t t = begin; t < end; t++) {
		const float *computed = job->computed + t * job->n_embd;
		const float *predicted = job->streams[0] + t * job->n_embd;

		for (size_t i = job->n_streams; i-- > 0;) { /* last, since the others are compared with it */
			float *stream = job->streams[i] + t * job->n_embd;
			float by = job->coefs[t * job->n_streams + i] + 1;

			for (size_t k = 0; k < job->n_embd; k++)
				stream[k] += by * (computed[k] - predicted[k]);
		}
	}
}

static void altup_correct(const struct pass *p, const float *computed)
{
	route(p, computed, &p->weights->correct);
	run_tokens(p, correct_tokens, computed);
}

static double magnitude(const float *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)x[i] * (double)x[i];
	return sqrt(sum);
}

/* Scales each of n rows to the length of `like`'s. */
static void match_magnitude(const struct pass *p, const float *like, float *x)
{
	size_t n_embd = p->plan->n_embd;

	for (size_t t = 0; t < p->n; t++) {
		double found = magnitude(x + t * n_embd, n_embd);
		double wanted = magnitude(like + t * n_embd, n_embd);

		if (found > 0)
			scale(p->compute, x + t * n_embd, (float)(wanted / found), n_embd);
	}
}

static void altup_begin(const struct pass *p)
{
	const struct weights *w = &p->f->model->weights;
	struct product products[N_STREAMS];

	for (size_t i = 1; i <= p->plan->n_side_streams; i++)
		products[i - 1] = (struct product){&w->altup_proj[i - 1], altup_stream(p, i)};
	apply_linears(p, products, p->plan->n_side_streams, p->x, p->n);
	for (size_t i = 1; i <= p->plan->n_side_streams; i++)
		match_magnitude(p, p->x, altup_stream(p, i));
}

/* The mean of all streams, projected back. */
static void altup_end(const struct pass *p)
{
	const struct weights *w = &p->f->model->weights;
	size_t n_embd = p->plan->n_embd, count = p->n * n_embd;

	for (size_t i = 1; i <= p->plan->n_side_streams; i++) {
		apply_linear(p, &w->altup_unembd[i - 1], altup_stream(p, i), p->n, p->scratch->out);
		match_magnitude(p, p->x, p->scratch->out);
		for (size_t k = 0; k < count; k++)
			altup_stream(p, i)[k] = p->scratch->out[k];
	}
	for (size_t i = 1; i <= p->plan->n_side_streams; i++)
		add(p->compute, p->x, altup_stream(p, i), count);
	scale(p->compute, p->x, 1 / (float)(1 + p->plan->n_side_streams), count);
}

/* ---- a layer ---- */

/* scratch->laurel = in + norm(r(l(in))) */
static void laurel(const struct pass *p, const float *in)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;

	apply_linear(p, &w->laurel_l, in, p->n, s->laurel_low);
	apply_linear(p, &w->laurel_r, s->laurel_low, p->n, s->laurel);
	apply_norm(p, &w->laurel_norm, p->n, p->plan->n_embd, s->laurel);
	add(p->compute, s->laurel, in, p->n * p->plan->n_embd);
}

/* Adds the layer's embeddings to the streams beside the first, gated by the first. */
static void add_layer_embeddings(const struct pass *p)
{
	size_t n_embd = p->plan->n_embd, count = p->n * n_embd;
	float *in = p->scratch->norm, *out = p->scratch->out;

	for (size_t i = 0; i < count; i++)
		in[i] = p->x[i] * p->weights->correct_scale[i % n_embd];
	block_layer_embeddings(p, in, out);
	for (size_t i = 1; i <= p->plan->n_side_streams; i++)
		add(p->compute, altup_stream(p, i), out, count);
}

static void run_layer(struct pass *p)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t n_embd = p->plan->n_embd, skipped = p->skip, count;
	float *out = s->out, *mixed = s->laurel;
	const float *in;

	altup_predict(p);
	show(p, PROBE_ENTRY, n_embd, p->x);
	in = block_input(p, &w->attn_norm);
	show(p, PROBE_MIXER_IN, n_embd, in);
	block_attention(p, in, out);
	drop_skipped(p);
	if (p->n == 0)
		return;
	show(p, PROBE_MIXER_OUT, n_embd, out);
	count = p->n * n_embd;

	laurel(p, in + skipped * n_embd);
	apply_norm(p, &w->attn_post_norm, p->n, n_embd, out);
	add(p->compute, mixed, p->x, count);
	add(p->compute, mixed, out, count);
	scale(p->compute, mixed, sqrtf(0.5f), count);

	show(p, PROBE_BETWEEN, n_embd, mixed);
	normalise(p->compute, p->plan->norm, mixed, p->n, &w->ffn_norm, p->plan->norm_eps, s->norm);
	show(p, PROBE_FFN_IN, n_embd, s->norm);
	block_feed_forward(p, s->norm, out);
	show(p, PROBE_FFN_OUT, n_embd, out);
	apply_norm(p, &w->ffn_post_norm, p->n, n_embd, out);
	add(p->compute, mixed, out, count);

	altup_correct(p, mixed);
	add_layer_embeddings(p);
}

static const struct family_steps steps = {altup_begin, run_layer, altup_end};

/* ---- the plan ---- */

/* The length of a tensor's dimension, where keys are not reliable. */
static uint32_t length_of(struct keys *keys, const char *name, size_t dim, uint32_t max)
{
	const struct gguf_tensor *tensor = gguf_find_tensor(keys->gguf, name);

	if (keys->status)
		return 1;
	if (!tensor)
		keys->status = error_set(keys->err, STATUS_FORMAT, "tensor '%s' is missing", name);
	else if (tensor->ne[dim] < 1 || tensor->ne[dim] > max)
		keys->status = error_set(keys->err, STATUS_FORMAT, "tensor '%s': found a length of %" PRIu64
		                         ", expected 1 to %" PRIu32, name, tensor->ne[dim], max);
	return keys->status ? 1 : (uint32_t)tensor->ne[dim];
}

static void shape(struct keys *keys, struct plan *plan)
{
	plan->n_side_streams = keys_u32(keys, "altup.num_inputs", N_STREAMS, N_STREAMS, N_STREAMS) - 1;
	keys_u32(keys, "altup.active_idx", 0, 0, 0); /* the first is the one that is computed */
	plan->embedding_scale = sqrtf((float)plan->n_embd);
	plan->logit_softcap = keys_f32(keys, "final_logit_softcapping", 30, 0, 1e6);
	plan_add_window_rope(keys, plan, 10000, plan->ropes[0].dim);
	plan->n_layer_embd = length_of(keys, "per_layer_proj_norm.weight", 0, KEYS_MAX_EMBD);
	plan->laurel_rank = length_of(keys, "blk.0.laurel_l.weight", 1, KEYS_MAX_EMBD);
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		plan->layers[i].attention_scale = 1;
		plan->layers[i].norms_values = true;
		plan->layers[i].gate_cutoff = i < N_SPARSE ? GATE_CUTOFF : 0;
	}
	plan_share_keys_values(keys, plan, keys_u32(keys, "attention.shared_kv_layers",
	                                            plan->n_layer > N_WITH_KEYS ? plan->n_layer - N_WITH_KEYS : 0,
	                                            0, plan->n_layer));
}

const struct family family_gemma3n = {
	.name = "gemma3n",
	.pairing = ROPE_HALVES,
	.activation = ACTIVATION_GELU_F16,
	.window_period = 5,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_layer_embeddings, &altup,
		&weights_head_norms, &weights_post_norms, &weights_ffn_norm, &weights_gated_ffn,
		&weights_layer_embedding_gates, &altup_layer, &laurel_layer),
	.shape = shape,
	.steps = &steps,
};
