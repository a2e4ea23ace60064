/* The kernels of ops_kernels.h on the names of vf_generic.h: compiled once
 * for each instruction set, by ops_generic.c and its like. The last elements,
 * which fill no vector, are computed in one that is filled up with zeros, so
 * that an element's bits do not depend on where a stretch ends. */
#include <math.h>
#include <string.h>

#include "kernels/ops_kernels.h"
#include "kernels/vf_exp.h"

/* The n < VF_LANES floats, then zeros. */
static vf load_part(const float *from, size_t n)
{
	float lanes[VF_LANES] = {0};

	memcpy(lanes, from, n * sizeof *from);
	return vf_load(lanes);
}

static void store_part(float *to, vf v, size_t n)
{
	float lanes[VF_LANES];

	vf_store(lanes, v);
	memcpy(to, lanes, n * sizeof *to);
}

static float sum_of_squares(const float *x, size_t n)
{
	vf sums[4] = {vf_set1(0), vf_set1(0), vf_set1(0), vf_set1(0)}, v;
	size_t i = 0;

	for (; i + 4 * VF_LANES <= n; i += 4 * VF_LANES)
		for (size_t k = 0; k < 4; k++) {
			v = vf_load(x + i + k * VF_LANES);
			sums[k] = vf_fma(v, v, sums[k]);
		}
	for (; i + VF_LANES <= n; i += VF_LANES) {
		v = vf_load(x + i);
		sums[0] = vf_fma(v, v, sums[0]);
	}
	v = load_part(x + i, n - i);
	sums[0] = vf_fma(v, v, sums[0]);
	return vf_sum(vf_add(vf_add(sums[0], sums[1]), vf_add(sums[2], sums[3])));
}

static void rmsnorm_row(const float *x, size_t n, const float *weight, float eps, float *out)
{
	double mean = (double)sum_of_squares(x, n) / (double)n;
	float scale = (float)(1.0 / sqrt(mean + (double)eps));

	for (size_t i = 0; i < n; i++)
		out[i] = x[i] * scale * weight[i];
}

static void add_range(float *x, const float *y, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] += y[i];
}

/* x / (1 + exp(-x)); below VF_EXP_SMALL no more than 2^-93, hence 0. */
static vf silu(vf x)
{
	vf exponential = vf_exp(vf_sub(vf_set1(0), x), -87.0f);

	return vf_zero_if_less(vf_div(x, vf_add(vf_set1(1), exponential)), x,
	                       vf_set1(VF_EXP_SMALL));
}

static void silu_mul_range(float *gate, const float *up, size_t n)
{
	size_t i = 0;

	for (; i + VF_LANES <= n; i += VF_LANES)
		vf_store(gate + i, vf_mul(silu(vf_load(gate + i)), vf_load(up + i)));
	store_part(gate + i, vf_mul(silu(load_part(gate + i, n - i)), load_part(up + i, n - i)),
	           n - i);
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

static vf in_f16_range(vf x)
{
	return vf_min(vf_set1(65504.0f), vf_max(vf_set1(-65504.0f), x));
}

static void to_f16(const float *x, size_t n, uint16_t *out)
{
	uint16_t lanes[VF_LANES];
	size_t i = 0;

	for (; i + VF_LANES <= n; i += VF_LANES)
		vf_store_f16(out + i, in_f16_range(vf_load(x + i)));
	vf_store_f16(lanes, in_f16_range(load_part(x + i, n - i)));
	memcpy(out + i, lanes, (n - i) * sizeof *out);
}

static void exp_range(const float *x, size_t n, float *out)
{
	size_t i = 0;

	for (; i + VF_LANES <= n; i += VF_LANES)
		vf_store(out + i, vf_exp(vf_load(x + i), -87.0f));
	store_part(out + i, vf_exp(load_part(x + i, n - i), -87.0f), n - i);
}

#define OPS_KERNELS \
	{rmsnorm_row, add_range, silu_mul_range, rope_adjacent, rope_halves, to_f16, exp_range}
