/* Routers and experts of every family that has some, against the formulas in double. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "definitions.h"
#include "trace/routes.h"

#define CLOSE 2e-4
#define CLOSE_HALF 4e-3 /* the engine rounds this family's activation to half precision */

enum { EXPERTS_TESTED = 64 };

static void softmax_all(double *x, size_t n)
{
	double most = -INFINITY, sum = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, x[i]);
	for (size_t i = 0; i < n; i++)
		sum += x[i] = exp(x[i] - most);
	for (size_t i = 0; i < n; i++)
		x[i] /= sum;
}

static void score(enum route route, double *x, size_t n)
{
	if (route == ROUTE_SOFTMAX)
		softmax_all(x, n);
	for (size_t i = 0; i < n && route == ROUTE_SIGMOID; i++)
		x[i] = sigmoid(x[i]);
}

static size_t best_of(const double *x, size_t n)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (x[i] > x[best])
			best = i;
	return best;
}

/* Experts of all but the best groups cannot be chosen: a group is judged by its two best. */
static void keep_groups(const struct experts_plan *e, double *choice)
{
	size_t width = e->n / e->n_groups;
	double groups[EXPERTS_TESTED];
	bool kept[EXPERTS_TESTED] = {false};

	for (size_t g = 0; g < e->n_groups; g++) {
		double *of = choice + g * width, first = -INFINITY, second = -INFINITY;

		for (size_t i = 0; i < width; i++) {
			second = of[i] > first ? first : fmax(second, of[i]);
			first = fmax(first, of[i]);
		}
		groups[g] = width > 1 ? first + second : first;
	}
	for (size_t i = 0; i < e->n_groups_used; i++) {
		size_t best = best_of(groups, e->n_groups);

		kept[best] = true;
		groups[best] = -INFINITY;
	}
	for (size_t i = 0; i < e->n; i++)
		if (!kept[i / width])
			choice[i] = -INFINITY;
}

/* From the router's logits; what is as good as another to a float is not told apart. False: it is so. */
static bool define_routes(const struct experts_plan *e, const float *bias, double *logits, size_t *chosen, double *routes)
{
	double choice[EXPERTS_TESTED], scores[EXPERTS_TESTED], sum = 0, last = INFINITY;

	for (size_t i = 0; i < e->n; i++)
		scores[i] = logits[i];
	score(e->route, scores, e->n);
	for (size_t i = 0; i < e->n; i++)
		choice[i] = (e->by_logits ? logits[i] : scores[i]) + (bias ? (double)bias[i] : 0);
	if (e->n_groups > 1)
		keep_groups(e, choice);
	for (size_t i = 0; i < e->n_used; i++) {
		chosen[i] = best_of(choice, e->n);
		if (i && last - choice[chosen[i]] < 1e-5)
			return false;
		last = choice[chosen[i]];
		choice[chosen[i]] = -INFINITY;
		routes[i] = scores[chosen[i]];
	}
	if (e->n_used < e->n && last - choice[best_of(choice, e->n)] < 1e-5)
		return false;
	if (e->route == ROUTE_SOFTMAX_CHOSEN)
		softmax_all(routes, e->n_used);
	for (size_t i = 0; i < e->n_used; i++)
		sum += routes[i];
	for (size_t i = 0; i < e->n_used; i++)
		routes[i] = routes[i] / (e->normalises ? fmax(sum, 0x1p-14) : 1) * (double)e->route_scale;
	return true;
}

/* out += what an expert makes of the input, weighed. */
static void add_expert(const struct layer_plan *l, const struct layer_weights *w, size_t n_embd, const double *in,
                       size_t expert, double route, double *out)
{
	size_t n_ff = l->experts.n_ff;
	double *x = zeros(n_embd), *gate = zeros(n_ff), *up = zeros(n_ff), *y = zeros(n_embd);

	for (size_t i = 0; i < n_embd; i++)
		x[i] = in[i] * (l->experts.weighs_inputs ? route : 1);
	if (w->expert_gate.first.data)
		define_stack(&w->expert_gate, expert, x, gate);
	define_stack(&w->expert_up, expert, x, up);
	for (size_t i = 0; i < n_ff; i++)
		up[i] = w->expert_gate.first.data ? define_activation(l->activation, gate[i], &up[i])
		                                  : define_activation(l->activation, up[i], NULL);
	define_stack(&w->expert_down, expert, up, y);
	for (size_t i = 0; i < n_embd; i++)
		out[i] += y[i] * (l->experts.weighs_inputs ? 1 : route);
	free(x);
	free(gate);
	free(up);
	free(y);
}

static void check_token(const struct traced *traced, const char *family, const struct routes_trace *routes, size_t pos)
{
	const struct plan *plan = traced->plan;
	size_t layer = routes->layer, chosen[EXPERTS_TESTED];
	const struct layer_plan *l = &plan->layers[layer];
	const struct layer_weights *w = &traced->model->weights.layers[layer];
	double *router_in = traced_doubles(traced, PROBE_ROUTER_IN, layer, pos, plan->n_embd);
	double *in = traced_doubles(traced, PROBE_EXPERTS_IN, layer, pos, plan->n_embd);
	double logits[EXPERTS_TESTED], weights[EXPERTS_TESTED], p[EXPERTS_TESTED], entropy = 0, *out = zeros(plan->n_embd);

	define_linear(&w->router, router_in, logits);
	for (size_t i = 0; i < l->experts.n; i++)
		p[i] = logits[i] *= (double)l->experts.input_scale;
	cr_expect(distance(routes->logits + pos * routes->n_experts, logits, l->experts.n) < CLOSE,
	          "%s: the router of layer %zu at %zu", family, layer, pos);
	softmax_all(p, l->experts.n);
	for (size_t i = 0; i < l->experts.n; i++)
		entropy -= p[i] > 0 ? p[i] * log2(p[i]) : 0;
	cr_expect(fabs(entropy - routes_entropy(routes, pos)) < 1e-3, "%s: entropy %g, not %g", family,
	          routes_entropy(routes, pos), entropy);
	if (define_routes(&l->experts, w->router_bias, logits, chosen, weights)) {
		for (size_t i = 0; i < l->experts.n_used; i++) {
			cr_expect_eq(routes_chosen(routes, pos, i), chosen[i], "%s: layer %zu at %zu, rank %zu: %zu, not %zu", family,
			             layer, pos, i, routes_chosen(routes, pos, i), chosen[i]);
			add_expert(l, w, plan->n_embd, in, chosen[i], weights[i], out);
		}
		cr_expect(distance(routes->weights + pos * routes->n_used, weights, l->experts.n_used) < CLOSE,
		          "%s: weights of layer %zu at %zu", family, layer, pos);
		cr_expect(distance(traced_row(traced, PROBE_EXPERTS_OUT, layer, pos), out, plan->n_embd) <
		          (l->activation == ACTIVATION_GELU_F16 ? CLOSE_HALF : CLOSE),
		          "%s: what the experts of layer %zu give at %zu", family, layer, pos);
	}
	free(router_in);
	free(in);
	free(out);
}

Test(routes, are_what_the_formulas_say_for_every_family)
{
	size_t n_families = 0;

	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		struct traced traced;
		size_t n = 0;

		traced_open(&traced, spec->name);
		for (size_t layer = 0; layer < traced.plan->n_layer; layer++) {
			struct routes_trace routes;
			struct error err = {0};

			if (!routes_has(traced.model, layer))
				continue;
			cr_assert_leq(traced.plan->layers[layer].experts.n, EXPERTS_TESTED);
			cr_assert_eq(routes_make(&routes, traced.model, &traced.recorder, layer, &err), STATUS_OK, "%s", err.text);
			cr_assert_eq(routes.n, TRACED_IDS);
			for (size_t pos = 0; pos < TRACED_IDS; pos++)
				check_token(&traced, spec->name, &routes, pos);
			n++;
		}
		n_families += n > 0;
		traced_close(&traced);
	}
	cr_expect_geq(n_families, 15);
}

Test(routes, count_the_tokens_of_each_expert)
{
	static const float chosen[] = {3, 1, 3, 0, 1, 3};
	const struct routes_trace routes = {.n = 3, .n_used = 2, .n_experts = 5, .chosen = chosen};
	struct routes_load load = routes_load_of(&routes);

	cr_expect_eq(load.busiest, 3);
	cr_expect_eq(load.n_busiest, 3);
	cr_expect_eq(load.n_with_tokens, 3);
}
