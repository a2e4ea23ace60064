/* A thread takes a few rows of the matrix, dequantises a stretch of them into
 * its stack (which stays in the first-level cache) and multiplies that with
 * every column of the batch before it goes on to the next stretch. */
#include "kernels/matmul.h"

#include "kernels/compute.h"
#include "kernels/dot.h"
#include "kernels/threadpool.h"

enum {
	TILE_ROWS = 4,
	TILE_COLS = 32,
	STRETCH = 1024, /* weights of a row at a time: a multiple of all block lengths */
	INLINE_WORK = 1 << 16, /* multiplications that are not worth waking threads for */
	PIECE_WORK = 1 << 24 /* and those after which a stop must be seen: some milliseconds */
};

void matrix_row(const struct matrix *m, size_t row, float *out)
{
	const unsigned char *data = m->data;

	m->quant->dequantize(data + row * quant_row_bytes(m->quant, m->cols), out, m->cols);
}

struct matmul {
	const struct matrix *m;
	const float *x;
	size_t n;
	float *y;
};

/* Rows row .. row + n_rows - 1 times columns col .. col + n_cols - 1. */
static void multiply_tile(const struct matmul *job, size_t row, size_t n_rows, size_t col,
                          size_t n_cols)
{
	const struct matrix *m = job->m;
	size_t row_bytes = quant_row_bytes(m->quant, m->cols);
	const unsigned char *data = (const unsigned char *)m->data + row * row_bytes;
	struct dot_lanes acc[TILE_COLS][TILE_ROWS] = {0};
	float w[TILE_ROWS][STRETCH];

	for (size_t k = 0; k < m->cols; k += STRETCH) {
		size_t len = m->cols - k < STRETCH ? m->cols - k : STRETCH;
		size_t at = quant_row_bytes(m->quant, k);

		for (size_t r = 0; r < n_rows; r++)
			m->quant->dequantize(data + r * row_bytes + at, w[r], len);
		for (size_t c = 0; c < n_cols; c++) {
			const float *x = job->x + (col + c) * m->cols + k;
			size_t r = 0;

			for (; r + 2 <= n_rows; r += 2)
				dot_add2(&acc[c][r], w[r], w[r + 1], x, len);
			if (r < n_rows)
				dot_add(&acc[c][r], w[r], x, len);
		}
	}
	for (size_t c = 0; c < n_cols; c++)
		for (size_t r = 0; r < n_rows; r++)
			job->y[(col + c) * m->rows + row + r] = dot_sum(&acc[c][r]);
}

/* Items are groups of TILE_ROWS rows. */
static void multiply_rows(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct matmul *job = ctx;

	(void)thread;
	for (size_t group = begin; group < end; group++) {
		size_t row = group * TILE_ROWS, left = job->m->rows - row;

		for (size_t col = 0; col < job->n; col += TILE_COLS) {
			size_t cols = job->n - col < TILE_COLS ? job->n - col : TILE_COLS;

			multiply_tile(job, row, left < TILE_ROWS ? left : TILE_ROWS, col, cols);
		}
	}
}

void matmul(const struct compute *compute, const struct matrix *m, const float *x, size_t n, float *y)
{
	struct matmul job = {.m = m, .x = x, .n = n, .y = y};
	size_t groups = (m->rows + TILE_ROWS - 1) / TILE_ROWS;
	struct threadpool *pool = m->cols * n < INLINE_WORK / m->rows ? NULL : compute->pool;
	size_t grain = groups / (8 * threadpool_n_threads(pool));
	size_t piece = PIECE_WORK / TILE_ROWS / m->cols / n;

	if (grain > piece)
		grain = piece;
	threadpool_run(pool, groups, grain ? grain : 1, multiply_rows, &job);
}
