#include "model/weights.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/limits.h"

static uint64_t dim_length(const struct hparams *hp, size_t layer, enum weights_dim dim)
{
	const struct layer_hparams *l = &hp->layers[layer];

	switch (dim) {
	case DIM_ONE:
		return 1;
	case DIM_EMBD:
		return hp->n_embd;
	case DIM_VOCAB:
		return hp->n_vocab;
	case DIM_Q:
		return (uint64_t)l->n_head * hp->head_dim_k;
	case DIM_K:
		return (uint64_t)l->n_head_kv * hp->head_dim_k;
	case DIM_V:
		return (uint64_t)l->n_head_kv * hp->head_dim_v;
	case DIM_HEADS:
		return (uint64_t)l->n_head * hp->head_dim_v;
	case DIM_FF:
		return l->n_ff;
	case DIM_ROPE:
		return hp->rope_dim / 2;
	}
	return 0;
}

/* Shapes as the file orders them, fastest first. */
static enum status check_shape(const struct gguf_tensor *tensor, const char *name, uint64_t cols,
                               uint64_t rows, struct error *err)
{
	if (tensor->ne[0] == cols && tensor->ne[1] == rows && tensor->ne[2] == 1 &&
	    tensor->ne[3] == 1)
		return STATUS_OK;
	return error_set(err, STATUS_FORMAT,
	                 "tensor '%s': found shape %" PRIu64 "x%" PRIu64 "x%" PRIu64 "x%" PRIu64
	                 ", expected %" PRIu64 "x%" PRIu64, name, tensor->ne[0], tensor->ne[1],
	                 tensor->ne[2], tensor->ne[3], cols, rows);
}

static enum status find_quant(const struct gguf_tensor *tensor, const char *name,
                              const struct quant **out, struct error *err)
{
	const struct block_info *info = block_info(tensor->type);

	*out = quant_find(tensor->type);
	if (!*out)
		return error_set(err, STATUS_UNSUPPORTED, "tensor '%s': block type %s is not supported",
		                 name, info ? info->name : "?");
	if (tensor->ne[0] % (*out)->n_elements)
		return error_set(err, STATUS_FORMAT, "tensor '%s': found rows of %" PRIu64
		                 ", expected a multiple of %" PRIu32 " for %s", name, tensor->ne[0],
		                 (*out)->n_elements, (*out)->name);
	return STATUS_OK;
}

static enum status load_vector(struct weights *weights, const struct gguf_tensor *tensor,
                               const char *name, const struct quant *quant, const float **out,
                               struct error *err)
{
	size_t n = (size_t)tensor->ne[0];
	float *values = alloc_array(n, sizeof *values);

	if (!values || !alloc_grow(&weights->vectors, &weights->cap_vectors, weights->n_vectors + 1,
	                           sizeof *weights->vectors, LIMIT_GGUF_TENSORS)) {
		free(values);
		return error_set(err, STATUS_NOMEM, "tensor '%s': not enough memory", name);
	}
	quant->dequantize(tensor->data, values, n);
	weights->vectors[weights->n_vectors++] = values;
	*out = values;
	return STATUS_OK;
}

/* `target`: the struct that holds the row's field. */
static enum status load_row(struct weights *weights, const struct weights_row *row,
                            const char *name, size_t layer, const struct gguf *gguf,
                            const struct hparams *hp, void *target, struct error *err)
{
	const struct gguf_tensor *tensor = gguf_find_tensor(gguf, name);
	uint64_t rows = dim_length(hp, layer, row->rows), cols = dim_length(hp, layer, row->cols);
	char *field = (char *)target + row->offset;
	const struct quant *quant;
	const float *vector = NULL;
	enum status status;

	if (row->kind == WEIGHTS_IGNORED || (!tensor && row->optional))
		return STATUS_OK;
	if (row->kind == WEIGHTS_VECTOR) {
		cols = rows;
		rows = 1;
	}
	if (!tensor)
		return error_set(err, STATUS_FORMAT, "tensor '%s' is missing, expected shape %" PRIu64
		                 "x%" PRIu64, name, cols, rows);
	if ((status = check_shape(tensor, name, cols, rows, err)) ||
	    (status = find_quant(tensor, name, &quant, err)))
		return status;
	weights->n_params += rows * cols;
	if (row->kind == WEIGHTS_VECTOR) {
		status = load_vector(weights, tensor, name, quant, &vector, err);
		if (!status)
			memcpy(field, &vector, sizeof vector);
		return status;
	}
	memcpy(field, &(struct matrix){.quant = quant, .rows = (size_t)rows, .cols = (size_t)cols,
	                               .data = tensor->data}, sizeof(struct matrix));
	return STATUS_OK;
}

static bool has_row(const struct weights_row *rows, size_t n, struct gguf_string name)
{
	for (size_t i = 0; i < n; i++)
		if (name.len == strlen(rows[i].name) &&
		    memcmp(name.data, rows[i].name, name.len) == 0)
			return true;
	return false;
}

/* Takes "blk.N." off a name; false when there is none. */
static bool split_layer(struct gguf_string *name, uint64_t *layer)
{
	size_t i = 4;

	if (name->len < 6 || memcmp(name->data, "blk.", 4) != 0 ||
	    (name->data[4] == '0' && name->data[5] != '.'))
		return false;
	*layer = 0;
	for (; i < name->len && name->data[i] >= '0' && name->data[i] <= '9' && i < 12; i++)
		*layer = *layer * 10 + (uint64_t)(name->data[i] - '0');
	if (i == 4 || i == name->len || name->data[i] != '.')
		return false;
	name->data += i + 1;
	name->len -= i + 1;
	return true;
}

static enum status check_all_used(const struct weights_table *table, const struct gguf *gguf,
                                  const struct hparams *hp, struct error *err)
{
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		struct gguf_string name = gguf_tensor_at(gguf, i)->name, rest = name;
		uint64_t layer;
		bool used;

		if (split_layer(&rest, &layer))
			used = layer < hp->n_layer && has_row(table->layer, table->n_layer, rest);
		else
			used = has_row(table->model, table->n_model, name);
		if (!used)
			return error_set(err, STATUS_UNSUPPORTED,
			                 "tensor '%.*s' has no place in this architecture with %" PRIu32
			                 " layers: the answers would be wrong without it",
			                 (int)name.len, name.data, hp->n_layer);
	}
	return STATUS_OK;
}

enum status weights_load(struct weights *weights, const struct weights_table *table,
                         const struct gguf *gguf, const struct hparams *hp, struct error *err)
{
	char name[LIMIT_GGUF_TENSOR_NAME + 1];
	enum status status;

	*weights = (struct weights){0};
	weights->layers = alloc_array(hp->n_layer, sizeof *weights->layers);
	if (!weights->layers)
		return error_set(err, STATUS_NOMEM, "not enough memory for the list of weights");
	for (size_t i = 0; i < table->n_model; i++) {
		const struct weights_row *row = &table->model[i];

		if ((status = load_row(weights, row, row->name, 0, gguf, hp, weights, err)))
			return status;
	}
	for (size_t layer = 0; layer < hp->n_layer; layer++)
		for (size_t i = 0; i < table->n_layer; i++) {
			const struct weights_row *row = &table->layer[i];

			snprintf(name, sizeof name, "blk.%zu.%s", layer, row->name);
			status = load_row(weights, row, name, layer, gguf, hp,
			                  &weights->layers[layer], err);
			if (status)
				return status;
		}
	if (!weights->output.data)
		weights->output = weights->token_embd;
	return check_all_used(table, gguf, hp, err);
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
