#include "model/weights.h"

#include "base/limits.h"
#include "base/sys.h"
#include "kernels/threadpool.h"

enum {
	ALIGNMENT = 64,
	SLICE_BYTES = MIB(4), /* between two reports of progress */
	READ_BYTES = KIB(512), /* that a thread reads ahead at a time */
	AHEAD_BYTES = MIB(16)  /* requested from the disk while others are packed */
};

struct packer {
	struct weights *weights;
	struct weights_packing *how;
	struct error *err;
	uint64_t done;      /* bytes of panels, from the beginning of weights->panels */
	uint64_t n_read, to_read; /* bytes that stay in the file: read ahead so far, and in all */
	const char *asked, *end;  /* of the tensor: how far the disk was asked to read it */
	/* For each matrix that is packed, and for each that stays in the file. */
	enum status (*on_packed)(struct packer *packer, struct matrix *m);
	enum status (*on_in_file)(struct packer *packer, struct matrix *m);
};

/* Bytes in the mapping; UINT64_MAX when they leave 64 bits. */
static uint64_t mapped_bytes(const struct matrix *m)
{
	uint64_t bytes = matrix_panel_bytes(m);

	return bytes > UINT64_MAX - ALIGNMENT ? UINT64_MAX
	                                      : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static enum status add_panels(struct packer *packer, struct matrix *m)
{
	if (__builtin_add_overflow(packer->done, mapped_bytes(m), &packer->done))
		return error_no_memory(packer->err, "for the weights");
	return STATUS_OK;
}

static size_t bytes_in_file(const struct matrix *m)
{
	return m->rows * quant_row_bytes(m->quant, m->cols);
}

/* Counts a matrix that is read from the file: the largest unit, bytes to read. */
static enum status add_in_file(struct packer *packer, struct matrix *m)
{
	struct weights *weights = packer->weights;
	uint64_t unit = (matrix_unit_bytes(m) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

	if (unit > SIZE_MAX / 2)
		return error_no_memory(packer->err, "for the weights");
	weights->unit_bytes = unit > weights->unit_bytes ? (size_t)unit : weights->unit_bytes;
	weights->in_file_bytes += bytes_in_file(m);
	return STATUS_OK;
}

struct unit_slice {
	const struct matrix *m;
	size_t first; /* unit */
	void *panels;
};

static void pack_units(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct unit_slice *slice = ctx;

	(void)thread;
	matrix_pack(slice->m, slice->first + begin, slice->first + end, slice->panels);
}

static enum status report(struct packer *packer, uint64_t done)
{
	double fraction = (double)done / ((double)packer->weights->panels_bytes + (double)packer->to_read);

	if (packer->how->progress && !packer->how->progress(packer->how->ctx, (float)fraction))
		return error_set(packer->err, STATUS_CANCELLED, "loading was cancelled");
	return STATUS_OK;
}

/* Requests what follows `at` in the tensor, so that the disk works while the processor does. */
static void ask_ahead(struct packer *packer, const char *at)
{
	size_t left = (size_t)(packer->end - packer->asked), n = AHEAD_BYTES;

	if (packer->asked > at)
		n -= (size_t)(packer->asked - at) < n ? (size_t)(packer->asked - at) : n;
	n = n < left ? n : left;
	gguf_expect(packer->weights->gguf, packer->asked, n);
	packer->asked += n;
}

static enum status pack(struct packer *packer, struct matrix *m)
{
	size_t n_units = matrix_n_units(m);
	uint64_t bytes = matrix_panel_bytes(m), unit_bytes = bytes / n_units;
	size_t step = (size_t)(SLICE_BYTES / (unit_bytes ? unit_bytes : 1)) + 1;
	char *panels = (char *)packer->weights->panels + packer->done;
	enum status status = STATUS_OK;

	for (size_t first = 0; first < n_units && !status; first += step) {
		struct unit_slice slice = {m, first, panels};
		size_t row = first * UNIT_ROWS;

		if (packer->end)
			ask_ahead(packer, (const char *)m->data + row * quant_row_bytes(m->quant, m->cols));
		threadpool_run(packer->how->pool, n_units - first < step ? n_units - first : step, 1,
		               pack_units, &slice);
		status = report(packer, packer->done + (first + step < n_units ? first + step : n_units) * unit_bytes);
	}
	m->panels = panels;
	packer->done += mapped_bytes(m);
	return status;
}

struct file_stretch {
	const struct gguf *gguf;
	const char *data;
	size_t n_bytes;
};

static void read_stretch(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct file_stretch *stretch = ctx;

	(void)thread;
	for (; begin < end; begin++) {
		size_t at = begin * READ_BYTES, left = stretch->n_bytes - at;

		gguf_fetch(stretch->gguf, stretch->data + at, left < READ_BYTES ? left : READ_BYTES);
	}
}

/* Locking is optional: the first failure is kept and ends it. */
static void lock(struct packer *packer, const void *at, size_t n_bytes)
{
	struct weights_packing *how = packer->how;

	if (how->locks && !how->lock_error.status)
		how->lock_error.status = sys_lock(at, n_bytes, &how->lock_error);
}

/* Reads the file's pages of a matrix, while there is memory for them. */
static enum status read_ahead(struct packer *packer, struct matrix *m)
{
	const char *data = m->data;
	size_t n_bytes = bytes_in_file(m);
	enum status status = STATUS_OK;

	if (n_bytes > packer->to_read - packer->n_read)
		n_bytes = (size_t)(packer->to_read - packer->n_read);
	for (size_t at = 0; at < n_bytes && !status; at += SLICE_BYTES) {
		size_t n = n_bytes - at < SLICE_BYTES ? n_bytes - at : SLICE_BYTES;
		struct file_stretch stretch = {packer->weights->gguf, data + at, n};

		threadpool_run(packer->how->pool, (n + READ_BYTES - 1) / READ_BYTES, 1, read_stretch,
		               &stretch);
		packer->n_read += n;
		lock(packer, data + at, n);
		status = report(packer, packer->done + packer->n_read);
	}
	return status;
}

/* Whether its data are in the file, not made while loading. */
static bool is_in_file(const struct weights_row *row)
{
	return row->kind != WEIGHTS_EXACT && row->kind != WEIGHTS_JOINED_TRANSPOSED;
}

static bool is_packed(const struct packer *packer, const struct weights_row *row)
{
	switch (packer->how->which) {
	case PACKING_DENSE: return row->kind != WEIGHTS_STACK || row->slices != DIM_EXPERTS;
	case PACKING_NONE: return !is_in_file(row);
	default: return true;
	}
}

/* What this round does with a matrix; file pages of packed matrices are freed. */
static enum status visit_matrix(struct packer *packer, struct matrix *m, const struct weights_row *row)
{
	enum status (*act)(struct packer *packer, struct matrix *m) =
		is_packed(packer, row) ? packer->on_packed : packer->on_in_file;
	enum status status = act ? act(packer, m) : STATUS_OK;

	if (is_in_file(row) && m->panels)
		gguf_release(packer->weights->gguf, m->data, bytes_in_file(m));
	return status;
}

/* What follows is read from so many rows of the file, or made while loading. */
static void begin_tensor(struct packer *packer, const struct weights_row *row,
                         const struct matrix *m, size_t n_rows)
{
	packer->asked = m->data;
	packer->end = NULL;
	if (is_in_file(row))
		packer->end = packer->asked + n_rows * quant_row_bytes(m->quant, m->cols);
}

static enum status visit_stack(struct packer *packer, struct stack *stack,
                               const struct weights_row *row)
{
	const void *panels = NULL;
	enum status status = STATUS_OK;

	stack->panels_step = (size_t)mapped_bytes(&stack->first);
	begin_tensor(packer, row, &stack->first, (stack->n - 1) * stack->step + stack->first.rows);
	for (size_t i = 0; i < stack->n && !status; i++) {
		struct matrix m = stack_at(stack, i);

		status = visit_matrix(packer, &m, row);
		if (i == 0)
			panels = m.panels;
	}
	stack->first.panels = panels;
	return status;
}

static enum status visit_group(void *ctx, const struct weights_group *group, size_t layer,
                               void *target)
{
	struct packer *packer = ctx;
	enum status status = STATUS_OK;

	(void)layer;
	for (size_t i = 0; i < group->n && !status; i++) {
		const struct weights_row *row = &group->rows[i];
		void *field = (char *)target + row->offset;
		struct linear *linear = field;
		struct stack *stack = field;
		bool is_linear = row->kind == WEIGHTS_LINEAR || row->kind == WEIGHTS_EXACT;
		bool is_stack = row->kind == WEIGHTS_STACK || row->kind == WEIGHTS_JOINED ||
		                row->kind == WEIGHTS_JOINED_TRANSPOSED;

		if (is_stack && stack->first.data) {
			status = visit_stack(packer, stack, row);
		} else if (is_linear && linear->matrix.data) {
			begin_tensor(packer, row, &linear->matrix, linear->matrix.rows);
			status = visit_matrix(packer, &linear->matrix, row);
		}
	}
	return status;
}

static enum status map_panels(struct packer *packer)
{
	struct weights *weights = packer->weights;
	void *at = NULL; /* decoding reads all of it for every token */

	if (!packer->done)
		return STATUS_OK;
	if (packer->done <= SIZE_MAX / 2)
		at = sys_map_huge((size_t)packer->done);
	if (!at)
		return error_no_memory(packer->err, "for the weights");
	weights->panels = at;
	weights->panels_bytes = (size_t)packer->done;
	return STATUS_OK;
}

enum status weights_packed_bytes(struct weights *weights, enum packing which, uint64_t *out,
                                 struct error *err)
{
	struct weights_packing how = {.which = which};
	struct packer packer = {.weights = weights, .how = &how, .err = err,
	                        .on_packed = add_panels};
	enum status status = weights_each_group(weights, visit_group, &packer);

	*out = packer.done;
	return status;
}

enum status weights_pack(struct weights *weights, struct weights_packing *how, struct error *err)
{
	struct packer packer = {.weights = weights, .how = how, .err = err,
	                        .on_packed = add_panels, .on_in_file = add_in_file};
	enum status status = weights_each_group(weights, visit_group, &packer);
	uint64_t begin, us;

	if (!status)
		status = map_panels(&packer);
	packer.to_read = weights->in_file_bytes < how->read_bytes ? weights->in_file_bytes
	                                                          : how->read_bytes;
	weights->is_beyond_memory = packer.to_read < weights->in_file_bytes;
	packer.done = 0;
	packer.on_packed = pack;
	packer.on_in_file = NULL;
	if (!status)
		status = weights_each_group(weights, visit_group, &packer);
	if (!status)
		lock(&packer, weights->panels, weights->panels_bytes);
	packer.on_packed = NULL;
	packer.on_in_file = read_ahead;
	begin = sys_now_us();
	if (!status && packer.to_read)
		status = weights_each_group(weights, visit_group, &packer);
	us = sys_now_us() - begin;
	how->read_rate = (double)packer.n_read * 1e6 / (double)(us ? us : 1);
	return status;
}
