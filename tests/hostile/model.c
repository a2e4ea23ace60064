/* Defects of hyper-parameters and weights, met when the model is opened. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "hostile/defects.h"
#include "hostile/patch.h"
#include "hostile/raw.h"

static const struct {
	const char *key;
	enum shape shape;
	bool required;
	bool zero_is_good;
} rows[] = {
	{"general.architecture", STRING, true, false},
	{"llama.context_length", INTEGER, true, false},
	{"llama.embedding_length", INTEGER, true, false},
	{"llama.block_count", INTEGER, true, false},
	{"llama.feed_forward_length", PER_LAYER, true, false},
	{"llama.attention.head_count", PER_LAYER, true, false},
	{"llama.attention.head_count_kv", PER_LAYER, false, false},
	{"llama.attention.key_length", INTEGER, false, false},
	{"llama.attention.value_length", INTEGER, false, false},
	{"llama.attention.layer_norm_rms_epsilon", FLOAT, true, false},
	{"llama.attention.sliding_window", INTEGER, false, true},
	{"llama.attention.causal", BOOL, false, true},
	{"llama.rope.dimension_count", INTEGER, false, false},
	{"llama.rope.freq_base", FLOAT, false, false},
	{"llama.rope.scaling.factor", FLOAT, false, true},
	{"llama.rope.scaling.attn_factor", FLOAT, false, false},
	{"llama.rope.scaling.type", STRING, false, false},
	{"llama.expert_count", INTEGER, false, true},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static void wrong_types(struct defects *d)
{
	for (size_t i = 0; i < N_ROWS; i++)
		defects_wrong_types(d, STAGE_MODEL, TINY_SPM, rows[i].key, rows[i].shape);
}

/* Absent, nothing, negative, huge. */
static void values(struct defects *d)
{
	static const uint64_t huge[] = {0x10000001, 0x7fffffff, 0x80000000u, 0xffffffffu, 1ull << 32,
	                                (1ull << 32) + 1, 1ull << 63, UINT64_MAX};
	static const float bad_floats[] = {0, -0.0f, -1, 1e30f, INFINITY, -INFINITY, NAN};

	for (size_t i = 0; i < N_ROWS; i++) {
		const char *key = rows[i].key;
		int32_t minus = -1;

		if (rows[i].required) {
			patch_remove(&d->file, TINY_SPM, key);
			defects_expect(d, STAGE_MODEL, STATUS_FORMAT, key, "%s missing", key);
		}
		if (rows[i].shape == FLOAT) {
			for (size_t f = 0; f < sizeof bad_floats / sizeof *bad_floats; f++) {
				patch_key(&d->file, TINY_SPM, key, GGUF_F32, &bad_floats[f], 4);
				if (rows[i].zero_is_good && !(bad_floats[f] < 0 || bad_floats[f] > 0) &&
				    !isnan(bad_floats[f])) {
					defects_expect_good(d, STAGE_MODEL, "%s = 0", key);
					continue;
				}
				defects_expect(d, STAGE_MODEL, STATUS_FORMAT, key, "%s = %g", key,
				               (double)bad_floats[f]);
			}
		}
		if (rows[i].shape != INTEGER && rows[i].shape != PER_LAYER)
			continue;
		patch_u32(&d->file, TINY_SPM, key, 0);
		if (rows[i].zero_is_good)
			defects_expect_good(d, STAGE_MODEL, "%s = 0", key);
		else
			defects_expect(d, STAGE_MODEL, STATUS_FORMAT, key, "%s = 0", key);
		patch_key(&d->file, TINY_SPM, key, GGUF_I32, &minus, 4);
		defects_expect(d, STAGE_MODEL, STATUS_FORMAT, key, "%s = -1", key);
		for (size_t h = 0; h < sizeof huge / sizeof *huge; h++) {
			patch_key(&d->file, TINY_SPM, key, GGUF_U64, &huge[h], 8);
			defects_expect(d, STAGE_MODEL, STATUS_FORMAT, key, "%s = %llu", key,
			                (unsigned long long)huge[h]);
		}
	}
}

/* Values that are proper but not of this file's tensors, or not ours. */
static void unfit(struct defects *d)
{
	static const struct {
		const char *key;
		uint32_t value;
		enum status status;
		const char *text;
	} numbers[] = {
		{"llama.embedding_length", 16, STATUS_FORMAT, "tensor 'token_embd.weight': found shape"},
		{"llama.embedding_length", 4, STATUS_FORMAT, "llama.rope.dimension_count"},
		{"llama.embedding_length", 7, STATUS_FORMAT, "expected a divisor of the embedding length"},
		{"llama.block_count", 2, STATUS_FORMAT, "tensor 'blk.1.attn_norm.weight' is missing"},
		{"llama.block_count", 1024, STATUS_FORMAT, "tensor 'blk.1.attn_norm.weight' is missing"},
		{"llama.block_count", 1025, STATUS_FORMAT, "llama.block_count"},
		{"llama.feed_forward_length", 16, STATUS_FORMAT, "tensor 'blk.0.ffn_gate.weight': found shape"},
		{"llama.feed_forward_length", 1, STATUS_FORMAT, "tensor 'blk.0.ffn_gate.weight': found shape"},
		{"llama.attention.head_count", 3, STATUS_FORMAT, "expected a divisor"},
		{"llama.attention.head_count", 4096, STATUS_FORMAT, "llama.attention.head_count"},
		{"llama.attention.head_count", 4097, STATUS_FORMAT, "llama.attention.head_count"},
		{"llama.attention.head_count_kv", 2, STATUS_FORMAT, "tensor 'blk.0.attn_k.weight': found shape"},
		{"llama.attention.head_count_kv", 3, STATUS_FORMAT, "llama.attention.head_count_kv"},
		{"llama.attention.head_count_kv", 4, STATUS_FORMAT, "llama.attention.head_count_kv"},
		{"llama.attention.key_length", 1, STATUS_FORMAT, "llama.attention.key_length"},
		{"llama.attention.key_length", 8, STATUS_FORMAT, "tensor 'blk.0.attn_q.weight': found shape"},
		{"llama.attention.value_length", 8, STATUS_FORMAT, "tensor 'blk.0.attn_output.weight': found shape"},
		{"llama.rope.dimension_count", 1, STATUS_FORMAT, "llama.rope.dimension_count"},
		{"llama.rope.dimension_count", 3, STATUS_FORMAT, "expected an even number"},
		{"llama.rope.dimension_count", 5, STATUS_FORMAT, "llama.rope.dimension_count"},
		{"llama.rope.dimension_count", 6, STATUS_FORMAT, "llama.rope.dimension_count"},
		{"llama.expert_count", 8, STATUS_FORMAT, "'llama.expert_used_count' is missing"},
		{"llama.expert_count", 1025, STATUS_FORMAT, "llama.expert_count"},
	};
	static const char *const scalings[] = {"YARN", "dynamic", "", "Linear", "linear ", "su", "\t"};
	static const char *const archs[] = {"", "llama5", "qwen2 ", "LLAMA", "llama ", "gpt2", "clippy",
	                                    "llam", "\xc2\x9b", "mamba", "berta", "%s%n"};
	unsigned char no = 0;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		patch_u32(&d->file, TINY_SPM, numbers[i].key, numbers[i].value);
		defects_expect(d, STAGE_MODEL, numbers[i].status, numbers[i].text, "%s = %u",
		               numbers[i].key, (unsigned)numbers[i].value);
	}
	for (size_t i = 0; i < sizeof scalings / sizeof *scalings; i++) {
		patch_string(&d->file, TINY_SPM, "llama.rope.scaling.type", scalings[i]);
		defects_expect(d, STAGE_MODEL, STATUS_UNSUPPORTED, "supported are none, linear",
		               "scaling '%s'", scalings[i]);
	}
	for (size_t i = 0; i < sizeof archs / sizeof *archs; i++) {
		patch_string(&d->file, TINY_SPM, "general.architecture", archs[i]);
		defects_expect(d, STAGE_MODEL, STATUS_UNSUPPORTED, "supported are: llama",
		               "architecture '%s'", archs[i]);
	}
	patch_key(&d->file, TINY_SPM, "llama.attention.causal", GGUF_BOOL, &no, 1);
	defects_expect(d, STAGE_MODEL, STATUS_UNSUPPORTED, "llama.attention.causal", "not causal");
}

static void set_u32(struct defects *d, size_t at, uint32_t value)
{
	memcpy(d->file.data + at, &value, sizeof value);
}

static void set_u64(struct defects *d, size_t at, uint64_t value)
{
	memcpy(d->file.data + at, &value, sizeof value);
}

/* Each tensor: missing, of another shape, of a type that cannot be computed. */
static void weights(struct defects *d)
{
	static const struct {
		const char *name;
		uint32_t n_dims;
		bool optional;
	} tensors[] = {
		{"token_embd.weight", 2, false},
		{"blk.0.attn_norm.weight", 1, false},
		{"blk.0.attn_q.weight", 2, false},
		{"blk.0.attn_k.weight", 2, false},
		{"blk.0.attn_v.weight", 2, false},
		{"blk.0.attn_output.weight", 2, false},
		{"blk.0.ffn_norm.weight", 1, false},
		{"blk.0.ffn_gate.weight", 2, false},
		{"blk.0.ffn_up.weight", 2, false},
		{"blk.0.ffn_down.weight", 2, false},
		{"output_norm.weight", 1, false},
		{"output.weight", 2, true},
	};

	for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
		const char *name = tensors[i].name;
		size_t at, type_at;

		patch_none(&d->file, TINY_SPM);
		at = patch_find(&d->file, name);
		d->file.data[at - 1] = 'T'; /* "...weighT" */
		defects_expect(d, STAGE_MODEL, tensors[i].optional ? STATUS_UNSUPPORTED : STATUS_FORMAT,
		               tensors[i].optional ? "has no place in this architecture" : "is missing",
		               "%s missing", name);

		patch_none(&d->file, TINY_SPM);
		at = patch_find(&d->file, name);
		type_at = at + 4 + 8 * tensors[i].n_dims;
		set_u32(d, type_at, 26);
		defects_expect(d, STAGE_MODEL, STATUS_UNSUPPORTED, "block type I32 is not supported",
		               "%s as I32", name);
		set_u32(d, type_at, BLOCK_F16); /* all sane, half of the bytes unused */
		defects_expect_good(d, STAGE_MODEL, "%s as F16", name);

		for (uint32_t dim = 0; dim < tensors[i].n_dims; dim++) {
			uint64_t old;

			patch_none(&d->file, TINY_SPM);
			memcpy(&old, d->file.data + at + 4 + 8 * dim, 8);
			for (uint64_t less = 1; less < 5; less++) {
				set_u64(d, at + 4 + 8 * dim, less < 4 ? old - less : 1);
				defects_expect(d, STAGE_MODEL, STATUS_FORMAT, name, "%s, dimension %u is %d less",
				               name, (unsigned)dim, (int)less);
			}
		}
	}
}

void defects_model(struct defects *d)
{
	wrong_types(d);
	values(d);
	unfit(d);
	weights(d);
}
