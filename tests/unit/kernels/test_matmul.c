#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kernels/compute.h"
#include "kernels/dot.h"
#include "kernels/float16.h"
#include "kernels/matmul.h"
#include "kernels/threadpool.h"
#include "support/isas.h"
#include "support/random.h"

static const enum block_type types[] = {
	BLOCK_F32,  BLOCK_F16,  BLOCK_BF16, BLOCK_Q4_0, BLOCK_Q4_1,   BLOCK_Q5_0,  BLOCK_Q5_1, BLOCK_Q8_0,
	BLOCK_Q2_K, BLOCK_Q3_K, BLOCK_Q4_K, BLOCK_Q5_K, BLOCK_Q6_K, BLOCK_IQ4_NL, BLOCK_IQ4_XS,
	BLOCK_TQ1_0, BLOCK_TQ2_0, BLOCK_MXFP4, BLOCK_NVFP4, BLOCK_Q1_0, BLOCK_Q2_0,
	BLOCK_IQ2_XXS, BLOCK_IQ2_XS, BLOCK_IQ2_S, BLOCK_IQ3_XXS, BLOCK_IQ3_S, BLOCK_IQ1_S, BLOCK_IQ1_M,
};
enum { N_TYPES = sizeof types / sizeof types[0] };

/* (Re)makes the panels from the data. */
static void pack(struct matrix *m)
{
	void *panels = alloc_aligned(64, (size_t)matrix_panel_bytes(m)), *before;

	cr_assert_not_null(panels);
	memcpy(&before, &m->panels, sizeof before);
	free(before);
	matrix_pack(m, 0, matrix_n_units(m), panels);
	m->panels = panels;
}

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
	pack(m);
}

/* The row's bytes behind the scales of its type, all the same. */
static void fill_quants(struct matrix *m, uint8_t byte)
{
	/* Where the quants are, if not from the third byte to the block's last. */
	static const struct {
		enum block_type type;
		size_t first, last;
	} places[] = {
		{BLOCK_Q4_1, 4, 20},    {BLOCK_Q5_1, 4, 24},    {BLOCK_Q2_K, 16, 80},
		{BLOCK_Q3_K, 0, 96},    {BLOCK_Q4_K, 16, 144},  {BLOCK_Q5_K, 16, 176},
		{BLOCK_Q6_K, 0, 192},   {BLOCK_IQ4_XS, 8, 136}, {BLOCK_TQ1_0, 0, 52},
		{BLOCK_TQ2_0, 0, 64},   {BLOCK_MXFP4, 1, 17},   {BLOCK_NVFP4, 4, 36},
		{BLOCK_IQ1_M, 0, 48},
	};
	const struct quant *quant = m->quant;
	unsigned char *data;
	size_t first = 2, last = quant->n_bytes;

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (places[i].type == quant->type) {
			first = places[i].first;
			last = places[i].last;
		}
	memcpy(&data, &m->data, sizeof data);
	for (size_t i = 0; i < m->rows * m->cols / quant->n_elements; i++)
		memset(data + i * quant->n_bytes + first, byte, last - first);
	pack(m);
}

static void fill_random(struct matrix *m, struct test_random *random)
{
	unsigned char *data;

	memcpy(&data, &m->data, sizeof data);
	test_random_bytes(random, data, m->rows * quant_row_bytes(m->quant, m->cols));
	pack(m);
}

static void free_matrix(struct matrix *m)
{
	void *data, *panels;

	memcpy(&data, &m->data, sizeof data);
	memcpy(&panels, &m->panels, sizeof panels);
	free(data);
	free(panels);
}

static void multiply(const struct isa *isa, struct threadpool *pool, const struct matrix *m,
                     const float *x, size_t n, float *y)
{
	void *memory = alloc_aligned(64, n * activations_floats(m->cols) * sizeof(float));
	struct activations a;

	cr_assert_not_null(memory);
	activations_set(&a, memory, x, n, m->cols);
	matmul(&(struct compute){pool, isa}, m, &a, y);
	free(memory);
}

/* What a product sees of a column: quants for matrices of quants. */
static void see(const struct isa *isa, const struct matrix *m, const float *x, double *seen)
{
	float most = 0, scale;

	for (size_t k = 0; k < m->cols; k++) {
		if (m->quant->n_elements == 1) {
			bool rounded = m->quant->type == BLOCK_BF16 && isa->bf16;

			seen[k] = (double)(rounded ? f32_from_bf16(bf16_from_f32(x[k])) : x[k]);
			continue;
		}
		if (k % 32 == 0) {
			most = 0;
			for (size_t i = k; i < k + 32; i++)
				most = fabsf(x[i]) > most ? fabsf(x[i]) : most;
		}
		scale = most / 127;
		seen[k] = (double)scale * nearbyint((double)(x[k] * (127 / most)));
	}
}

static void check(const struct isa *isa, const struct matrix *m, const float *x, size_t n,
                  const float *y)
{
	float *w = alloc_array(m->cols, sizeof *w);
	double *seen = alloc_array(n * m->cols, sizeof *seen);

	cr_assert(w && seen);
	for (size_t c = 0; c < n; c++)
		see(isa, m, x + c * m->cols, seen + c * m->cols);
	for (size_t r = 0; r < m->rows; r++) {
		matrix_row(m, r, w);
		for (size_t c = 0; c < n; c++) {
			double sum = 0, size = 0;

			for (size_t k = 0; k < m->cols; k++) {
				double term = (double)w[k] * seen[c * m->cols + k];

				sum += term;
				size += fabs(term);
			}
			cr_assert_float_eq((double)y[c * m->rows + r], sum, 4e-6 * size + 1e-30,
			                   "%s, %s %zux%zu, row %zu, column %zu of %zu: %g, not %g",
			                   isa->name, m->quant->name, m->rows, m->cols, r, c, n,
			                   (double)y[c * m->rows + r], sum);
		}
	}
	free(seen);
	free(w);
}

Test(matmul, agrees_with_a_double_loop_for_every_type_and_odd_size)
{
	static const size_t sizes[][3] = {
		/* rows, blocks of the row, columns of the batch */
		{1, 1, 1}, {3, 1, 2}, {15, 2, 1}, {17, 3, 5}, {33, 5, 9}, {7, 9, 13},
	};
	struct test_random random = {2};

	for (size_t t = 0; t < N_TYPES; t++)
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
			size_t unit = quant_find(types[t])->n_elements;
			size_t rows = sizes[s][0], n = sizes[s][2];
			/* 1-element blocks: odd lengths too */
			size_t cols = unit == 1 ? sizes[s][1] * 129 + 1 : sizes[s][1] * unit;
			struct matrix m;
			float *x = alloc_array(n * cols, sizeof *x);
			float *y = alloc_array(n * rows, sizeof *y);

			cr_assert(x && y);
			make_matrix(&m, &random, types[t], rows, cols);
			test_random_floats(&random, x, n * cols, 1);
			for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
				multiply(isa, NULL, &m, x, n, y);
				check(isa, &m, x, n, y);
			}
			free_matrix(&m);
			free(x);
			free(y);
		}
}

/* Row by row and column by column, in threads or not: the same bits. */
Test(matmul, is_the_same_for_every_batch_and_thread_count)
{
	enum { ROWS = 67, COLS = 1280, N = 27 };
	struct test_random random = {3};
	float *x = alloc_array(N * COLS, sizeof *x), *one = alloc_array(N * ROWS, sizeof *one);
	float *y = alloc_array(N * ROWS, sizeof *y);

	cr_assert(x && y && one);
	test_random_floats(&random, x, N * COLS, 1);
	for (size_t t = 0; t < N_TYPES; t++) {
		struct matrix m;

		make_matrix(&m, &random, types[t], ROWS, COLS);
		for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
			for (size_t c = 0; c < N; c++)
				multiply(isa, NULL, &m, x + c * COLS, 1, one + c * ROWS);
			for (size_t threads = 1; threads <= 3; threads++) {
				struct threadpool *pool;

				cr_assert_eq(threadpool_create(&pool, threads, NULL), STATUS_OK);
				for (size_t n = threads; n <= N; n += 5) {
					memset(y, 0, N * ROWS * sizeof *y);
					multiply(isa, pool, &m, x, n, y);
					cr_assert_eq(memcmp(y, one, n * ROWS * sizeof *y), 0,
					             "%s, %s, %zu threads, batch %zu", isa->name,
					             m.quant->name, threads, n);
				}
				threadpool_free(pool);
			}
		}
		free_matrix(&m);
	}
	free(x);
	free(y);
	free(one);
}

/* The same of a matrix without panels, beside one with them. */
static void check_unpacked(const struct isa *isa, struct threadpool *pool, const struct matrix *m,
                           const float *x, size_t n)
{
	size_t unit = ((size_t)matrix_unit_bytes(m) + 63) / 64 * 64;
	struct matrix bare = {.quant = m->quant, .rows = m->rows, .cols = m->cols, .data = m->data};
	struct compute compute = {.pool = pool, .isa = isa, .pack_buffer = {.n_bytes = unit}};
	float *memory = alloc_aligned(64, 2 * n * activations_floats(m->cols) * sizeof(float));
	float *y = alloc_array(3 * n * m->rows, sizeof *y);
	struct activations a, b;
	struct matmul jobs[] = {{.m = m, .a = &a, .y = y},
	                        {.m = &bare, .a = &a, .y = y + n * m->rows},
	                        {.m = &bare, .a = &b, .y = y + 2 * n * m->rows}};

	compute.pack_buffer.memory = alloc_aligned(64, threadpool_n_threads(pool) * unit);
	cr_assert(memory && y && compute.pack_buffer.memory);
	activations_set(&a, memory, x, n, m->cols);
	activations_set(&b, memory + n * activations_floats(m->cols), x, n, m->cols);
	matmul_each(&compute, jobs, 3);
	for (size_t i = 1; i < 3; i++)
		cr_assert_eq(memcmp(y, y + i * n * m->rows, n * m->rows * sizeof *y), 0,
		             "%s, %s, %zu rows, batch %zu", isa->name, m->quant->name, m->rows, n);
	free(compute.pack_buffer.memory);
	free(memory);
	free(y);
}

Test(matmul, is_the_same_without_panels)
{
	enum { COLS = 1280, N = 11 };
	static const size_t rows[] = {1, 32, 67, 250};
	struct test_random random = {12};
	float *x = alloc_array(N * COLS, sizeof *x);
	struct threadpool *pool;

	cr_assert_not_null(x);
	test_random_floats(&random, x, N * COLS, 1);
	cr_assert_eq(threadpool_create(&pool, 3, NULL), STATUS_OK);
	for (size_t i = 0; i < N_TYPES * sizeof rows / sizeof rows[0]; i++) {
		struct matrix m;

		make_matrix(&m, &random, types[i % N_TYPES], rows[i / N_TYPES], COLS);
		for (const struct isa *isa = NULL; (isa = next_isa(isa));)
			for (size_t n = 1; n <= N; n += 5) {
				check_unpacked(isa, NULL, &m, x, n);
				check_unpacked(isa, pool, &m, x, n);
			}
		free_matrix(&m);
	}
	threadpool_free(pool);
	free(x);
}

/* Many columns are taken some hundred at a time: each set at whole tiles of its own. */
Test(matmul, is_the_same_beyond_the_columns_taken_at_a_time)
{
	enum { ROWS = 17, COLS = 256, N = 601 };
	static const enum block_type few[] = {BLOCK_F16, BLOCK_Q8_0, BLOCK_Q4_K, BLOCK_Q6_K};
	struct test_random random = {9};
	float *x = alloc_array(N * COLS, sizeof *x), *y = alloc_array(N * ROWS, sizeof *y);
	float one[ROWS];

	cr_assert(x && y);
	test_random_floats(&random, x, N * COLS, 1);
	for (size_t t = 0; t < sizeof few / sizeof few[0]; t++) {
		struct matrix m;

		make_matrix(&m, &random, few[t], ROWS, COLS);
		for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
			multiply(isa, NULL, &m, x, N, y);
			for (size_t c = 0; c < N; c++) {
				multiply(isa, NULL, &m, x + c * COLS, 1, one);
				cr_assert_eq(memcmp(y + c * ROWS, one, sizeof one), 0,
				             "%s, %s, column %zu", isa->name, m.quant->name, c);
			}
		}
		free_matrix(&m);
	}
	free(x);
	free(y);
}

/* Several products in one run: each gives what it gives alone, whatever their shapes and types. */
static void check_each(const struct isa *isa, struct threadpool *pool, const struct matrix matrices[],
                       size_t n_matrices, const float *x, size_t n_max, size_t cols)
{
	struct compute compute = {pool, isa};
	struct matmul jobs[8];
	struct activations a[8];
	void *memory[8];
	float *alone = alloc_array(n_max * 300, sizeof *alone);

	cr_assert(alone && n_matrices <= 8);
	for (size_t i = 0; i < n_matrices; i++) {
		size_t n = 1 + i * 5 % n_max;

		memory[i] = alloc_aligned(64, n * activations_floats(cols) * sizeof(float));
		cr_assert_not_null(memory[i]);
		activations_set(&a[i], memory[i], x + i * cols, n, cols);
		jobs[i] = (struct matmul){.m = &matrices[i], .a = &a[i],
		                          .y = alloc_array(n * matrices[i].rows, sizeof(float))};
		cr_assert_not_null(jobs[i].y);
	}
	matmul_each(&compute, jobs, n_matrices);
	for (size_t i = 0; i < n_matrices; i++) {
		multiply(isa, NULL, &matrices[i], x + i * cols, a[i].n, alone);
		cr_assert_eq(memcmp(alone, jobs[i].y, a[i].n * matrices[i].rows * sizeof *alone), 0,
		             "%s, product %zu", isa->name, i);
		free(jobs[i].y);
		free(memory[i]);
	}
	free(alone);
}

Test(matmul, gives_the_same_when_several_share_a_run)
{
	enum { COLS = 512, N = 23 };
	static const struct {
		enum block_type type;
		size_t rows;
	} shapes[] = {{BLOCK_Q4_K, 300}, {BLOCK_F32, 3}, {BLOCK_Q8_0, 1}, {BLOCK_BF16, 77},
	              {BLOCK_MXFP4, 64}, {BLOCK_F16, 17}, {BLOCK_Q6_K, 16}, {BLOCK_Q4_K, 33}};
	enum { N_MATRICES = sizeof shapes / sizeof shapes[0] };
	struct test_random random = {10};
	struct matrix matrices[N_MATRICES];
	float *x = alloc_array((N + N_MATRICES) * COLS, sizeof *x);

	cr_assert_not_null(x);
	test_random_floats(&random, x, (N + N_MATRICES) * COLS, 1);
	for (size_t i = 0; i < N_MATRICES; i++)
		make_matrix(&matrices[i], &random, shapes[i].type, shapes[i].rows, COLS);
	for (size_t threads = 1; threads <= 3; threads++) {
		struct threadpool *pool;

		cr_assert_eq(threadpool_create(&pool, threads, NULL), STATUS_OK);
		for (const struct isa *isa = NULL; (isa = next_isa(isa));)
			for (size_t n = 1; n <= N_MATRICES; n++)
				check_each(isa, pool, matrices, n, x, N, COLS);
		threadpool_free(pool);
	}
	for (size_t i = 0; i < N_MATRICES; i++)
		free_matrix(&matrices[i]);
	free(x);
}

/* Products of one input in types that want it laid out in different ways. */
Test(matmul, gives_the_same_for_several_of_one_input)
{
	enum { COLS = 256, N = 19, ROWS = 48 };
	static const enum block_type few[] = {BLOCK_F16, BLOCK_BF16, BLOCK_Q4_K, BLOCK_F32, BLOCK_BF16, BLOCK_Q8_0};
	enum { N_MATRICES = sizeof few / sizeof few[0] };
	struct test_random random = {11};
	struct matrix matrices[N_MATRICES];
	float *x = alloc_array(N * COLS, sizeof *x), *alone = alloc_array(N * ROWS, sizeof *alone);
	float *y = alloc_array(N_MATRICES * N * ROWS, sizeof *y);
	void *memory = alloc_aligned(64, N * activations_floats(COLS) * sizeof(float));

	cr_assert(x && y && alone && memory);
	test_random_floats(&random, x, N * COLS, 1);
	for (size_t i = 0; i < N_MATRICES; i++)
		make_matrix(&matrices[i], &random, few[i], ROWS, COLS);
	for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
		struct matmul jobs[N_MATRICES];
		struct activations a;

		activations_set(&a, memory, x, N, COLS);
		for (size_t i = 0; i < N_MATRICES; i++)
			jobs[i] = (struct matmul){.m = &matrices[i], .a = &a, .y = y + i * N * ROWS};
		matmul_each(&(struct compute){.isa = isa}, jobs, N_MATRICES);
		for (size_t i = 0; i < N_MATRICES; i++) {
			multiply(isa, NULL, &matrices[i], x, N, alone);
			cr_assert_eq(memcmp(alone, y + i * N * ROWS, N * ROWS * sizeof *y), 0, "%s, product %zu",
			             isa->name, i);
		}
	}
	for (size_t i = 0; i < N_MATRICES; i++)
		free_matrix(&matrices[i]);
	free(memory);
	free(alone);
	free(x);
	free(y);
}

/* Columns of quants that were made for another batch: as if they had been made for this one. */
Test(matmul, gathers_columns_of_another_batch)
{
	enum { ROWS = 33, COLS = 512, N = 41, MOST = 27 };
	static const enum block_type few[] = {BLOCK_Q8_0, BLOCK_Q4_K, BLOCK_Q6_K, BLOCK_IQ4_XS, BLOCK_Q2_K};
	struct test_random random = {12};
	float *x = alloc_array(N * COLS, sizeof *x), *picked = alloc_array(MOST * COLS, sizeof *picked);
	float expected[MOST * ROWS], found[MOST * ROWS];
	void *memory[2];
	uint32_t columns[MOST];

	cr_assert(x && picked);
	for (size_t i = 0; i < 2; i++)
		cr_assert_not_null(memory[i] = alloc_aligned(64, N * activations_floats(COLS) * sizeof(float)));
	test_random_floats(&random, x, N * COLS, 1);
	for (size_t i = 0; i < MOST; i++) {
		columns[i] = (uint32_t)(i * 17 % N);
		memcpy(picked + i * COLS, x + columns[i] * COLS, COLS * sizeof *x);
	}
	for (size_t t = 0; t < sizeof few / sizeof few[0]; t++) {
		struct matrix m;

		make_matrix(&m, &random, few[t], ROWS, COLS);
		for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
			struct compute compute = {NULL, isa};
			struct activations all, some;

			activations_set(&all, memory[0], x, N, COLS);
			activations_quantise(&compute, &all);
			for (size_t n = 1; n <= MOST; n++) {
				activations_set(&some, memory[1], NULL, n, COLS);
				activations_gather(&compute, &some, &all, columns);
				matmul(&compute, &m, &some, found);
				multiply(isa, NULL, &m, picked, n, expected);
				cr_assert_eq(memcmp(found, expected, n * ROWS * sizeof *found), 0,
				             "%s, %s, %zu columns", isa->name, m.quant->name, n);
			}
		}
		free_matrix(&m);
	}
	free(memory[0]);
	free(memory[1]);
	free(x);
	free(picked);
}

/* The largest sums that bytes can make: 16-bit steps in between must hold. */
Test(matmul, holds_the_extremes)
{
	enum { ROWS = 33, COLS = 512, N = 7 };
	static const uint8_t patterns[] = {0x00, 0x7f, 0x80, 0x81, 0xff};
	float x[N * COLS], y[N * ROWS];

	for (size_t i = 0; i < N * COLS; i++)
		x[i] = i / COLS % 3 == 0 ? 1.0f : i / COLS % 3 == 1 ? -1.0f : i % 2 ? -1.0f : 1.0f;
	for (size_t t = 3; t < N_TYPES; t++)
		for (size_t p = 0; p < sizeof patterns; p++) {
			struct test_random random = {7};
			struct matrix m;

			make_matrix(&m, &random, types[t], ROWS, COLS);
			fill_quants(&m, patterns[p]);
			for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
				multiply(isa, NULL, &m, x, N, y);
				check(isa, &m, x, N, y);
				multiply(isa, NULL, &m, x, 1, y);
				check(isa, &m, x, 1, y);
			}
			free_matrix(&m);
		}
}

/* Any bits: infinite and undefined scales, activations that are no numbers. */
Test(matmul, takes_any_bits_and_lets_nan_through)
{
	enum { ROWS = 18, COLS = 256, N = 5 };
	struct test_random random = {8};
	float x[N * COLS], y[N * ROWS];

	for (size_t t = 0; t < N_TYPES; t++) {
		struct matrix m;

		make_matrix(&m, &random, types[t], ROWS, COLS);
		test_random_floats(&random, x, N * COLS, 1);
		x[3 * COLS + 77] = NAN;
		x[4 * COLS + 78] = INFINITY;
		for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
			multiply(isa, NULL, &m, x, N, y);
			check(isa, &m, x, 3, y);
			for (size_t r = 0; r < ROWS; r++)
				cr_assert(!isfinite(y[3 * ROWS + r]), "%s, %s", isa->name, m.quant->name);
		}
		test_random_bytes(&random, x, sizeof x);
		fill_random(&m, &random);
		for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
			multiply(isa, NULL, &m, x, N, y);
			multiply(isa, NULL, &m, x, 1, y);
		}
		free_matrix(&m);
	}
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
