#include "sampler/top.h"

#include <math.h>

#include "sampler/exact.h"

enum { CHUNK = 256 };

static void add(struct sampler_top *top, size_t n_top, int32_t id, float logit)
{
	size_t at = top->n;

	if (at < n_top)
		top->n++;
	else
		at--;
	for (; at > 0 && logit > top->items[at - 1].logit; at--)
		top->items[at] = top->items[at - 1];
	top->items[at] = (struct sampler_candidate){.id = id, .logit = logit};
}

/* In chunks, several at a time; impossible ones add nothing. */
static void measure(struct sampler_top *top, const float *logits, size_t n)
{
	double max = (double)top->items[0].logit, sum = 0, weighted = 0;
	double x[CHUNK], e[CHUNK];

	for (size_t from = 0; from < n; from += CHUNK) {
		size_t n_here = n - from < CHUNK ? n - from : CHUNK;

		for (size_t i = 0; i < n_here; i++)
			e[i] = x[i] = fmax((double)logits[from + i] - max, -700);
		exact_exp_all(e, n_here);
		for (size_t i = 0; i < n_here; i++) {
			sum += e[i];
			weighted += e[i] * x[i];
		}
	}
	top->log_sum = max + log(sum);
	top->entropy = fmax(log(sum) - weighted / sum, 0);
}

void sampler_top_find(struct sampler_top *top, const float *logits, size_t n, size_t n_top, uint8_t *places)
{
	float least = -INFINITY;

	top->n = 0;
	top->log_sum = top->entropy = (double)NAN;
	for (size_t i = 0; i < n && n_top; i++) {
		if (!(logits[i] > least))
			continue;
		add(top, n_top, (int32_t)i, logits[i]);
		if (top->n == n_top)
			least = top->items[n_top - 1].logit;
	}
	if (top->n == 0)
		return;
	measure(top, logits, n);
	for (size_t i = 0; i < top->n; i++) {
		top->items[i].probability = (float)exp((double)top->items[i].logit - top->log_sum);
		places[top->items[i].id] = (uint8_t)(i + 1);
	}
}

void sampler_top_record(struct sampler_top *top, const uint8_t *places, const struct candidate *items, size_t n,
                        const char *cut_by)
{
	for (size_t i = 0; i < n && top->n; i++) {
		size_t place = places[items[i].id];

		if (!place)
			continue;
		top->items[place - 1].cut_by = cut_by;
		top->items[place - 1].chosen_p = cut_by ? 0 : (float)items[i].p;
	}
}

void sampler_top_clear(const struct sampler_top *top, uint8_t *places)
{
	for (size_t i = 0; i < top->n; i++)
		places[top->items[i].id] = 0;
}
