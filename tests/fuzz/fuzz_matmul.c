/* Products of any bits with any bits, by every instruction set that
 * can be tested on this machine: safe in memory, and each column the same alone as among others.
 *
 * The input: type, rows, blocks of 256 columns, columns of activations (a byte
 * each); what follows is the weights, from its beginning again as often as it
 * takes, and from its end backwards the activations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz/fuzz.h"
#include "kernels/compute.h"
#include "kernels/matmul.h"
#include "support/isas.h"

enum { HEADER = 4, MAX_ROWS = 70, MAX_BLOCKS = 3, MAX_N = 20 };

static void *room(uint64_t bytes)
{
	void *memory = alloc_aligned(64, (size_t)bytes);

	FUZZ_CHECK(memory);
	return memory;
}

static void multiply(const struct isa *isa, const struct matrix *m, const float *x, size_t n, float *y)
{
	void *memory = room(n * activations_floats(m->cols) * sizeof *x);
	struct activations a;

	activations_set(&a, memory, x, n, m->cols);
	matmul(&(struct compute){NULL, isa}, m, &a, y);
	free(memory);
}

static bool same(float a, float b)
{
	return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void check(const struct isa *isa, const struct matrix *m, const float *x, size_t n)
{
	float *all = room(n * m->rows * sizeof *all), *one = room(m->rows * sizeof *one);

	multiply(isa, m, x, n, all);
	for (size_t c = 0; c < n; c++) {
		multiply(isa, m, x + c * m->cols, 1, one);
		for (size_t r = 0; r < m->rows; r++)
			FUZZ_CHECK(same(one[r], all[c * m->rows + r]));
	}
	free(all);
	free(one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct quant *quant;
	struct matrix m;
	uint8_t *weights, *activations;
	void *panels;
	float *x;
	size_t n, n_weights;

	if (size <= HEADER)
		return 0;
	quant = quant_find(data[0] % BLOCK_TYPE_MAX);
	if (!quant)
		return 0;
	m = (struct matrix){.quant = quant,
	                    .rows = data[1] % MAX_ROWS + 1,
	                    .cols = (size_t)(data[2] % MAX_BLOCKS + 1) * 256};
	n = data[3] % MAX_N + 1;
	data += HEADER;
	size -= HEADER;
	n_weights = m.rows * quant_row_bytes(quant, m.cols);
	weights = room(n_weights);
	for (size_t i = 0; i < n_weights; i++)
		weights[i] = data[i % size];
	x = room(n * m.cols * sizeof *x);
	activations = (uint8_t *)x;
	for (size_t i = 0; i < n * m.cols * sizeof *x; i++)
		activations[i] = data[size - 1 - i % size];
	panels = room(matrix_panel_bytes(&m));
	m.data = weights;
	matrix_pack(&m, 0, matrix_n_units(&m), panels);
	m.panels = panels;
	for (const struct isa *isa = NULL; (isa = next_isa(isa));)
		check(isa, &m, x, n);
	free(weights);
	free(x);
	free(panels);
	return 0;
}
