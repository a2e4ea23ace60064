#include "checkpoint/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kernels/float16.h"

/* Rows of ne[0] elements; 0: too many. */
static uint64_t n_rows_of(const struct output *output)
{
	uint64_t n;

	return __builtin_mul_overflow(output->ne[1], output->ne[2], &n) || __builtin_mul_overflow(n, output->ne[3], &n) ? 0 : n;
}

static enum status mismatch(const struct output *output, const struct safetensor *tensor, struct error *err)
{
	char shape[128] = "";
	size_t len = 0;

	for (uint32_t i = 0; i < tensor->n_dims && len < sizeof shape - 24; i++)
		len += (size_t)snprintf(shape + len, sizeof shape - len, i ? ", %" PRIu64 : "%" PRIu64, tensor->shape[i]);
	return error_set(err, STATUS_FORMAT, "tensor '%s' has the shape [%s], which is not what config.json makes of '%s'"
	                 " ({%" PRIu64 ", %" PRIu64 ", %" PRIu64 "})", tensor->name, shape, output->name, output->ne[0],
	                 output->ne[1], output->ne[2]);
}

/* Rows or columns first, first + step, ... n of them, of `all`. */
static bool fits(const struct output_run *run, uint64_t all)
{
	uint64_t last;

	return run->n > 0 && !__builtin_mul_overflow(run->n - 1, run->step, &last) &&
	       !__builtin_add_overflow(last, run->first, &last) && last < all;
}

/* Of rows of [..., n / 32, 16] bytes with a byte of scales for each 16. */
static bool blocks_fit(const struct output *output, size_t i)
{
	const struct safetensor *blocks = output->runs[i].tensor, *scales = output->scales[i].tensor;

	return blocks->dtype == DTYPE_U8 && scales->dtype == DTYPE_U8 && blocks->n_dims >= 2 && blocks->n_cols == 16 &&
	       blocks->shape[blocks->n_dims - 2] == scales->n_cols && output->ne[0] == 32 * scales->n_cols &&
	       blocks->n_rows == scales->n_rows * scales->n_cols && fits(&output->runs[i], scales->n_rows) &&
	       output->scales[i].n == output->runs[i].n && fits(&output->scales[i], scales->n_rows);
}

static bool columns_fit(const struct output *output, const struct safetensor *tensor)
{
	if (!output->columns)
		return output->ne[0] <= tensor->n_cols;
	for (uint64_t i = 0; i < output->ne[0]; i++)
		if (output->columns[i] >= tensor->n_cols)
			return false;
	return true;
}

/* Columns of one matrix of [..., ne[0], n]. */
static bool transposed_fits(const struct output *output, const struct output_run *run)
{
	const struct safetensor *tensor = run->tensor;

	return tensor->n_dims >= 2 && tensor->shape[tensor->n_dims - 2] == output->ne[0] && tensor->n_cols > 0 &&
	       fits(run, tensor->n_rows / output->ne[0] * tensor->n_cols) &&
	       run->first % tensor->n_cols + (run->n - 1) * run->step < tensor->n_cols;
}

static bool is_float(enum dtype dtype)
{
	return dtype != DTYPE_U8 && dtype != DTYPE_I8 && dtype != DTYPE_OTHER;
}

enum status output_check(const struct output *output, struct error *err)
{
	uint64_t n_rows = n_rows_of(output), n = 0;

	if (n_rows == 0 || output->ne[0] == 0)
		return error_set(err, STATUS_FORMAT, "'%s' would be empty, or too large", output->name);
	if (output->values)
		return STATUS_OK;
	for (size_t i = 0; i < output->n_runs; i++) {
		const struct output_run *run = &output->runs[i];
		bool ok;

		if (!output->scales && !is_float(run->tensor->dtype))
			return error_set(err, STATUS_UNSUPPORTED, "tensor '%s': its type is %s, expected floats", run->tensor->name,
			                 run->tensor->dtype_name);
		ok = output->scales          ? blocks_fit(output, i)
		     : output->is_transposed ? transposed_fits(output, run)
		                             : fits(run, run->tensor->n_rows) && columns_fit(output, run->tensor);
		if (!ok || __builtin_add_overflow(n, run->n, &n) || n > n_rows)
			return mismatch(output, run->tensor, err);
	}
	if (output->n_runs == 0)
		return error_set(err, STATUS_FORMAT, "'%s' has nothing to be made of", output->name);
	return n == n_rows ? STATUS_OK : mismatch(output, output->runs[0].tensor, err);
}

enum status rows_init(struct rows *rows, const struct floats *floats, const struct output *output, size_t n_threads,
                      struct error *err)
{
	uint64_t widest = 0;

	*rows = (struct rows){.floats = floats, .output = output};
	rows->starts = alloc_array(output->n_runs + 1, sizeof *rows->starts);
	for (size_t i = 0; i < output->n_runs && rows->starts; i++) {
		rows->starts[i + 1] = rows->starts[i] + output->runs[i].n;
		widest = output->runs[i].tensor->n_cols > widest ? output->runs[i].tensor->n_cols : widest;
	}
	if (rows->starts && (!output->columns || output->values))
		return STATUS_OK;
	rows->scratch_cols = (size_t)widest;
	if (rows->starts && widest <= SIZE_MAX / n_threads)
		rows->scratch = alloc_array(n_threads * (size_t)widest, sizeof *rows->scratch);
	return rows->scratch ? STATUS_OK : error_no_memory(err, "for '%s'", output->name);
}

void rows_deinit(struct rows *rows)
{
	free(rows->starts);
	free(rows->scratch);
	*rows = (struct rows){0};
}

void change_floats(enum output_change change, enum dtype dtype, float *x, size_t n)
{
	if (change == CHANGE_NONE)
		return;
	for (size_t i = 0; i < n; i++)
		x[i] = change == CHANGE_PLUS_ONE ? x[i] + 1 : (float)-exp((double)x[i]);
	for (size_t i = 0; i < n && dtype == DTYPE_F16; i++)
		x[i] = f32_from_f16(f16_from_f32(x[i]));
}

/* The run that has a row of the output. */
static size_t find_run(const struct rows *rows, uint64_t row)
{
	size_t low = 0, high = rows->output->n_runs - 1;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;

		if (rows->starts[middle] <= row)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* At most n elements from [row][col] on, as many as lie together: *done. */
static enum status read_part(const struct rows *rows, size_t thread, uint64_t row, uint64_t col, size_t n, float *out,
                             size_t *done, struct error *err)
{
	const struct output *output = rows->output;
	size_t i = find_run(rows, row);
	const struct output_run *run = &output->runs[i];
	const struct safetensor *tensor = run->tensor;
	uint64_t source = run->first + (row - rows->starts[i]) * run->step, left = output->ne[0] - col;
	enum status status;

	if (!output->columns && run->step == 1 && output->ne[0] == tensor->n_cols)
		left = (rows->starts[i + 1] - row) * output->ne[0] - col;
	*done = left < n ? (size_t)left : n;
	if (!output->columns) {
		status = floats_read(rows->floats, tensor, source * tensor->n_cols + col, *done, out, err);
	} else {
		float *scratch = rows->scratch + thread * rows->scratch_cols;

		status = floats_read(rows->floats, tensor, source * tensor->n_cols, (size_t)tensor->n_cols, scratch, err);
		for (size_t j = 0; j < *done && !status; j++)
			out[j] = scratch[output->columns[col + j]];
	}
	if (!status)
		change_floats(output->change, tensor->dtype, out, *done);
	return status;
}

enum status rows_read(void *ctx, size_t thread, uint64_t first, size_t n, float *out, struct error *err)
{
	const struct rows *rows = ctx;
	enum status status = STATUS_OK;

	if (rows->output->values) {
		memcpy(out, rows->output->values + first, n * sizeof *out);
		return STATUS_OK;
	}
	for (size_t at = 0, done; at < n && !status; at += done)
		status = read_part(rows, thread, (first + at) / rows->output->ne[0], (first + at) % rows->output->ne[0], n - at,
		                   out + at, &done, err);
	return status;
}
