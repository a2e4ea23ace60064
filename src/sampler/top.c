#include "sampler/top.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256, LANES = 8 };

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

/* exp(x) for -87 <= x <= 0, LANES at a time, to 2 units in the last place: only for what is shown, where exact_exp would
 * take ten times as long. 2^n comes from the exponent's bits, the rest from a polynomial. */
static void exp_lanes(const float *x, float *e)
{
	static const float terms[] = {1.0f / 120, 1.0f / 24, 1.0f / 6, 1.0f / 2, 1, 1};
	const float shift = 12582912.0f; /* 1.5 * 2^23: what is added to it is rounded to a whole number */
	float n[LANES], f[LANES], p[LANES], power[LANES];
	int32_t bits[LANES];

	for (size_t k = 0; k < LANES; k++) {
		float y = x[k] * 1.44269504f;

		n[k] = (y + shift) - shift;
		f[k] = (y - n[k]) * 0.69314718f;
		p[k] = 1.0f / 720;
	}
	for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++)
		for (size_t k = 0; k < LANES; k++)
			p[k] = p[k] * f[k] + terms[i];
	for (size_t k = 0; k < LANES; k++)
		bits[k] = ((int32_t)n[k] + 127) * (1 << 23);
	memcpy(power, bits, sizeof power);
	for (size_t k = 0; k < LANES; k++)
		e[k] = p[k] * power[k];
}

/* In chunks, whose sums are of floats; impossible ones add nothing. */
static void measure(struct sampler_top *top, const float *logits, size_t n)
{
	const float max = top->items[0].logit;
	double sum = 0, weighted = 0;

	for (size_t from = 0; from < n; from += CHUNK) {
		size_t n_here = n - from < CHUNK ? n - from : CHUNK;
		float part[LANES] = {0}, weighted_part[LANES] = {0};
		float x[CHUNK], e[CHUNK];

		for (size_t i = n_here; i < CHUNK; i++)
			x[i] = -INFINITY;
		memcpy(x, logits + from, n_here * sizeof *x);
		for (size_t i = 0; i < CHUNK; i += LANES) {
			for (size_t k = 0; k < LANES; k++)
				x[i + k] = x[i + k] - max > -87 ? x[i + k] - max : -87;
			exp_lanes(x + i, e + i);
			for (size_t k = 0; k < LANES; k++) {
				part[k] += e[i + k];
				weighted_part[k] += e[i + k] * x[i + k];
			}
		}
		for (size_t k = 0; k < LANES; k++) {
			sum += (double)part[k];
			weighted += (double)weighted_part[k];
		}
	}
	top->log_sum = (double)max + log(sum);
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
