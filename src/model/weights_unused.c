/* Checks that a file has no tensor that its architecture does not know. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "model/tensor_use.h"
#include "model/weights.h"

static bool is_joined(const struct weights_row *row)
{
	return row->kind == WEIGHTS_JOINED || row->kind == WEIGHTS_JOINED_TRANSPOSED;
}

/* Whether a row's name may have this suffix. */
static bool is_suffix_of(const struct weights_row *row, struct gguf_string suffix)
{
	static const char *const of_linear[] = {".weight", ".bias", ".scale", ".input_scale"};
	bool is_linear = row->kind == WEIGHTS_LINEAR || row->kind == WEIGHTS_STACK;
	bool is_plain = row->kind == WEIGHTS_NORM || row->kind == WEIGHTS_EXACT || is_joined(row);
	size_t n = is_linear ? 4 : is_plain ? 2 : 0;

	if (!n)
		return suffix.len == 0;
	for (size_t i = 0; i < n; i++)
		if (gguf_string_is(suffix, of_linear[i]))
			return i != 1 || row->bias != NO_BIAS;
	return false;
}

/* A tensor by its name, in two parts. */
struct name_parts {
	const struct gguf *gguf;
	struct gguf_string prefix, name; /* "blk.N." or "", and the rest */
};

/* Whether NAME.weight exists beside it. */
static bool has_weight(const struct name_parts *tensor, const char *name)
{
	char text[LIMIT_GGUF_TENSOR_NAME + 1];

	snprintf(text, sizeof text, "%.*s%s.weight", (int)tensor->prefix.len, tensor->prefix.data, name);
	return gguf_find_tensor(tensor->gguf, text) != NULL;
}

/* Whether the row reads this tensor as one of `name`: a bias, only beside its matrix. */
static bool reads(const struct weights_row *row, const char *name, const struct name_parts *tensor)
{
	struct gguf_string suffix = tensor->name;

	if (!name || !gguf_string_begins(suffix, name))
		return false;
	suffix.data += strlen(name);
	suffix.len -= strlen(name);
	return is_suffix_of(row, suffix) && (suffix.len == 0 || has_weight(tensor, name));
}

static bool group_has(const struct weights_group *group, const struct name_parts *tensor)
{
	for (size_t i = 0; i < group->n; i++) {
		const struct weights_row *row = &group->rows[i];

		if (reads(row, row->name, tensor) ||
		    (reads(row, row->fused, tensor) && !has_weight(tensor, row->name)))
			return true;
	}
	return false;
}

/* Whether the layer may have the group's tensors. Files have keys and values even of layers
 * that use those of others. */
static bool may_have(const struct weights_group *group, const struct plan *plan, size_t layer)
{
	return weights_group_applies(group, plan, layer) ||
	       (group->layers == KV_LAYERS && plan->layers[layer].mixers & MIXER_ATTENTION);
}

static bool is_used(const struct weights *weights, struct gguf_string name)
{
	struct name_parts tensor = {.gguf = weights->gguf, .prefix = name, .name = name};
	const struct plan *plan = weights->plan;
	uint64_t layer = 0;
	bool of_layer = gguf_split_layer(&tensor.name, &layer);

	tensor.prefix.len -= tensor.name.len;
	if (of_layer && layer >= plan->n_layer)
		return layer < plan->n_blocks; /* for predicting several tokens: not needed */
	for (const struct weights_group *const *group = weights->groups; *group; group++)
		if ((*group)->is_global != of_layer && may_have(*group, plan, (size_t)layer) &&
		    group_has(*group, &tensor))
			return true;
	return tensor_modality(name) != 0;
}

enum status weights_check_all_used(const struct weights *weights, struct error *err)
{
	for (size_t i = 0; i < gguf_n_tensors(weights->gguf); i++) {
		struct gguf_string name = gguf_tensor_at(weights->gguf, i)->name;

		if (!is_used(weights, name))
			return error_set(err, STATUS_UNSUPPORTED,
			                 "tensor '%.*s' has no place in this architecture with %" PRIu32
			                 " layers: without it, answers would be wrong",
			                 (int)name.len, name.data, weights->plan->n_layer);
	}
	return STATUS_OK;
}
