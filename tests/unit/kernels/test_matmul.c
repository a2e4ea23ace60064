#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kernels/compute.h"
#include "kernels/dot.h"
#include "kernels/float16.h"
#include "kernels/matmul.h"
#include "kernels/threadpool.h"
#include "support/random.h"

static const enum block_type types[] = {
	BLOCK_F32,  BLOCK_F16,  BLOCK_BF16, BLOCK_Q4_0, BLOCK_Q4_1,   BLOCK_Q5_0,  BLOCK_Q5_1, BLOCK_Q8_0,
	BLOCK_Q2_K, BLOCK_Q3_K, BLOCK_Q4_K, BLOCK_Q5_K, BLOCK_Q6_K, BLOCK_IQ4_NL, BLOCK_IQ4_XS,
};
enum { N_TYPES = sizeof types / sizeof types[0] };

/* A matrix of finite random weights: random bytes, with every weight that is
 * then not a modest number made so by clearing its block. */
static void make_matrix(struct matrix *m, struct test_random *random, enum block_type type,
                        size_t rows, size_t cols)
{
	const struct quant *quant = quant_find(type);
	size_t n_blocks = rows * cols / quant->n_elements;
	unsigned char *data = alloc_array(n_blocks, quant->n_bytes);
	float out[256];

	cr_assert_not_null(data);
	test_random_bytes(random, data, n_blocks * quant->n_bytes);
	for (size_t i = 0; i < n_blocks; i++) {
		unsigned char *block = data + i * quant->n_bytes;

		quant->dequantize(block, out, quant->n_elements);
		for (size_t j = 0; j < quant->n_elements; j++)
			if (!(fabsf(out[j]) < 100.0f))
				memset(block, 0, quant->n_bytes);
	}
	*m = (struct matrix){.quant = quant, .rows = rows, .cols = cols, .data = data};
}

static void free_matrix(struct matrix *m)
{
	void *data;

	memcpy(&data, &m->data, sizeof data);
	free(data);
}

Test(matmul, agrees_with_a_double_loop_for_every_type_and_odd_size)
{
	static const size_t sizes[][3] = {
		/* rows, blocks of the row, columns of the batch */
		{1, 1, 1}, {3, 1, 2}, {5, 2, 1}, {17, 3, 5}, {33, 5, 33}, {7, 9, 65},
	};
	struct test_random random = {2};

	for (size_t t = 0; t < N_TYPES; t++)
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
			size_t unit = quant_find(types[t])->n_elements;
			size_t rows = sizes[s][0], n = sizes[s][2];
			/* 1-element blocks: odd lengths, longer than a stretch too */
			size_t cols = unit == 1 ? sizes[s][1] * 129 + 1 : sizes[s][1] * unit;
			struct matrix m;
			float *x = alloc_array(n * cols, sizeof *x);
			float *y = alloc_array(n * rows, sizeof *y);
			float *w = alloc_array(cols, sizeof *w);

			cr_assert(x && y && w);
			make_matrix(&m, &random, types[t], rows, cols);
			test_random_floats(&random, x, n * cols, 1);
			matmul(&(struct compute){NULL, isa_generic()}, &m, x, n, y);
			for (size_t r = 0; r < rows; r++) {
				matrix_row(&m, r, w);
				for (size_t c = 0; c < n; c++) {
					double sum = 0, size = 0;

					for (size_t k = 0; k < cols; k++) {
						double term = (double)w[k] * (double)x[c * cols + k];

						sum += term;
						size += fabs(term);
					}
					cr_assert_float_eq((double)y[c * rows + r], sum,
					                   1e-6 * size + 1e-30, "%s %zux%zu",
					                   m.quant->name, rows, cols);
				}
			}
			free_matrix(&m);
			free(x);
			free(y);
			free(w);
		}
}

/* Row by row and column by column, in threads or not: the same bits. */
Test(matmul, is_the_same_for_every_batch_and_thread_count)
{
	enum { ROWS = 131, COLS = 1280, N = 65 };
	struct test_random random = {3};
	float *x = alloc_array(N * COLS, sizeof *x), *one = alloc_array(N * ROWS, sizeof *one);
	float *y = alloc_array(N * ROWS, sizeof *y);

	cr_assert(x && y && one);
	for (size_t t = 0; t < N_TYPES; t += 4) {
		struct matrix m;

		make_matrix(&m, &random, types[t], ROWS, COLS);
		test_random_floats(&random, x, N * COLS, 1);
		for (size_t c = 0; c < N; c++)
			matmul(&(struct compute){NULL, isa_generic()}, &m, x + c * COLS, 1, one + c * ROWS);
		for (size_t threads = 1; threads <= 4; threads++) {
			struct threadpool *pool;

			cr_assert_eq(threadpool_create(&pool, threads, NULL), STATUS_OK);
			for (size_t n = 1; n <= N; n += 13) {
				memset(y, 0, N * ROWS * sizeof *y);
				matmul(&(struct compute){pool, isa_generic()}, &m, x, n, y);
				cr_assert_eq(memcmp(y, one, n * ROWS * sizeof *y), 0,
				             "%s, %zu threads, batch %zu", m.quant->name, threads, n);
			}
			threadpool_free(pool);
		}
		free_matrix(&m);
	}
	free(x);
	free(y);
	free(one);
}

/* The order of accumulation is a contract: other kernels have to match it. */
Test(matmul, accumulates_in_sixteen_lanes)
{
	float a[37], b[37], lanes[16] = {0}, eight[8], four[4];
	struct test_random random = {4};

	test_random_floats(&random, a, 37, 1);
	test_random_floats(&random, b, 37, 1);
	for (size_t i = 0; i < 37; i++)
		lanes[i % 16] += a[i] * b[i];
	for (size_t i = 0; i < 8; i++)
		eight[i] = lanes[i] + lanes[i + 8];
	for (size_t i = 0; i < 4; i++)
		four[i] = eight[i] + eight[i + 4];
	cr_assert_eq(f32_to_bits(dot(a, b, 37)),
	             f32_to_bits((four[0] + four[2]) + (four[1] + four[3])));
}
