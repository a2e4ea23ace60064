#include "sampler/candidates.h"

#include <math.h>

#include "sampler/exact.h"

static const float logit_max = 1e30f;

void candidates_load(struct candidates *c, struct candidate *items, const float *logits, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float logit = logits[i];

		if (isnan(logit))
			logit = -INFINITY;
		else if (logit > logit_max)
			logit = logit_max;
		else if (logit < -logit_max && !isinf(logit))
			logit = -logit_max;
		items[i] = (struct candidate){.id = (int32_t)i, .logit = logit};
	}
	*c = (struct candidates){.items = items, .n = n};
}

static void swap(struct candidate *a, struct candidate *b)
{
	struct candidate t = *a;

	*a = *b;
	*b = t;
}

void candidates_drop_impossible(struct candidates *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++)
		if (!isinf(c->items[i].logit)) {
			if (i != kept)
				swap(&c->items[i], &c->items[kept]);
			kept++;
		}
	c->n = kept;
}

/* Orders: true when a comes before b. Both are total, since ids differ. */
typedef bool (*order)(const struct candidate *a, const struct candidate *b);

static bool by_logit(const struct candidate *a, const struct candidate *b)
{
	return a->logit > b->logit || (a->logit == b->logit && a->id < b->id);
}

static bool by_key(const struct candidate *a, const struct candidate *b)
{
	return a->key < b->key || (a->key == b->key && a->id < b->id);
}

/* A heap with the last in order at its root. */
static void sift_down(struct candidate *heap, size_t root, size_t n, order before)
{
	for (;;) {
		size_t child = 2 * root + 1;

		if (child >= n)
			return;
		if (child + 1 < n && before(&heap[child], &heap[child + 1]))
			child++;
		if (!before(&heap[root], &heap[child]))
			return;
		swap(&heap[root], &heap[child]);
		root = child;
	}
}

/* The k that come first in order to the front, sorted. */
static void select_first(struct candidate *items, size_t n, size_t k, order before)
{
	if (k > n)
		k = n;
	if (k == 0)
		return;
	for (size_t i = k / 2; i-- > 0;)
		sift_down(items, i, k, before);
	for (size_t i = k; i < n; i++)
		if (before(&items[i], &items[0])) {
			swap(&items[i], &items[0]);
			sift_down(items, 0, k, before);
		}
	for (size_t end = k - 1; end > 0; end--) {
		swap(&items[0], &items[end]);
		sift_down(items, 0, end, before);
	}
}

void candidates_sort_best(struct candidates *c, size_t k)
{
	if (c->sorted)
		return;
	select_first(c->items, c->n, k, by_logit);
	c->sorted = k >= c->n;
}

void candidates_sort_key(struct candidates *c)
{
	select_first(c->items, c->n, c->n, by_key);
	c->sorted = false;
}

size_t candidates_best(const struct candidates *c)
{
	size_t best = 0;

	if (c->sorted)
		return 0;
	for (size_t i = 1; i < c->n; i++)
		if (by_logit(&c->items[i], &c->items[best]))
			best = i;
	return best;
}

void candidates_softmax(struct candidates *c, double temp)
{
	double max, sum = 0;

	if (c->n == 0)
		return;
	max = c->items[candidates_best(c)].logit;
	for (size_t i = 0; i < c->n; i++) {
		c->items[i].p = exact_exp((c->items[i].logit - max) / temp);
		sum += c->items[i].p; /* >= 1: the best one's share */
	}
	for (size_t i = 0; i < c->n; i++)
		c->items[i].p /= sum;
}
