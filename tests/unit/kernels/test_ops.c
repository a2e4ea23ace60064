#include <criterion/criterion.h>
#include <math.h>

#include "base/alloc.h"
#include "kernels/ops.h"
#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "support/random.h"

Test(ops, rmsnorm_follows_its_formula)
{
	enum { N = 3, DIM = 77 };
	float x[N * DIM], weight[DIM], out[N * DIM];
	struct test_random random = {1};

	test_random_floats(&random, x, N * DIM, 3);
	test_random_floats(&random, weight, DIM, 1);
	rmsnorm(x, N, DIM, weight, 1e-5f, out);
	for (size_t row = 0; row < N; row++) {
		double sum = 0;

		for (size_t i = 0; i < DIM; i++)
			sum += (double)x[row * DIM + i] * (double)x[row * DIM + i];
		for (size_t i = 0; i < DIM; i++)
			cr_assert_float_eq(out[row * DIM + i],
			                   x[row * DIM + i] / sqrt(sum / DIM + 1e-5) *
			                           (double)weight[i],
			                   1e-6);
	}
}

Test(ops, rmsnorm_of_zeros_is_zero)
{
	float x[4] = {0}, weight[4] = {1, 2, 3, 4}, out[4];

	rmsnorm(x, 1, 4, weight, 1e-6f, out);
	for (size_t i = 0; i < 4; i++)
		cr_assert_eq(out[i], 0.0f);
}

Test(ops, silu_mul_follows_its_formula_and_survives_large_numbers)
{
	enum { N = 10000 };
	float *gate = alloc_array(N, sizeof *gate), *up = alloc_array(N, sizeof *up);
	float *x = alloc_array(N, sizeof *x);
	struct threadpool *pool;

	cr_assert(gate && up && x);
	cr_assert_eq(threadpool_create(&pool, 2, NULL), STATUS_OK);
	for (size_t i = 0; i < N; i++) {
		x[i] = gate[i] = ((float)i - N / 2) / 25; /* -200 .. 200 */
		up[i] = (float)(i % 7) - 3;
	}
	silu_mul(&(struct compute){pool, isa_generic()}, gate, up, N);
	for (size_t i = 0; i < N; i++)
		cr_assert_float_eq(gate[i], (double)x[i] / (1 + exp(-(double)x[i])) * (double)up[i],
		                   1e-6 * fabs((double)x[i] * (double)up[i]) + 1e-30);
	threadpool_free(pool);
	free(gate);
	free(up);
	free(x);
}

Test(ops, softmax_sums_to_one_and_masks_everything_to_zero)
{
	float x[] = {1, 2, 3, -1e4f, 1e4f}, masked[] = {-INFINITY, -INFINITY}, y[] = {0, logf(3)};

	softmax(x, 5);
	cr_assert_eq(x[4], 1.0f);
	cr_assert_eq(x[0] + x[1] + x[2] + x[3], 0.0f);
	softmax(masked, 2);
	cr_assert(masked[0] == 0 && masked[1] == 0);
	softmax(y, 2);
	cr_assert_float_eq(y[0], 0.25, 1e-7);
	cr_assert_float_eq(y[1], 0.75, 1e-7);
}

Test(ops, add_bias_takes_a_missing_one)
{
	float x[6] = {1, 2, 3, 4, 5, 6}, bias[3] = {10, 20, 30};

	add_bias(x, 2, 3, NULL);
	cr_assert_eq(x[5], 6.0f);
	add_bias(x, 2, 3, bias);
	cr_assert(x[0] == 11 && x[2] == 33 && x[3] == 14 && x[5] == 36);
}
