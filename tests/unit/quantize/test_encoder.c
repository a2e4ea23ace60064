/* Encoders by way of the kernels' dequantisation: how much is lost of ordinary
 * weights, and what becomes of extraordinary ones. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/float16.h"
#include "kernels/quant.h"
#include "quantize/encoder.h"
#include "support/random.h"
#include "support/random_blocks.h"

enum { N = 1 << 14 };

static float x[N], y[N];
static unsigned char blocks[N * sizeof(float)];

/* Encodes n of x into blocks, decodes them into y. */
static void round_trip(enum block_type type, size_t n)
{
	memset(blocks, 0xa5, sizeof blocks);
	encoder_find(type)(x, blocks, n);
	quant_find(type)->dequantize(blocks, y, n);
	for (size_t i = 0; i < n; i++)
		cr_assert(isfinite(y[i]), "%s: weight %zu, %g, becomes %g", quant_find(type)->name, i,
		          (double)x[i], (double)y[i]);
}

/* Root of the mean square of x - y. */
static double rms_error(size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ((double)x[i] - (double)y[i]) * ((double)x[i] - (double)y[i]);
	return sqrt(sum / (double)n);
}

static const enum block_type quantised[] = {
	BLOCK_Q4_0, BLOCK_Q4_1, BLOCK_Q5_0, BLOCK_Q5_1, BLOCK_Q8_0, BLOCK_Q2_K, BLOCK_Q3_K,
	BLOCK_Q4_K, BLOCK_Q5_K, BLOCK_Q6_K, BLOCK_IQ4_NL, BLOCK_IQ4_XS,
};
enum { N_QUANTISED = sizeof quantised / sizeof *quantised };

/* Those of codebooks and of few bits are read only. */
Test(quantize_encoder, every_type_of_a_recipe_can_be_written)
{
	size_t found = 0;

	for (size_t i = 0; i < N_QUANTISED; i++)
		cr_expect_not_null(encoder_find(quantised[i]));
	for (uint32_t type = 0; type < BLOCK_TYPE_MAX; type++)
		found += encoder_find(type) != NULL;
	cr_expect_eq(found, N_QUANTISED + 4); /* F32, F16, BF16, MXFP4 */
	cr_assert_null(encoder_find(9));
	cr_assert_null(encoder_find(BLOCK_TYPE_MAX));
}

/* Rounding weights that are spread evenly over -1..1 to even levels leaves the
 * step's width over the root of 12. */
Test(quantize_encoder, even_weights_lose_what_the_levels_say)
{
	static const struct {
		enum block_type type;
		int levels;
		double most; /* times that */
	} rows[] = {
		{BLOCK_Q4_0, 16, 1.0}, {BLOCK_Q4_1, 16, 1.0}, {BLOCK_Q5_0, 32, 1.0},
		{BLOCK_Q5_1, 32, 1.0}, {BLOCK_Q8_0, 255, 1.0}, {BLOCK_Q2_K, 4, 1.0},
		{BLOCK_Q3_K, 8, 1.0},  {BLOCK_Q4_K, 16, 1.0}, {BLOCK_Q5_K, 32, 1.0},
		{BLOCK_Q6_K, 64, 1.0}, {BLOCK_IQ4_NL, 16, 1.1}, {BLOCK_IQ4_XS, 16, 1.1},
	};
	struct test_random random = {1};

	test_random_floats(&random, x, N, 1);
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		double step = 2.0 / rows[r].levels;

		round_trip(rows[r].type, N);
		cr_expect(rms_error(N) <= rows[r].most * step / sqrt(12), "%s: %g of %g",
		          quant_find(rows[r].type)->name, rms_error(N), step / sqrt(12));
		cr_expect(rms_error(N) >= 0.5 * step / sqrt(12));
	}
}

/* What one would do without a search: the largest weight on the first level. */
Test(quantize_encoder, the_search_is_better_than_the_largest_weight)
{
	struct test_random random = {2};
	double plain = 0;

	test_random_floats(&random, x, N, 1);
	for (size_t i = 0; i < N; i++)
		x[i] *= x[i] * x[i]; /* a few are large */
	for (size_t block = 0; block < N / 32; block++) {
		float largest = 0;

		for (size_t i = 0; i < 32; i++)
			if (fabsf(x[32 * block + i]) > fabsf(largest))
				largest = x[32 * block + i];
		for (size_t i = 0; i < 32; i++) {
			float d = largest / -8, value = x[32 * block + i];
			float q = fminf(rintf(value / d), 7);

			plain += (double)((value - q * d) * (value - q * d)) / N;
		}
	}
	round_trip(BLOCK_Q4_0, N);
	cr_assert(rms_error(N) <= 0.95 * sqrt(plain), "%g, plain %g", rms_error(N), sqrt(plain));
}

Test(quantize_encoder, what_is_on_the_levels_is_kept)
{
	static const struct {
		enum block_type type;
		int low, high;
	} rows[] = {
		{BLOCK_Q4_0, -8, 7}, {BLOCK_Q5_0, -16, 15}, {BLOCK_Q8_0, -127, 127},
		{BLOCK_Q4_1, 3, 18}, {BLOCK_Q5_1, -40, -9},
	};
	struct test_random random = {3};

	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		size_t n_levels = (size_t)(rows[r].high - rows[r].low + 1);

		for (size_t i = 0; i < 1024; i++)
			x[i] = 0.25f * (float)(i % 32 == 5 ? rows[r].low : i % 32 == 9 ? rows[r].high
			                       : rows[r].low + (int)test_random_below(&random, n_levels));
		round_trip(rows[r].type, 1024);
		for (size_t i = 0; i < 1024; i++)
			cr_assert_eq(x[i], y[i], "%s: %g becomes %g", quant_find(rows[r].type)->name,
			             (double)x[i], (double)y[i]);
	}
}

Test(quantize_encoder, zeros_stay_zeros)
{
	memset(x, 0, sizeof x);
	for (size_t t = 0; t < N_QUANTISED; t++) {
		round_trip(quantised[t], 512);
		for (size_t i = 0; i < 512; i++)
			cr_assert_eq(y[i], 0.0f, "%s", quant_find(quantised[t])->name);
	}
	for (size_t i = 0; i < 512; i++)
		x[i] = -0.0f;
	for (size_t t = 0; t < N_QUANTISED; t++)
		round_trip(quantised[t], 512);
}

Test(quantize_encoder, one_value_is_kept_within_a_percent)
{
	static const float values[] = {1, -1, 0.03f, -0.03f, 300, -300, 16384, -16384};

	for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
		for (size_t i = 0; i < 512; i++)
			x[i] = values[v];
		for (size_t t = 0; t < N_QUANTISED; t++) {
			round_trip(quantised[t], 512);
			for (size_t i = 0; i < 512; i++)
				cr_assert_float_eq(x[i], y[i], 0.01 * fabs((double)x[i]), "%s: %g becomes %g",
				                   quant_find(quantised[t])->name, (double)x[i], (double)y[i]);
		}
	}
}

/* Groups of nothing between groups of something. */
Test(quantize_encoder, empty_groups_stay_empty)
{
	struct test_random random = {4};

	test_random_floats(&random, x, 512, 1);
	for (size_t i = 0; i < 512; i++)
		if (i / 32 % 2)
			x[i] = 0;
	for (size_t t = 0; t < N_QUANTISED; t++) {
		round_trip(quantised[t], 512);
		for (size_t i = 0; i < 512; i++)
			cr_assert(i / 32 % 2 == 0 || y[i] == 0, "%s: %g", quant_find(quantised[t])->name,
			          (double)y[i]);
	}
}

Test(quantize_encoder, a_lone_large_weight_is_not_cut_off)
{
	struct test_random random = {5};

	for (int sign = -1; sign <= 1; sign += 2)
		for (size_t t = 0; t < N_QUANTISED; t++) {
			test_random_floats(&random, x, 256, 0.01f);
			x[77] = (float)sign * 10;
			round_trip(quantised[t], 256);
			cr_expect_float_eq(x[77], y[77], 0.2, "%s: %g", quant_find(quantised[t])->name,
			                   (double)y[77]);
		}
}

/* Nothing is known of these but that they must not become NaN or infinite. */
Test(quantize_encoder, any_numbers_in_range_become_numbers)
{
	struct test_random random = {6};
	size_t rounds = getenv("SOTTO_TEST_LONG") ? 2000 : 40;

	for (size_t round = 0; round < rounds; round++)
		for (size_t t = 0; t < N_QUANTISED; t++) {
			for (size_t i = 0; i < 512; i++) {
				int exponent = (int)test_random_below(&random, 160) - 149;

				x[i] = ldexpf(test_random_float(&random), exponent);
				if (round % 4 == 1 && i % 7)
					x[i] = 0;
				if (round % 4 == 2)
					x[i] = fabsf(x[i]);
				if (!(fabsf(x[i]) <= encoder_largest(quantised[t])))
					x[i] = copysignf(encoder_largest(quantised[t]), x[i]);
			}
			round_trip(quantised[t], 512);
		}
}

Test(quantize_encoder, the_smallest_weights_vanish_or_stay_small)
{
	struct test_random random = {7};

	for (size_t t = 0; t < N_QUANTISED; t++)
		for (int exponent = -149; exponent < -10; exponent += 3) {
			float scale = ldexpf(1, exponent);

			test_random_floats(&random, x, 256, scale);
			round_trip(quantised[t], 256);
			for (size_t i = 0; i < 256; i++)
				cr_assert(fabsf(y[i]) <= 2 * scale, "%s: %g becomes %g",
				          quant_find(quantised[t])->name, (double)x[i], (double)y[i]);
		}
}

/* What a block of MXFP4 has was written down from llama.cpp's quantiser. */
Test(quantize_encoder, mxfp4_has_the_bytes_of_llama_cpp)
{
	/* Of the largest weight alone, times 4 where it is the last number: hardly
	 * below a power of two counts as that if the logarithm says so. */
	static const struct {
		float largest;
		uint8_t e, nibble;
	} scales[] = {
		{0, 0, 0},           {1, 125, 6},         {-1, 125, 14},         {1.75f, 125, 7},
		{0x1.fffffep2f, 128, 6}, {0x1.fffffep3f, 129, 6}, {0x1.fffffcp2f, 127, 7},
		{0x1.fffffep1f, 126, 7}, {0x1.fffffep-1f, 124, 7}, {16384, 139, 6}, {-0x1p-140f, 0, 0},
	};
	/* Halves of the smallest level and ties between two, with 4 as the largest. */
	static const struct {
		float weight;
		uint8_t nibble;
	} levels[] = {
		{4, 6},     {0, 0},     {-0.0f, 0},   {0.25f, 0},  {-0.25f, 0}, {0.26f, 1}, {-0.26f, 9},
		{0.75f, 1}, {0.76f, 2}, {-1.25f, 10}, {1.75f, 3},  {2.5f, 4},   {-2.6f, 13}, {3.5f, 5},
		{3.6f, 6},  {-4, 14},
	};
	enum { N_LEVELS = sizeof levels / sizeof *levels };

	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
		memset(x, 0, 32 * sizeof *x);
		x[17] = scales[i].largest;
		encoder_find(BLOCK_MXFP4)(x, blocks, 32);
		cr_expect(blocks[0] == scales[i].e && blocks[2] == scales[i].nibble << 4, "%a: %u, %u",
		          (double)scales[i].largest, blocks[0], blocks[2] >> 4);
	}
	for (size_t i = 0; i < N_LEVELS; i++)
		x[i] = x[i + 16] = levels[i].weight;
	encoder_find(BLOCK_MXFP4)(x, blocks, 32);
	cr_expect_eq(blocks[0], 127);
	for (size_t i = 0; i < N_LEVELS; i++)
		cr_expect_eq(blocks[1 + i], levels[i].nibble * 17, "%g: %u", (double)levels[i].weight,
		             blocks[1 + i] & 15);
}

Test(quantize_encoder, mxfp4_comes_back_as_far_as_its_levels_reach)
{
	struct test_random random = {9};

	/* 6 and 4 times the scale are the last levels: a quarter of the largest at most. */
	for (int round = 0; round < 200; round++) {
		float scale = ldexpf(1, (int)test_random_below(&random, 120) - 106);

		test_random_floats(&random, x, 32, scale);
		round_trip(BLOCK_MXFP4, 32);
		for (size_t i = 0; i < 32; i++)
			cr_assert(fabsf(x[i] - y[i]) <= 0.25f * scale, "%g becomes %g", (double)x[i],
			          (double)y[i]);
	}
}

/* Without a search: the largest weight is the last level, halves go away from 0. */
Test(quantize_encoder, plain_q8_0_has_the_bytes_of_llama_cpp)
{
	encoder *plain = encoder_find_plain(BLOCK_Q8_0);

	memset(x, 0, 64 * sizeof *x);
	x[0] = -254;
	x[1] = 3, x[2] = -3, x[3] = 2.9f, x[4] = 253;
	plain(x, blocks, 64);
	cr_expect_eq(blocks[0] | blocks[1] << 8, 0x4000); /* 2 */
	cr_expect_eq((int8_t)blocks[2], -127);
	cr_expect_eq((int8_t)blocks[3], 2);
	cr_expect_eq((int8_t)blocks[4], -2);
	cr_expect_eq((int8_t)blocks[5], 1);
	cr_expect_eq((int8_t)blocks[6], 127);
	for (size_t i = 34; i < 68; i++)
		cr_expect_eq(blocks[i], 0);
	cr_expect_eq(encoder_find_plain(BLOCK_MXFP4), encoder_find(BLOCK_MXFP4));
	cr_expect_neq(plain, encoder_find(BLOCK_Q8_0));
	cr_expect_eq(encoder_find_plain(BLOCK_Q4_K), encoder_find(BLOCK_Q4_K));
}

Test(quantize_encoder, floats_are_rounded_to_nearest)
{
	struct test_random random = {8};

	test_random_floats(&random, x, N, 100);
	round_trip(BLOCK_F32, N);
	cr_assert_arr_eq(x, y, sizeof x);
	round_trip(BLOCK_F16, N);
	for (size_t i = 0; i < N; i++)
		cr_assert_eq(y[i], f32_from_f16(f16_from_f32(x[i])));
	round_trip(BLOCK_BF16, N);
	for (size_t i = 0; i < N; i++)
		cr_assert_float_eq(x[i], y[i], ldexp(fabs((double)x[i]), -8));
}

Test(quantize_encoder, the_largest_of_each_type_is_held)
{
	for (size_t t = 0; t < random_n_block_types; t++) {
		float largest = encoder_largest(random_block_types[t]);

		if (!encoder_find(random_block_types[t]))
			continue;
		for (size_t i = 0; i < 256; i++)
			x[i] = i % 3 ? largest : -largest;
		round_trip(random_block_types[t], 256);
		for (size_t i = 0; i < 256; i++)
			cr_assert(fabsf(y[i] / largest - x[i] / largest) <= 0.3f, "%s: %g becomes %g",
			          quant_find(random_block_types[t])->name, (double)x[i], (double)y[i]);
	}
}

/* However large: a block of them is what it is of the same weights in another unit. */
Test(quantize_encoder, large_weights_are_as_near_as_small_ones)
{
	struct test_random random = {10};

	for (size_t t = 0; t < N_QUANTISED; t++)
		for (float size = 20000; size <= encoder_largest(quantised[t]) && size < 1e30f; size *= 2.7f) {
			double large = 0, small = 0;

			test_random_floats(&random, x, 256, size);
			round_trip(quantised[t], 256);
			for (size_t i = 0; i < 256; i++)
				large += pow((double)(x[i] - y[i]) / (double)size, 2);
			for (size_t i = 0; i < 256; i++)
				x[i] /= size;
			round_trip(quantised[t], 256);
			for (size_t i = 0; i < 256; i++)
				small += pow((double)(x[i] - y[i]), 2);
			cr_assert(large <= 1.3 * small, "%s, %g: %g, not %g", quant_find(quantised[t])->name,
			          (double)size, large, small);
		}
	cr_assert_eq(encoder_largest(BLOCK_Q8_0), 127 * 65504.0f);
}

Test(quantize_encoder, bfloat16_ties_go_to_even)
{
	cr_assert_eq(bf16_from_f32(f32_from_bits(0x3f808000u)), 0x3f80);
	cr_assert_eq(bf16_from_f32(f32_from_bits(0x3f818000u)), 0x3f82);
	cr_assert_eq(bf16_from_f32(f32_from_bits(0x3f808001u)), 0x3f81);
	cr_assert_eq(bf16_from_f32(FLT_MAX), 0x7f80);
	cr_assert_eq(bf16_from_f32(f32_from_bits(0x7f800001u)), 0x7fc0);
	cr_assert_eq(bf16_from_f32(-INFINITY), 0xff80);
}
