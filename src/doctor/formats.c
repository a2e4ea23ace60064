#include "doctor/formats.h"

#include <math.h>
#include <stdint.h>

static unsigned word(const unsigned char *at)
{
	return at[0] | (unsigned)at[1] << 8;
}

/* IEEE 754: sign, 5 bits of exponent, 10 of mantissa. */
static double half(const unsigned char *at)
{
	unsigned bits = word(at), exponent = bits >> 10 & 31, mantissa = bits & 1023;
	double value = exponent == 0  ? ldexp(mantissa, -24)
	               : exponent < 31 ? ldexp(1024 + mantissa, (int)exponent - 25)
	               : mantissa      ? (double)NAN : (double)INFINITY;

	return bits >> 15 ? -value : value;
}

static double single(uint32_t bits)
{
	union {
		uint32_t bits;
		float value;
	} both = {.bits = bits};

	return (double)both.value;
}

static void read_f32(const unsigned char *b, double *out)
{
	*out = single(word(b) | (uint32_t)word(b + 2) << 16);
}

static void read_f16(const unsigned char *b, double *out)
{
	*out = half(b);
}

static void read_bf16(const unsigned char *b, double *out)
{
	*out = single((uint32_t)word(b) << 16);
}

/* Element i of 32: a nibble, low ones first, and maybe a fifth bit of `high`. */
static int five_bits(const unsigned char *qs, const unsigned char *high, int i)
{
	int nibble = i < 16 ? qs[i] & 15 : qs[i - 16] >> 4;

	return nibble | (high ? (high[i / 8] >> i % 8 & 1) << 4 : 0);
}

static void read_q4_0(const unsigned char *b, double *out)
{
	for (int i = 0; i < 32; i++)
		out[i] = half(b) * (five_bits(b + 2, NULL, i) - 8);
}

static void read_q4_1(const unsigned char *b, double *out)
{
	for (int i = 0; i < 32; i++)
		out[i] = half(b) * five_bits(b + 4, NULL, i) + half(b + 2);
}

static void read_q5_0(const unsigned char *b, double *out)
{
	for (int i = 0; i < 32; i++)
		out[i] = half(b) * (five_bits(b + 6, b + 2, i) - 16);
}

static void read_q5_1(const unsigned char *b, double *out)
{
	for (int i = 0; i < 32; i++)
		out[i] = half(b) * five_bits(b + 8, b + 4, i) + half(b + 2);
}

static void read_q8_0(const unsigned char *b, double *out)
{
	for (int i = 0; i < 32; i++)
		out[i] = half(b) * (int8_t)b[2 + i];
}

/* scales[16], qs[64], d, dmin: of 128 elements, 32 bytes have four rows of 32. */
static void read_q2_k(const unsigned char *b, double *out)
{
	for (int i = 0; i < 256; i++) {
		int q = b[16 + i / 128 * 32 + i % 32] >> i % 128 / 32 * 2 & 3, s = b[i / 16];

		out[i] = half(b + 80) * (s & 15) * q - half(b + 82) * (s >> 4);
	}
}

/* hmask[32], qs[64], scales[12], d */
static void read_q3_k(const unsigned char *b, double *out)
{
	const unsigned char *packed = b + 96;

	for (int i = 0; i < 256; i++) {
		int g = i / 16, low = g < 8 ? packed[g] & 15 : packed[g - 8] >> 4;
		int scale = (low | (packed[8 + g % 4] >> g / 4 * 2 & 3) << 4) - 32;
		int q = b[32 + i / 128 * 32 + i % 32] >> i % 128 / 32 * 2 & 3, top = b[i % 32] >> i / 32 & 1;

		out[i] = half(b + 108) * scale * (q - (top ? 0 : 4));
	}
}

static void scale_of_k4(const unsigned char *packed, int s, int *scale, int *offset)
{
	*scale = s < 4 ? packed[s] & 63 : (packed[s + 4] & 15) | packed[s - 4] >> 6 << 4;
	*offset = s < 4 ? packed[s + 4] & 63 : packed[s + 4] >> 4 | packed[s] >> 6 << 4;
}

/* d, dmin, scales[12], then qs[128] (with qh[32] before them): 64 elements share 32 bytes. */
static void read_k4(const unsigned char *b, const unsigned char *qs, const unsigned char *qh, double *out)
{
	for (int i = 0; i < 256; i++) {
		int byte = qs[i / 64 * 32 + i % 32], scale, offset;
		int q = (i % 64 < 32 ? byte & 15 : byte >> 4) | (qh ? (qh[i % 32] >> i / 32 & 1) << 4 : 0);

		scale_of_k4(b + 4, i / 32, &scale, &offset);
		out[i] = half(b) * scale * q - half(b + 2) * offset;
	}
}

static void read_q4_k(const unsigned char *b, double *out)
{
	read_k4(b, b + 16, NULL, out);
}

static void read_q5_k(const unsigned char *b, double *out)
{
	read_k4(b, b + 48, b + 16, out);
}

/* ql[128], qh[64], scales[16], d: 128 elements share 64 bytes of ql and 32 of qh. */
static void read_q6_k(const unsigned char *b, double *out)
{
	for (int i = 0; i < 256; i++) {
		int part = i / 128, row = i % 128 / 32, low = b[part * 64 + row % 2 * 32 + i % 32];
		int q = (row < 2 ? low & 15 : low >> 4) | (b[128 + part * 32 + i % 32] >> row * 2 & 3) << 4;

		out[i] = half(b + 208) * (int8_t)b[192 + i / 16] * (q - 32);
	}
}

/* The levels that the nibbles of IQ4_NL and IQ4_XS stand for, and those of MXFP4. */
static const int levels[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
static const double halves[16] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6};

static void read_iq4_nl(const unsigned char *b, double *out)
{
	for (int i = 0; i < 32; i++)
		out[i] = half(b) * levels[five_bits(b + 2, NULL, i)];
}

/* d, 2 high bits of 8 scales, 4 low bits of each, qs[128] */
static void read_iq4_xs(const unsigned char *b, double *out)
{
	for (int i = 0; i < 256; i++) {
		int s = i / 32, low = b[4 + s / 2] >> s % 2 * 4 & 15, high = (int)(word(b + 2) >> 2 * s & 3);

		out[i] = half(b) * ((low | high << 4) - 32) * levels[five_bits(b + 8 + s * 16, NULL, i % 32)];
	}
}

/* A power of two, 2^(e - 127), then nibbles. */
static void read_mxfp4(const unsigned char *b, double *out)
{
	for (int i = 0; i < 32; i++)
		out[i] = ldexp(halves[five_bits(b + 1, NULL, i)], b[0] - 127);
}

bool format_read_block(enum block_type type, const unsigned char *block, double *out)
{
	static void (*const readers[BLOCK_TYPE_MAX])(const unsigned char *b, double *out) = {
		[BLOCK_F32] = read_f32, [BLOCK_F16] = read_f16, [BLOCK_BF16] = read_bf16,
		[BLOCK_Q4_0] = read_q4_0, [BLOCK_Q4_1] = read_q4_1, [BLOCK_Q5_0] = read_q5_0, [BLOCK_Q5_1] = read_q5_1,
		[BLOCK_Q8_0] = read_q8_0, [BLOCK_Q2_K] = read_q2_k, [BLOCK_Q3_K] = read_q3_k, [BLOCK_Q4_K] = read_q4_k,
		[BLOCK_Q5_K] = read_q5_k, [BLOCK_Q6_K] = read_q6_k, [BLOCK_IQ4_NL] = read_iq4_nl,
		[BLOCK_IQ4_XS] = read_iq4_xs, [BLOCK_MXFP4] = read_mxfp4};

	if (!readers[type])
		return false;
	readers[type](block, out);
	return true;
}
