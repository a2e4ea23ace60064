/* Two vectors of rows of a matrix, the unit of all products. Included by matmul_*.h after a
 * simd_*.h. */
#ifndef SOTTO_KERNELS_MATMUL_PAIR_H
#define SOTTO_KERNELS_MATMUL_PAIR_H

#include "kernels/matmul.h"

enum {
	PAIR_ROWS = 2 * SIMD_LANES,
	/* a multiple of both tiles' widths */
	WHOLE_TILES = SIMD_COLS * SIMD_ROWS / (SIMD_COLS % 2 == 0 && SIMD_ROWS % 2 == 0 ? 2 : 1),
	/* columns at a time, 256 in whole tiles: their sums lie on the stack */
	SUM_COLS = (255 / WHOLE_TILES + 1) * WHOLE_TILES
};

/* Where a vector of rows begins in the panels. */
struct strip {
	const unsigned char *block; /* of column 0 */
	size_t row;                 /* in its panel */
};

INLINE struct strip strip_at(const struct matrix *m, size_t row)
{
	size_t panel_bytes = m->cols / m->quant->n_elements * m->quant->panel_bytes;

	return (struct strip){(const unsigned char *)m->panels +
	                              (row - m->first_row) / PANEL_ROWS * panel_bytes,
	                      row % PANEL_ROWS};
}

/* How far ahead weights are prefetched for few columns: processors prefetch by themselves,
 * but not far enough. Measured: bench/LOG.md. */
enum { FETCH_AHEAD = 4096 };

/* Bytes begin .. end - 1 from both strips on, that far ahead. */
INLINE void fetch_strips(struct strip x, struct strip y, size_t begin, size_t end)
{
	for (size_t line = begin / 64; line < end / 64; line++) {
		prefetch(x.block, FETCH_AHEAD + 64 * line);
		if ((int)SIMD_LANES == (int)PANEL_ROWS) /* else both are in the same panel */
			prefetch(y.block, FETCH_AHEAD + 64 * line);
	}
}

/* Results of rows row .. row + PAIR_ROWS - 1 that the matrix has. */
INLINE void store_pair(const struct matmul *job, size_t row, size_t col, vf x, vf y)
{
	float *out = job->y + col * job->m->rows + row;
	float all[PAIR_ROWS];

	if (row + PAIR_ROWS <= job->m->rows) {
		store_f32(out, x);
		store_f32(out + SIMD_LANES, y);
	} else if (row < job->m->rows) {
		store_f32(all, x);
		store_f32(all + SIMD_LANES, y);
		memcpy(out, all, (job->m->rows - row) * sizeof *out);
	}
}

/* Results of columns col .. col + cols - 1 from acc[cols][PAIR_ROWS]. */
INLINE void store_columns(const struct matmul *job, size_t row, size_t col, size_t cols,
                          const float *acc)
{
	for (size_t c = 0; c < cols; c++, acc += PAIR_ROWS)
		store_pair(job, row, col + c, load_f32(acc), load_f32(acc + SIMD_LANES));
}

/* The accumulators of a tile are variables x0, y0 ... of their own: compilers
 * keep arrays in memory. M(c) is expanded for each column that a tile may have;
 * `if (c < cols)`, a constant, leaves those that it has. */
#define FOR_TILE(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)

/* Sums of a tile from and to acc[cols][PAIR_ROWS], where they are between stretches. */
#define LOAD_SUMS(c) \
	if (c < cols) { \
		x##c = load_f32(acc + c * PAIR_ROWS); \
		y##c = load_f32(acc + c * PAIR_ROWS + SIMD_LANES); \
	}
#define STORE_SUMS(c) \
	if (c < cols) { \
		store_f32(acc + c * PAIR_ROWS, x##c); \
		store_f32(acc + c * PAIR_ROWS + SIMD_LANES, y##c); \
	}

#endif
