/* Dequantisation against a second implementation, written from the format's
 * description alone (byte offsets, one element at a time), bit for bit and on
 * random bytes: what an encoder writes would not use every bit. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "gguf/types.h"
#include "kernels/codebooks.h"
#include "kernels/float16.h"
#include "kernels/quant.h"
#include "support/random.h"

static float half_at(const unsigned char *p)
{
	return f32_from_f16((uint16_t)(p[0] | p[1] << 8));
}

static int nibble(const unsigned char *qs, int j)
{
	return j < 16 ? qs[j] % 16 : qs[j - 16] / 16;
}

static int bit(const unsigned char *bits, int j)
{
	return bits[j / 8] >> j % 8 & 1;
}

static const int levels[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                               1,    13,   25,  38,  53,  69,  89,  113};

static float f32_at(const unsigned char *b, int i)
{
	float value;

	memcpy(&value, b + 4 * i, 4);
	return value;
}

static float ref_f32(const unsigned char *b, int i)
{
	return f32_at(b, i);
}

static float ref_f16(const unsigned char *b, int i)
{
	return half_at(b + 2 * i);
}

static float ref_bf16(const unsigned char *b, int i)
{
	return f32_from_bits((uint32_t)b[2 * i] << 16 | (uint32_t)b[2 * i + 1] << 24);
}

static float ref_q4_0(const unsigned char *b, int i)
{
	return (float)(nibble(b + 2, i) - 8) * half_at(b);
}

static float ref_q4_1(const unsigned char *b, int i)
{
	return (float)nibble(b + 4, i) * half_at(b) + half_at(b + 2);
}

static float ref_q5_0(const unsigned char *b, int i)
{
	return (float)(nibble(b + 6, i) + 16 * bit(b + 2, i) - 16) * half_at(b);
}

static float ref_q5_1(const unsigned char *b, int i)
{
	return (float)(nibble(b + 8, i) + 16 * bit(b + 4, i)) * half_at(b) + half_at(b + 2);
}

static float ref_q8_0(const unsigned char *b, int i)
{
	return (float)(signed char)b[2 + i] * half_at(b);
}

static float ref_iq4_nl(const unsigned char *b, int i)
{
	return half_at(b) * (float)levels[nibble(b + 2, i)];
}

/* The two-bit quants of Q2_K and Q3_K. */
static int two_bits(const unsigned char *qs, int i)
{
	int half = i / 128, run = i % 128 / 32, l = i % 32;

	return qs[32 * half + l] >> 2 * run & 3;
}

static float ref_q2_k(const unsigned char *b, int i)
{
	int sc = b[i / 16];
	float dl = half_at(b + 80) * (float)(sc % 16), ml = half_at(b + 82) * (float)(sc / 16);

	return dl * (float)two_bits(b + 16, i) - ml;
}

/* The 6-bit scales as the four 32-bit words they are described by. */
static int ref_q3_scale(const unsigned char *packed, int group)
{
	uint32_t a[3], s[4];
	signed char scales[16];

	memcpy(a, packed, 12);
	s[0] = (a[0] & 0x0f0f0f0fu) | (a[2] & 0x03030303u) << 4;
	s[1] = (a[1] & 0x0f0f0f0fu) | (a[2] >> 2 & 0x03030303u) << 4;
	s[2] = (a[0] >> 4 & 0x0f0f0f0fu) | (a[2] >> 4 & 0x03030303u) << 4;
	s[3] = (a[1] >> 4 & 0x0f0f0f0fu) | (a[2] >> 6 & 0x03030303u) << 4;
	memcpy(scales, s, 16);
	return scales[group] - 32;
}

static float ref_q3_k(const unsigned char *b, int i)
{
	int mask_bit = b[i % 32] >> i / 32 & 1;
	float dl = half_at(b + 108) * (float)ref_q3_scale(b + 96, i / 16);

	return dl * (float)(two_bits(b + 32, i) - (mask_bit ? 0 : 4));
}

static void ref_k4_scale(const unsigned char *q, int s, int *sc, int *m)
{
	if (s < 4) {
		*sc = q[s] % 64;
		*m = q[s + 4] % 64;
	} else {
		*sc = q[s + 4] % 16 + q[s - 4] / 64 * 16;
		*m = q[s + 4] / 16 + q[s] / 64 * 16;
	}
}

static float ref_k45(const unsigned char *b, const unsigned char *qs, int i, int fifth)
{
	int sub = i / 32, l = i % 32, sc, m, q;
	float d1, m1;

	q = sub % 2 ? qs[sub / 2 * 32 + l] / 16 : qs[sub / 2 * 32 + l] % 16;
	ref_k4_scale(b + 4, sub, &sc, &m);
	d1 = half_at(b) * (float)sc;
	m1 = half_at(b + 2) * (float)m;
	return d1 * (float)(q + 16 * fifth) - m1;
}

static float ref_q4_k(const unsigned char *b, int i)
{
	return ref_k45(b, b + 16, i, 0);
}

static float ref_q5_k(const unsigned char *b, int i)
{
	return ref_k45(b, b + 48, i, b[16 + i % 32] >> i / 32 & 1);
}

static float ref_q6_k(const unsigned char *b, int i)
{
	int half = i / 128, l = i % 32, low, high;
	const unsigned char *ql = b + 64 * half, *qh = b + 128 + 32 * half;
	float d = half_at(b + 208), scale = d * (float)(signed char)b[192 + i / 16];

	switch (i % 128 / 32) {
	case 0:
		low = ql[l] % 16, high = qh[l] & 3;
		break;
	case 1:
		low = ql[l + 32] % 16, high = qh[l] >> 2 & 3;
		break;
	case 2:
		low = ql[l] / 16, high = qh[l] >> 4 & 3;
		break;
	default:
		low = ql[l + 32] / 16, high = qh[l] >> 6;
		break;
	}
	return scale * (float)(low + 16 * high - 32);
}

static float ref_iq4_xs(const unsigned char *b, int i)
{
	int sub = i / 32, scales_h = b[2] | b[3] << 8;
	int low = sub % 2 ? b[4 + sub / 2] / 16 : b[4 + sub / 2] % 16;
	float dl = half_at(b) * (float)(low + 16 * (scales_h >> 2 * sub & 3) - 32);

	return dl * (float)levels[nibble(b + 8 + 16 * sub, i % 32)];
}

/* The 16 numbers of MXFP4 and NVFP4: sign, two bits of exponent, one of mantissa. */
static double ref_fp4(int bits)
{
	double size = bits % 8 < 2 ? bits % 8 * 0.5 : (1 + bits % 2 * 0.5) * (1 << (bits % 8 / 2 - 1));

	return bits >= 8 && size > 0 ? -size : size;
}

static float ref_mxfp4(const unsigned char *b, int i)
{
	return (float)ldexp(ref_fp4(nibble(b + 1, i)), b[0] - 127);
}

/* A pattern of the scale is no number, and counts as 0. */
static float ref_nvfp4(const unsigned char *b, int i)
{
	int scale = b[i / 16], exponent = scale / 8 % 16, j = i % 16;
	double d = exponent ? ldexp(1 + scale % 8 / 8.0, exponent - 7) : ldexp(scale % 8, -9);
	const unsigned char *qs = b + 4 + i / 16 * 8;

	if (scale == 0x7f)
		d = 0;
	return (float)(d * ref_fp4(j < 8 ? qs[j] % 16 : qs[j - 8] / 16));
}

static float ref_q1_0(const unsigned char *b, int i)
{
	return bit(b + 2, i) ? half_at(b) : -half_at(b);
}

static float ref_q2_0(const unsigned char *b, int i)
{
	return (float)(2 * bit(b + 2, 2 * i + 1) + bit(b + 2, 2 * i) - 1) * half_at(b);
}

/* A byte v holds the digits of v * 243 / 256, rounded up, in base 3. */
static int ref_digit(int v, int digit)
{
	int number = v;

	for (int i = 0; i < digit; i++)
		number = number * 3 % 256;
	return number * 3 / 256;
}

static float ref_tq1_0(const unsigned char *b, int i)
{
	int digit = i < 160   ? ref_digit(b[i % 32], i / 32)
	            : i < 240 ? ref_digit(b[32 + i % 16], (i - 160) / 16)
	                      : ref_digit(b[48 + i % 4], (i - 240) / 4);

	return (float)(digit - 1) * half_at(b + 52);
}

static float ref_tq2_0(const unsigned char *b, int i)
{
	return (float)(two_bits(b, i) - 1) * half_at(b + 64);
}

static int u16_at(const unsigned char *b)
{
	return b[0] + 256 * b[1];
}

/* Digit j of an entry of a codebook, of `bits` bits. */
static int digit(const uint16_t *codebook, int entry, int bits, int j)
{
	return codebook[entry] / (1 << bits * j) % (1 << bits);
}

static double iq2_level(int digit)
{
	return digit == 0 ? 8 : digit == 1 ? 25 : 43;
}

/* Sign j of 8, of which 7 are stored: -1 or 1. */
static int ref_sign(int seven, int j)
{
	int ones = 0;

	for (int i = 0; i < 7; i++)
		ones += seven >> i & 1;
	return (j < 7 ? seven >> j & 1 : ones % 2) ? -1 : 1;
}

/* Seven signs of run `run` of 8 of a sub-block, of its 28 bits. */
static int seven_signs(const unsigned char *rest, int run)
{
	long bits = u16_at(rest) + 65536l * u16_at(rest + 2);

	return (int)(bits >> 7 * run & 127);
}

static float ref_iq2_xxs(const unsigned char *b, int i)
{
	const unsigned char *sub = b + 2 + i / 32 * 8;
	int run = i % 32 / 8;
	double level = iq2_level(digit(codebook_iq2_xxs, sub[run], 2, i % 8));

	return (float)((double)half_at(b) * (2 * (sub[7] / 16) + 1) / 8 * level *
	               ref_sign(seven_signs(sub + 4, run), i % 8));
}

/* The scale of group i / 16 of IQ2_XS and IQ2_S. */
static double iq2_scale(const unsigned char *b, const unsigned char *scales, int i)
{
	int nibble = i % 32 < 16 ? scales[i / 32] % 16 : scales[i / 32] / 16;

	return (double)half_at(b) * (2 * nibble + 1) / 8;
}

static float ref_iq2_xs(const unsigned char *b, int i)
{
	int q = u16_at(b + 2 + i / 8 * 2);

	return (float)(iq2_scale(b, b + 66, i) *
	               iq2_level(digit(codebook_iq2_xs, q % 512, 2, i % 8)) *
	               ref_sign(q / 512, i % 8));
}

static float ref_iq2_s(const unsigned char *b, int i)
{
	int entry = b[2 + i / 8] + 256 * (b[66 + i / 32] >> i % 32 / 8 * 2 & 3);

	return (float)(iq2_scale(b, b + 74, i) * iq2_level(digit(codebook_iq2_s, entry, 2, i % 8)) *
	               (bit(b + 34, i) ? -1 : 1));
}

static float ref_iq3_xxs(const unsigned char *b, int i)
{
	const unsigned char *rest = b + 66 + i / 32 * 4;
	int number = digit(codebook_iq3_xxs, b[2 + i / 4], 3, i % 4);
	double level = number == 7 ? 62 : number == 6 ? 52 : 4 + 8 * number;

	return (float)((double)half_at(b) * (2 * (rest[3] / 16) + 1) / 4 * level *
	               ref_sign(seven_signs(rest, i % 32 / 8), i % 8));
}

static float ref_iq3_s(const unsigned char *b, int i)
{
	int entry = b[2 + i / 4] + 256 * (b[66 + i / 32] >> i % 32 / 4 & 1);
	int scale = i / 32 % 2 ? b[106 + i / 64] / 16 : b[106 + i / 64] % 16;

	return (float)((double)half_at(b) * (2 * scale + 1) *
	               (2 * digit(codebook_iq3_s, entry, 3, i % 4) + 1) * (bit(b + 74, i) ? -1 : 1));
}

static float ref_iq1_s(const unsigned char *b, int i)
{
	int high = u16_at(b + 34 + i / 32 * 2);
	int entry = b[2 + i / 8] + 256 * (high >> i % 32 / 8 * 3 & 7);
	double level = digit(codebook_iq1, entry, 2, i % 8) - 1 + (high < 32768 ? 0.125 : -0.125);

	return (float)((double)half_at(b) * (2 * (high >> 12 & 7) + 1) * level);
}

static float ref_iq1_m(const unsigned char *b, int i)
{
	const unsigned char *sc = b + 48;
	int d = (sc[1] / 16) + 16 * (sc[3] / 16) + 256 * (sc[5] / 16) + 4096 * (sc[7] / 16);
	int high = i % 16 < 8 ? b[32 + i / 16] % 16 : b[32 + i / 16] / 16;
	int scale = u16_at(sc + i / 64 * 2) >> i % 64 / 16 * 3 & 7;
	double level = digit(codebook_iq1, b[i / 8] + 256 * (high % 8), 2, i % 8) - 1 +
	               (high < 8 ? 0.125 : -0.125);

	return (float)((double)f32_from_f16((uint16_t)d) * (2 * scale + 1) * level);
}

static const struct {
	enum block_type type;
	size_t n_elements, n_bytes; /* of a block, once more in figures */
	float (*element)(const unsigned char *block, int i);
} types[] = {
	{BLOCK_F32, 1, 4, ref_f32},
	{BLOCK_F16, 1, 2, ref_f16},
	{BLOCK_BF16, 1, 2, ref_bf16},
	{BLOCK_Q4_0, 32, 18, ref_q4_0},
	{BLOCK_Q4_1, 32, 20, ref_q4_1},
	{BLOCK_Q5_0, 32, 22, ref_q5_0},
	{BLOCK_Q5_1, 32, 24, ref_q5_1},
	{BLOCK_Q8_0, 32, 34, ref_q8_0},
	{BLOCK_Q2_K, 256, 84, ref_q2_k},
	{BLOCK_Q3_K, 256, 110, ref_q3_k},
	{BLOCK_Q4_K, 256, 144, ref_q4_k},
	{BLOCK_Q5_K, 256, 176, ref_q5_k},
	{BLOCK_Q6_K, 256, 210, ref_q6_k},
	{BLOCK_IQ4_NL, 32, 18, ref_iq4_nl},
	{BLOCK_IQ4_XS, 256, 136, ref_iq4_xs},
	{BLOCK_IQ2_XXS, 256, 66, ref_iq2_xxs},
	{BLOCK_IQ2_XS, 256, 74, ref_iq2_xs},
	{BLOCK_IQ2_S, 256, 82, ref_iq2_s},
	{BLOCK_IQ3_XXS, 256, 98, ref_iq3_xxs},
	{BLOCK_IQ3_S, 256, 110, ref_iq3_s},
	{BLOCK_IQ1_S, 256, 50, ref_iq1_s},
	{BLOCK_IQ1_M, 256, 56, ref_iq1_m},
	{BLOCK_TQ1_0, 256, 54, ref_tq1_0},
	{BLOCK_TQ2_0, 256, 66, ref_tq2_0},
	{BLOCK_MXFP4, 32, 17, ref_mxfp4},
	{BLOCK_NVFP4, 64, 36, ref_nvfp4},
	{BLOCK_Q1_0, 128, 18, ref_q1_0},
	{BLOCK_Q2_0, 64, 18, ref_q2_0},
};

enum { N_TYPES = sizeof types / sizeof types[0], N_BLOCKS = 64 };

static bool same_float(float a, float b)
{
	return (isnan(a) && isnan(b)) || f32_to_bits(a) == f32_to_bits(b);
}

Test(quant, has_each_type_with_its_size)
{
	size_t found = 0;

	for (size_t i = 0; i < N_TYPES; i++) {
		const struct quant *quant = quant_find(types[i].type);

		cr_assert_not_null(quant);
		cr_assert_eq(quant->n_elements, types[i].n_elements, "%s", quant->name);
		cr_assert_eq(quant->n_bytes, types[i].n_bytes, "%s", quant->name);
		cr_assert_eq(quant_row_bytes(quant, 512), 512 / types[i].n_elements * types[i].n_bytes);
	}
	for (uint32_t type = 0; type < 2 * BLOCK_TYPE_MAX; type++)
		found += quant_find(type) != NULL;
	cr_assert_eq(found, N_TYPES);
	cr_assert_null(quant_find(UINT32_MAX));
}

Test(quant, dequantises_random_bytes_bit_for_bit)
{
	struct test_random random = {1};

	for (size_t t = 0; t < N_TYPES; t++) {
		const struct quant *quant = quant_find(types[t].type);
		size_t n = N_BLOCKS * types[t].n_elements, bytes = N_BLOCKS * types[t].n_bytes;
		/* As much as the row needs and no more: ASan watches both ends. */
		unsigned char *row = alloc_array(bytes, 1);
		float *out = alloc_array(n, sizeof *out);

		cr_assert(row && out);
		for (int round = 0; round < 20; round++) {
			test_random_bytes(&random, row, bytes);
			quant->dequantize(row, out, n);
			for (size_t i = 0; i < n; i++) {
				const unsigned char *block =
					row + i / types[t].n_elements * types[t].n_bytes;
				float expected =
					types[t].element(block, (int)(i % types[t].n_elements));

				cr_assert(same_float(out[i], expected),
				          "%s element %zu: found %.9g, expected %.9g", quant->name, i,
				          (double)out[i], (double)expected);
			}
		}
		free(row);
		free(out);
	}
}

/* What a codebook's entries are, beyond their order: a hash of the published grids. */
Test(quant, has_the_codebooks_of_the_format)
{
	static const struct {
		const uint16_t *entries;
		size_t n;
		int bits, most; /* of a level */
		uint32_t hash;
	} books[] = {
		{codebook_iq2_xxs, 256, 2, 2, 0xc1b70b5eu}, {codebook_iq2_xs, 512, 2, 2, 0xd884b68eu},
		{codebook_iq2_s, 1024, 2, 2, 0x0688c5cau},  {codebook_iq3_xxs, 256, 3, 7, 0x1eed7b89u},
		{codebook_iq3_s, 512, 3, 7, 0x6b7c0a14u},   {codebook_iq1, 2048, 2, 2, 0xa06e42c1u},
	};

	for (size_t b = 0; b < sizeof books / sizeof books[0]; b++) {
		uint32_t hash = 2166136261u;

		for (size_t i = 0; i < books[b].n; i++) {
			uint16_t entry = books[b].entries[i];

			cr_assert(i == 0 || entry > books[b].entries[i - 1]);
			for (int j = 0; j < (books[b].bits == 2 ? 8 : 4); j++)
				cr_assert_leq(digit(books[b].entries, (int)i, books[b].bits, j), books[b].most);
			hash = (hash ^ entry) * 16777619u;
		}
		cr_expect_eq(hash, books[b].hash, "codebook %zu: 0x%08x", b, hash);
	}
}

/* Each scale of those types whose scales are bytes. */
Test(quant, dequantises_every_scale_of_a_byte)
{
	static const enum block_type of_bytes[] = {BLOCK_MXFP4, BLOCK_NVFP4};
	unsigned char block[36];
	float out[64];

	for (size_t t = 0; t < 2; t++)
		for (int scale = 0; scale < 256; scale++) {
			const struct quant *quant = quant_find(of_bytes[t]);

			memset(block, scale, 4);
			for (int i = t == 0 ? 1 : 4; i < 36; i++)
				block[i] = (unsigned char)(i * 0x37 + 0x10);
			quant->dequantize(block, out, quant->n_elements);
			for (int i = 0; i < (int)quant->n_elements; i++)
				cr_assert(same_float(out[i], t == 0 ? ref_mxfp4(block, i)
				                                    : ref_nvfp4(block, i)),
				          "%s, scale %02x", quant->name, (unsigned)scale);
		}
}

/* Extremes that random bytes may miss. */
Test(quant, dequantises_all_ones_and_zeros)
{
	for (size_t t = 0; t < N_TYPES; t++) {
		const struct quant *quant = quant_find(types[t].type);
		unsigned char block[256];
		float out[256];

		for (int fill = 0; fill < 256; fill += 255) {
			memset(block, fill, sizeof block);
			quant->dequantize(block, out, quant->n_elements);
			for (size_t i = 0; i < quant->n_elements; i++)
				cr_assert(same_float(out[i], types[t].element(block, (int)i)),
				          "%s of %02x", quant->name, (unsigned)fill);
		}
	}
}
