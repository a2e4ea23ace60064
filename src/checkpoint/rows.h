/* What an output consists of, read as floats: the rows of its runs in order, changed as it says. Private to this folder. */
#ifndef SOTTO_CHECKPOINT_ROWS_H
#define SOTTO_CHECKPOINT_ROWS_H

#include "checkpoint/floats.h"
#include "checkpoint/outputs.h"

struct rows {
	const struct floats *floats;
	const struct output *output;
	uint64_t *starts;    /* [n_runs + 1]: the output's first row of each run */
	float *scratch;      /* a source's row for each thread, where columns change places */
	size_t scratch_cols;
};

/* STATUS_FORMAT: the runs do not make up the output's shape, as tensors have other shapes than config.json says. */
enum status output_check(const struct output *output, struct error *err) MUST_CHECK;

/* Of outputs with runs or values whose matrices are not turned over. */
enum status rows_init(struct rows *rows, const struct floats *floats, const struct output *output, size_t n_threads,
                      struct error *err) MUST_CHECK;
void rows_deinit(struct rows *rows);
/* Elements first .. first + n - 1: a convert_read of quantize/convert.h, whose ctx is a struct rows. */
enum status rows_read(void *rows, size_t thread, uint64_t first, size_t n, float *out, struct error *err) MUST_CHECK;

/* x -> x + 1, -exp(x); rounded to half precision where that is what the tensor has. */
void change_floats(enum output_change change, enum dtype dtype, float *x, size_t n);

#endif
