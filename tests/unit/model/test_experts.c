/* Which experts a token goes through, and how much each counts. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "model/experts.h"

enum { N = 8, MOST = 8 };

struct routed {
	uint32_t chosen[MOST];
	float route[MOST], sum;
};

static struct experts_plan plan_of(enum route route, uint32_t n_used)
{
	return (struct experts_plan){.n = N, .n_used = n_used, .route = route, .n_groups = 1,
	                             .n_groups_used = 1, .route_scale = 1, .input_scale = 1};
}

static struct routed choose(const struct experts_plan *plan, const float scores[N], const float *bias)
{
	struct routed out = {0};
	float copy[N];

	memcpy(copy, scores, sizeof copy);
	route_token(plan, copy, bias, out.chosen, out.route);
	for (size_t i = 0; i < plan->n_used; i++)
		out.sum += out.route[i];
	return out;
}

static void expect(const struct routed *found, size_t n, const uint32_t *chosen, const double *route)
{
	for (size_t i = 0; i < n; i++) {
		cr_expect_eq(found->chosen[i], chosen[i], "place %zu: expert %u", i, (unsigned)found->chosen[i]);
		cr_expect_float_eq(found->route[i], route[i], 1e-6, "place %zu: %g", i, (double)found->route[i]);
	}
}

static const float some[N] = {0.5f, -1, 3, 0, 2, -4, 1, 2.5f};

Test(experts, are_the_best_by_rank)
{
	struct experts_plan plan = plan_of(ROUTE_SOFTMAX, 3);
	struct routed found = choose(&plan, some, NULL);
	double all = 0, routes[3];

	for (size_t i = 0; i < N; i++)
		all += exp((double)some[i]);
	routes[0] = exp(3) / all;
	routes[1] = exp(2.5) / all;
	routes[2] = exp(2) / all;
	expect(&found, 3, (uint32_t[]){2, 7, 4}, routes);
	plan.normalises = true;
	plan.route_scale = 2.5f;
	found = choose(&plan, some, NULL);
	cr_expect_float_eq(found.sum, 2.5f, 1e-6f);
	cr_expect_float_eq(found.route[1] / found.route[0], exp(-0.5), 1e-6);
}

Test(experts, count_by_each_way)
{
	struct experts_plan plan = plan_of(ROUTE_SIGMOID, 2);
	struct routed found = choose(&plan, some, NULL);

	expect(&found, 2, (uint32_t[]){2, 7}, (double[]){1 / (1 + exp(-3)), 1 / (1 + exp(-2.5))});
	plan.route = ROUTE_SOFTMAX_CHOSEN;
	found = choose(&plan, some, NULL);
	expect(&found, 2, (uint32_t[]){2, 7}, (double[]){1 / (1 + exp(-0.5)), 1 / (1 + exp(0.5))});
}

/* The bias has a say in the choice, none in how much they count. */
Test(experts, are_chosen_with_a_bias)
{
	const float bias[N] = {0, 1, 0, 0, 0, 2, 0, 0};
	struct experts_plan plan = plan_of(ROUTE_SIGMOID, 2);
	struct routed found = choose(&plan, some, bias);

	expect(&found, 2, (uint32_t[]){5, 1}, (double[]){1 / (1 + exp(4)), 1 / (1 + exp(1))});
}

/* Scores that are chosen by as they are: where sigmoids are all 1 they can still be told apart. */
Test(experts, are_chosen_by_logits)
{
	const float large[N] = {50, 60, 70, 80, 90, 80, 70, 60};
	struct experts_plan plan = plan_of(ROUTE_SIGMOID, 1);

	cr_expect_eq(choose(&plan, large, NULL).chosen[0], 0, "all are 1");
	plan.by_logits = true;
	cr_expect_eq(choose(&plan, large, NULL).chosen[0], 4);
	cr_expect_eq(choose(&plan, large, NULL).route[0], 1);
}

/* Of equals the one with the lowest number, in every way. */
Test(experts, that_are_equally_good_come_in_order)
{
	static const float equal[N] = {0}, pairs[N] = {1, 3, 2, 3, 2, 1, 3, 2};

	for (int route = ROUTE_SOFTMAX; route < ROUTE_COUNT; route++)
		for (uint32_t n_used = 1; n_used <= N; n_used++) {
			struct experts_plan plan = plan_of((enum route)route, n_used);
			struct routed found;

			found = choose(&plan, equal, NULL);
			for (uint32_t i = 0; i < n_used; i++)
				cr_expect_eq(found.chosen[i], i);
			found = choose(&plan, pairs, NULL);
			for (uint32_t i = 0; i < n_used; i++)
				cr_expect_eq(found.chosen[i], ((uint32_t[]){1, 3, 6, 2, 4, 7, 0, 5})[i]);
		}
}

/* Four groups of two: each is judged by its two best. */
Test(experts, come_of_the_best_groups)
{
	const float scores[N] = {9, -9, 3, 2.5f, 4, 0, 1, 1};
	struct experts_plan plan = plan_of(ROUTE_SOFTMAX_CHOSEN, 3);
	struct routed found;

	plan.n_groups = 4;
	plan.n_groups_used = 2; /* 0, 5.5, 4, 2: the one with the best expert is not among them */
	found = choose(&plan, scores, NULL);
	cr_expect_eq(found.chosen[0], 4);
	cr_expect_eq(found.chosen[1], 2);
	cr_expect_eq(found.chosen[2], 3);
	plan.n_groups_used = 4;
	found = choose(&plan, scores, NULL);
	cr_expect_eq(found.chosen[0], 0);
	/* equally good groups: the first ones */
	plan.n_groups_used = 2;
	found = choose(&plan, (const float[N]){1, 1, 1, 1, 1, 1, 1, 1}, NULL);
	for (uint32_t i = 0; i < 3; i++)
		cr_expect_eq(found.chosen[i], i);
}

/* Whatever a broken file gives: they stay numbers of experts. */
Test(experts, are_experts_whatever_the_scores)
{
	static const float values[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 0};
	enum { N_VALUES = sizeof values / sizeof values[0] };

	for (int route = ROUTE_SOFTMAX; route < ROUTE_COUNT; route++)
		for (uint32_t groups = 1; groups <= 4; groups *= 2)
			for (size_t kind = 0; kind < N_VALUES * N_VALUES; kind++) {
				struct experts_plan plan = plan_of((enum route)route, 4);
				float scores[N];
				struct routed found;

				plan.n_groups = groups;
				plan.n_groups_used = groups > 1 ? groups / 2 : 1;
				plan.normalises = kind % 2;
				for (size_t i = 0; i < N; i++)
					scores[i] = values[i % 2 ? kind / N_VALUES : kind % N_VALUES];
				found = choose(&plan, scores, NULL);
				for (size_t i = 0; i < 4; i++)
					cr_assert_lt(found.chosen[i], (uint32_t)N);
			}
}
