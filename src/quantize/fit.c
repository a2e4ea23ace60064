#include "quantize/fit.h"

#include <math.h>
#include <string.h>

#include "kernels/dot.h"
#include "kernels/float16.h"

/* Smaller weights vanish in half precision, whatever the scale. */
static const float vanishing = 1e-18f;

enum {
	CANDIDATES = 16,      /* scales for each end of the levels */
	AFFINE_CANDIDATES = 5, /* places for each end of the range */
	REFINEMENTS = 8,
};

void fit_importance(const float *x, size_t n, float *w)
{
	float rms = sqrtf(dot(x, x, n) / (float)n);

	for (size_t i = 0; i < n; i++)
		w[i] = rms + fabsf(x[i]);
}

uint16_t fit_half(float scale, float unit)
{
	float most = FIT_HALF_MAX / unit;

	return f16_from_f32(scale > most ? most : scale < -most ? -most : scale);
}

float fit_inverse(float d)
{
	return fabsf(d) > 1e-30f ? 1 / d : 0;
}

static float limit(float value, float low, float high)
{
	value = value < low ? low : value;
	return value > high ? high : value;
}

/* To the nearest whole number, ties to even, for |value| < 2^22. */
static float round_whole(float value)
{
	return (value + 0x1.8p23f) - 0x1.8p23f;
}

/* A level begins at the midpoint before it. */
static void nearest_values(const int8_t values[16], const float *x, float inverse, size_t n,
                           float *q)
{
	for (size_t i = 0; i < n; i++)
		q[i] = values[0];
	for (size_t k = 1; k < 16; k++) {
		float midpoint = 0.5f * (float)(values[k] + values[k - 1]);
		float step = (float)(values[k] - values[k - 1]);

		for (size_t i = 0; i < n; i++)
			q[i] += x[i] * inverse > midpoint ? step : 0;
	}
}

void levels_nearest(const struct levels *levels, const float *x, float inverse, size_t n, float *q)
{
	if (levels->values)
		nearest_values(levels->values, x, inverse, n, q);
	else
		for (size_t i = 0; i < n; i++)
			q[i] = round_whole(limit(x[i] * inverse, levels->low, levels->high));
}

void affine_nearest(float q_max, const float *x, float inverse, float m, size_t n, float *q)
{
	for (size_t i = 0; i < n; i++)
		q[i] = round_whole(limit((x[i] + m) * inverse, 0, q_max));
}

struct scale_fit {
	const struct levels *levels;
	const float *x, *w;
	float wx[FIT_MAX];
	size_t n;
	float gain; /* how much the best one so far reduces the sum of w * x * x */
	float d;    /* its scale */
	float *q;   /* and levels */
};

/* False if nothing is gained over the best so far. */
static bool try_scale(struct scale_fit *fit, float inverse)
{
	float q[FIT_MAX], wq[FIT_MAX], xq, qq;

	levels_nearest(fit->levels, fit->x, inverse, fit->n, q);
	for (size_t i = 0; i < fit->n; i++)
		wq[i] = fit->w[i] * q[i];
	xq = dot(fit->wx, q, fit->n);
	qq = dot(wq, q, fit->n);
	if (!(qq > 0 && xq * xq > fit->gain * qq))
		return false;
	fit->d = xq / qq;
	fit->gain = fit->d * xq;
	memcpy(fit->q, q, fit->n * sizeof *q);
	return true;
}

float fit_extreme(const float *x, size_t n)
{
	float found = 0;

	for (size_t i = 0; i < n; i++)
		if (fabsf(x[i]) > fabsf(found))
			found = x[i];
	return found;
}

float fit_scale(const struct levels *levels, const float *x, const float *w, size_t n, float *q)
{
	struct scale_fit fit = {.levels = levels, .x = x, .w = w, .n = n, .q = q};
	float n_levels = levels->values ? 16 : levels->high - levels->low + 1;
	/* The fewer levels, the more the largest weight may be clipped. */
	float least = 1 - 1.4f / sqrtf(n_levels), most = 1 + 0.5f / sqrtf(n_levels);
	float largest = fit_extreme(x, n);

	levels_nearest(levels, x, 0, n, q);
	if (!(fabsf(largest) > vanishing))
		return 0;
	for (size_t i = 0; i < n; i++)
		fit.wx[i] = w[i] * x[i];
	for (int i = 0; i < CANDIDATES; i++) {
		float part = least + (most - least) * (float)i / (CANDIDATES - 1);

		try_scale(&fit, part * levels->high / largest);
		if (levels->low < 0)
			try_scale(&fit, part * levels->low / largest);
	}
	for (int i = 0; i < REFINEMENTS && fit.gain > 0; i++)
		if (!try_scale(&fit, 1 / fit.d))
			break;
	return fit.d;
}

struct affine_fit {
	float q_max;
	const float *x, *w;
	float wx[FIT_MAX];
	float sum_w, sum_wx;
	size_t n;
	bool below;
	float gain;
	struct affine best;
	float *q;
};

static bool try_affine(struct affine_fit *fit, float inverse, float m)
{
	float q[FIT_MAX], wq[FIT_MAX], sum_q, sum_qq, sum_xq, det, gain;
	struct affine found = {0, 0};

	affine_nearest(fit->q_max, fit->x, inverse, m, fit->n, q);
	for (size_t i = 0; i < fit->n; i++)
		wq[i] = fit->w[i] * q[i];
	sum_q = dot(fit->w, q, fit->n);
	sum_qq = dot(wq, q, fit->n);
	sum_xq = dot(fit->wx, q, fit->n);
	det = fit->sum_w * sum_qq - sum_q * sum_q;
	if (!(sum_qq > 0))
		return false;
	/* Nothing to solve if all levels are the same. */
	if (det > 1e-5f * fit->sum_w * sum_qq) {
		found.d = (fit->sum_w * sum_xq - fit->sum_wx * sum_q) / det;
		found.m = (sum_q * sum_xq - sum_qq * fit->sum_wx) / det;
	}
	if (!(found.d > 0) || (fit->below && found.m < 0))
		found = (struct affine){sum_xq / sum_qq, 0};
	gain = found.d * sum_xq - found.m * fit->sum_wx;
	if (!(found.d > 0 && gain > fit->gain))
		return false;
	fit->gain = gain;
	fit->best = found;
	memcpy(fit->q, q, fit->n * sizeof *q);
	return true;
}

struct affine fit_affine(float q_max, bool below, const float *x, const float *w, size_t n,
                         float *q)
{
	float low = below ? 0 : x[0], high = x[0], y[FIT_MAX], shift, range;
	struct affine_fit fit = {.q_max = q_max, .x = y, .w = w, .n = n, .below = below, .q = q};

	for (size_t i = 0; i < n; i++) {
		low = x[i] < low ? x[i] : low;
		high = x[i] > high ? x[i] : high;
	}
	range = high - low;
	memset(q, 0, n * sizeof *q);
	if (!(range > vanishing))
		return (struct affine){0, -low};
	/* Relative to the lowest, so that a large common part costs no precision. */
	shift = below ? 0 : low;
	for (size_t i = 0; i < n; i++) {
		y[i] = x[i] - shift;
		fit.wx[i] = w[i] * y[i];
		fit.sum_w += w[i];
		fit.sum_wx += fit.wx[i];
	}
	/* The lowest weight at about level 0, the highest at about q_max. */
	for (int i = 0; i < AFFINE_CANDIDATES; i++)
		for (int j = 0; j < AFFINE_CANDIDATES; j++) {
			float first = 0.3f * (float)(i - AFFINE_CANDIDATES / 2);
			float last = q_max + 0.3f * (float)(j - AFFINE_CANDIDATES / 2);
			float d = range / (last - first);

			try_affine(&fit, 1 / d, d * first + shift - low);
		}
	for (int i = 0; i < REFINEMENTS && fit.gain > 0; i++)
		if (!try_affine(&fit, 1 / fit.best.d, fit.best.m))
			break;
	return (struct affine){fit.best.d, fit.best.m - shift};
}
