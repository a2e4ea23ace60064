/* gpt-oss has its experts in MXFP4: blocks of 32 weights, 16 bytes of two each, and a byte of scales for each block in a
 * tensor beside it. In GGUF scale and weights lie together, and the two of a byte are 16 weights apart. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "checkpoint/types.h"
#include "checkpoint/write.h"

enum { BLOCK_IN = 16, BLOCK_OUT = 17, ROWS_BYTES = 1 << 20 };

/* v(2i) = in[i] & 15, v(2i + 1) = in[i] >> 4; out[j] = v(j) | v(j + 16) << 4. */
static void pack_block(const uint8_t in[BLOCK_IN], uint8_t scale, uint8_t out[BLOCK_OUT])
{
	out[0] = scale;
	for (int j = 0; j < BLOCK_IN; j++) {
		uint8_t low = j % 2 ? in[j / 2] >> 4 : in[j / 2] & 15;
		uint8_t high = j % 2 ? in[j / 2 + 8] >> 4 : in[j / 2 + 8] & 15;

		out[1 + j] = (uint8_t)(low | high << 4);
	}
}

/* Some rows of a run. */
struct packed {
	const struct checkpoint *checkpoint;
	const struct output_run *blocks, *scales;
	size_t n_blocks;   /* of a row */
	uint64_t first;    /* row of the run */
	uint8_t *in, *out; /* a row of blocks and scales for each thread; all rows */
	bool *failed;      /* of each thread */
};

static void pack_rows(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct packed *p = ctx;
	uint8_t *blocks = p->in + thread * p->n_blocks * BLOCK_OUT, *scales = blocks + p->n_blocks * BLOCK_IN;

	for (size_t row = begin; row < end; row++) {
		uint64_t from = p->blocks->first + (p->first + row) * p->blocks->step;
		uint64_t scale = p->scales->first + (p->first + row) * p->scales->step;

		if (checkpoint_read(p->checkpoint, p->blocks->tensor, from * p->n_blocks * BLOCK_IN, blocks,
		                    p->n_blocks * BLOCK_IN, NULL) ||
		    checkpoint_read(p->checkpoint, p->scales->tensor, scale * p->n_blocks, scales, p->n_blocks, NULL)) {
			p->failed[thread] = true;
			return;
		}
		for (size_t i = 0; i < p->n_blocks; i++)
			pack_block(blocks + i * BLOCK_IN, scales[i], p->out + (row * p->n_blocks + i) * BLOCK_OUT);
	}
}

static enum status write_run(struct write_job *w, const struct output *output, struct packed *p, uint64_t before,
                             struct error *err)
{
	size_t row_bytes = p->n_blocks * BLOCK_OUT, most = row_bytes < ROWS_BYTES ? ROWS_BYTES / row_bytes : 1;
	enum status status = STATUS_OK;

	for (p->first = 0; p->first < p->blocks->n && !status;) {
		size_t n = p->blocks->n - p->first < most ? (size_t)(p->blocks->n - p->first) : most;

		threadpool_run(w->pool, n, 8, pack_rows, p);
		for (size_t i = 0; i < threadpool_n_threads(w->pool); i++)
			if (p->failed[i])
				return error_set(err, STATUS_IO, "tensor '%s': cannot be read", p->blocks->tensor->name);
		status = part_file_write(w->part, p->out, n * row_bytes, err);
		p->first += n;
		if (!status)
			status = write_report(w, output, before + p->first * output->ne[0], err);
	}
	return status;
}

enum status write_mxfp4(struct write_job *w, const struct output *output, struct error *err)
{
	size_t n_threads = threadpool_n_threads(w->pool), n_blocks = (size_t)output->ne[0] / 32, row = n_blocks * BLOCK_OUT;
	struct packed p = {.checkpoint = w->c->from, .n_blocks = n_blocks};
	enum status status = STATUS_OK;
	uint64_t before = 0;

	p.in = alloc_array(n_threads, row);
	p.out = alloc_array(1, row < ROWS_BYTES ? ROWS_BYTES : row);
	p.failed = alloc_array(n_threads, sizeof *p.failed);
	if (!p.in || !p.out || !p.failed)
		status = error_no_memory(err, "for '%s'", output->name);
	for (size_t i = 0; i < output->n_runs && !status; i++) {
		p.blocks = &output->runs[i];
		p.scales = &output->scales[i];
		status = write_run(w, output, &p, before, err);
		before += p.blocks->n * output->ne[0];
	}
	free(p.in);
	free(p.out);
	free(p.failed);
	return status;
}
