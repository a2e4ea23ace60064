#include "model/weights.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/limits.h"

/* Loads the tensors of one layer, or those of none, into a struct. */
struct loading {
	struct weights *weights;
	size_t layer;
	void *target; /* struct weights or struct layer_weights */
	char prefix[32]; /* "blk.N." or "" */
	struct error *err;
};

struct tensor_name {
	char text[LIMIT_GGUF_TENSOR_NAME + 1];
};

/* A stretch of a tensor's rows. */
struct tensor_rows {
	const struct gguf_tensor *tensor;
	uint64_t first, rows, cols;
};

static uint64_t row_dim(const struct loading *l, enum weights_dim dim)
{
	return weights_dim_length(l->weights->plan, l->layer, dim);
}

static struct tensor_name name_of(const struct loading *l, const char *name, const char *suffix)
{
	struct tensor_name out;

	snprintf(out.text, sizeof out.text, "%s%s%s", l->prefix, name, suffix);
	return out;
}

/* Shapes as the file orders them, fastest first. */
static enum status check_shape(const struct gguf_tensor *tensor, const char *name, uint64_t cols,
                               uint64_t rows, uint64_t slices, struct error *err)
{
	if (tensor->ne[0] == cols && tensor->ne[1] == rows && tensor->ne[2] == slices &&
	    tensor->ne[3] == 1)
		return STATUS_OK;
	return error_set(err, STATUS_FORMAT,
	                 "tensor '%s': found shape %" PRIu64 "x%" PRIu64 "x%" PRIu64 "x%" PRIu64
	                 ", expected %" PRIu64 "x%" PRIu64 "x%" PRIu64, name, tensor->ne[0],
	                 tensor->ne[1], tensor->ne[2], tensor->ne[3], cols, rows, slices);
}

static enum status find_quant(const struct gguf_tensor *tensor, const struct quant **out,
                              struct error *err)
{
	const struct block_info *info = block_info(tensor->type);
	struct gguf_string name = tensor->name;

	*out = quant_find(tensor->type);
	if (!*out)
		return error_set(err, STATUS_UNSUPPORTED, "tensor '%.*s': block type %s is not supported",
		                 (int)name.len, name.data, info ? info->name : "?");
	return STATUS_OK; /* rows are whole blocks: the reader has checked that */
}

/* NAME, or its part of a fused tensor, with the shape that the row says; part->tensor is NULL
 * if it is optional and missing. A row with the same name for both has no tensor of its own. */
static enum status find_part(const struct loading *l, const struct weights_row *row,
                             const char *suffix, enum weights_need need, uint64_t rows,
                             uint64_t cols, struct tensor_rows *part)
{
	struct tensor_name name = name_of(l, row->name, suffix);
	bool is_vector = strcmp(suffix, ".bias") == 0, is_matrix = strcmp(suffix, ".weight") == 0;
	bool is_fused = row->fused && strcmp(row->name, row->fused) == 0;
	uint64_t all = row->fused ? row_dim(l, row->of) : 0;
	uint64_t slices = is_matrix ? row_dim(l, row->slices) : 1;

	*part = (struct tensor_rows){.rows = rows, .cols = cols};
	if (is_matrix)
		part->first = row->slice * rows;
	if (!is_fused)
		part->tensor = gguf_find_tensor(l->weights->gguf, name.text);
	if (!part->tensor && row->fused) {
		struct tensor_name fused = name_of(l, row->fused, suffix);

		part->tensor = gguf_find_tensor(l->weights->gguf, fused.text);
		if (part->tensor || is_fused) {
			name = fused;
			part->first = row_dim(l, row->before);
			cols = is_vector ? all : cols;
			rows = is_vector ? rows : all;
		}
	}
	if (part->tensor)
		return check_shape(part->tensor, name.text, cols, rows, slices, l->err);
	if (need == NEEDED)
		return error_set(l->err, STATUS_FORMAT, "tensor '%s' is missing, expected shape %" PRIu64
		                 "x%" PRIu64, name.text, cols, rows);
	return STATUS_OK;
}

/* Makes the weights own a tensor's floats; NULL: they could not be allocated. */
static enum status keep_vector(const struct loading *l, const struct gguf_tensor *tensor, float *values)
{
	struct weights *weights = l->weights;

	if (values && alloc_grow(&weights->vectors, &weights->cap_vectors, weights->n_vectors + 1,
	                         sizeof *weights->vectors, SIZE_MAX / sizeof *weights->vectors)) {
		weights->vectors[weights->n_vectors++] = values;
		return STATUS_OK;
	}
	free(values);
	return error_set(l->err, STATUS_NOMEM, "tensor '%.*s': not enough memory",
	                 (int)tensor->name.len, tensor->name.data);
}

/* The part's elements as floats, which the weights own. */
static enum status load_floats(const struct loading *l, const struct tensor_rows *part,
                               const float **out)
{
	struct weights *weights = l->weights;
	const struct gguf_tensor *tensor = part->tensor;
	uint64_t total = gguf_tensor_n_elements(tensor);
	const struct quant *quant;
	enum status status = find_quant(tensor, &quant, l->err);
	float *values;

	if (status)
		return status;
	values = alloc_array((size_t)total, sizeof *values);
	if ((status = keep_vector(l, tensor, values)))
		return status;
	quant->dequantize(tensor->data, values, (size_t)total);
	weights->n_params += part->rows * part->cols;
	*out = values + part->first;
	return STATUS_OK;
}

static enum status load_matrix(const struct loading *l, const struct tensor_rows *part,
                               struct matrix *out)
{
	const struct quant *quant;
	enum status status = find_quant(part->tensor, &quant, l->err);

	if (status)
		return status;
	l->weights->n_params += part->rows * part->cols;
	*out = (struct matrix){.quant = quant, .rows = (size_t)part->rows, .cols = (size_t)part->cols,
	                       .data = (const char *)part->tensor->data +
	                               part->first * quant_row_bytes(quant, (size_t)part->cols)};
	return STATUS_OK;
}

/* A vector beside a matrix or norm: NAME.bias and the like. */
static enum status load_beside(const struct loading *l, const struct weights_row *row,
                               const char *suffix, enum weights_need need, uint64_t rows,
                               uint64_t cols, const float **out)
{
	struct tensor_rows part;
	enum status status = find_part(l, row, suffix, need, rows, cols, &part);

	return status || !part.tensor ? status : load_floats(l, &part, out);
}

static enum status load_bias(const struct loading *l, const struct weights_row *row, uint64_t rows,
                             uint64_t cols, const float **out)
{
	if (row->bias == NO_BIAS)
		return STATUS_OK;
	return load_beside(l, row, ".bias", row->bias == BIAS ? NEEDED : OPTIONAL, rows, cols, out);
}

/* Converts a matrix to floats. */
static enum status load_exact(const struct loading *l, const struct tensor_rows *part,
                              struct matrix *out)
{
	const float *values = NULL;
	enum status status;

	if (out->quant->type == BLOCK_F32)
		return STATUS_OK;
	l->weights->n_params -= part->rows * part->cols; /* otherwise they would be counted twice */
	status = load_floats(l, &(struct tensor_rows){part->tensor, part->first * part->cols, part->rows,
	                                       part->cols}, &values);
	out->quant = quant_find(BLOCK_F32);
	out->data = values;
	return status;
}

static enum status load_stack(const struct loading *l, const struct weights_row *row, uint64_t rows,
                              uint64_t cols, struct stack *out)
{
	uint64_t n = row_dim(l, row->slices);
	struct tensor_rows part;
	enum status status = find_part(l, row, ".weight", row->need, rows, cols, &part);

	if (status || !part.tensor)
		return status;
	out->n = (size_t)n;
	out->step = (size_t)part.tensor->ne[1];
	status = load_matrix(l, &part, &out->first);
	l->weights->n_params += (n - 1) * rows * cols;
	if (!status)
		status = load_bias(l, row, n, rows, &out->bias);
	if (!status)
		status = load_beside(l, row, ".scale", OPTIONAL, 1, n, &out->scale);
	return status;
}

/* From slices that begin `first` rows into each `step` of them, [cols][rows] each, to floats. */
static enum status transpose_slices(const struct loading *l, const struct gguf_tensor *tensor,
                                    size_t first, struct stack *out)
{
	size_t rows = out->first.rows, cols = out->first.cols;
	float *values = alloc_array(out->n * rows * cols, sizeof *values);
	float *row = alloc_array(rows, sizeof *row);
	enum status status = keep_vector(l, tensor, values);

	if (!status && !row)
		status = error_no_memory(l->err, "for the weights");
	for (size_t i = 0; i < out->n * cols && !status; i++) {
		size_t slice = i / cols, c = i % cols, from = slice * out->step + first + c;

		out->first.quant->dequantize((const char *)tensor->data +
		                             from * quant_row_bytes(out->first.quant, rows), row, rows);
		for (size_t r = 0; r < rows; r++)
			values[(slice * rows + r) * cols + c] = row[r];
	}
	free(row);
	out->first.quant = quant_find(BLOCK_F32);
	out->first.data = values;
	out->step = rows;
	return status;
}

static enum status load_joined(const struct loading *l, const struct weights_row *row, uint64_t rows,
                               uint64_t cols, struct stack *out)
{
	struct tensor_name name = name_of(l, row->name, ".weight");
	const struct gguf_tensor *tensor = gguf_find_tensor(l->weights->gguf, name.text);
	uint64_t n = row_dim(l, row->slices), step = row_dim(l, row->of), first = row_dim(l, row->before);
	bool is_transposed = row->kind == WEIGHTS_JOINED_TRANSPOSED;
	uint64_t file_cols = is_transposed ? rows : cols;
	enum status status;

	if (!tensor)
		return error_set(l->err, STATUS_FORMAT, "tensor '%s' is missing, expected shape %" PRIu64
		                 "x%" PRIu64, name.text, file_cols, n * step);
	status = check_shape(tensor, name.text, file_cols, n * step, 1, l->err);
	if (!status)
		status = find_quant(tensor, &out->first.quant, l->err);
	if (status)
		return status;
	out->n = (size_t)n;
	out->step = (size_t)step;
	out->first.rows = (size_t)rows;
	out->first.cols = (size_t)cols;
	l->weights->n_params += n * rows * cols;
	if (is_transposed)
		return transpose_slices(l, tensor, (size_t)first, out);
	out->first.data = (const char *)tensor->data + first * quant_row_bytes(out->first.quant, (size_t)cols);
	return STATUS_OK;
}

struct matrix stack_at(const struct stack *stack, size_t i)
{
	struct matrix m = stack->first;

	if (!m.data)
		return m;
	m.data = (const char *)m.data + i * stack->step * quant_row_bytes(m.quant, m.cols);
	if (m.panels)
		m.panels = (const char *)m.panels + i * stack->panels_step;
	return m;
}

static enum status load_linear(const struct loading *l, const struct weights_row *row, uint64_t rows,
                               uint64_t cols, struct linear *out)
{
	const float *scale = NULL;
	struct tensor_rows part;
	enum status status = find_part(l, row, ".weight", row->need, rows, cols, &part);

	out->scale = 1;
	if (status || !part.tensor)
		return status;
	status = load_matrix(l, &part, &out->matrix);
	if (!status && row->kind == WEIGHTS_EXACT)
		status = load_exact(l, &part, &out->matrix);
	if (!status)
		status = load_bias(l, row, 1, rows, &out->bias);
	if (!status && row->kind == WEIGHTS_LINEAR && part.rows == part.tensor->ne[1])
		status = load_beside(l, row, ".scale", OPTIONAL, 1, 1, &scale);
	if (scale)
		out->scale = *scale;
	return status;
}

/* [rows][cols] becomes [cols][rows]. */
static enum status transpose(const struct loading *l, const float **vector, size_t rows, size_t cols)
{
	float *out = (float *)l->weights->vectors[l->weights->n_vectors - 1]; /* the one just loaded */
	float *copy = alloc_array(rows * cols, sizeof *copy);

	if (!copy)
		return error_no_memory(l->err, "for the weights");
	memcpy(copy, *vector, rows * cols * sizeof *copy);
	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < cols; c++)
			out[c * rows + r] = copy[r * cols + c];
	free(copy);
	return STATUS_OK;
}

static enum status load_norm(const struct loading *l, const struct weights_row *row,
                             const char *suffix, uint64_t rows, uint64_t cols,
                             struct norm_weights *out)
{
	struct tensor_rows part;
	enum status status = find_part(l, row, suffix, row->need, rows, cols, &part);

	if (status || !part.tensor)
		return status;
	out->dim = (size_t)cols;
	out->n = (size_t)rows;
	status = load_floats(l, &part, &out->weight);
	return status ? status : load_bias(l, row, rows, cols, &out->bias);
}

static enum status load_row(const struct loading *l, const struct weights_row *row)
{
	uint64_t rows = row_dim(l, row->rows), cols = row_dim(l, row->cols);
	void *field = (char *)l->target + row->offset;
	const float *vector = NULL;
	struct tensor_rows part;
	enum status status;

	switch (row->kind) {
	case WEIGHTS_LINEAR:
	case WEIGHTS_EXACT: return load_linear(l, row, rows, cols, field);
	case WEIGHTS_JOINED:
	case WEIGHTS_JOINED_TRANSPOSED: return load_joined(l, row, rows, cols, field);
	case WEIGHTS_STACK: return load_stack(l, row, rows, cols, field);
	case WEIGHTS_NORM: return load_norm(l, row, ".weight", rows, cols, field);
	case WEIGHTS_BARE_NORM: return load_norm(l, row, "", rows, cols, field);
	case WEIGHTS_MATRIX:
		status = find_part(l, row, "", row->need, rows, cols, &part);
		return status || !part.tensor ? status : load_matrix(l, &part, field);
	case WEIGHTS_TAPS:
	case WEIGHTS_VECTOR:
		status = load_beside(l, row, "", row->need, rows, cols, &vector);
		if (!status && vector && row->kind == WEIGHTS_TAPS)
			status = transpose(l, &vector, (size_t)rows, (size_t)cols);
		memcpy(field, &vector, sizeof vector);
		return status;
	case WEIGHTS_IGNORED: break;
	}
	return STATUS_OK;
}

enum status weights_each_group(struct weights *weights, weights_visit visit, void *ctx)
{
	const struct weights_group *const *groups = weights->groups;
	const struct plan *plan = weights->plan;
	enum status status = STATUS_OK;

	for (size_t i = 0; groups[i] && !status; i++)
		if (groups[i]->is_global && weights_group_applies(groups[i], plan, 0))
			status = visit(ctx, groups[i], 0, weights);
	for (size_t layer = 0; layer < plan->n_layer && !status; layer++)
		for (size_t i = 0; groups[i] && !status; i++)
			if (!groups[i]->is_global && weights_group_applies(groups[i], plan, layer))
				status = visit(ctx, groups[i], layer, &weights->layers[layer]);
	return status;
}

static enum status load_group(void *ctx, const struct weights_group *group, size_t layer,
                              void *target)
{
	struct loading *l = ctx;
	enum status status = STATUS_OK;

	l->target = target;
	l->layer = layer;
	if (!group->is_global) /* the global ones come first */
		snprintf(l->prefix, sizeof l->prefix, "blk.%zu.", layer);
	for (size_t i = 0; i < group->n && !status; i++)
		status = load_row(l, &group->rows[i]);
	return status;
}

enum status weights_load(struct weights *weights, const struct weights_group *const *groups,
                         const struct gguf *gguf, const struct plan *plan, struct error *err)
{
	struct loading l = {.weights = weights, .err = err};
	enum status status;

	*weights = (struct weights){.plan = plan, .gguf = gguf, .groups = groups};
	weights->layers = alloc_array(plan->n_layer, sizeof *weights->layers);
	if (!weights->layers)
		return error_no_memory(err, "for the list of weights");
	status = weights_each_group(weights, load_group, &l);
	if (status)
		return status;
	if (!weights->output.matrix.data)
		weights->output.matrix = weights->token_embd;
	return weights_check_all_used(weights, err);
}

void weights_free(struct weights *weights)
{
	for (size_t i = 0; i < weights->n_vectors; i++)
		free(weights->vectors[i]);
	if (weights->panels)
		munmap(weights->panels, weights->panels_bytes);
	free(weights->vectors);
	free(weights->layers);
	*weights = (struct weights){0};
}
