#include <stdlib.h>

#include "base/alloc.h"
#include "kernels/quant.h"
#include "quantize/quantize.h"

static enum status check_tensor(const struct gguf_tensor *tensor, uint32_t type,
                                const struct quantize_job *job, struct quantize_plan *plan,
                                struct error *err)
{
	if (type == tensor->type)
		return STATUS_OK;
	if (!quant_find(tensor->type))
		return error_set(err, STATUS_UNSUPPORTED,
		                 "tensor '%.*s' has the type %s, which cannot be converted",
		                 (int)tensor->name.len, tensor->name.data,
		                 block_info(tensor->type)->name);
	if (block_info(tensor->type)->n_elements == 1)
		return STATUS_OK;
	plan->n_requantized++;
	if (!job->requantize)
		return error_set(err, STATUS_UNSUPPORTED,
		                 "tensor '%.*s' is quantised already (%s) and would lose more than the"
		                 " original: use that, or pass --allow-requantize",
		                 (int)tensor->name.len, tensor->name.data,
		                 block_info(tensor->type)->name);
	return STATUS_OK;
}

enum status quantize_plan_init(struct quantize_plan *plan, const struct quantize_job *job,
                               const struct gguf *gguf, struct error *err)
{
	size_t n = gguf_n_tensors(gguf);
	enum status status;

	*plan = (struct quantize_plan){0};
	if (n == 0)
		return error_set(err, STATUS_UNSUPPORTED, "the file has no tensors");
	plan->types = alloc_array(n, sizeof *plan->types);
	if (!plan->types)
		return error_no_memory(err, "for %zu tensors", n);
	status = recipe_plan(job->recipe, job->pure, gguf, plan->types, &plan->n_fallbacks, err);
	for (size_t i = 0; i < n && !status; i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);
		const struct block_info *block;
		uint64_t weights = gguf_tensor_n_elements(tensor);

		/* Tables of numbers that some families keep among their tensors. */
		if (!quant_find(tensor->type) && block_info(tensor->type)->n_elements == 1)
			plan->types[i] = tensor->type;
		block = block_info(plan->types[i]);
		status = check_tensor(tensor, plan->types[i], job, plan, err);
		plan->n_weights += weights;
		plan->n_bytes_before += tensor->n_bytes;
		plan->n_bytes += weights / block->n_elements * block->n_bytes;
	}
	return status;
}

void quantize_plan_deinit(struct quantize_plan *plan)
{
	free(plan->types);
	*plan = (struct quantize_plan){0};
}
