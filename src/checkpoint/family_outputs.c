/* Outputs of tensors that become others as they are, in another order, in halves, or in stacks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "checkpoint/family.h"

/* What follows "blk.3."; all of another name. */
static const char *after_layer(const char *name)
{
	const char *at = name;

	if (strncmp(at, "blk.", 4) != 0)
		return name;
	at += 4 + strspn(at + 4, "0123456789");
	return *at == '.' ? at + 1 : name;
}

bool family_name_is(const char *gguf_name, const char *stem)
{
	const char *at = after_layer(gguf_name);
	size_t n = strlen(stem);

	return strncmp(at, stem, n) == 0 && (!at[n] || (at[n] == '.' && !strchr(at + n + 1, '.')));
}

void family_rename(const char *gguf_name, const char *stem, const char *with, char out[NAMES_MAX])
{
	const char *at = after_layer(gguf_name);

	snprintf(out, NAMES_MAX, "%.*s%s%s", (int)(at - gguf_name), gguf_name, with, at + strlen(stem));
}

/* The reference's rule (ModelBase.prepare_tensors). */
static bool stays_f32(const char *name, uint32_t n_dims)
{
	static const char *const exact[] = {"ffn_gate_inp.weight", "ffn_gate_inp_shexp.weight", "ssm_conv1d.weight",
	                                    "shortconv.conv.weight"};

	for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++)
		if (strcmp(after_layer(name), exact[i]) == 0)
			return true;
	return n_dims <= 1 || text_ends(name, "_norm.weight") || !text_ends(name, ".weight");
}

struct output *family_output(struct conversion *c, const char *name, uint32_t n_dims, const uint64_t ne[])
{
	struct output *output = outputs_add(&c->outputs, name, n_dims, ne);

	if (!output) {
		conversion_fail(c, STATUS_NOMEM, "not enough memory");
		return NULL;
	}
	output->stays_f32 = stays_f32(name, n_dims);
	return output;
}

bool family_shape(struct conversion *c, const struct safetensor *tensor, bool squeezes, uint32_t *n_dims,
                  uint64_t ne[4])
{
	*n_dims = 0;
	ne[0] = ne[1] = ne[2] = ne[3] = 1;
	for (uint32_t i = 0; i < tensor->n_dims; i++) {
		uint64_t length = tensor->shape[tensor->n_dims - 1 - i];

		if (squeezes && length == 1)
			continue;
		if (length == 0 || length > LIMIT_GGUF_DIM || *n_dims == 4)
			return conversion_fail(c, STATUS_FORMAT,
			                       "tensor '%s': found %" PRIu32 " dimensions, one of %" PRIu64
			                       ", expected at most 4 of at least 1",
			                       tensor->name, tensor->n_dims, length);
		ne[(*n_dims)++] = length;
	}
	*n_dims += *n_dims == 0; /* one number */
	return true;
}

struct output *family_output_mapped(struct conversion *c, const char *name, const struct safetensor *tensor,
                                    const struct row_map *map)
{
	uint64_t ne[4], n = tensor->n_dims <= 1 ? tensor->n_cols : tensor->n_rows;
	struct output *output;
	uint32_t n_dims;

	if (!family_shape(c, tensor, false, &n_dims, ne))
		return NULL;
	if (!row_map_fits(map, n)) {
		conversion_fail(c, STATUS_FORMAT,
		                "tensor '%s': its %" PRIu64 " rows are no %" PRIu64 " heads of config.json",
		                tensor->name, n, map->n_heads * (map->per_head ? map->per_head : 1));
		return NULL;
	}
	if (!(output = family_output(c, name, n_dims, ne)))
		return NULL;
	if (output_add_mapped(output, tensor, map))
		return output;
	conversion_fail(c, STATUS_NOMEM, "not enough memory");
	return NULL;
}

struct output *family_output_whole(struct conversion *c, const char *name, const struct safetensor *tensor)
{
	return family_output_mapped(c, name, tensor, &(struct row_map){ROWS_AS_THEY_ARE, 0, 0, 0, 0});
}

struct output *family_output_half(struct conversion *c, const char *name, const struct safetensor *tensor,
                                  uint32_t half)
{
	struct output *output;
	uint64_t ne[4];
	uint32_t n_dims;

	if (!family_shape(c, tensor, false, &n_dims, ne))
		return NULL;
	if (n_dims < 2 || n_dims > 3 || ne[1] % 2) {
		conversion_fail(c, STATUS_FORMAT, "tensor '%s': found %" PRIu64 " rows, expected two halves",
		                tensor->name, n_dims < 2 ? 1 : ne[1]);
		return NULL;
	}
	ne[1] /= 2;
	if (!(output = family_output(c, name, n_dims, ne)))
		return NULL;
	for (uint64_t first = half * ne[1]; first < tensor->n_rows; first += 2 * ne[1])
		if (!output_add_run(output, tensor, first, 1, ne[1])) {
			conversion_fail(c, STATUS_NOMEM, "not enough memory");
			return NULL;
		}
	return output;
}

void family_output_values(struct conversion *c, const char *name, float *values, uint64_t n)
{
	struct output *output = values ? family_output(c, name, 1, &n) : NULL;

	if (output)
		output->values = values;
	else
		free(values);
	if (!values)
		conversion_fail(c, STATUS_NOMEM, "not enough memory");
}

/* ---- single experts ---- */

/* NULL: missing, or of another shape than the first. */
static const struct safetensor *expert_tensor(struct conversion *c, const char *gguf_name, int32_t expert,
                                              const struct safetensor *first)
{
	const struct source *source;
	struct tensor_name name;

	if (!names_to_checkpoint(c->architecture, gguf_name, expert, &name) ||
	    !(source = sources_find(c->sources, name.text))) {
		conversion_fail(c, STATUS_FORMAT, "no tensor '%s' is there, which %s needs", name.text, gguf_name);
		return NULL;
	}
	if (source->tensor->n_dims != 2 ||
	    (first && memcmp(source->tensor->shape, first->shape, 2 * sizeof first->shape[0]) != 0)) {
		conversion_fail(c, STATUS_FORMAT, "tensor '%s' has another shape than those of the other experts",
		                name.text);
		return NULL;
	}
	return source->tensor;
}

static void stack_experts(struct conversion *c, const char *gguf_name, uint32_t n_experts)
{
	const struct safetensor *tensor, *first = expert_tensor(c, gguf_name, 0, NULL);
	struct output *output;

	if (!first || !(output = family_output(c, gguf_name, 3,
	                                       (uint64_t[]){first->n_cols, first->n_rows, n_experts})))
		return;
	for (uint32_t i = 0; i < n_experts; i++) {
		if (!(tensor = expert_tensor(c, gguf_name, (int32_t)i, first)))
			return;
		if (!output_add_run(output, tensor, 0, 1, tensor->n_rows)) {
			conversion_fail(c, STATUS_NOMEM, "not enough memory");
			return;
		}
	}
}

/* How many tensors of single experts a layer has up to, and with, this one. */
static uint64_t experts_before(const struct conversion *c, const struct source *last)
{
	uint64_t n = 0;

	for (const struct source *source = last; source >= c->sources->items; source--)
		n += source->to.layer == last->to.layer && source->to.expert >= 0;
	return n;
}

/* Whether it is the last of its layer: then there are none behind it. */
static bool is_last_expert(const struct conversion *c, const struct source *source)
{
	const struct source *end = c->sources->items + c->sources->n;

	for (const struct source *next = source + 1; next < end; next++)
		if (next->to.layer == source->to.layer && next->to.expert >= 0)
			return false;
	return true;
}

static void take_expert(struct conversion *c, const struct source *source)
{
	uint32_t n_experts = config_needed_u32(c, "num_local_experts num_experts");
	size_t n_each = names_of_experts(c->architecture);
	struct tensor_name name;

	if (c->err.status || !is_last_expert(c, source))
		return;
	if (experts_before(c, source) > (uint64_t)n_experts * n_each) {
		conversion_fail(c, STATUS_FORMAT, "layer %" PRId32 " has tensors of more experts than the %" PRIu32
		                " of config.json", source->to.layer, n_experts);
		return;
	}
	for (size_t i = 0; i < n_each && !c->err.status; i++)
		if (names_expert_at(c->architecture, i, source->to.layer, &name))
			stack_experts(c, name.text, n_experts);
}

void family_take_usual(struct conversion *c, const struct source *source)
{
	if (source->to.expert >= 0)
		take_expert(c, source);
	else
		family_output_whole(c, source->to.text, source->tensor);
}
