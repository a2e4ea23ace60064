#include "model/weights.h"

#include "base/limits.h"
#include "base/sys.h"
#include "kernels/threadpool.h"

enum {
	ALIGNMENT = 64,
	SLICE_BYTES = MIB(4) /* between two reports of progress */
};

struct packing {
	struct weights *weights;
	const struct gguf *gguf;
	struct threadpool *pool;
	weights_progress progress;
	void *ctx;
	struct error *err;
	uint64_t done; /* bytes of panels, from the beginning of weights->panels */
	enum status (*step)(struct packing *packing, struct matrix *m);
};

/* Bytes in the mapping; UINT64_MAX when they leave 64 bits. */
static uint64_t room(const struct matrix *m)
{
	uint64_t bytes = matrix_panel_bytes(m);

	return bytes > UINT64_MAX - ALIGNMENT ? UINT64_MAX
	                                      : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static enum status add_room(struct packing *packing, struct matrix *m)
{
	if (__builtin_add_overflow(packing->done, room(m), &packing->done))
		return error_set(packing->err, STATUS_NOMEM, "not enough memory for the weights");
	return STATUS_OK;
}

struct slice {
	const struct matrix *m;
	size_t first; /* unit */
	void *panels;
};

static void pack_units(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct slice *slice = ctx;

	(void)thread;
	matrix_pack(slice->m, slice->first + begin, slice->first + end, slice->panels);
}

static enum status report(struct packing *packing, uint64_t done)
{
	double fraction = (double)done / (double)packing->weights->panels_bytes;

	if (packing->progress && !packing->progress(packing->ctx, (float)fraction))
		return error_set(packing->err, STATUS_CANCELLED, "loading was cancelled");
	return STATUS_OK;
}

static enum status pack(struct packing *packing, struct matrix *m)
{
	size_t n_units = matrix_n_units(m);
	uint64_t bytes = matrix_panel_bytes(m), unit_bytes = bytes / n_units;
	size_t step = (size_t)(SLICE_BYTES / (unit_bytes ? unit_bytes : 1)) + 1;
	char *panels = (char *)packing->weights->panels + packing->done;
	enum status status = STATUS_OK;

	for (size_t first = 0; first < n_units && !status; first += step) {
		struct slice slice = {m, first, panels};

		threadpool_run(packing->pool, n_units - first < step ? n_units - first : step, 1,
		               pack_units, &slice);
		status = report(packing, packing->done + first * unit_bytes);
	}
	m->panels = panels;
	packing->done += room(m);
	return status;
}

/* The next step for a matrix; whether its data are the file's, whose pages are given back then. */
static enum status visit_matrix(struct packing *packing, struct matrix *m, bool in_file)
{
	enum status status = packing->step(packing, m);

	if (in_file && m->panels)
		gguf_release(packing->gguf, m->data, m->rows * quant_row_bytes(m->quant, m->cols));
	return status;
}

static enum status visit_stack(struct packing *packing, struct stack *stack, bool in_file)
{
	const void *panels = NULL;
	enum status status = STATUS_OK;

	stack->panels_step = (size_t)room(&stack->first);
	for (size_t i = 0; i < stack->n && !status; i++) {
		struct matrix m = stack_at(stack, i);

		status = visit_matrix(packing, &m, in_file);
		if (i == 0)
			panels = m.panels;
	}
	stack->first.panels = panels;
	return status;
}

static enum status visit_group(void *ctx, const struct weights_group *group, size_t layer,
                               void *target)
{
	struct packing *packing = ctx;
	enum status status = STATUS_OK;

	(void)layer;
	for (size_t i = 0; i < group->n && !status; i++) {
		const struct weights_row *row = &group->rows[i];
		void *field = (char *)target + row->offset;
		struct linear *linear = field;
		struct stack *stack = field;

		bool is_stack = row->kind == WEIGHTS_STACK || row->kind == WEIGHTS_JOINED ||
		                row->kind == WEIGHTS_JOINED_TURNED;

		if (is_stack && stack->first.data)
			status = visit_stack(packing, stack, row->kind == WEIGHTS_STACK);
		else if ((row->kind == WEIGHTS_LINEAR || row->kind == WEIGHTS_EXACT) &&
		         linear->matrix.data)
			status = visit_matrix(packing, &linear->matrix, row->kind == WEIGHTS_LINEAR);
	}
	return status;
}

static enum status map_panels(struct packing *packing)
{
	struct weights *weights = packing->weights;
	void *at = NULL; /* decoding reads all of it for every token */

	if (packing->done <= SIZE_MAX / 2)
		at = sys_map_huge((size_t)packing->done);
	if (!at)
		return error_set(packing->err, STATUS_NOMEM, "not enough memory for the weights");
	weights->panels = at;
	weights->panels_bytes = (size_t)packing->done;
	return STATUS_OK;
}

enum status weights_pack(struct weights *weights, const struct weights_group *const *groups,
                         const struct gguf *gguf, const struct plan *plan,
                         struct threadpool *pool, weights_progress progress, void *ctx,
                         struct error *err)
{
	struct packing packing = {.weights = weights, .gguf = gguf, .pool = pool,
	                          .progress = progress, .ctx = ctx, .err = err, .step = add_room};
	enum status status = weights_each_group(weights, groups, plan, visit_group, &packing);

	if (!status)
		status = map_panels(&packing);
	packing.done = 0;
	packing.step = pack;
	return status ? status : weights_each_group(weights, groups, plan, visit_group, &packing);
}
