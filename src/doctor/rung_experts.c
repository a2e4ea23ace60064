/* Rungs about experts: who is chosen, from the router's logits, and what they give, from their weights. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "doctor/reference.h"
#include "doctor/rung.h"
#include "model/experts.h"

static const double budget = 4e9; /* multiplications for what experts give: some seconds */
static const double most_route = 1e-3, most_expert = 0.15; /* inputs of both products are rounded to 8 bits */

/* ---- routes ---- */

static void make_routes(enum route route, size_t n, double *x)
{
	double most = x[0], sum = 0;

	for (size_t i = 1; i < n; i++)
		most = fmax(most, x[i]);
	for (size_t i = 0; i < n && route == ROUTE_SOFTMAX; i++)
		sum += x[i] = exp(x[i] - most);
	for (size_t i = 0; i < n; i++)
		x[i] = route == ROUTE_SOFTMAX ? x[i] / sum : route == ROUTE_SIGMOID ? 1 / (1 + exp(-x[i])) : x[i];
}

/* The weight of each expert of a token, 0 for those that are not chosen: [n]. By the weights that the engine chose, so
 * that ties are no question. */
static void weigh(const struct experts_plan *e, const float *logits, const size_t *chosen, double *out)
{
	double chosen_sum = 0, scores[EXPERTS_MAX], most = -(double)INFINITY;

	for (size_t i = 0; i < e->n; i++)
		scores[i] = (double)logits[i];
	make_routes(e->route, e->n, scores);
	memset(out, 0, e->n * sizeof *out);
	for (size_t i = 0; i < e->n_used; i++)
		most = fmax(most, scores[chosen[i]]);
	for (size_t i = 0; i < e->n_used; i++) {
		double route = scores[chosen[i]];

		chosen_sum += out[chosen[i]] = e->route == ROUTE_SOFTMAX_CHOSEN ? exp(route - most) : route;
	}
	for (size_t i = 0; i < e->n_used; i++) {
		if (e->route == ROUTE_SOFTMAX_CHOSEN)
			out[chosen[i]] /= chosen_sum;
		else if (e->normalises)
			out[chosen[i]] /= fmax(chosen_sum, 0x1p-14);
		out[chosen[i]] *= (double)e->route_scale;
	}
}

/* What the router likes about an expert, for the choice. */
static double liking(const struct experts_plan *e, const float *logits, const float *bias, size_t i)
{
	double x = (double)logits[i];

	if (e->route == ROUTE_SIGMOID && !e->by_logits)
		x = 1 / (1 + exp(-x));
	return x + (bias ? (double)bias[i] : 0);
}

/* Whether the choice is that of the best: none that was left out is clearly better than one that was taken. A bias is
 * added to the softmax's probabilities, and groups leave out better ones: then it is not looked at. */
static bool is_best(const struct experts_plan *e, const float *logits, const float *bias, const float *chosen)
{
	double worst = (double)INFINITY, left = -(double)INFINITY;
	bool taken[EXPERTS_MAX] = {false};

	if (e->n_groups > 1 || (bias && e->route != ROUTE_SIGMOID))
		return true;
	for (size_t i = 0; i < e->n_used; i++) {
		taken[(size_t)chosen[i]] = true;
		worst = fmin(worst, liking(e, logits, bias, (size_t)chosen[i]));
	}
	for (size_t i = 0; i < e->n; i++)
		left = taken[i] ? left : fmax(left, liking(e, logits, bias, i));
	return left <= worst + 1e-4 * (1 + fabs(worst));
}

/* A token's routes; false: something is wrong. */
static bool judge_routes(const struct patient *p, size_t layer, size_t pos, struct diagnosis *out)
{
	const struct experts_plan *e = &p->plan->layers[layer].experts;
	const float *logits = record_row(&p->record, PROBE_ROUTER, layer, pos), *bias = p->weights->layers[layer].router_bias;
	const float *chosen = record_row(&p->record, PROBE_CHOSEN, layer, pos);
	const float *route = record_row(&p->record, PROBE_ROUTE, layer, pos);
	size_t ids[EXPERTS_MAX];
	double want[EXPERTS_MAX], distance = 0, others = 0;

	if (!logits || !chosen || !route || e->n > EXPERTS_MAX)
		return true;
	for (size_t i = 0; i < e->n_used; i++)
		ids[i] = (size_t)chosen[i] < e->n ? (size_t)chosen[i] : 0;
	weigh(e, logits, ids, want);
	for (size_t i = 0; i < e->n_used; i++) {
		double nearest = (double)INFINITY;

		for (size_t k = 0; k < e->n_used; k++)
			nearest = fmin(nearest, fabs((double)route[i] - want[ids[k]]));
		others = fmax(others, nearest);
		distance = fmax(distance, fabs((double)route[i] - want[ids[i]]));
	}
	out->number = fmax(out->number, distance);
	if (distance <= most_route * fmax(1, (double)e->route_scale) && is_best(e, logits, bias, chosen))
		return true;
	diagnose_finding(out, others <= most_route || !is_best(e, logits, bias, chosen)
	                              ? "The order of the experts is wrong: tokens go to others than those that the router chose."
	                              : "The weights of the experts are wrong.",
	                 "In layer %zu, token %zu goes to expert %zu with the weight %.3g; by the router's figures it is %.3g.",
	                 layer, pos, ids[0], (double)route[0], want[ids[0]]);
	diagnose_show(out, "sotto trace -m %s -p Hello --experts", p->params.model);
	return false;
}

enum status check_routes(struct patient *p, struct diagnosis *out, struct error *err)
{
	(void)err;
	if (!plan_experts(p->plan)->n) {
		diagnose_skipped(out, "The model has no experts.");
		return STATUS_OK;
	}
	diagnose_fine(out, "%u experts, %u of them for a token.", plan_experts(p->plan)->n, plan_experts(p->plan)->n_used);
	diagnose_number(out, 0, "largest difference of a weight");
	for (size_t i = 0; i < p->plan->n_layer; i++)
		for (size_t pos = 0; pos < p->n_ids && p->plan->layers[i].experts.n; pos++)
			if (!judge_routes(p, i, pos, out))
				return STATUS_OK;
	return STATUS_OK;
}

/* ---- what they give ---- */

/* Memory for one token in one expert: each of the longer of n_embd and n_ff. */
struct work {
	float *row, *hidden_in; /* row: owned, with the other */
	double *gate, *up, *down, *sum; /* gate: owned, with the others */
};

static void apply_stack(const struct stack *stack, size_t expert, const float *x, float *row, double *y)
{
	struct matrix m = reference_expert(stack, expert);

	reference_multiply(&m, 0, m.rows, x, row, y);
	for (size_t i = 0; i < m.rows; i++) {
		y[i] *= stack->scale ? (double)stack->scale[expert] : 1;
		y[i] += stack->bias ? (double)stack->bias[expert * stack->step + i] : 0;
	}
}

/* What an expert adds for the input x. */
static void run_expert(const struct patient *p, size_t layer, size_t expert, const float *x, double route, struct work *s)
{
	const struct layer_weights *w = &p->weights->layers[layer];
	const struct layer_plan *l = &p->plan->layers[layer];
	size_t n_ff = l->experts.n_ff, n_embd = p->plan->n_embd;
	bool gated = w->expert_gate.first.data != NULL;

	for (size_t i = 0; i < n_embd; i++)
		s->hidden_in[i] = x[i] * (l->experts.weighs_inputs ? (float)route : 1);
	if (gated)
		apply_stack(&w->expert_gate, expert, s->hidden_in, s->row, s->gate);
	apply_stack(&w->expert_up, expert, s->hidden_in, s->row, s->up);
	for (size_t i = 0; i < n_ff; i++) {
		double up = l->activation == ACTIVATION_CLAMPED ? fmin(7, fmax(-7, s->up[i])) + 1 : s->up[i];

		s->hidden_in[i] = (float)(gated ? reference_activation(l->activation, s->gate[i]) * up
		                                : reference_activation(l->activation, s->up[i]));
	}
	apply_stack(&w->expert_down, expert, s->hidden_in, s->row, s->down);
	for (size_t i = 0; i < n_embd; i++)
		s->sum[i] += s->down[i] * (l->experts.weighs_inputs ? 1 : route);
}

/* How experts may be mixed up. */
struct mixing {
	size_t off;        /* experts further on in the tensors */
	bool reverse;      /* from the last one of the tensors on */
	size_t routes_off; /* the weight of the one that was chosen so much later */
	bool routes_reverse;
	size_t of, instead; /* in the place of expert `of` that many further on; 0: none */
};

static double distance_of(const struct patient *p, size_t layer, size_t pos, const struct mixing *how, struct work *s)
{
	const struct experts_plan *e = &p->plan->layers[layer].experts;
	const float *x = record_row(&p->record, PROBE_EXPERTS_IN, layer, pos);
	const float *chosen = record_row(&p->record, PROBE_CHOSEN, layer, pos);
	const float *route = record_row(&p->record, PROBE_ROUTE, layer, pos);
	const float *got = record_row(&p->record, PROBE_EXPERTS_OUT, layer, pos);

	if (!x || !chosen || !route || !got)
		return 0;
	memset(s->sum, 0, p->plan->n_embd * sizeof *s->sum);
	for (size_t i = 0; i < e->n_used; i++) {
		size_t off = how->off + ((size_t)chosen[i] == how->of ? how->instead : 0), expert = ((size_t)chosen[i] + off) % e->n;
		size_t of = (i + how->routes_off) % e->n_used;

		run_expert(p, layer, how->reverse ? e->n - 1 - expert : expert, x,
		           (double)route[how->routes_reverse ? e->n_used - 1 - of : of], s);
	}
	return reference_distance(got, s->sum, p->plan->n_embd);
}

/* Multiplications for what the experts of a token give. */
static double cost_of(const struct patient *p, size_t layer)
{
	const struct experts_plan *e = &p->plan->layers[layer].experts;

	return 3.0 * e->n_used * e->n_ff * p->plan->n_embd;
}

/* Whether another one computes in the place of one expert of the token. */
static bool one_is_another(const struct patient *p, size_t layer, size_t pos, double distance, struct work *s)
{
	const struct experts_plan *e = &p->plan->layers[layer].experts;
	const float *chosen = record_row(&p->record, PROBE_CHOSEN, layer, pos);
	double left = 4 * budget, most = fmin(most_expert, distance / 2);

	for (size_t i = 0; i < e->n_used; i++)
		for (size_t off = 1; off < e->n && left > 0; off++, left -= cost_of(p, layer))
			if (distance_of(p, layer, pos, &(struct mixing){.of = (size_t)chosen[i], .instead = off}, s) < most)
				return true;
	return false;
}

static void tell(const struct patient *p, size_t layer, size_t pos, double distance, struct work *s, struct diagnosis *out)
{
	const struct experts_plan *e = &p->plan->layers[layer].experts;
	bool fits = distance_of(p, layer, pos, &(struct mixing){.reverse = true}, s) < most_expert ||
	            distance_of(p, layer, pos, &(struct mixing){.routes_reverse = true}, s) < most_expert;

	for (size_t off = 1; off < e->n && off <= 8 && !fits; off++)
		fits = distance_of(p, layer, pos, &(struct mixing){.off = off}, s) < most_expert ||
		       distance_of(p, layer, pos, &(struct mixing){.off = e->n - off}, s) < most_expert;
	for (size_t off = 1; off < e->n_used && !fits; off++)
		fits = distance_of(p, layer, pos, &(struct mixing){.routes_off = off}, s) < most_expert;
	fits = fits || one_is_another(p, layer, pos, distance, s);
	diagnose_finding(out, fits ? "The order of the experts is wrong: tokens go to others than those that the router chose."
	                           : "What the experts give is wrong.",
	                 "In layer %zu the outputs of token %zu are off by %.2g of their size.", layer, pos, distance);
	diagnose_show(out, "sotto trace -m %s -p Hello --experts", p->params.model);
}

static bool init_work(const struct patient *p, struct work *s)
{
	size_t widest = p->plan->n_embd;

	for (size_t i = 0; i < p->plan->n_layer; i++)
		widest = p->plan->layers[i].experts.n_ff > widest ? p->plan->layers[i].experts.n_ff : widest;
	s->row = alloc_array(widest, 2 * sizeof *s->row);
	s->gate = alloc_array(widest, 4 * sizeof *s->gate);
	if (!s->row || !s->gate)
		return false;
	s->hidden_in = s->row + widest;
	s->up = s->gate + widest;
	s->down = s->up + widest;
	s->sum = s->down + widest;
	return true;
}

/* Whether an expert of the token's was not looked at before; marks all of them. */
static bool has_new(const struct patient *p, size_t layer, size_t pos, bool seen[EXPERTS_MAX])
{
	const struct experts_plan *e = &p->plan->layers[layer].experts;
	const float *chosen = record_row(&p->record, PROBE_CHOSEN, layer, pos);
	bool any = false;

	for (size_t i = 0; chosen && i < e->n_used && e->n <= EXPERTS_MAX; i++) {
		any |= !seen[(size_t)chosen[i]];
		seen[(size_t)chosen[i]] = true;
	}
	return any;
}

/* One token of a layer and, as far as `share` multiplications go, those that have experts that were not seen yet. */
static void judge_experts(const struct patient *p, size_t layer, double share, struct work *s, struct diagnosis *out)
{
	bool seen[EXPERTS_MAX] = {false};

	for (size_t i = 0; i < p->n_ids && out->verdict == VERDICT_FINE && (i == 0 || share > 0); i++) {
		size_t pos = (p->n_ids / 2 + i) % p->n_ids;
		double distance;

		if (!has_new(p, layer, pos, seen))
			continue;
		distance = distance_of(p, layer, pos, &(struct mixing){0}, s);
		share -= cost_of(p, layer);
		out->number = fmax(out->number, distance);
		if (!(distance < most_expert))
			tell(p, layer, pos, distance, s, out);
	}
}

enum status check_experts(struct patient *p, struct diagnosis *out, struct error *err)
{
	struct work s = {0};
	bool has_memory;
	size_t n = 0;

	if (!plan_experts(p->plan)->n) {
		diagnose_skipped(out, "The model has no experts.");
		return STATUS_OK;
	}
	has_memory = init_work(p, &s);
	diagnose_fine(out, "%s", "");
	diagnose_number(out, 0, "largest difference of what they give, relative");
	for (size_t i = 0; i < p->plan->n_layer; i++)
		n += p->plan->layers[i].experts.n > 0;
	for (size_t i = 0; i < p->plan->n_layer && has_memory && out->verdict == VERDICT_FINE; i++)
		if (p->plan->layers[i].experts.n)
			judge_experts(p, i, budget / (double)n, &s, out);
	free(s.row);
	free(s.gate);
	return has_memory ? STATUS_OK : error_no_memory(err, NULL);
}
