/* What BF16's kernels for pairs do that other products of floats do not; the
 * rest is tested as for all types (test_matmul.c). Sets without such kernels are
 * passed over: there are always the twins. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kernels/bf16.h"
#include "kernels/compute.h"
#include "kernels/float16.h"
#include "kernels/matmul.h"
#include "kernels/threadpool.h"
#include "support/isas.h"
#include "support/random.h"

static const struct isa *next_with_bf16(const struct isa *isa)
{
	do
		isa = next_isa(isa);
	while (isa && !isa->bf16);
	return isa;
}

static void make_matrix(struct matrix *m, enum block_type type, const uint16_t *data, size_t rows,
                        size_t cols)
{
	void *panels;

	*m = (struct matrix){.quant = quant_find(type), .rows = rows, .cols = cols, .data = data};
	panels = alloc_aligned(64, (size_t)matrix_panel_bytes(m));
	cr_assert_not_null(panels);
	matrix_pack(m, 0, matrix_n_units(m), panels);
	m->panels = panels;
}

static void free_panels(struct matrix *m)
{
	void *panels;

	memcpy(&panels, &m->panels, sizeof panels);
	free(panels);
}

static uint16_t *random_weights(struct test_random *random, size_t n)
{
	uint16_t *weights = alloc_array(n, sizeof *weights);

	cr_assert_not_null(weights);
	for (size_t i = 0; i < n; i++)
		weights[i] = bf16_from_f32(test_random_float(random));
	return weights;
}

static void multiply(const struct isa *isa, const struct matrix *m, const float *x, size_t n,
                     float *y)
{
	void *memory = alloc_aligned(64, n * activations_floats(m->cols) * sizeof(float));
	struct activations a;

	cr_assert_not_null(memory);
	activations_set(&a, memory, x, n, m->cols);
	matmul(&(struct compute){NULL, isa}, m, &a, y);
	free(memory);
}

/* A bf16 has 8 significant bits, so rounding to the nearest moves an activation
 * by 2^-8 of itself at most. The sum of `cols` products, here and there, rounds
 * each addition by at most 2^-24 of what was summed so far. */
Test(bf16, is_off_by_what_rounding_activations_may_cost)
{
	static const size_t shapes[][3] = {
		/* rows, columns, columns of the batch */
		{33, 1, 1}, {7, 2, 3}, {40, 255, 8}, {64, 768, 21}, {1, 511, 300},
	};
	struct test_random random = {11};

	for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
		size_t rows = shapes[s][0], cols = shapes[s][1], n = shapes[s][2];
		uint16_t *w = random_weights(&random, rows * cols);
		float *x = alloc_array(n * cols, sizeof *x), *exact = alloc_array(n * rows, sizeof *exact);
		float *y = alloc_array(n * rows, sizeof *y);
		struct matrix m;

		cr_assert(x && y && exact);
		make_matrix(&m, BLOCK_BF16, w, rows, cols);
		test_random_floats(&random, x, n * cols, 3);
		multiply(isa_generic(), &m, x, n, exact);
		for (const struct isa *isa = NULL; (isa = next_with_bf16(isa));) {
			multiply(isa, &m, x, n, y);
			for (size_t i = 0; i < n * rows; i++) {
				const float *column = x + i / rows * cols;
				const uint16_t *row = w + i % rows * cols;
				double size = 0;

				for (size_t k = 0; k < cols; k++)
					size += fabs((double)f32_from_bf16(row[k]) * (double)column[k]);
				cr_assert_leq(fabs((double)y[i] - (double)exact[i]),
				              size * (0x1p-8 + (double)cols * 0x1p-23), "%s, %zux%zu",
				              isa->name, rows, cols);
			}
		}
		free_panels(&m);
		free(w);
		free(x);
		free(y);
		free(exact);
	}
}

/* The width of vectors changes the layout of all, and not a bit of the sums. */
Test(bf16, twins_agree_to_the_bit)
{
	enum { ROWS = 50, COLS = 389, N = 19 };
	struct test_random random = {12};
	uint16_t *w = random_weights(&random, ROWS * COLS);
	float *x = alloc_array(N * COLS, sizeof *x), y[N * ROWS], first[N * ROWS];
	const struct isa *twin = NULL;
	struct matrix m;

	cr_assert_not_null(x);
	make_matrix(&m, BLOCK_BF16, w, ROWS, COLS);
	test_random_floats(&random, x, N * COLS, 1);
	for (const struct isa *isa = NULL; (isa = next_with_bf16(isa));) {
		if (!strstr(isa->name, "twin"))
			continue;
		multiply(isa, &m, x, N, y);
		if (twin)
			cr_assert_eq(memcmp(y, first, sizeof y), 0, "%s, %s", isa->name, twin->name);
		twin = isa;
		memcpy(first, y, sizeof y);
	}
	free_panels(&m);
	free(w);
	free(x);
}

/* Ties go to the even one, what is too large becomes infinite, NaN stays NaN. */
Test(bf16, activations_are_rounded_to_the_nearest)
{
	static const struct {
		uint32_t bits, rounded;
	} cases[] = {
		{0x3f808000, 0x3f800000}, {0x3f818000, 0x3f820000}, {0x3f808001, 0x3f810000},
		{0x3f807fff, 0x3f800000}, {0xbf818000, 0xbf820000}, {0x7f7f7fff, 0x7f7f0000},
		{0x7f7f8000, 0x7f800000}, {0xff7fffff, 0xff800000}, {0x7f800000, 0x7f800000},
		{0x7f800001, 0x7fc00000}, {0xffc00001, 0x7fc00000}, {0x00000000, 0x00000000},
		{0x00400000, 0x00000000}, /* a denormal is zero to the instruction */
	};
	enum { COLS = 35 }; /* in whole vectors, and behind them */
	uint16_t w[COLS];
	float x[COLS], y;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (size_t at = 0; at < COLS; at++) {
			struct matrix m;

			memset(x, 0, sizeof x);
			memset(w, 0, sizeof w);
			w[at] = 0x3f80;
			x[at] = f32_from_bits(cases[i].bits);
			make_matrix(&m, BLOCK_BF16, w, 1, COLS);
			for (const struct isa *isa = NULL; (isa = next_with_bf16(isa));) {
				float expected = f32_from_bits(cases[i].rounded);

				multiply(isa, &m, x, 1, &y);
				cr_assert(isnan(expected) ? isnan(y) : y == expected,
				          "%s: %08x gives %g at %zu", isa->name,
				          (unsigned)cases[i].bits, (double)y, at);
			}
			free_panels(&m);
		}
}

/* Weights that no model should have, each in a row of its own, in few and in many columns. */
Test(bf16, weights_of_any_kind_do_as_the_instruction_does)
{
	static const struct {
		uint16_t weight;
		float x, y;
	} cases[] = {
		{0x0001, 0x1p100f, 0}, {0x807f, 0x1p100f, 0}, /* denormals are zero */
		{0x0080, 0x1p100f, 0x1p-26f},
		{0x0080, 0.5f, 0}, /* and are what it gives */
		{0x7f80, 2, INFINITY}, {0xff80, 2, -INFINITY}, {0x7f80, 0, NAN},
		{0x7fc0, 1, NAN}, {0x7f81, 1, NAN}, {0x7f7f, 4, INFINITY},
	};
	enum { ROWS = sizeof cases / sizeof cases[0], COLS = 3, N = 9 };
	static const size_t columns[] = {1, 2, N};

	for (size_t at = 0; at < COLS; at++)
		for (size_t i = 0; i < ROWS; i++) {
			uint16_t w[ROWS * COLS] = {0};
			float x[N * COLS] = {0}, y[N * ROWS];
			struct matrix m;

			w[i * COLS + at] = cases[i].weight;
			for (size_t c = 0; c < N; c++)
				x[c * COLS + at] = cases[i].x;
			make_matrix(&m, BLOCK_BF16, w, ROWS, COLS);
			for (const struct isa *isa = NULL; (isa = next_with_bf16(isa));)
				for (size_t j = 0; j < sizeof columns / sizeof columns[0]; j++) {
					multiply(isa, &m, x, columns[j], y);
					for (size_t r = 0; r < columns[j] * ROWS; r++) {
						float expected = r % ROWS == i ? cases[i].y : 0;

						cr_assert(isnan(expected) ? isnan(y[r]) : y[r] == expected,
						          "%s, row %zu of case %zu: %g", isa->name,
						          r, i, (double)y[r]);
					}
				}
			free_panels(&m);
		}
}

/* Matrices of several float types share an input: each finds it as it needs it. */
Test(bf16, shares_activations_with_other_floats)
{
	enum { ROWS = 20, COLS = 100, N = 13 };
	static const enum block_type order[] = {BLOCK_F16, BLOCK_BF16, BLOCK_F16, BLOCK_BF16};
	struct test_random random = {13};
	uint16_t *w = random_weights(&random, ROWS * COLS);
	float *memory = alloc_aligned(64, N * activations_floats(COLS) * sizeof *memory);
	float x[N * COLS], y[N * ROWS], alone[N * ROWS];

	cr_assert_not_null(memory);
	for (size_t i = 0; i < ROWS * COLS; i++)
		w[i] &= 0xbfff; /* modest numbers as F16, too */
	test_random_floats(&random, x, N * COLS, 1);
	for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
		struct activations a;

		activations_set(&a, memory, x, N, COLS);
		for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
			struct matrix m;

			make_matrix(&m, order[i], w, ROWS, COLS);
			matmul(&(struct compute){NULL, isa}, &m, &a, y);
			multiply(isa, &m, x, N, alone);
			cr_assert_eq(memcmp(y, alone, sizeof y), 0, "%s, product %zu", isa->name, i);
			free_panels(&m);
		}
	}
	free(memory);
	free(w);
}
