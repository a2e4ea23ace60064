#include "model/work.h"

#include <string.h>

#include "kernels/matmul.h"
#include "model/tensor_use.h"

static bool is_called(const struct gguf_tensor *tensor, const char *part)
{
	return memmem(tensor->name.data, tensor->name.len, part, strlen(part)) != NULL;
}

/* A token uses `used` of a tensor's n experts; 1 of 1: the tensor has no experts. */
struct experts_share {
	uint64_t used, n;
};

static struct experts_share share_of(const struct gguf_tensor *tensor, const struct plan *plan)
{
	const struct experts_plan *e = plan ? plan_experts(plan) : NULL;

	if (e && e->n && tensor->n_dims == 3 && is_called(tensor, "_exps."))
		return (struct experts_share){e->n_used, e->n};
	return (struct experts_share){1, 1};
}

static uint64_t part_of(uint64_t n, struct experts_share share)
{
	return n / share.n * share.used;
}

static void add_tensor(struct work *work, const struct gguf_tensor *tensor,
                       struct experts_share share)
{
	const struct block_info *block = block_info(tensor->type);
	uint64_t n = part_of(gguf_tensor_n_elements(tensor), share);

	work->bytes += part_of(tensor->n_bytes, share);
	if (tensor->n_dims < 2 || is_called(tensor, ".bias"))
		return;
	if (tensor->type == BLOCK_BF16)
		work->bf16_macs += n;
	else if (block->n_bytes > block->n_elements + block->n_elements / 8) /* Q8_0 has 8.5 bits */
		work->f32_macs += n;
	else
		work->int8_macs += n;
}

/* Bytes of a tensor in memory (weights_pack.c, weights.c). Each matrix of a stack is packed by
 * itself; a tensor of gates and ups counts as two stacks. */
static uint64_t loaded_bytes(const struct gguf_tensor *tensor)
{
	struct matrix m = {.quant = quant_find(tensor->type), .cols = (size_t)tensor->ne[0],
	                   .rows = (size_t)tensor->ne[1]};
	uint64_t n = tensor->ne[2] * tensor->ne[3], bytes;

	if (tensor->n_dims < 2 || is_called(tensor, ".bias"))
		return tensor->ne[0] * tensor->ne[1] * sizeof(float);
	if (!m.quant || m.cols == 0)
		return tensor->n_bytes;
	if (is_called(tensor, "_gate_up_exps.")) {
		m.rows /= 2;
		n *= 2;
	}
	return __builtin_mul_overflow(matrix_panel_bytes(&m), n, &bytes) ? UINT64_MAX : bytes;
}

struct model_work model_work_of(const struct gguf *gguf, const struct plan *plan)
{
	const struct gguf_tensor *embedding = gguf_find_tensor(gguf, "token_embd.weight");
	const struct gguf_tensor *output = gguf_find_tensor(gguf, "output.weight");
	const struct gguf_tensor *rows = gguf_find_tensor(gguf, "per_layer_token_embd.weight");
	struct model_work work = {0};
	struct experts_share share;
	uint64_t bytes;

	if (!output)
		output = embedding;
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		if (!tensor_is_needed(tensor->name, plan)) {
			work.unused += tensor->n_bytes;
			continue;
		}
		share = share_of(tensor, plan);
		work.active_params += part_of(gguf_tensor_n_elements(tensor), share);
		if (tensor != output && (tensor == embedding || tensor == rows)) {
			work.in_file += tensor->n_bytes;
			continue;
		}
		add_tensor(tensor == output ? &work.output : &work.layers, tensor, share);
		bytes = loaded_bytes(tensor);
		work.memory += bytes;
		work.token_memory += part_of(bytes, share);
	}
	return work;
}
