#include "model/experts.h"

#include <math.h>

/* Lower bound of sums of routes: the smallest normal number of half precision. */
static const float LEAST_SUM = 0x1p-14f;

static void softmax(float *x, size_t n)
{
	float most = x[0], sum = 0;

	for (size_t i = 1; i < n; i++)
		most = x[i] > most ? x[i] : most;
	for (size_t i = 0; i < n; i++) {
		x[i] = expf(x[i] - most);
		sum += x[i];
	}
	for (size_t i = 0; i < n; i++)
		x[i] /= sum;
}

static void make_routes(enum route route, float *x, size_t n)
{
	if (route == ROUTE_SOFTMAX)
		softmax(x, n);
	for (size_t i = 0; i < n && route == ROUTE_SIGMOID; i++)
		x[i] = 1 / (1 + expf(-x[i]));
}

/* The index of the largest of n, the first of them; none that is taken (-infinity), unless all are. */
static size_t best_of(const float *x, size_t n)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (x[i] > x[best])
			best = i;
	return best;
}

/* The sum of a group's two best. */
static float group_score(const float *x, size_t n)
{
	float best = -INFINITY, second = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		if (x[i] > best) {
			second = best;
			best = x[i];
		} else if (x[i] > second) {
			second = x[i];
		}
	}
	return n > 1 ? best + second : best;
}

/* Excludes the experts of all but the best groups. */
static void keep_groups(const struct experts_plan *plan, float *choice)
{
	float scores[EXPERTS_MAX];
	bool kept[EXPERTS_MAX] = {false};
	size_t width = plan->n / plan->n_groups;

	for (size_t g = 0; g < plan->n_groups; g++)
		scores[g] = group_score(choice + g * width, width);
	for (size_t i = 0; i < plan->n_groups_used; i++) {
		size_t best = best_of(scores, plan->n_groups);

		kept[best] = true;
		scores[best] = -INFINITY;
	}
	for (size_t i = 0; i < plan->n; i++)
		if (!kept[i / width])
			choice[i] = -INFINITY;
}

void route_token(const struct experts_plan *plan, float *scores, const float *bias,
                 uint32_t *chosen, float *route)
{
	float choice[EXPERTS_MAX], sum = 0;

	if (!plan->by_logits)
		make_routes(plan->route, scores, plan->n);
	for (size_t i = 0; i < plan->n; i++)
		choice[i] = scores[i] + (bias ? bias[i] : 0);
	if (plan->by_logits)
		make_routes(plan->route, scores, plan->n);
	if (plan->n_groups > 1)
		keep_groups(plan, choice);
	for (size_t i = 0; i < plan->n_used; i++) {
		size_t best = best_of(choice, plan->n);

		choice[best] = -INFINITY;
		chosen[i] = (uint32_t)best;
		route[i] = scores[best];
	}
	if (plan->route == ROUTE_SOFTMAX_CHOSEN)
		softmax(route, plan->n_used);
	for (size_t i = 0; i < plan->n_used && plan->normalises; i++)
		sum += route[i];
	sum = sum > LEAST_SUM ? sum : LEAST_SUM;
	for (size_t i = 0; i < plan->n_used; i++)
		route[i] = (plan->normalises ? route[i] / sum : route[i]) * plan->route_scale;
}
