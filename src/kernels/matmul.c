#include "kernels/matmul.h"

#include <string.h>

#include "base/bisect.h"
#include "kernels/bf16.h"
#include "kernels/blocks.h"
#include "kernels/compute.h"
#include "kernels/threadpool.h"

enum {
	INLINE_WORK = 1 << 18, /* fewer multiplications than are worth waking threads for */
	PIECE_WORK = 1 << 26,  /* multiplications between two looks for a stop: some milliseconds */
	INLINE_BLOCKS = 1024,  /* fewer blocks to quantise than are worth waking threads for */
	PACK_BYTES = 1 << 11   /* of a row at a time, so that a panel's stretch stays cached */
};

void matrix_row(const struct matrix *m, size_t row, float *out)
{
	const unsigned char *data = m->data;

	m->quant->dequantize(data + row * quant_row_bytes(m->quant, m->cols), out, m->cols);
}

size_t matrix_n_units(const struct matrix *m)
{
	return m->rows / UNIT_ROWS + (m->rows % UNIT_ROWS != 0);
}

uint64_t matrix_unit_bytes(const struct matrix *m)
{
	uint64_t bytes = m->cols / m->quant->n_elements;

	if (__builtin_mul_overflow(bytes, m->quant->panel_bytes, &bytes) ||
	    __builtin_mul_overflow(bytes, UNIT_ROWS / PANEL_ROWS, &bytes))
		return UINT64_MAX;
	return bytes;
}

uint64_t matrix_panel_bytes(const struct matrix *m)
{
	uint64_t bytes;

	return __builtin_mul_overflow(matrix_unit_bytes(m), matrix_n_units(m), &bytes) ? UINT64_MAX
	                                                                               : bytes;
}

/* Blocks first .. first + n - 1 of the panel that begins with row `row`, to `to`. */
static void pack_stretch(const struct matrix *m, size_t row, size_t first, size_t n,
                         unsigned char *to)
{
	const unsigned char *data = m->data;
	size_t row_bytes = quant_row_bytes(m->quant, m->cols);

	if (row + PANEL_ROWS > m->rows)
		memset(to, 0, n * m->quant->panel_bytes);
	for (size_t r = 0; r < PANEL_ROWS && row + r < m->rows; r++)
		m->quant->pack(data + (row + r) * row_bytes + first * m->quant->n_bytes, n, r, to);
}

/* Units begin .. end - 1, the first of them to `to`. */
static void pack_units(const struct matrix *m, size_t begin, size_t end, unsigned char *to)
{
	size_t n_blocks = m->cols / m->quant->n_elements;
	size_t step = PACK_BYTES / m->quant->n_bytes;

	for (size_t row = begin * UNIT_ROWS; row < end * UNIT_ROWS; row += PANEL_ROWS)
		for (size_t block = 0; block < n_blocks; block += step) {
			size_t n = n_blocks - block < step ? n_blocks - block : step;

			pack_stretch(m, row, block, n, to);
			to += n * m->quant->panel_bytes;
		}
}

void matrix_pack(const struct matrix *m, size_t begin, size_t end, void *panels)
{
	pack_units(m, begin, end, (unsigned char *)panels + begin * matrix_unit_bytes(m));
}

/* Floats of memory per 32 activations: 8 of quants, 16 of them as words, 7 of scales and
 * sums, 32 of tiles (pairs of bf16 take half). */
enum { FLOATS_PER_BLOCK = 31, FLOATS_PER_TILED = 32 };

size_t activations_floats(size_t cols)
{
	return (cols / BLOCK_32 + 1) * (FLOATS_PER_BLOCK + FLOATS_PER_TILED);
}

void activations_set(struct activations *a, void *memory, const float *x, size_t n, size_t cols)
{
	size_t n_blocks = cols / BLOCK_32 * n;
	char *at = memory;

	*a = (struct activations){.x = x, .n = n, .cols = cols};
	a->quants = (int8_t *)at;
	a->words = a->quants + n_blocks * BLOCK_32;
	a->scale = (float *)(void *)(a->words + 2 * n_blocks * BLOCK_32);
	a->sum = a->scale + n_blocks;
	a->sum16 = a->sum + n_blocks;
	a->excess = (int32_t *)(void *)(a->sum16 + 2 * n_blocks);
	a->excess16 = a->excess + n_blocks;
	a->tiles = (float *)(void *)(a->excess16 + 2 * n_blocks);
	a->pairs = (uint32_t *)(void *)a->tiles;
}

/* Activations for matrices of one kind, by a `quantise`, `widen` or `arrange` of the kernels. */
struct preparing {
	struct activations *a;
	void (*prepare)(struct activations *a, size_t begin, size_t end);
};

static void run_prepare(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct preparing *task = ctx;

	(void)thread;
	task->prepare(task->a, begin, end);
}

/* Over the blocks of all columns. */
static void prepare_blocks(const struct compute *compute, struct preparing task)
{
	size_t n_blocks = task.a->cols / BLOCK_32 * task.a->n;

	threadpool_run(n_blocks < INLINE_BLOCKS ? NULL : compute->pool, n_blocks,
	               INLINE_BLOCKS / 2, run_prepare, &task);
}

void activations_quantise(const struct compute *compute, struct activations *a)
{
	if (!a->quantised)
		prepare_blocks(compute, (struct preparing){a, compute->isa->matmul->quantise});
	a->quantised = true;
}

void activations_gather(const struct compute *compute, struct activations *a,
                        const struct activations *from, const uint32_t *columns)
{
	compute->isa->matmul->gather(a, from, columns);
	a->quantised = true;
}

static void arrange(const struct compute *compute, struct activations *a, enum arrangement how)
{
	struct preparing task = {a, how == ARRANGED_PAIRS ? compute->isa->bf16->arrange
	                                                  : compute->isa->matmul->arrange};

	threadpool_run(a->n * a->cols < INLINE_WORK ? NULL : compute->pool, a->n, a->n / 8 + 1,
	               run_prepare, &task);
	a->arranged = how;
}

/* The arrangement of activations that a product needs. */
static enum arrangement arrangement(const struct isa *isa, const struct matrix *m, size_t n)
{
	if (m->quant->type == BLOCK_BF16 && isa->bf16)
		return ARRANGED_PAIRS;
	return m->quant->n_elements == 1 && n >= MATMUL_MANY_FLOATS ? ARRANGED_FLOATS : ARRANGED_NOT;
}

static void prepare(const struct compute *compute, const struct matmul *job)
{
	enum arrangement arranged = arrangement(compute->isa, job->m, job->a->n);

	if (job->m->quant->n_elements > 1)
		activations_quantise(compute, job->a);
	if (job->a->n >= MATMUL_MANY && !job->a->widened &&
	    compute->isa->matmul->wants_words(job->m->quant->type)) {
		prepare_blocks(compute, (struct preparing){job->a, compute->isa->matmul->widen});
		job->a->widened = true;
	}
	if (arranged != ARRANGED_NOT && job->a->arranged != arranged)
		arrange(compute, job->a, arranged);
}

struct products {
	const struct isa *isa;
	const struct pack_buffer *pack_buffer;
	const struct matmul *jobs;
	size_t n, n_units;
};

static void multiply(const struct isa *isa, const struct matmul *job, size_t begin, size_t end)
{
	if (arrangement(isa, job->m, job->a->n) == ARRANGED_PAIRS)
		isa->bf16->multiply(job, begin, end);
	else
		isa->matmul->multiply[job->m->quant->type](job, begin, end);
}

/* Each unit is packed into the thread's buffer and multiplied while it is in the cache. */
static void pack_and_multiply(const struct products *products, const struct matmul *job,
                              size_t begin, size_t end, size_t thread)
{
	void *panels = (char *)products->pack_buffer->memory + thread * products->pack_buffer->n_bytes;
	struct matrix m = *job->m;
	struct matmul one = *job;

	one.m = &m;
	m.panels = panels;
	for (; begin < end; begin++) {
		pack_units(job->m, begin, begin + 1, panels);
		m.first_row = begin * UNIT_ROWS;
		multiply(products->isa, &one, begin, begin + 1);
	}
}

/* The last product that begins at `unit` or before it. */
static size_t job_of(const struct products *products, size_t unit)
{
	size_t next = 0;

	BISECT(next, products->n, i, products->jobs[i].first <= unit);
	return next ? next - 1 : 0;
}

/* Units of all products, one after the other. */
static void run_products(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct products *products = ctx;
	size_t job = job_of(products, begin);

	for (; begin < end; job++) {
		size_t first = products->jobs[job].first;
		size_t next = job + 1 < products->n ? products->jobs[job + 1].first : products->n_units;
		size_t stop = next < end ? next : end;

		if (begin < stop && products->jobs[job].m->panels)
			multiply(products->isa, &products->jobs[job], begin - first, stop - first);
		else if (begin < stop)
			pack_and_multiply(products, &products->jobs[job], begin - first, stop - first,
			                  thread);
		begin = stop;
	}
}

static void run_together(const struct compute *compute, struct matmul *jobs, size_t n)
{
	struct products products = {.isa = compute->isa, .pack_buffer = &compute->pack_buffer,
	                            .jobs = jobs, .n = n};
	struct threadpool *pool = NULL;
	size_t most = 1, grain, work = 0; /* most: multiplications of the longest row */

	for (size_t i = 0; i < n; i++) {
		size_t row = jobs[i].m->cols * jobs[i].a->n;

		prepare(compute, &jobs[i]);
		jobs[i].first = products.n_units;
		products.n_units += matrix_n_units(jobs[i].m);
		most = row > most ? row : most;
		work += row * jobs[i].m->rows;
	}
	if (work >= INLINE_WORK)
		pool = compute->pool;
	grain = products.n_units / (16 * threadpool_n_threads(pool));
	if (grain > PIECE_WORK / UNIT_ROWS / most)
		grain = PIECE_WORK / UNIT_ROWS / most;
	threadpool_run(pool, products.n_units, grain ? grain : 1, run_products, &products);
}

/* Whether the last of n products needs its input in another arrangement than an earlier one:
 * there is memory for one. */
static bool needs_other_arrangement(const struct isa *isa, const struct matmul *jobs, size_t n)
{
	const struct matmul *last = &jobs[n - 1];
	enum arrangement needed = arrangement(isa, last->m, last->a->n), other;

	for (size_t i = 0; i + 1 < n && needed != ARRANGED_NOT; i++) {
		other = arrangement(isa, jobs[i].m, jobs[i].a->n);
		if (jobs[i].a == last->a && other != ARRANGED_NOT && other != needed)
			return true;
	}
	return false;
}

void matmul_each(const struct compute *compute, struct matmul *jobs, size_t n)
{
	size_t n_together;

	for (; n > 0; jobs += n_together, n -= n_together) {
		n_together = 1;
		while (n_together < n && !needs_other_arrangement(compute->isa, jobs, n_together + 1))
			n_together++;
		run_together(compute, jobs, n_together);
	}
}

void matmul(const struct compute *compute, const struct matrix *m, struct activations *a, float *y)
{
	matmul_each(compute, &(struct matmul){.m = m, .a = a, .y = y}, 1);
}
