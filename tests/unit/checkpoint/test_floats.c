/* Elements as floats: every type, FP8 with scales of blocks, rows, matrices or all, edges included. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "checkpoint/floats.h"
#include "support/folder.h"

static char dir[64];
static struct error err;

static void set_up(void)
{
	snprintf(dir, sizeof dir, "/tmp/sotto-floats-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
}

static void tear_down(void)
{
	remove_folder(dir);
}

TestSuite(floats, .init = set_up, .fini = tear_down);

/* A bit pattern as the format defines it, by its fields. */
static double value_of(unsigned byte, int exponent_bits, int bias, bool has_infinity)
{
	int mantissa_bits = 7 - exponent_bits;
	unsigned exponent = byte >> mantissa_bits & ((1u << exponent_bits) - 1), mantissa = byte & ((1u << mantissa_bits) - 1);
	unsigned most = (1u << exponent_bits) - 1, full = (1u << mantissa_bits) - 1;
	double sign = byte & 0x80 ? -1 : 1;

	if (exponent == most && has_infinity)
		return mantissa ? NAN : sign * INFINITY;
	if (exponent == most && mantissa == full)
		return NAN;
	if (exponent == 0)
		return sign * ldexp(mantissa, 1 - bias - mantissa_bits);
	return sign * ldexp(1 + ldexp(mantissa, -mantissa_bits), (int)exponent - bias);
}

Test(floats, all_values_of_fp8)
{
	for (unsigned byte = 0; byte < 256; byte++) {
		double e4m3 = value_of(byte, 4, 7, false), e5m2 = value_of(byte, 5, 15, true);

		cr_expect(isnan(e4m3) ? isnan(fp8_e4m3[byte]) : (double)fp8_e4m3[byte] == e4m3, "E4M3 %u: %g, expected %g", byte,
		          (double)fp8_e4m3[byte], e4m3);
		cr_expect(isnan(e5m2) ? isnan(fp8_e5m2[byte]) : (double)fp8_e5m2[byte] == e5m2, "E5M2 %u: %g, expected %g", byte,
		          (double)fp8_e5m2[byte], e5m2);
	}
	cr_expect_eq(fp8_e4m3[0x7e], 448);
	cr_expect_eq(fp8_e5m2[0x7b], 57344);
}

/* Tensors one after another in a file of their own. */
struct part {
	const char *name, *dtype, *shape;
	const void *bytes;
	size_t n;
};

static struct checkpoint *make(const struct part *parts, size_t n)
{
	struct buf file = {.max = MIB(1)}, json = {.max = MIB(1)};
	struct checkpoint *checkpoint;
	char path[128];
	size_t at = 0;
	uint64_t len;

	for (size_t i = 0; i < n; i++) {
		buf_printf(&json, "%c\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%zu,%zu]}", i ? ',' : '{', parts[i].name,
		           parts[i].dtype, parts[i].shape, at, at + parts[i].n);
		at += parts[i].n;
	}
	buf_putc(&json, '}');
	len = json.len;
	buf_append(&file, &len, sizeof len);
	buf_append(&file, json.data, json.len);
	for (size_t i = 0; i < n; i++)
		buf_append(&file, parts[i].bytes, parts[i].n);
	snprintf(path, sizeof path, "%s/model.safetensors", dir);
	write_bytes(path, file.data, file.len);
	buf_free(&file);
	buf_free(&json);
	cr_assert_eq(checkpoint_open(&checkpoint, dir, &err), STATUS_OK, "%s", err.text);
	return checkpoint;
}

static enum status open_floats(struct floats **floats, const struct checkpoint *checkpoint, const char *config)
{
	struct settings_tree *tree;
	enum status status;

	cr_assert_eq(settings_tree_parse(&tree, "config.json", config, strlen(config), &err), STATUS_OK, "%s", err.text);
	status = floats_create(floats, checkpoint, tree, &err);
	settings_tree_free(tree);
	return status;
}

#define FP8(rows, cols) "{\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block_size\":[" #rows "," #cols "]}}"

Test(floats, plain_types)
{
	static const float f32[] = {1, -2.5f, 0, 1e-30f};
	static const double f64[] = {1, -2.5, 0, 1e-30};
	static const uint16_t f16[] = {0x3c00, 0xc100, 0, 1}, bf16[] = {0x3f80, 0xc020, 0, 0x0da2};
	static const unsigned char u8[4];
	const struct part parts[] = {{"a", "F32", "[2,2]", f32, 16}, {"b", "F64", "[4]", f64, 32}, {"c", "F16", "[4,1]", f16, 8},
	                             {"d", "BF16", "[1,2,2]", bf16, 8}, {"e", "U8", "[4]", u8, 4}};
	struct checkpoint *c = make(parts, 5);
	struct floats *floats;
	float x[4];

	cr_assert_eq(open_floats(&floats, c, "{}"), STATUS_OK, "%s", err.text);
	for (const char *name = "a"; *name; name = *name == 'a' ? "b" : *name == 'b' ? "c" : *name == 'c' ? "d" : "") {
		cr_assert_eq(floats_read(floats, checkpoint_find(c, name), 0, 4, x, &err), STATUS_OK, "%s", err.text);
		cr_expect(x[0] == 1 && x[1] == -2.5f && x[2] == 0, "%s", name);
		cr_expect(x[3] == (*name == 'c' ? 0x1p-24f : x[3]));
		cr_expect_eq(floats_read(floats, checkpoint_find(c, name), 1, 1, x, &err), STATUS_OK);
		cr_expect_eq(x[0], -2.5f);
		cr_expect_eq(floats_read(floats, checkpoint_find(c, name), 2, 3, x, &err), STATUS_FORMAT);
	}
	cr_expect_eq(floats_read(floats, checkpoint_find(c, "e"), 0, 4, x, &err), STATUS_UNSUPPORTED);
	cr_expect(strstr(err.text, "tensor 'e': its type is U8, expected floats"), "%s", err.text);
	floats_free(floats);
	checkpoint_close(c);
}

/* 5 x 7 with blocks of 2 x 3: three rows and three columns of blocks, the last ones cut. */
Test(floats, scales_of_blocks_with_cut_edges)
{
	unsigned char weights[35];
	float scales[9], x[35];
	const struct part parts[] = {{"m.weight", "F8_E4M3", "[5,7]", weights, 35}, {"m.weight_scale_inv", "F32", "[3,3]", scales, 36}};
	struct checkpoint *c;
	struct floats *floats;

	for (unsigned i = 0; i < 35; i++)
		weights[i] = (unsigned char)(0x30 + i);
	for (int i = 0; i < 9; i++)
		scales[i] = (float)(i + 1) * 0.5f;
	c = make(parts, 2);
	cr_assert_eq(open_floats(&floats, c, FP8(2, 3)), STATUS_OK, "%s", err.text);
	cr_expect(floats_is_scale(floats, "m.weight_scale_inv"));
	cr_expect(!floats_is_scale(floats, "m.weight"));
	cr_expect(floats_is_scale(floats, "m.input_scale"));
	for (size_t first = 0; first < 35; first += 4) { /* parts that begin and end anywhere */
		size_t n = 35 - first < 4 ? 35 - first : 4;

		cr_assert_eq(floats_read(floats, checkpoint_find(c, "m.weight"), first, n, x + first, &err), STATUS_OK, "%s", err.text);
	}
	for (size_t i = 0; i < 35; i++)
		cr_expect_eq(x[i], fp8_e4m3[weights[i]] * scales[i / 7 / 2 * 3 + i % 7 / 3], "%zu", i);
	floats_free(floats);
	checkpoint_close(c);
}

Test(floats, scales_of_rows_matrices_and_all)
{
	static const unsigned char weights[12] = {0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f, 0x40, 0x41, 0x42, 0x43};
	static const float scales[4] = {2, 3, 4, 5};
	static const struct {
		const char *shape, *scale_shape;
		size_t n_scales, per_scale; /* elements that share one */
	} cases[] = {
		{"[4,3]", "[4,1]", 4, 3}, {"[4,3]", "[4]", 4, 3}, {"[4,3]", "[]", 1, 12}, {"[4,3]", "[1]", 1, 12},
		{"[2,2,3]", "[2]", 2, 6}, {"[2,2,3]", "[2,1,1]", 2, 6}, {"[2,2,3]", "[2,2,1]", 4, 3}, {"[2,2,3]", "[2,2]", 4, 3},
		{"[4,3]", "[2,1]", 2, 6}, /* blocks of 2 x 3 */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct part parts[] = {{"w", "F8_E5M2", cases[i].shape, weights, 12},
		                             {"w_scale_inv", "F32", cases[i].scale_shape, scales, 4 * cases[i].n_scales}};
		struct checkpoint *c = make(parts, 2);
		struct floats *floats;
		float x[12];

		cr_assert_eq(open_floats(&floats, c, FP8(2, 3)), STATUS_OK, "%zu: %s", i, err.text);
		cr_assert_eq(floats_read(floats, checkpoint_find(c, "w"), 0, 12, x, &err), STATUS_OK, "%s", err.text);
		for (size_t j = 0; j < 12; j++)
			cr_expect_eq(x[j], fp8_e5m2[weights[j]] * scales[j / cases[i].per_scale], "%zu: %zu", i, j);
		floats_free(floats);
		checkpoint_close(c);
	}
}

Test(floats, scales_that_do_not_fit_are_refused)
{
	static const unsigned char weights[12];
	static const float scales[12];
	static const struct {
		const char *dtype, *shape, *config;
		size_t n_bytes;
		const char *words;
	} cases[] = {
		{"F32", "[3,2]", FP8(2, 3), 24, "3 x 2 scales, expected one, one a row, or one a block of 2 x 3 of 'w'"},
		{"F32", "[2,2]", FP8(2, 3), 16, "2 x 2 scales, expected"},
		{"F32", "[2,1]", "{\"quantization_config\":{\"quant_method\":\"fp8\"}}", 8, "2 x 1 scales, expected"},
		{"F32", "[0,1]", FP8(2, 3), 0, "0 x 0 scales, expected"},
		{"F8_E8M0", "[2,1]", FP8(2, 3), 2, "scales in F8_E8M0, expected F32, BF16 or F16"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct part parts[] = {{"w", "F8_E4M3", "[4,3]", weights, 12},
		                             {"w_scale_inv", cases[i].dtype, cases[i].shape, scales, cases[i].n_bytes}};
		struct checkpoint *c = make(parts, 2);
		struct floats *floats;

		cr_expect(open_floats(&floats, c, cases[i].config) != STATUS_OK, "%zu", i);
		cr_expect(strstr(err.text, cases[i].words), "'%s' has no '%s'", err.text, cases[i].words);
		checkpoint_close(c);
	}
}
