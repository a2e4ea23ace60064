/* Memory: what the converter has (a batch of a million weights), a header, and for matrices that are turned over one of
 * them. Nothing grows with the model. */
#include "checkpoint/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "checkpoint/rows.h"
#include "checkpoint/types.h"
#include "kernels/float16.h"
#include "quantize/convert.h"

enum { COUNTED = 4096 };

static const float f16_largest = 65504;

enum status write_report(struct write_job *w, const struct output *output, uint64_t weights, struct error *err)
{
	const struct convert_job *job = w->job;

	if (job->progress && !job->progress(job->ctx, w->done + weights, w->n_weights, output->name))
		return error_set(err, STATUS_CANCELLED, "interrupted");
	return STATUS_OK;
}

/* Where the converter's blocks go. */
struct sink {
	struct write_job *w;
	const struct output *output;
	uint64_t before; /* weights of the tensor that went before this run of it */
};

static enum status write_blocks(void *ctx, const void *blocks, size_t n_bytes, uint64_t weights, struct error *err)
{
	struct sink *sink = ctx;
	enum status status = part_file_write(sink->w->part, blocks, n_bytes, err);

	return status ? status : write_report(sink->w, sink->output, sink->before + weights, err);
}

/* Q8_0 as the reference writes it: without a search for better scales. */
static bool is_plain(const struct write_job *w)
{
	return !w->job->recipe || w->job->recipe->plain || w->job->recipe->type == BLOCK_Q8_0;
}

static bool is_float(uint32_t type)
{
	return block_info(type)->n_elements == 1;
}

static enum status convert(struct write_job *w, struct converter *converter, const struct output *output,
                           struct convert_floats from, uint64_t before, struct error *err)
{
	struct sink sink = {w, output, before};

	from.name = output->name;
	from.keeps_special = is_float(output->type);
	return converter_run_floats(converter, &from, output->type, is_plain(w), write_blocks, &sink, err);
}

/* How many weights do not fit, once one did not: so that the user knows whether it is an oddity or the rule. */
static enum status refuse_large(const struct output *output, convert_read read, void *ctx,
                                uint64_t n, struct error *err)
{
	float x[COUNTED], largest = 0;
	uint64_t n_large = 0;

	for (uint64_t at = 0; at < n; at += COUNTED) {
		size_t part = n - at < COUNTED ? (size_t)(n - at) : COUNTED;

		if (read(ctx, 0, at, part, x, NULL))
			return STATUS_UNSUPPORTED; /* what was said already stands */
		for (size_t i = 0; i < part; i++) {
			n_large += isfinite(x[i]) && fabsf(x[i]) > f16_largest;
			largest = isfinite(x[i]) && fabsf(x[i]) > largest ? fabsf(x[i]) : largest;
		}
	}
	return error_set(err, STATUS_UNSUPPORTED, "tensor '%s': %" PRIu64 " weight%s larger than F16 can hold (%g, the largest"
	                 " is %g): take BF16 or F32", output->name, n_large, n_large == 1 ? " is" : "s are", (double)f16_largest,
	                 (double)largest);
}

static enum status write_rows(struct write_job *w, struct converter *converter, const struct output *output,
                              struct error *err)
{
	struct convert_floats from = {.n = output_n_elements(output), .read = rows_read};
	struct rows rows;
	enum status status = rows_init(&rows, w->floats, output, threadpool_n_threads(w->pool), err);

	from.ctx = &rows;
	if (!status)
		status = convert(w, converter, output, from, 0, err);
	if (status == STATUS_UNSUPPORTED && output->type == BLOCK_F16)
		status = refuse_large(output, rows_read, &rows, from.n, err);
	rows_deinit(&rows);
	return status;
}

/* A matrix, or some of its columns, that is being turned over. */
struct turned {
	const struct floats *floats;
	const struct output *output;
	const struct output_run *run;
	float *matrix;    /* [run->n][ne[0]] */
	float *scratch;   /* a row of the source for each thread */
	bool *failed;     /* of each thread */
};

/* Source rows begin .. end - 1. */
static void turn_rows(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct turned *t = ctx;
	const struct safetensor *tensor = t->run->tensor;
	uint64_t n_rows = t->output->ne[0], matrix = t->run->first / tensor->n_cols, first = t->run->first % tensor->n_cols;
	float *x = t->scratch + thread * tensor->n_cols;

	for (size_t row = begin; row < end; row++) {
		if (floats_read(t->floats, tensor, (matrix * n_rows + row) * tensor->n_cols, (size_t)tensor->n_cols, x, NULL)) {
			t->failed[thread] = true;
			return;
		}
		change_floats(t->output->change, tensor->dtype, x, (size_t)tensor->n_cols);
		for (uint64_t i = 0; i < t->run->n; i++)
			t->matrix[i * n_rows + row] = x[first + i * t->run->step];
	}
}

static enum status read_turned(void *ctx, size_t thread, uint64_t first, size_t n, float *out, struct error *err)
{
	const struct turned *t = ctx;

	(void)thread;
	(void)err;
	memcpy(out, t->matrix + first, n * sizeof *out);
	return STATUS_OK;
}

static enum status write_run_turned(struct write_job *w, struct converter *converter, struct turned *t, uint64_t before,
                                    struct error *err)
{
	struct convert_floats from = {.n = t->output->ne[0] * t->run->n, .read = read_turned, .ctx = t};
	size_t n_threads = threadpool_n_threads(w->pool);
	enum status status;

	threadpool_run(w->pool, (size_t)t->output->ne[0], 64, turn_rows, t);
	for (size_t i = 0; i < n_threads; i++)
		if (t->failed[i])
			return error_set(err, STATUS_IO, "tensor '%s': cannot be read", t->run->tensor->name);
	status = convert(w, converter, t->output, from, before, err);
	return status == STATUS_UNSUPPORTED && t->output->type == BLOCK_F16
	               ? refuse_large(t->output, read_turned, t, from.n, err) : status;
}

static enum status write_turned(struct write_job *w, struct converter *converter, const struct output *output,
                                struct error *err)
{
	struct turned t = {.floats = w->floats, .output = output};
	size_t n_threads = threadpool_n_threads(w->pool), n_matrix = 0, n_scratch = 0, n_cols = 0;
	enum status status = STATUS_OK;
	uint64_t before = 0;

	for (size_t i = 0; i < output->n_runs; i++) {
		n_matrix = output->runs[i].n > n_matrix ? (size_t)output->runs[i].n : n_matrix;
		n_cols = output->runs[i].tensor->n_cols > n_cols ? (size_t)output->runs[i].tensor->n_cols : n_cols;
	}
	if (!mul_overflows(n_matrix, (size_t)output->ne[0], &n_matrix) && !mul_overflows(n_threads, n_cols, &n_scratch)) {
		t.matrix = alloc_array(n_matrix, sizeof *t.matrix);
		t.scratch = alloc_array(n_scratch, sizeof *t.scratch);
		t.failed = alloc_array(n_threads, sizeof *t.failed);
	}
	if (!t.matrix || !t.scratch || !t.failed)
		status = error_no_memory(err, "for a matrix of '%s'", output->name);
	for (size_t i = 0; i < output->n_runs && !status; i++) {
		t.run = &output->runs[i];
		status = write_run_turned(w, converter, &t, before, err);
		before += output->ne[0] * t.run->n;
	}
	free(t.matrix);
	free(t.scratch);
	free(t.failed);
	return status;
}

static enum status write_one(struct write_job *w, struct converter *converter, const struct output *output,
                             struct error *err)
{
	enum status status = output->scales          ? write_mxfp4(w, output, err)
	                     : output->is_transposed ? write_turned(w, converter, output, err)
	                                             : write_rows(w, converter, output, err);

	if (!status)
		status = part_file_pad(w->part, output_n_bytes(output), w->alignment, err);
	w->done += output_n_elements(output);
	return status;
}

enum status write_outputs(struct write_job *w, struct error *err)
{
	struct converter *converter;
	enum status status = converter_create(&converter, w->pool, err);

	if (status)
		return status;
	for (size_t i = 0; i < w->c->outputs.n && !status; i++)
		status = write_one(w, converter, &w->c->outputs.items[i], err);
	converter_free(converter);
	return status;
}
