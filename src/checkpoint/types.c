#include "checkpoint/types.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "gguf/reader.h"

uint64_t output_n_elements(const struct output *output)
{
	return output->ne[0] * output->ne[1] * output->ne[2] * output->ne[3];
}

uint64_t output_n_bytes(const struct output *output)
{
	const struct block_info *block = block_info(output->type);

	return output_n_elements(output) / block->n_elements * block->n_bytes;
}

/* By the first matrix of 16 bits, in the order of files and names, of those that the reference reads: not what belongs to
 * pictures and sounds. */
static enum status guess_type(const struct conversion *c, const struct floats *floats, uint32_t *type, struct error *err)
{
	size_t n = checkpoint_n_tensors(c->from);
	const struct safetensor *first = NULL;
	bool *is_read = alloc_array(n, sizeof *is_read);

	if (!is_read)
		return error_no_memory(err, NULL);
	for (size_t i = 0; i < c->outputs.n; i++)
		for (size_t j = 0; j < c->outputs.items[i].n_runs; j++)
			is_read[c->outputs.items[i].runs[j].tensor - checkpoint_tensor_at(c->from, 0)] = true;
	for (size_t i = 0; i < n; i++) {
		const struct safetensor *tensor = checkpoint_tensor_at(c->from, i);

		if (tensor->n_dims >= 2 && (tensor->dtype == DTYPE_F16 || tensor->dtype == DTYPE_BF16) &&
		    (!first || tensor->file < first->file) && (is_read[i] || floats_is_scale(floats, tensor->name)))
			first = tensor;
	}
	free(is_read);
	*type = first && first->dtype == DTYPE_BF16 ? BLOCK_BF16 : BLOCK_F16;
	return STATUS_OK;
}

static void set_types(struct conversion *c, uint32_t type)
{
	for (size_t i = 0; i < c->outputs.n; i++) {
		struct output *output = &c->outputs.items[i];

		output->type = output->scales ? BLOCK_MXFP4 : output->stays_f32 ? BLOCK_F32 : type;
		if (output->ne[0] % block_info(output->type)->n_elements) {
			output->type = BLOCK_F16;
			conversion_note(c, "%s: rows of %llu weights are not whole blocks of %s: F16 instead", output->name,
			                (unsigned long long)output->ne[0], block_info(type)->name);
		}
	}
}

/* As for a file in F16 that were quantised. */
static enum status set_recipe_types(struct conversion *c, const struct recipe *recipe, struct error *err)
{
	struct buf header = {.max = LIMIT_GGUF_METADATA};
	uint32_t *types = alloc_array(c->outputs.n + 1, sizeof *types), alignment;
	struct gguf *gguf = NULL;
	uint64_t n_bytes;
	size_t n_fallbacks = 0;
	enum status status = types ? conversion_header(c, &header, &alignment, &n_bytes, err) : error_no_memory(err, NULL);

	if (!status)
		status = gguf_open_header(&gguf, header.data, header.len, n_bytes, err);
	if (!status)
		status = recipe_plan(recipe, false, gguf, types, &n_fallbacks, err);
	for (size_t i = 0; i < c->outputs.n && !status; i++)
		if (!c->outputs.items[i].scales && !c->outputs.items[i].stays_f32)
			c->outputs.items[i].type = types[i];
	if (!status && n_fallbacks)
		conversion_note(c, "%zu tensor%s rows that are not whole blocks: they get a type with smaller ones", n_fallbacks,
		                n_fallbacks == 1 ? " has" : "s have");
	gguf_close(gguf);
	free(types);
	buf_free(&header);
	return status;
}

static bool is_simple(const struct recipe *recipe)
{
	return block_info(recipe->type)->n_elements == 1 || recipe->type == BLOCK_Q8_0;
}

static bool has_mxfp4(const struct conversion *c)
{
	for (size_t i = 0; i < c->outputs.n; i++)
		if (c->outputs.items[i].scales)
			return true;
	return false;
}

enum status outputs_choose_types(struct conversion *c, const struct floats *floats, const struct recipe *recipe,
                                 struct error *err)
{
	uint32_t type = BLOCK_F16, file_type;
	enum status status = guess_type(c, floats, &type, err);

	if (status)
		return status;
	if (recipe && is_simple(recipe))
		type = (uint32_t)recipe->type;
	set_types(c, type);
	if (recipe && !is_simple(recipe))
		status = set_recipe_types(c, recipe, err);
	file_type = recipe ? recipe->file_type : type == BLOCK_BF16 ? 32 : 1;
	if (has_mxfp4(c) && block_info(type)->n_elements == 1 && (!recipe || is_simple(recipe)))
		file_type = 38;
	gguf_writer_set_u32(c->keys, "general.file_type", file_type);
	return status;
}

enum status conversion_header(const struct conversion *c, struct buf *header, uint32_t *alignment, uint64_t *n_bytes,
                              struct error *err)
{
	struct gguf_writer *w = gguf_writer_create();
	enum status status;

	if (!w)
		return error_no_memory(err, "for the metadata");
	gguf_writer_append(w, c->keys);
	for (size_t i = 0; i < c->outputs.n; i++) {
		const struct output *output = &c->outputs.items[i];

		gguf_writer_add_tensor(w, output->name, (enum block_type)output->type, output->n_dims, output->ne, NULL,
		                       (size_t)output_n_bytes(output));
	}
	status = gguf_writer_header(w, header, err);
	*alignment = gguf_writer_alignment(w);
	*n_bytes = header->len;
	for (size_t i = 0; i < c->outputs.n; i++)
		*n_bytes += (output_n_bytes(&c->outputs.items[i]) + *alignment - 1) / *alignment * *alignment;
	gguf_writer_free(w);
	return status;
}
