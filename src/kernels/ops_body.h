/* The kernels of ops_kernels.h on the names of simd.h, compiled once for each instruction set
 * (isa_*.c). The last elements, which fill no vector, are computed in a vector that is filled up
 * with zeros, so that an element's bits do not depend on where a range ends. */
#ifndef SOTTO_KERNELS_OPS_BODY_H
#define SOTTO_KERNELS_OPS_BODY_H

#include <math.h>
#include <string.h>

#include "kernels/ops_kernels.h"
#include "kernels/simd_exp.h"

/* The n < SIMD_LANES floats, then zeros. */
static vf load_part(const float *from, size_t n)
{
	float lanes[SIMD_LANES] = {0};

	memcpy(lanes, from, n * sizeof *from);
	return load_f32(lanes);
}

static void store_part(float *to, vf v, size_t n)
{
	float lanes[SIMD_LANES];

	store_f32(lanes, v);
	memcpy(to, lanes, n * sizeof *to);
}

static float sum_of_squares(const float *x, size_t n)
{
	vf sums[4] = {splat_f32(0), splat_f32(0), splat_f32(0), splat_f32(0)}, v;
	size_t i = 0;

	for (; i + 4 * SIMD_LANES <= n; i += 4 * SIMD_LANES)
		for (size_t k = 0; k < 4; k++) {
			v = load_f32(x + i + k * SIMD_LANES);
			sums[k] = fma_f32(v, v, sums[k]);
		}
	for (; i + SIMD_LANES <= n; i += SIMD_LANES) {
		v = load_f32(x + i);
		sums[0] = fma_f32(v, v, sums[0]);
	}
	v = load_part(x + i, n - i);
	sums[0] = fma_f32(v, v, sums[0]);
	return sum_lanes((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

static float sum_of(const float *x, size_t n)
{
	vf sum = splat_f32(0);
	size_t i = 0;

	for (; i + SIMD_LANES <= n; i += SIMD_LANES)
		sum += load_f32(x + i);
	return sum_lanes(sum + load_part(x + i, n - i));
}

/* Without weights, as if they were ones. */
static void scale_by(const float *x, size_t n, float scale, const float *weight, float *out)
{
	if (!weight)
		for (size_t i = 0; i < n; i++)
			out[i] = x[i] * scale;
	else
		for (size_t i = 0; i < n; i++)
			out[i] = x[i] * scale * weight[i];
}

static void rms_norm(const float *x, size_t n, const float *weight, const float *bias, float eps,
                     float *out)
{
	double mean = (double)sum_of_squares(x, n) / (double)n;
	float scale = (float)(1.0 / sqrt(mean + (double)eps));

	scale_by(x, n, scale, weight, out);
	if (bias)
		for (size_t i = 0; i < n; i++)
			out[i] += bias[i];
}

static void l2_norm(const float *x, size_t n, const float *weight, const float *bias, float eps,
                    float *out)
{
	float scale = 1 / fmaxf(sqrtf(sum_of_squares(x, n)), eps);

	(void)bias;
	scale_by(x, n, scale, weight, out);
}

static void layer_norm(const float *x, size_t n, const float *weight, const float *bias, float eps,
                       float *out)
{
	float mean = (float)((double)sum_of(x, n) / (double)n), scale;

	for (size_t i = 0; i < n; i++)
		out[i] = x[i] - mean;
	scale = (float)(1.0 / sqrt((double)sum_of_squares(out, n) / (double)n + (double)eps));
	for (size_t i = 0; i < n; i++)
		out[i] = out[i] * scale * (weight ? weight[i] : 1) + (bias ? bias[i] : 0);
}

static void gaussian_topk_row(float *x, float cutoff, size_t n)
{
	float mean = (float)((double)sum_of(x, n) / (double)n);
	double variance;

	for (size_t i = 0; i < n; i++)
		x[i] -= mean;
	variance = (double)sum_of_squares(x, n) / (n > 1 ? (double)(n - 1) : 1);
	cutoff *= (float)sqrt(variance);
	for (size_t i = 0; i < n; i++)
		x[i] = x[i] > cutoff ? x[i] - cutoff : 0;
}

static void add_range(float *x, const float *y, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] += y[i];
}

static void add_scaled_range(float *x, const float *y, float factor, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] += factor * y[i];
}

static void multiply_range(float *x, const float *y, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] *= y[i];
}

/* x / (1 + exp(-x)); below EXP_SMALL no more than 2^-93, hence 0. */
static vf silu(vf x)
{
	vf exponential = exp_f32(splat_f32(0) - x, -87.0f);

	return zero_if_less(x / (splat_f32(1) + exponential), x, splat_f32(EXP_SMALL));
}

/* x * (1 + tanh(u)) / 2 is x / (1 + exp(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3). */
static vf gelu(vf x)
{
	vf cubic = fma_f32(x * x * x, splat_f32(0.044715f), x);
	vf exponential = exp_f32(cubic * splat_f32(-1.5957691216f), -87.0f);

	/* far below, dividing by infinity gives the right 0 */
	return zero_if_less(x / (splat_f32(1) + exponential), x, splat_f32(-12.0f));
}

static vf rounded_to_f16(vf x)
{
	uint16_t lanes[SIMD_LANES];

	store_f16(lanes, x);
	return load_f16(lanes);
}

/* From 10 on it is x, whatever half precision makes of that. */
static vf gelu_f16(vf x)
{
	vf high = splat_f32(10), inside = min_f32(high, max_f32(splat_f32(-10), x));

	return rounded_to_f16(gelu(rounded_to_f16(inside))) + max_f32(x - high, splat_f32(0));
}

static vf relu2(vf x)
{
	vf positive = max_f32(x, splat_f32(0));

	return positive * positive;
}

static vf sigmoid(vf x)
{
	vf exponential = exp_f32(splat_f32(0) - x, -87.0f);

	return zero_if_less(splat_f32(1) / (splat_f32(1) + exponential), x, splat_f32(EXP_SMALL));
}

static void scale_range(float *x, float factor, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] *= factor;
}

/* A function of one vector on each element of a stretch, times y where there is one. */
#define ELEMENTS(name, function) \
	static void name(float *x, const float *y, size_t n) \
	{ \
		size_t i = 0; \
		vf part; \
	\
		for (; i + SIMD_LANES <= n; i += SIMD_LANES) { \
			part = function(load_f32(x + i)); \
			store_f32(x + i, y ? part * load_f32(y + i) : part); \
		} \
		part = function(load_part(x + i, n - i)); \
		store_part(x + i, y ? part * load_part(y + i, n - i) : part, n - i); \
	}
ELEMENTS(silu_range, silu)
ELEMENTS(gelu_range, gelu)
ELEMENTS(gelu_f16_range, gelu_f16)
ELEMENTS(relu2_range, relu2)
ELEMENTS(sigmoid_range, sigmoid)

static vf clamped_glu(vf x, vf y)
{
	vf high = splat_f32(7), gate = min_f32(high, x), up = min_f32(high, max_f32(splat_f32(-7), y));
	vf exponential = exp_f32(gate * splat_f32(-1.702f), -87.0f);

	gate = zero_if_less(gate / (splat_f32(1) + exponential), gate, splat_f32(-50.0f));
	return gate * (up + splat_f32(1));
}

static void clamped_glu_range(float *x, const float *y, size_t n)
{
	size_t i = 0;

	for (; i + SIMD_LANES <= n; i += SIMD_LANES)
		store_f32(x + i, clamped_glu(load_f32(x + i), load_f32(y + i)));
	store_part(x + i, clamped_glu(load_part(x + i, n - i), load_part(y + i, n - i)), n - i);
}

static void softcap_range(float *x, float cap, size_t n)
{
	vf high = splat_f32(cap), inverse = splat_f32(1 / cap);
	size_t i = 0;

	for (; i + SIMD_LANES <= n; i += SIMD_LANES)
		store_f32(x + i, high * tanh_f32(load_f32(x + i) * inverse));
	store_part(x + i, high * tanh_f32(load_part(x + i, n - i) * inverse), n - i);
}

static void rope_adjacent(const float *table, size_t n_pairs, size_t n_heads, size_t dim, float *x)
{
	for (size_t head = 0; head < n_heads; head++, x += dim)
		for (size_t i = 0; i < n_pairs; i++) {
			float c = table[2 * i], s = table[2 * i + 1], a = x[2 * i], b = x[2 * i + 1];

			x[2 * i] = a * c - b * s;
			x[2 * i + 1] = a * s + b * c;
		}
}

static void rope_halves(const float *table, size_t n_pairs, size_t n_heads, size_t dim, float *x)
{
	for (size_t head = 0; head < n_heads; head++, x += dim)
		for (size_t i = 0; i < n_pairs; i++) {
			float c = table[2 * i], s = table[2 * i + 1], a = x[i], b = x[n_pairs + i];

			x[i] = a * c - b * s;
			x[n_pairs + i] = a * s + b * c;
		}
}

#include "kernels/scan_body.h"

static vf in_f16_range(vf x)
{
	return min_f32(splat_f32(65504.0f), max_f32(splat_f32(-65504.0f), x));
}

static void to_f16(const float *x, size_t n, uint16_t *out)
{
	uint16_t lanes[SIMD_LANES];
	size_t i = 0;

	for (; i + SIMD_LANES <= n; i += SIMD_LANES)
		store_f16(out + i, in_f16_range(load_f32(x + i)));
	store_f16(lanes, in_f16_range(load_part(x + i, n - i)));
	memcpy(out + i, lanes, (n - i) * sizeof *out);
}

static void exp_range(const float *x, size_t n, float *out)
{
	size_t i = 0;

	for (; i + SIMD_LANES <= n; i += SIMD_LANES)
		store_f32(out + i, exp_f32(load_f32(x + i), -87.0f));
	store_part(out + i, exp_f32(load_part(x + i, n - i), -87.0f), n - i);
}

const struct vector_kernels ISA(ops) = {
	{rms_norm, l2_norm, layer_norm},
	add_range,
	add_scaled_range,
	multiply_range,
	scale_range,
	gaussian_topk_row,
	softcap_range,
	{silu_range, gelu_range, gelu_f16_range, relu2_range, sigmoid_range, clamped_glu_range},
	rope_adjacent,
	rope_halves,
	conv_row,
	scan_rows,
	to_f16,
	exp_range,
};

#endif
