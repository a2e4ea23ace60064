/* Experts: feed-forwards of which a router picks some for each token. Pairs of a token and
 * one of its experts are sorted by expert, so that the weights of each are read once for all
 * of its tokens, in one run of the threads for all gates and ups and one for the downs. A
 * token's outputs are summed in the order in which it chose, whatever else is in the batch. */
#include <string.h>

#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "model/blocks.h"
#include "model/experts.h"
#include "model/model_internal.h"

/* Fewer multiplications or copied floats than are worth waking threads for. */
enum { INLINE_WORK = 1 << 16 };

struct run {
	const struct pass *p;
	const float *in;             /* [n][n_embd] */
	float *out;
	const struct activations *x; /* of `in`, quantised if any expert wants it */
	struct compute alone;        /* without threads: for products inside a task */
};

static struct threadpool *pool_for(const struct run *run, size_t work)
{
	return work < INLINE_WORK ? NULL : run->p->compute->pool;
}

static void route_tokens(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct run *run = ctx;
	const struct experts_plan *e = &run->p->layer->experts;
	const struct scratch *s = run->p->scratch;

	(void)thread;
	for (size_t t = begin; t < end; t++)
		route_token(e, s->router + t * e->n, run->p->weights->router_bias, s->chosen + t * e->n_used,
		            s->route + t * e->n_used);
}

/* Which expert, as floats, by way of what the pairs do not need yet. */
static void show_chosen(const struct pass *p)
{
	struct scratch *s = p->scratch;
	size_t n_used = p->layer->experts.n_used;

	for (size_t i = 0; i < p->n * n_used; i++)
		s->pair_rows[i] = (float)s->chosen[i];
	show(p, PROBE_CHOSEN, n_used, s->pair_rows);
	show(p, PROBE_ROUTE, n_used, s->route);
}

/* The router's input is that of the experts, or the stream with a norm of its own. */
static void choose(struct run *run)
{
	const struct pass *p = run->p;
	const struct experts_plan *e = &p->layer->experts;
	struct scratch *s = p->scratch;
	const float *in = p->weights->router_norm.dim ? block_input(p, &p->weights->router_norm)
	                                              : run->in;

	show(p, PROBE_ROUTER_IN, p->plan->n_embd, in);
	apply_linear(p, &p->weights->router, in, p->n, s->router);
	scale(p->compute, s->router, e->input_scale, p->n * e->n);
	show(p, PROBE_ROUTER, e->n, s->router);
	threadpool_run(pool_for(run, p->n * e->n * e->n_used), p->n, 8, route_tokens, run);
	if (p->f->probe)
		show_chosen(p);
}

/* Sorts the pairs by expert, then by token; returns how many experts have tokens. */
static size_t sort_pairs(const struct run *run)
{
	const struct layer_weights *w = run->p->weights;
	const struct experts_plan *e = &run->p->layer->experts;
	struct scratch *s = run->p->scratch;
	uint32_t next[EXPERTS_MAX] = {0}, at = 0;
	size_t n_pairs = run->p->n * e->n_used, n_batches = 0;

	for (size_t i = 0; i < n_pairs; i++)
		next[s->chosen[i]]++;
	for (uint32_t expert = 0; expert < e->n; expert++) {
		uint32_t n = next[expert];

		next[expert] = at;
		if (n)
			s->expert_batches[n_batches++] = (struct expert_batch){
				.expert = expert, .first = at, .n = n, .gate = stack_at(&w->expert_gate, expert),
				.up = stack_at(&w->expert_up, expert), .down = stack_at(&w->expert_down, expert)};
		at += n;
	}
	for (size_t i = 0; i < n_pairs; i++) {
		s->place[i] = next[s->chosen[i]]++;
		s->pair_token[s->place[i]] = (uint32_t)(i / e->n_used);
	}
	return n_batches;
}

/* Has the disk read what is not in memory while the first of it is multiplied: many requests
 * at once are several times faster than page faults of a few threads. */
static void expect_matrix(const struct run *run, const struct matrix *m)
{
	if (m->data && !m->panels)
		gguf_expect(run->p->f->model->gguf, m->data, m->rows * quant_row_bytes(m->quant, m->cols));
}

static void expect_experts(const struct run *run, size_t n_batches)
{
	const struct expert_batch *batches = run->p->scratch->expert_batches;

	if (!run->p->f->model->weights.is_beyond_memory)
		return;
	for (size_t i = 0; i < n_batches; i++) {
		expect_matrix(run, &batches[i].gate);
		expect_matrix(run, &batches[i].up);
	}
	for (size_t i = 0; i < n_batches; i++)
		expect_matrix(run, &batches[i].down);
}

/* Sets the input of a batch's product. */
static void set_input(const struct run *run, struct expert_batch *batch, const float *x, size_t cols)
{
	float *memory = run->p->scratch->pair_quants + batch->first * activations_floats(cols);

	activations_set(&batch->in, memory, x, batch->n, cols);
}

/* The inputs as floats. */
static float *copy_rows(const struct run *run, const struct expert_batch *batch)
{
	const struct scratch *s = run->p->scratch;
	size_t n_embd = run->p->plan->n_embd;
	float *rows = s->pair_rows + batch->first * n_embd;

	for (size_t i = 0; i < batch->n; i++)
		memcpy(rows + i * n_embd, run->in + s->pair_token[batch->first + i] * n_embd,
		       n_embd * sizeof *rows);
	return rows;
}

/* The weight of an expert for a token that has chosen it. */
static float route_of(const struct run *run, uint32_t token, uint32_t expert)
{
	size_t i = token * run->p->layer->experts.n_used;

	while (run->p->scratch->chosen[i] != expert)
		i++;
	return run->p->scratch->route[i];
}

static void weigh_rows(const struct run *run, const struct expert_batch *batch, float *rows)
{
	size_t n_embd = run->p->plan->n_embd;

	for (size_t i = 0; i < batch->n; i++) {
		uint32_t token = run->p->scratch->pair_token[batch->first + i];

		scale(&run->alone, rows + i * n_embd, route_of(run, token, batch->expert), n_embd);
	}
}

static bool is_floats(const struct matrix *m)
{
	return m->data && m->quant->n_elements == 1;
}

static bool is_quants(const struct matrix *m)
{
	return m->data && m->quant->n_elements > 1;
}

static void gather(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct run *run = ctx;
	struct scratch *s = run->p->scratch;

	(void)thread;
	for (size_t i = begin; i < end; i++) {
		struct expert_batch *batch = &s->expert_batches[i];
		bool weighs = run->p->layer->experts.weighs_inputs;
		float *rows = NULL;

		if (weighs || is_floats(&batch->gate) || is_floats(&batch->up))
			rows = copy_rows(run, batch);
		if (weighs)
			weigh_rows(run, batch, rows);
		set_input(run, batch, rows, run->p->plan->n_embd);
		if (!weighs && run->x->quantised)
			activations_gather(&run->alone, &batch->in, run->x, s->pair_token + batch->first);
	}
}

static void finish(const struct run *run, const struct stack *stack, uint32_t expert, float *y,
                   size_t n)
{
	size_t rows = stack->first.rows;

	if (stack->scale)
		scale(&run->alone, y, stack->scale[expert], n * rows);
	if (stack->bias)
		add_bias(y, n, rows, stack->bias + expert * stack->step);
}

/* From gates and ups to the downs' input. */
static void make_hidden(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct run *run = ctx;
	const struct layer_weights *w = run->p->weights;
	size_t n_ff = run->p->layer->experts.n_ff;

	(void)thread;
	for (size_t i = begin; i < end; i++) {
		struct expert_batch *batch = &run->p->scratch->expert_batches[i];
		float *gate = run->p->scratch->pair_gate + batch->first * n_ff;
		float *up = run->p->scratch->pair_up + batch->first * n_ff;
		bool gated = batch->gate.data != NULL;

		if (gated)
			finish(run, &w->expert_gate, batch->expert, gate, batch->n);
		finish(run, &w->expert_up, batch->expert, up, batch->n);
		activate(&run->alone, run->p->layer->activation, gated ? gate : up, gated ? up : NULL,
		         batch->n * n_ff);
		set_input(run, batch, gated ? gate : up, n_ff);
		if (is_quants(&batch->down))
			activations_quantise(&run->alone, &batch->in);
	}
}

static void multiply_up(const struct run *run, size_t n_batches)
{
	struct scratch *s = run->p->scratch;
	size_t n_ff = run->p->layer->experts.n_ff, n = 0;

	for (size_t i = 0; i < n_batches; i++) {
		struct expert_batch *batch = &s->expert_batches[i];

		if (batch->gate.data)
			s->expert_jobs[n++] = (struct matmul){.m = &batch->gate, .a = &batch->in,
			                                      .y = s->pair_gate + batch->first * n_ff};
		s->expert_jobs[n++] = (struct matmul){.m = &batch->up, .a = &batch->in,
		                                      .y = s->pair_up + batch->first * n_ff};
	}
	matmul_each(run->p->compute, s->expert_jobs, n);
}

static void multiply_down(const struct run *run, size_t n_batches)
{
	struct scratch *s = run->p->scratch;

	for (size_t i = 0; i < n_batches; i++) {
		struct expert_batch *batch = &s->expert_batches[i];

		s->expert_jobs[i] = (struct matmul){
			.m = &batch->down, .a = &batch->in,
			.y = s->pair_rows + batch->first * run->p->plan->n_embd};
	}
	matmul_each(run->p->compute, s->expert_jobs, n_batches);
}

static void sum(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct run *run = ctx;
	const struct scratch *s = run->p->scratch;
	const struct experts_plan *e = &run->p->layer->experts;
	size_t n_embd = run->p->plan->n_embd;

	(void)thread;
	for (size_t t = begin; t < end; t++) {
		float *out = run->out + t * n_embd;

		memset(out, 0, n_embd * sizeof *out);
		for (size_t i = t * e->n_used; i < (t + 1) * e->n_used; i++) {
			float *y = s->pair_rows + s->place[i] * n_embd;

			finish(run, &run->p->weights->expert_down, s->chosen[i], y, 1);
			add_scaled(&run->alone, out, y, e->weighs_inputs ? 1 : s->route[i], n_embd);
		}
	}
}

void block_experts(const struct pass *p, const float *in, float *out)
{
	const struct layer_weights *w = p->weights;
	const struct experts_plan *e = &p->layer->experts;
	size_t n = p->n, pairs = n * e->n_used, n_batches;
	struct activations x;
	struct run run = {.p = p, .in = in, .out = out, .x = &x, .alone = {.isa = p->compute->isa}};

	choose(&run);
	if (w->experts_norm.dim)
		run.in = block_input(p, &w->experts_norm);
	show(p, PROBE_EXPERTS_IN, p->plan->n_embd, run.in);
	n_batches = sort_pairs(&run);
	expect_experts(&run, n_batches);
	activations_set(&x, p->scratch->quants, run.in, n, p->plan->n_embd);
	if (!e->weighs_inputs && (is_quants(&w->expert_gate.first) || is_quants(&w->expert_up.first)))
		activations_quantise(p->compute, &x);
	threadpool_run(pool_for(&run, pairs * p->plan->n_embd), n_batches, 1, gather, &run);
	multiply_up(&run, n_batches);
	threadpool_run(pool_for(&run, pairs * e->n_ff), n_batches, 1, make_hidden, &run);
	multiply_down(&run, n_batches);
	threadpool_run(pool_for(&run, pairs * p->plan->n_embd), n, 4, sum, &run);
	show(p, PROBE_EXPERTS_OUT, p->plan->n_embd, out);
	apply_norm(p, &w->experts_post_norm, n, p->plan->n_embd, out);
}
