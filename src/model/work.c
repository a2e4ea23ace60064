#include "model/work.h"

#include "kernels/matmul.h"
#include "model/tensor_use.h"

static void add_tensor(struct work *work, const struct gguf_tensor *tensor)
{
	const struct block_info *block = block_info(tensor->type);
	uint64_t n = gguf_tensor_n_elements(tensor);

	work->bytes += tensor->n_bytes;
	if (tensor->n_dims < 2)
		return;
	if (tensor->type == BLOCK_BF16)
		work->bf16_macs += n;
	else if (block->n_bytes > block->n_elements + block->n_elements / 8) /* Q8_0 has 8.5 bits */
		work->f32_macs += n;
	else
		work->int8_macs += n;
}

/* Bytes that it takes in memory (weights_pack.c, weights.c). */
static uint64_t loaded_bytes(const struct gguf_tensor *tensor)
{
	struct matrix m = {.quant = quant_find(tensor->type), .cols = (size_t)tensor->ne[0]};

	m.rows = (size_t)(tensor->ne[1] * tensor->ne[2] * tensor->ne[3]);
	return tensor->n_dims < 2      ? tensor->ne[0] * sizeof(float)
	       : m.quant && m.cols > 0 ? matrix_panel_bytes(&m)
	                               : tensor->n_bytes;
}

struct model_work model_work_of(const struct gguf *gguf, const struct plan *plan)
{
	const struct gguf_tensor *embedding = gguf_find_tensor(gguf, "token_embd.weight");
	const struct gguf_tensor *output = gguf_find_tensor(gguf, "output.weight");
	const struct gguf_tensor *rows = gguf_find_tensor(gguf, "per_layer_token_embd.weight");
	struct model_work work = {0};

	if (!output)
		output = embedding;
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		if (!tensor_is_needed(tensor->name, plan)) {
			work.unused += tensor->n_bytes;
		} else if (tensor == output) {
			add_tensor(&work.output, tensor);
			work.memory += loaded_bytes(tensor);
		} else if (tensor == embedding || tensor == rows) {
			work.in_file += tensor->n_bytes;
		} else {
			add_tensor(&work.layers, tensor);
			work.memory += loaded_bytes(tensor);
		}
	}
	return work;
}
