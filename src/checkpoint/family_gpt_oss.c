/* gpt-oss: gates and inputs of the experts are rows of one tensor in turns, in MXFP4 (blocks and scales lie in two
 * tensors), or, in other precisions, columns of matrices that lie the other way round. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "checkpoint/family.h"

/* Every `step`-th matrix row from the first on of a tensor of blocks [E, rows, n / 32, 16] with scales [E, rows, n /
 * 32]. */
static void write_blocks(struct conversion *c, const char *name, const struct safetensor *blocks,
                         const struct safetensor *scales, uint64_t first, uint64_t step)
{
	uint64_t rows = blocks->shape[1] / step;
	struct output *output = family_output(c, name, 3, (uint64_t[]){32 * blocks->shape[2], rows, blocks->shape[0]});

	if (!output)
		return;
	output->scales = alloc_array(1, sizeof output->scales[0]);
	if (!output->scales || !output_add_run(output, blocks, first, step, blocks->shape[0] * rows))
		conversion_fail(c, STATUS_NOMEM, "not enough memory");
	else
		*output->scales = (struct output_run){scales, first, step, blocks->shape[0] * rows};
}

static bool are_blocks(struct conversion *c, const struct safetensor *blocks, const struct safetensor *scales,
                       uint64_t step)
{
	bool fits = scales && blocks->dtype == DTYPE_U8 && scales->dtype == DTYPE_U8 && blocks->n_dims == 4 &&
	            scales->n_dims == 3 && blocks->shape[3] == 16 && blocks->shape[1] % step == 0;

	for (int i = 0; i < 3 && fits; i++)
		fits = blocks->shape[i] && blocks->shape[i] == scales->shape[i];
	return fits || conversion_fail(c, STATUS_FORMAT,
	                               "tensor '%s': expected bytes [experts, rows, n / 32, 16] and as many "
	                               "scales in a tensor beside it",
	                               blocks->name);
}

/* The scales of a tensor of blocks. */
static const struct safetensor *scales_of(const struct conversion *c, const struct source *blocks)
{
	char name[NAMES_MAX];
	size_t n = strlen(blocks->name) - strlen("_blocks");
	const struct source *scales;

	memcpy(name, blocks->name, n);
	memcpy(name + n, "_scales", sizeof "_scales");
	scales = sources_find(c->sources, name);
	return scales ? scales->tensor : NULL;
}

static void take_blocks(struct conversion *c, const struct source *source)
{
	const struct safetensor *scales = scales_of(c, source);
	bool is_down = family_name_is(source->to.text, "ffn_down_exps");
	char up[NAMES_MAX];

	if (!are_blocks(c, source->tensor, scales, is_down ? 1 : 2))
		return;
	write_blocks(c, source->to.text, source->tensor, scales, 0, is_down ? 1 : 2);
	if (is_down)
		return;
	family_rename(source->to.text, "ffn_gate_exps", "ffn_up_exps", up);
	write_blocks(c, up, source->tensor, scales, 1, 2);
}

/* The reference writes what is in blocks first. */
static void gpt_oss_extra(struct conversion *c)
{
	for (size_t i = 0; i < c->sources->n && !c->err.status; i++)
		if (text_ends(c->sources->items[i].name, "_blocks"))
			take_blocks(c, &c->sources->items[i]);
}

/* Every `step`-th column of the matrices [E, n, m]. */
static void write_turned(struct conversion *c, const char *name, const struct safetensor *tensor, uint64_t first,
                         uint64_t step)
{
	uint64_t columns = tensor->n_cols / step;
	struct output *output = family_output(c, name, 3, (uint64_t[]){tensor->shape[1], columns, tensor->shape[0]});

	if (!output)
		return;
	output->is_transposed = true;
	for (uint64_t i = 0; i < tensor->shape[0]; i++)
		if (!output_add_run(output, tensor, i * tensor->n_cols + first, step, columns)) {
			conversion_fail(c, STATUS_NOMEM, "not enough memory");
			return;
		}
}

static void take_matrices(struct conversion *c, const struct source *source)
{
	bool is_down = family_name_is(source->to.text, "ffn_down_exps");
	const struct safetensor *tensor = source->tensor;
	char up[NAMES_MAX];

	if (tensor->n_dims != 3 || !tensor->n_rows || !tensor->n_cols || (!is_down && tensor->n_cols % 2)) {
		conversion_fail(c, STATUS_FORMAT, "tensor '%s': expected [experts, inputs, outputs]", tensor->name);
		return;
	}
	write_turned(c, source->to.text, tensor, 0, is_down ? 1 : 2);
	if (is_down)
		return;
	family_rename(source->to.text, "ffn_gate_exps", "ffn_up_exps", up);
	write_turned(c, up, tensor, 1, 2);
}

/* Every second element of biases [E, 2f]. */
static void write_bias(struct conversion *c, const char *name, const struct safetensor *tensor, uint32_t first)
{
	struct output *output = family_output(c, name, 2, (uint64_t[]){tensor->n_cols / 2, tensor->n_rows});

	if (!output)
		return;
	output->columns = alloc_array(output->ne[0], sizeof output->columns[0]);
	if (!output->columns || !output_add_run(output, tensor, 0, 1, tensor->n_rows)) {
		conversion_fail(c, STATUS_NOMEM, "not enough memory");
		return;
	}
	for (uint32_t i = 0; i < output->ne[0]; i++)
		output->columns[i] = 2 * i + first;
}

static void take_biases(struct conversion *c, const struct source *source)
{
	const struct safetensor *tensor = source->tensor;
	char up[NAMES_MAX];

	if (tensor->n_dims != 2 || !tensor->n_rows || !tensor->n_cols || tensor->n_cols % 2 ||
	    tensor->n_cols > UINT32_MAX) {
		conversion_fail(c, STATUS_FORMAT, "tensor '%s': expected [experts, twice the outputs]", tensor->name);
		return;
	}
	family_rename(source->to.text, "ffn_gate_exps", "ffn_up_exps", up);
	write_bias(c, source->to.text, tensor, 0);
	write_bias(c, up, tensor, 1);
}

static bool gpt_oss_take(struct conversion *c, const struct source *source)
{
	if (text_ends(source->name, "_blocks") || text_ends(source->name, "_scales"))
		return true; /* in gpt_oss_extra */
	if (text_ends(source->name, "experts.gate_up_proj") || text_ends(source->name, "experts.down_proj"))
		take_matrices(c, source);
	else if (text_ends(source->name, "experts.gate_up_proj_bias"))
		take_biases(c, source);
	else
		return false;
	return true;
}

static void gpt_oss_keys(struct conversion *c)
{
	keys_usual(c);
	key_u32(c, "attention.sliding_window", config_needed_u32(c, "sliding_window"));
	key_u32(c, "expert_feed_forward_length", config_needed_u32(c, "intermediate_size"));
}

const struct checkpoint_family checkpoint_gpt_oss = {
	.classes = FAMILY_CLASSES("GptOssForCausalLM"),
	.architecture = "gpt-oss",
	.vocabulary = VOCABULARY_BPE,
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 131072}, {"rms_norm_eps", 1e-5}, {"rope_theta", 150000},
		{"num_key_value_heads", 8}, {"head_dim", 64}, {"num_local_experts", 128}, {"num_experts_per_tok", 4},
		{"sliding_window", 128}),
	.extra = gpt_oss_extra,
	.take = gpt_oss_take,
	.keys = gpt_oss_keys,
};
