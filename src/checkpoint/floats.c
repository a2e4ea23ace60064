#include "checkpoint/floats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/text_ends.h"
#include "checkpoint/refused.h"
#include "kernels/float16.h"

enum { STAGE = 2048, SCALES = 256 };

/* Element [row][col] of a matrix has the scale [row / block_rows][col / block_cols] of the matrix's scales. */
struct scaled {
	const struct safetensor *tensor, *scale;
	uint64_t matrix_rows;            /* rows of a matrix of the tensor */
	uint64_t block_rows, block_cols;
	uint64_t scale_rows, scale_cols; /* of one matrix; 0 rows: all matrices have the same */
};

struct floats {
	const struct checkpoint *checkpoint;
	bool is_quantised;    /* config.json says so */
	struct scaled *items; /* by the tensor's address */
	size_t n, cap;
	uint64_t block[2];    /* weight_block_size; 0: none */
};

static bool is_fp8(const struct safetensor *tensor)
{
	return tensor->dtype == DTYPE_F8_E4M3 || tensor->dtype == DTYPE_F8_E5M2;
}

/* What a scale's name ends with, and what its tensor's does. */
static const struct {
	const char *scale, *tensor;
} suffixes[] = {
	{"_scale_inv", ""}, {".qscale_weight", ".weight"}, {".weight_scale", ".weight"}, {"_proj_scale", "_proj"},
};

/* Scales of what is computed, not of weights: only engines that compute in FP8 need them. */
static const char *const activations[] = {
	".activation_scale", "_activation_scale", ".input_scale", ".qscale_act", ".k_scale", ".v_scale", ".output_scale",
};

/* The tensor that a scale belongs to; NULL: none, or `name` is not a scale's. */
static const struct safetensor *owner_of(const struct checkpoint *checkpoint, const char *name)
{
	char owner[LIMIT_CHECKPOINT_NAME + 16];

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		const struct safetensor *tensor;

		if (!text_ends(name, suffixes[i].scale))
			continue;
		snprintf(owner, sizeof owner, "%.*s%s", (int)(strlen(name) - strlen(suffixes[i].scale)), name,
		         suffixes[i].tensor);
		tensor = checkpoint_find(checkpoint, owner);
		if (tensor && (is_fp8(tensor) || i == 0))
			return tensor;
	}
	return NULL;
}

bool floats_is_scale(const struct floats *floats, const char *name)
{
	for (size_t i = 0; i < sizeof activations / sizeof *activations && floats->is_quantised; i++)
		if (text_ends(name, activations[i]))
			return true;
	return owner_of(floats->checkpoint, name) != NULL;
}

static enum status bad_shape(const struct scaled *s, struct error *err)
{
	return error_set(err, STATUS_FORMAT, "tensor '%s': %" PRIu64 " x %" PRIu64 " scales, expected one, one a row, or one a"
	                 " block of %" PRIu64 " x %" PRIu64 " of '%s'", s->scale->name, s->scale->n_rows, s->scale->n_cols,
	                 s->block_rows, s->block_cols, s->tensor->name);
}

static uint64_t ceil_div(uint64_t n, uint64_t by)
{
	return n / by + (n % by != 0);
}

/* One scale for all, for each matrix, for each row, or for each block: by the number of scales. */
static enum status find_blocks(struct scaled *s, const uint64_t block[2], struct error *err)
{
	const struct safetensor *tensor = s->tensor;
	uint64_t n_scales = s->scale->n_rows * s->scale->n_cols, n_matrices;
	bool by_row;

	s->matrix_rows = tensor->n_dims >= 2 ? tensor->shape[tensor->n_dims - 2] : 1;
	n_matrices = s->matrix_rows ? tensor->n_rows / s->matrix_rows : 0;
	s->block_rows = block[0];
	s->block_cols = block[1];
	if (n_scales == 0 || tensor->n_cols == 0)
		return bad_shape(s, err);
	by_row = n_scales == tensor->n_rows && n_scales > 1 &&
	         (s->scale->n_cols == 1 || s->scale->n_dims + 1 == tensor->n_dims);
	if (n_scales == 1 || n_scales == n_matrices || by_row) {
		s->block_rows = by_row ? 1 : s->matrix_rows;
		s->block_cols = tensor->n_cols;
		s->scale_rows = n_scales == 1 ? 0 : by_row ? s->matrix_rows : 1;
		s->scale_cols = 1;
		return STATUS_OK;
	}
	if (!block[0] || !block[1] || tensor->n_dims < 2)
		return bad_shape(s, err);
	s->scale_rows = ceil_div(s->matrix_rows, block[0]);
	s->scale_cols = ceil_div(tensor->n_cols, block[1]);
	if (s->scale->n_cols != s->scale_cols || s->scale->n_rows != n_matrices * s->scale_rows)
		return bad_shape(s, err);
	return STATUS_OK;
}

static int compare_scaled(const void *a, const void *b)
{
	const struct scaled *x = a, *y = b;

	return (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

static enum status add_scale(struct floats *floats, const struct safetensor *scale, struct error *err)
{
	struct scaled s = {.scale = scale, .tensor = owner_of(floats->checkpoint, scale->name)};
	enum status status;

	if (!s.tensor)
		return STATUS_OK;
	if (scale->dtype != DTYPE_F32 && scale->dtype != DTYPE_BF16 && scale->dtype != DTYPE_F16)
		return error_set(err, STATUS_UNSUPPORTED, "tensor '%s': scales in %s, expected F32, BF16 or F16", scale->name,
		                 scale->dtype_name);
	if ((status = find_blocks(&s, floats->block, err)))
		return status;
	if (!alloc_grow(&floats->items, &floats->cap, floats->n + 1, sizeof s, LIMIT_CHECKPOINT_TENSORS))
		return error_no_memory(err, "for the scales");
	floats->items[floats->n++] = s;
	return STATUS_OK;
}

/* weight_block_size of "fp8", block_structure of compressed-tensors. */
static void read_block_size(struct floats *floats, const struct settings_tree *settings)
{
	static const char *const paths[][2] = {
		{"quantization_config.weight_block_size.0", "quantization_config.weight_block_size.1"},
		{"quantization_config.config_groups.group_0.weights.block_structure.0",
		 "quantization_config.config_groups.group_0.weights.block_structure.1"},
	};

	for (size_t i = 0; i < sizeof paths / sizeof *paths && !floats->block[0]; i++)
		for (size_t j = 0; j < 2; j++) {
			double size = settings_tree_number(settings, paths[i][j], 0);

			floats->block[j] = size >= 1 && size <= 1e9 ? (uint64_t)size : 0;
		}
}

enum status floats_create(struct floats **out, const struct checkpoint *checkpoint, const struct settings_tree *settings,
                          struct error *err)
{
	const char *refused = refused_config(settings);
	struct floats *floats;
	enum status status = STATUS_OK;

	if (refused)
		return error_set(err, STATUS_UNSUPPORTED, "%s", refused);
	if (!(floats = alloc_array(1, sizeof *floats)))
		return error_no_memory(err, NULL);
	floats->checkpoint = checkpoint;
	floats->is_quantised = settings_tree_get(settings, "quantization_config") != NULL;
	read_block_size(floats, settings);
	for (size_t i = 0; i < checkpoint_n_tensors(checkpoint) && !status; i++)
		status = add_scale(floats, checkpoint_tensor_at(checkpoint, i), err);
	if (status) {
		floats_free(floats);
		return status;
	}
	if (floats->n)
		qsort(floats->items, floats->n, sizeof *floats->items, compare_scaled);
	*out = floats;
	return STATUS_OK;
}

void floats_free(struct floats *floats)
{
	if (!floats)
		return;
	free(floats->items);
	free(floats);
}

static size_t element_bytes(enum dtype dtype)
{
	switch (dtype) {
	case DTYPE_F64: return 8;
	case DTYPE_F32: return 4;
	case DTYPE_F16:
	case DTYPE_BF16: return 2;
	case DTYPE_F8_E4M3:
	case DTYPE_F8_E5M2: return 1;
	default: return 0;
	}
}

static void decode(enum dtype dtype, const unsigned char *raw, size_t n, float *out)
{
	for (size_t i = 0; i < n && dtype == DTYPE_F64; i++) {
		double value;

		memcpy(&value, raw + 8 * i, sizeof value);
		out[i] = (float)value;
	}
	for (size_t i = 0; i < n && (dtype == DTYPE_F16 || dtype == DTYPE_BF16); i++) {
		uint16_t half;

		memcpy(&half, raw + 2 * i, sizeof half);
		out[i] = dtype == DTYPE_F16 ? f32_from_f16(half) : f32_from_bf16(half);
	}
	for (size_t i = 0; i < n && dtype == DTYPE_F8_E4M3; i++)
		out[i] = fp8_e4m3[raw[i]];
	for (size_t i = 0; i < n && dtype == DTYPE_F8_E5M2; i++)
		out[i] = fp8_e5m2[raw[i]];
}

/* Without scales. */
static enum status read_plain(const struct floats *floats, const struct safetensor *tensor, uint64_t first, size_t n,
                              float *out, struct error *err)
{
	size_t size = element_bytes(tensor->dtype);
	unsigned char raw[STAGE * 8];
	enum status status = STATUS_OK;

	if (size == 0)
		return error_set(err, STATUS_UNSUPPORTED, "tensor '%s': its type is %s, expected floats", tensor->name,
		                 tensor->dtype_name);
	if (first > tensor->n_bytes / size || n > tensor->n_bytes / size - first)
		return error_set(err, STATUS_FORMAT, "tensor '%s': elements are asked for that it does not have", tensor->name);
	if (tensor->dtype == DTYPE_F32)
		return checkpoint_read(floats->checkpoint, tensor, first * size, out, n * size, err);
	for (size_t at = 0; at < n && !status; at += STAGE) {
		size_t part = n - at < STAGE ? n - at : STAGE;

		status = checkpoint_read(floats->checkpoint, tensor, (first + at) * size, raw, part * size, err);
		if (!status)
			decode(tensor->dtype, raw, part, out + at);
	}
	return status;
}

/* Columns col .. col + n - 1 of a row, times their scales. */
static enum status scale_row(const struct floats *floats, const struct scaled *s, uint64_t row, uint64_t col, size_t n,
                             float *x, struct error *err)
{
	uint64_t matrix = s->scale_rows ? row / s->matrix_rows : 0;
	uint64_t scale_row = s->scale_rows ? row % s->matrix_rows / s->block_rows : 0;
	uint64_t scales_at = (matrix * s->scale_rows + scale_row) * s->scale_cols;
	float scales[SCALES];
	enum status status;

	for (size_t i = 0; i < n;) {
		uint64_t block = (col + i) / s->block_cols, last = (col + n - 1) / s->block_cols;
		size_t n_scales = last - block + 1 < SCALES ? (size_t)(last - block + 1) : SCALES;

		if ((status = read_plain(floats, s->scale, scales_at + block, n_scales, scales, err)))
			return status;
		for (size_t j = 0; j < n_scales; j++) {
			uint64_t end = (block + j + 1) * s->block_cols - col;

			for (; i < n && i < end; i++)
				x[i] *= scales[j];
		}
	}
	return STATUS_OK;
}

enum status floats_read(const struct floats *floats, const struct safetensor *tensor, uint64_t first, size_t n,
                        float *out, struct error *err)
{
	struct scaled key = {.tensor = tensor};
	const struct scaled *s = floats->n ? bsearch(&key, floats->items, floats->n, sizeof key, compare_scaled) : NULL;
	enum status status = read_plain(floats, tensor, first, n, out, err);

	for (size_t at = 0; at < n && s && !status;) {
		uint64_t row = (first + at) / tensor->n_cols, col = (first + at) % tensor->n_cols;
		size_t part = tensor->n_cols - col < n - at ? (size_t)(tensor->n_cols - col) : n - at;

		status = scale_row(floats, s, row, col, part, out + at, err);
		at += part;
	}
	return status;
}
