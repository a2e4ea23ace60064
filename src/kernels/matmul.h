/* Matrices of weights and their product with activations. */
#ifndef SOTTO_KERNELS_MATMUL_H
#define SOTTO_KERNELS_MATMUL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/quant.h"

struct compute;

/* A weight matrix: `rows` rows of `cols` weights each, in blocks. Both forms
 * of its data are borrowed. */
struct matrix {
	const struct quant *quant;
	size_t rows, cols; /* cols: a multiple of the block length */
	const void *data;  /* as a file stores it: for matrix_row, and for matmul without panels */
	const void *panels; /* matrix_pack's (kernels/panels.h): for matmul; or NULL */
	size_t first_row;  /* the first one in the panels: a multiple of UNIT_ROWS; 0: all are there */
};

/* Row `row` as cols floats. */
void matrix_row(const struct matrix *m, size_t row, float *out);

/* Rows are packed in units of UNIT_ROWS; the last one is filled up with zeros.
 * matrix_pack writes units begin .. end - 1 of all `panels`, which holds
 * matrix_panel_bytes (UINT64_MAX when that leaves 64 bits) and is aligned to 64. */
size_t matrix_n_units(const struct matrix *m);
uint64_t matrix_panel_bytes(const struct matrix *m);
void matrix_pack(const struct matrix *m, size_t begin, size_t end, void *panels);
/* Bytes of the panels of one unit. */
uint64_t matrix_unit_bytes(const struct matrix *m);

/* What the memory for tiles of struct activations holds. */
enum arrangement { ARRANGED_NOT, ARRANGED_FLOATS, ARRANGED_PAIRS };

enum {
	/* fewest columns for which weights are unpacked: quants, floats */
	MATMUL_MANY = 4,
	MATMUL_MANY_FLOATS = 8
};

/* What matrices are multiplied with: n columns of `cols` floats. Matrices of quants see them
 * as signed bytes, every 32 with a scale of their own (per 32 even where the weights' blocks
 * are of 256: it halves the error), matrices of floats as they are; BF16 matrices as bf16, on
 * sets with their own kernels for them (kernels/bf16.h). All matrices with the same input
 * share one struct.
 *
 * Columns go in tiles of as many as a kernel multiplies at once; the last tile
 * has what is left. In a tile of w columns that begins with column `first`, what
 * belongs to k-block b (of 32) of its column c has the index
 * first * (cols / 32) + b * w + c: all that a kernel needs next is near.
 * x = scale[i] * quants[32 * i ...]. Sums are exact; `16` means per 16 and has the
 * index 2 * (first * (cols / 32) + b * w) + half * w + c. */
struct activations {
	const float *x; /* [n][cols], borrowed */
	size_t n, cols;
	bool quantised;     /* the rest is filled, by the first product that needs it */
	int8_t *quants;     /* -127 .. 127 */
	float *scale;       /* largest magnitude / 127 */
	float *sum, *sum16; /* scale * sum of quants: multiplied with offsets */
	int32_t *excess, *excess16; /* sums begin with it: minus zero point * sum of quants (take_back) */
	bool widened;  /* `words` is filled, by the first product that wants it */
	int8_t *words; /* of each block the even quants as words, then the odd ones */
	/* Likewise, by the first product of floats and MATMUL_MANY_FLOATS columns, or of bf16:
	 * x in tiles of a width of their own, in memory that both share. */
	enum arrangement arranged;
	float *tiles;    /* [tile][k][column] */
	uint32_t *pairs; /* [tile][(k + 1) / 2][column]: bf16 of column k, high, and k + 1, low */
};

/* Floats of memory that a column of `cols` needs, aligned to 64 bytes. */
size_t activations_floats(size_t cols);
void activations_set(struct activations *a, void *memory, const float *x, size_t n, size_t cols);
/* Quantises, unless it is done. */
void activations_quantise(const struct compute *compute, struct activations *a);
/* Copies quantised columns: column i of `a` becomes columns[i] of `from`. */
void activations_gather(const struct compute *compute, struct activations *a,
                        const struct activations *from, const uint32_t *columns);

/* y[n][rows] = x[n][cols] * m^T: column c of a batch is x + c * cols, its result y + c *
 * rows. A matrix without panels is packed unit by unit into each thread's pack buffer: the same
 * result. Each output is a dot product in one fixed order, of rising columns: groups of 16 or
 * 32 quants are summed exactly, then added as floats with their scale (and offset). It does
 * not depend on n, nor on the threads; from one instruction set to another it is within
 * rounding. */
void matmul(const struct compute *compute, const struct matrix *m, struct activations *a, float *y);

/* One product. */
struct matmul {
	const struct matrix *m;
	struct activations *a;
	float *y;
	size_t first; /* matmul_each's: units of the products before it */
};

/* Several, of any shapes, in one run of the threads. Each gives what matmul() does. */
void matmul_each(const struct compute *compute, struct matmul *jobs, size_t n);

/* The kernels of one instruction set, by block type; all types that quant_find
 * knows are there. They compute rows UNIT_ROWS * begin .. UNIT_ROWS * end - 1. */
struct matmul_kernels {
	void (*multiply[BLOCK_TYPE_MAX])(const struct matmul *job, size_t begin, size_t end);
	/* Blocks begin .. end - 1 of the n * (cols / 32), column after column. */
	void (*quantise)(struct activations *a, size_t begin, size_t end);
	/* Blocks in the order of memory, as words; whether a product with many columns needs words. */
	void (*widen)(struct activations *a, size_t begin, size_t end);
	bool (*wants_words)(enum block_type type);
	/* Copies all columns of a: column i is columns[i] of `from`. */
	void (*gather)(struct activations *a, const struct activations *from, const uint32_t *columns);
	/* Columns begin .. end - 1 into a->tiles. */
	void (*arrange)(struct activations *a, size_t begin, size_t end);
};

extern const struct matmul_kernels matmul_generic, matmul_avx2, matmul_avxvnni, matmul_avx512,
	matmul_neon;

#endif
