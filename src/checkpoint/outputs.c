#include "checkpoint/outputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

struct output *outputs_add(struct outputs *outputs, const char *name, uint32_t n_dims, const uint64_t ne[])
{
	struct output *output;

	if (!alloc_grow(&outputs->items, &outputs->cap, outputs->n + 1, sizeof *outputs->items, LIMIT_GGUF_TENSORS))
		return NULL;
	output = &outputs->items[outputs->n];
	*output = (struct output){.name = alloc_strndup(name, strlen(name)), .n_dims = n_dims, .ne = {1, 1, 1, 1}};
	if (!output->name)
		return NULL;
	for (uint32_t i = 0; i < n_dims && i < 4; i++)
		output->ne[i] = ne[i];
	outputs->n++;
	return output;
}

bool output_add_run(struct output *output, const struct safetensor *tensor, uint64_t first, uint64_t step, uint64_t n)
{
	if (!alloc_grow(&output->runs, &output->cap_runs, output->n_runs + 1, sizeof *output->runs, SIZE_MAX))
		return false;
	output->runs[output->n_runs++] = (struct output_run){tensor, first, step, n};
	return true;
}

void outputs_free(struct outputs *outputs)
{
	for (size_t i = 0; i < outputs->n; i++) {
		struct output *output = &outputs->items[i];

		free(output->name);
		free(output->runs);
		free(output->scales);
		free(output->columns);
		free((void *)output->values);
	}
	free(outputs->items);
	*outputs = (struct outputs){0};
}
