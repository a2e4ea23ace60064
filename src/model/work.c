#include "model/work.h"

static void add_tensor(struct work *work, const struct gguf_tensor *tensor)
{
	const struct block_info *block = block_info(tensor->type);
	uint64_t n = tensor->ne[0] * tensor->ne[1] * tensor->ne[2] * tensor->ne[3];

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

struct model_work model_work_of(const struct gguf *gguf)
{
	const struct gguf_tensor *embedding = gguf_find_tensor(gguf, "token_embd.weight");
	const struct gguf_tensor *output = gguf_find_tensor(gguf, "output.weight");
	/* looked up, as the embedding */
	const struct gguf_tensor *rows = gguf_find_tensor(gguf, "per_layer_token_embd.weight");
	struct model_work work = {0};

	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		if (tensor != embedding && tensor != output && tensor != rows)
			add_tensor(&work.layers, tensor);
	}
	if (output || embedding)
		add_tensor(&work.output, output ? output : embedding);
	return work;
}
