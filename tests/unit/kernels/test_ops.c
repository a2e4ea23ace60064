#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kernels/compute.h"
#include "kernels/float16.h"
#include "kernels/ops.h"
#include "kernels/ops_kernels.h"
#include "kernels/threadpool.h"
#include "support/isas.h"
#include "support/random.h"

/* Calls `check` for every instruction set of this machine. */
static void for_each_isa(void (*check)(const struct isa *isa))
{
	for (size_t i = 0; i < isa_n; i++)
		if (isa_usable(&isa_table[i]))
			check(&isa_table[i]);
}

/* Each vector of three by its formula, with the weights of a group of `n` vectors. */
static void check_norm(const struct isa *isa, enum norm norm, size_t dim, size_t n, bool weighted,
                       bool biased)
{
	enum { COUNT = 4, MAX = 300 };
	static float x[COUNT * MAX], weight[2 * MAX], bias[2 * MAX], out[COUNT * MAX];
	struct norm_weights w = {.dim = dim, .n = n, .weight = weighted ? weight : NULL,
	                         .bias = biased ? bias : NULL};
	struct test_random random = {1};

	test_random_floats(&random, x, COUNT * MAX, 3);
	test_random_floats(&random, weight, 2 * MAX, 1);
	test_random_floats(&random, bias, 2 * MAX, 1);
	normalise(&(struct compute){NULL, isa}, norm, x, COUNT, &w, 1e-5f, out);
	for (size_t row = 0; row < COUNT; row++) {
		const float *from = x + row * dim;
		double mean = 0, sum = 0;

		for (size_t i = 0; i < dim && norm == NORM_LAYER; i++)
			mean += (double)from[i] / (double)dim;
		for (size_t i = 0; i < dim; i++)
			sum += ((double)from[i] - mean) * ((double)from[i] - mean);
		for (size_t i = 0; i < dim; i++) {
			size_t at = row % n * dim + i;
			double factor = weighted ? (double)weight[at] : 1;
			double offset = biased ? (double)bias[at] : 0;

			cr_assert_float_eq(out[row * dim + i],
			                   ((double)from[i] - mean) / sqrt(sum / (double)dim + 1e-5) * factor +
			                           offset,
			                   2e-6, "%s, norm %d of %zu", isa->name, (int)norm, dim);
		}
	}
}

static void check_norms(const struct isa *isa)
{
	static const float zeros[4];
	struct norm_weights w = {.dim = 4, .n = 1};
	float out[4];

	for (size_t dim = 1; dim <= 300; dim += 23)
		for (size_t n = 1; n <= 2; n++) {
			check_norm(isa, NORM_RMS, dim, n, true, false);
			check_norm(isa, NORM_RMS, dim, n, true, true);
			check_norm(isa, NORM_RMS, dim, n, false, false);
			check_norm(isa, NORM_LAYER, dim, n, true, false);
			check_norm(isa, NORM_LAYER, dim, n, true, true);
			check_norm(isa, NORM_LAYER, dim, n, false, false);
		}
	normalise(&(struct compute){NULL, isa}, NORM_RMS, zeros, 1, &w, 1e-6f, out);
	for (size_t i = 0; i < 4; i++)
		cr_assert_eq(out[i], 0.0f, "of zeros");
}

Test(ops, norms_follow_their_formulas)
{
	for_each_isa(check_norms);
}

static double activated(enum activation activation, double x)
{
	switch (activation) {
	case ACTIVATION_CLAMPED: return fmin(x, 7) / (1 + exp(-1.702 * fmin(x, 7)));
	case ACTIVATION_SILU: return x / (1 + exp(-x));
	case ACTIVATION_GELU:
	case ACTIVATION_GELU_F16: return x / 2 * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
	case ACTIVATION_SIGMOID: return 1 / (1 + exp(-x));
	default: return x > 0 ? x * x : 0;
	}
}

static void check_activations(const struct isa *isa)
{
	enum { N = 10000 };
	float *gate = alloc_array(N, sizeof *gate), *up = alloc_array(N, sizeof *up);
	float *x = alloc_array(N, sizeof *x), *alone = alloc_array(N, sizeof *alone);
	struct threadpool *pool;

	cr_assert(gate && up && x && alone);
	cr_assert_eq(threadpool_create(&pool, 2, NULL), STATUS_OK);
	for (int activation = 0; activation < ACTIVATION_COUNT; activation++) {
		const struct compute compute = {pool, isa};

		for (size_t i = 0; i < N; i++) {
			x[i] = gate[i] = alone[i] = ((float)i - N / 2) / 25; /* -200 .. 200 */
			up[i] = (float)(i % 19) - 9;
		}
		activate(&compute, (enum activation)activation, gate, up, N);
		if (activation != ACTIVATION_CLAMPED)
			activate(&compute, (enum activation)activation, alone, NULL, N);
		for (size_t i = 0; i < N; i++) {
			double expected = activated((enum activation)activation, (double)x[i]);
			double factor = (double)up[i];
			double relative = activation == ACTIVATION_GELU_F16 ? 1e-3 : 2e-6;
			double tolerance = relative * fmax(fabs((double)x[i]), fabs(expected)) + 1e-30;

			if (activation == ACTIVATION_CLAMPED)
				factor = fmin(7, fmax(-7, factor)) + 1;
			else
				cr_assert_float_eq(alone[i], expected, tolerance, "%s: %g", isa->name, (double)x[i]);
			cr_assert_float_eq(gate[i], expected * factor, tolerance * fabs(factor) + 1e-30, "%s",
			                   isa->name);
			cr_assert(gate[i] == 0 || isnormal(gate[i]), "%s: a denormal", isa->name);
		}
	}
	threadpool_free(pool);
	free(gate);
	free(up);
	free(alone);
	free(x);
}

Test(ops, activations_follow_their_formulas_and_survive_large_numbers)
{
	for_each_isa(check_activations);
}

/* A row of the numbers 0 to 9: mean 4.5, standard deviation sqrt(82.5 / 9). */
static void check_gaussian_topk(const struct isa *isa)
{
	enum { ROWS = 3, N = 10 };
	float x[ROWS * N], one = 7;
	double cutoff = 4.5 + sqrt(82.5 / 9);

	for (size_t i = 0; i < ROWS * N; i++)
		x[i] = (float)(i * 7 % N);
	gaussian_topk(&(struct compute){NULL, isa}, x, ROWS, N, 1);
	for (size_t i = 0; i < ROWS * N; i++)
		cr_assert_float_eq(x[i], fmax(0, (double)(i * 7 % N) - cutoff), 2e-6, "%s", isa->name);
	gaussian_topk(&(struct compute){NULL, isa}, &one, 1, 1, 1);
	cr_assert_eq(one, 0, "no deviation of one");
}

Test(ops, gaussian_topk_keeps_what_is_far_above_the_mean)
{
	for_each_isa(check_gaussian_topk);
}

static void check_softcap(const struct isa *isa)
{
	enum { N = 2001 };
	float x[N], capped[N], scaled[N];

	for (size_t i = 0; i < N; i++)
		x[i] = capped[i] = scaled[i] = ((float)i - N / 2) / 4;
	softcap(&(struct compute){NULL, isa}, capped, 30, N);
	scale(&(struct compute){NULL, isa}, scaled, 0.5f, N);
	for (size_t i = 0; i < N; i++) {
		cr_assert_float_eq(capped[i], 30 * tanh((double)x[i] / 30), 1e-5, "%s", isa->name);
		cr_assert_eq(scaled[i], x[i] / 2);
	}
}

Test(ops, softcap_is_a_tanh)
{
	for_each_isa(check_softcap);
}

/* In units of the last place of the result. */
static double error_of_exp(float x, float found)
{
	double expected = exp((double)x);

	return fabs((double)found - expected) / ldexp(1, ilogb(expected) - 23);
}

static void check_exp(const struct isa *isa)
{
	enum { STEP = 997 }; /* bit patterns */
	static const float special[] = {-87.0f, -87.001f, -1e30f, -INFINITY, 0.0f,
	                                -0.0f,  88.72f,   88.73f, INFINITY,  NAN};
	float x[64], out[64];
	double worst = 0;

	for (uint32_t sign = 0; sign < 2; sign++)
		for (uint32_t bits = 0; f32_from_bits(bits) < 87;) {
			for (size_t i = 0; i < 64; i++, bits += STEP)
				x[i] = sign ? -f32_from_bits(bits) : f32_from_bits(bits);
			isa->ops->exp(x, 64, out);
			for (size_t i = 0; i < 64; i++)
				if (x[i] >= -87 && x[i] <= 88)
					worst = fmax(worst, error_of_exp(x[i], out[i]));
		}
	cr_assert_lt(worst, 2, "%s: %g units in the last place", isa->name, worst);
	isa->ops->exp(special, 10, out);
	cr_assert_gt(out[0], 0);
	cr_assert(out[1] == 0 && out[2] == 0 && out[3] == 0 && out[4] == 1 && out[5] == 1);
	cr_assert(isfinite(out[6]) && out[7] == INFINITY && out[8] == INFINITY && isnan(out[9]),
	          "%s", isa->name);
}

Test(ops, exp_is_within_two_units_in_the_last_place)
{
	for_each_isa(check_exp);
}

/* An element's bits do not depend on where it stands in a stretch. */
static void check_stretches(const struct isa *isa)
{
	enum { N = 100 };
	float x[N], y[N], whole[N], part[N];
	uint16_t halves[N], half;
	struct test_random random = {5};

	test_random_floats(&random, x, N, 4);
	test_random_floats(&random, y, N, 4);
	memcpy(whole, x, sizeof x);
	for (int activation = 0; activation < ACTIVATION_COUNT; activation++)
		isa->ops->activate[activation](whole, y, N);
	isa->ops->softcap(whole, 3, N);
	isa->ops->to_f16(x, N, halves);
	for (size_t i = 0; i < N; i++) {
		part[i] = x[i];
		for (int activation = 0; activation < ACTIVATION_COUNT; activation++)
			isa->ops->activate[activation](part + i, y + i, 1);
		isa->ops->softcap(part + i, 3, 1);
		isa->ops->to_f16(x + i, 1, &half);
		cr_assert_eq(half, halves[i]);
		cr_assert_eq(half, f16_from_f32(x[i]));
	}
	cr_assert_eq(memcmp(whole, part, sizeof part), 0, "%s", isa->name);
}

Test(ops, element_wise_ones_do_not_depend_on_the_stretch)
{
	for_each_isa(check_stretches);
}

Test(ops, add_is_shared_out)
{
	enum { N = 100003 };
	float *x = alloc_array(N, sizeof *x), *y = alloc_array(N, sizeof *y);
	struct threadpool *pool;

	cr_assert(x && y);
	cr_assert_eq(threadpool_create(&pool, 3, NULL), STATUS_OK);
	for (size_t i = 0; i < N; i++) {
		x[i] = (float)i;
		y[i] = 1;
	}
	add(&(struct compute){pool, isa_generic()}, x, y, N);
	for (size_t i = 0; i < N; i++)
		cr_assert_eq(x[i], (float)i + 1);
	threadpool_free(pool);
	free(x);
	free(y);
}

static void check_add_scaled(const struct isa *isa)
{
	enum { N = 37 };
	float x[N], y[N], before[N];
	struct test_random random = {8};

	test_random_floats(&random, x, N, 4);
	test_random_floats(&random, y, N, 4);
	memcpy(before, x, sizeof x);
	add_scaled(&(struct compute){NULL, isa}, x, y, -2.5f, N);
	for (size_t i = 0; i < N; i++)
		cr_assert_float_eq(x[i], before[i] - 2.5f * y[i], 2e-6f, "%s", isa->name);
}

Test(ops, add_scaled_adds_a_multiple)
{
	for_each_isa(check_add_scaled);
}

Test(ops, add_bias_takes_a_missing_one)
{
	float x[6] = {1, 2, 3, 4, 5, 6}, bias[3] = {10, 20, 30};

	add_bias(x, 2, 3, NULL);
	cr_assert_eq(x[5], 6.0f);
	add_bias(x, 2, 3, bias);
	cr_assert(x[0] == 11 && x[2] == 33 && x[3] == 14 && x[5] == 36);
}
