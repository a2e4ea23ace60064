/* The forward pass of any model: embedding, layers, logits. What is special about a model is
 * in its plan and in which weights it has. */
#include "model/forward.h"

#include "kernels/rope.h"
#include "model/blocks.h"
#include "model/model_internal.h"

/* Adds a block's output to the stream. */
static void add_output(const struct pass *p, const struct norm_weights *post_norm, float *out)
{
	apply_norm(p, post_norm, p->n, p->plan->n_embd, out);
	scale(p->compute, out, p->plan->residual_scale, p->n * p->plan->n_embd);
	add(p->compute, p->x, out, p->n * p->plan->n_embd);
}

static void mix(const struct pass *p, const float *in, float *out)
{
	static void (*const blocks[])(const struct pass *p, const float *in, float *out) = {
		block_attention, block_delta, block_mamba2, block_shortconv};
	float *to = out;

	for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
		if (!(p->layer->mixers & 1u << i))
			continue;
		blocks[i](p, in, to);
		if (to != out)
			add(p->compute, out, to, (p->n - p->skip) * p->plan->n_embd);
		to = p->scratch->second;
	}
}

static void run_mixer(struct pass *p, const float **in)
{
	const struct layer_weights *w = p->weights;
	size_t skipped = p->skip;

	show(p, PROBE_ENTRY, p->plan->n_embd, p->x);
	*in = block_input(p, &w->attn_norm);
	show(p, PROBE_MIXER_IN, p->plan->n_embd, *in);
	mix(p, *in, p->scratch->out);
	drop_skipped(p);
	if (!p->n)
		return;
	show(p, PROBE_MIXER_OUT, p->plan->n_embd, p->scratch->out);
	*in += skipped * p->plan->n_embd;
	if (p->layer->is_parallel)
		show(p, PROBE_BETWEEN, p->plan->n_embd, p->x);
	if (p->layer->is_parallel && w->ffn_norm.dim)
		*in = block_input(p, &w->ffn_norm); /* of the same stream that was the mixer's input */
	add_output(p, &w->attn_post_norm, p->scratch->out);
}

/* The shared expert may have a gate. */
static void gate_shared(const struct pass *p, const float *in, float *out)
{
	const struct linear *gate = &p->weights->shared_gate;
	size_t n_embd = p->plan->n_embd;
	float *gates = p->scratch->second;

	if (!gate->matrix.data)
		return;
	apply_linear(p, gate, in, p->n, gates);
	activate(p->compute, ACTIVATION_SIGMOID, gates, NULL, p->n);
	for (size_t t = 0; t < p->n; t++)
		scale(p->compute, out + t * n_embd, gates[t], n_embd);
}

static void feed_forward(const struct pass *p, const float *in, float *out)
{
	float *to = out;

	if (p->layer->n_ff) {
		block_feed_forward(p, in, out);
		gate_shared(p, in, out);
		apply_norm(p, &p->weights->shared_post_norm, p->n, p->plan->n_embd, out);
		to = p->scratch->second;
	}
	if (p->layer->experts.n)
		block_experts(p, in, to);
	if (p->layer->experts.n && to != out)
		add(p->compute, out, to, p->n * p->plan->n_embd);
}

static void run_layer(struct pass *p)
{
	const struct layer_weights *w = p->weights;
	const float *in = NULL;

	if (p->layer->mixers)
		run_mixer(p, &in);
	else
		drop_skipped(p);
	if (!p->n)
		return;
	if (p->layer->n_ff || p->layer->experts.n) {
		if (!p->layer->is_parallel) {
			show(p, PROBE_BETWEEN, p->plan->n_embd, p->x);
			in = block_input(p, &w->ffn_norm);
		}
		show(p, PROBE_FFN_IN, p->plan->n_embd, in);
		feed_forward(p, in, p->scratch->out);
		show(p, PROBE_FFN_OUT, p->plan->n_embd, p->scratch->out);
		add_output(p, &w->ffn_post_norm, p->scratch->out);
	}
	if (p->n && w->embd_proj.matrix.data) {
		block_layer_embeddings(p, p->x, p->scratch->out);
		add(p->compute, p->x, p->scratch->out, p->n * p->plan->n_embd);
	}
	if (w->output_scale)
		scale(p->compute, p->x, *w->output_scale, p->n * p->plan->n_embd);
}

/* The residual stream begins as the tokens' embeddings. */
static void embed(const struct pass *p)
{
	const struct weights *w = &p->f->model->weights;
	size_t n_embd = p->plan->n_embd;

	for (size_t t = 0; t < p->n; t++)
		matrix_row(&w->token_embd, (size_t)p->f->tokens[t], p->x + t * n_embd);
	scale(p->compute, p->x, p->plan->embedding_scale, p->n * n_embd);
}

/* Cosines and sines of these positions, for all layers. */
static void make_rope_tables(const struct pass *p)
{
	for (size_t i = 0; i < p->plan->n_ropes; i++) {
		const struct rope_set *set = &p->f->ropes->sets[i];

		rope_table(set->frequency, set->n_pairs, p->pos, p->n, set->magnitude,
		           p->scratch->rope[i]);
	}
}

static void make_logits(const struct pass *p, const float *x)
{
	const struct linear *output = &p->f->model->weights.output;
	size_t n = p->f->n_logits, count = n * output->matrix.rows;

	apply_linear(p, output, x + (p->n - n) * p->plan->n_embd, n, p->f->logits);
	scale(p->compute, p->f->logits, p->plan->logit_scale, count);
	if (p->plan->logit_softcap > 0)
		softcap(p->compute, p->f->logits, p->plan->logit_softcap, count);
}

static bool tell(const struct pass *p, size_t layer, const float *x)
{
	return !p->f->layer_done || p->f->layer_done(p->f->ctx, layer, x, p->n);
}

/* The last layer that stores keys, values or a state. */
static size_t last_kept(const struct plan *plan)
{
	size_t i = plan->n_layer - 1;

	while (i > 0 && (plan->layers[i].mixers == 0 ||
	                 (plan->layers[i].mixers == MIXER_ATTENTION && plan->layers[i].kv_layer != i)))
		i--;
	return i;
}

enum status forward(const struct forward *f)
{
	const struct model *model = f->model;
	const struct plan *plan = &model->plan;
	const struct family_steps *steps = model->family->steps;
	struct pass pass = {.f = f, .plan = plan, .compute = f->compute, .scratch = f->scratch,
	                    .pos = f->pos, .n = f->n, .x = f->scratch->x};
	size_t kept = last_kept(plan);
	const float *normed;

	embed(&pass);
	if (plan->n_layer_embd)
		make_layer_embeddings(&pass);
	make_rope_tables(&pass);
	if (steps)
		steps->begin(&pass);
	for (size_t i = 0; i < plan->n_layer; i++) {
		pass.index = i;
		pass.layer = &plan->layers[i];
		pass.weights = &model->weights.layers[i];
		if (i == kept && !f->all_tokens)
			pass.skip = pass.n - f->n_logits; /* the other tokens are not needed any more */
		if (steps)
			steps->run_layer(&pass);
		else
			run_layer(&pass);
		show(&pass, PROBE_STREAM, plan->n_embd, pass.x);
		if (!tell(&pass, i, pass.x))
			return STATUS_CANCELLED;
		if (pass.n == 0)
			break;
	}
	if (pass.n == 0)
		return STATUS_OK;
	if (steps)
		steps->end(&pass);
	normed = block_input(&pass, &model->weights.output_norm);
	pass.index = plan->n_layer;
	show(&pass, PROBE_FINAL, plan->n_embd, normed);
	if (!tell(&pass, plan->n_layer, normed))
		return STATUS_CANCELLED;
	if (f->n_logits)
		make_logits(&pass, normed);
	return STATUS_OK;
}
