#include "sampler/exact.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 16, EXP_TERMS = 17, LOG_TERMS = 23 };

/* ln 2 in two parts: the first has enough trailing zeros that n times it is
 * exact for every exponent n of a double. */
static const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;

/* 2^n for exponents of normal numbers. */
static double power_of_two(int32_t n)
{
	uint64_t bits = (uint64_t)(uint32_t)(n + 1023) << 52;
	double power;

	memcpy(&power, &bits, sizeof power);
	return power;
}

#define INLINE static inline __attribute__((always_inline))

/* Of `lanes` numbers, a constant: loops over them are written for the vectoriser, without calls and
 * branches.
 *
 * x = n ln 2 + r with |r| <= ln 2 / 2, where 17 terms of the series are more than a double can hold.
 * Below -745 is the smallest denormal. */
INLINE void exp_lanes(double *x, int lanes)
{
	double r[LANES], sum[LANES];
	int32_t n[LANES];

	for (int k = 0; k < lanes; k++) {
		double at = x[k] < -745 ? -745 : x[k], floor;

		floor = at * 0x1.71547652b82fep+0 + 0.5;
		n[k] = (int32_t)floor;
		n[k] -= (double)n[k] > floor;
		r[k] = at - n[k] * ln2_high - n[k] * ln2_low;
		sum[k] = 1;
	}
	for (int i = EXP_TERMS; i > 0; i--)
		for (int k = 0; k < lanes; k++)
			sum[k] = 1 + sum[k] * r[k] / i;
	/* In two steps, of which only the second may round: 2^n may be too small. */
	for (int k = 0; k < lanes; k++) {
		int32_t half = n[k] / 2;

		sum[k] = sum[k] * power_of_two(half) * power_of_two(n[k] - half);
		x[k] = x[k] < -745 ? 0 : sum[k];
	}
}

/* x = 2^n m with m near 1, and log m = 2 artanh((m - 1) / (m + 1)). */
INLINE void log_lanes(double *x, int lanes)
{
	double s[LANES], square[LANES], sum[LANES], n[LANES];

	for (int k = 0; k < lanes; k++) {
		bool tiny = x[k] < 0x1p-1022; /* a denormal: made a normal number first */
		double at = x[k] * (tiny ? 0x1p54 : 1), m;
		uint64_t bits;
		bool below;

		memcpy(&bits, &at, sizeof bits);
		n[k] = (double)((int32_t)(bits >> 52) - 1022 - (tiny ? 54 : 0));
		bits = (bits & 0xfffffffffffffU) | (uint64_t)1022 << 52;
		memcpy(&m, &bits, sizeof m);
		below = m < 0x1.6a09e667f3bcdp-1; /* sqrt(1/2) */
		m = below ? m * 2 : m;
		n[k] -= below;
		s[k] = (m - 1) / (m + 1);
		square[k] = s[k] * s[k];
		sum[k] = 0;
	}
	for (int i = LOG_TERMS; i > 0; i -= 2)
		for (int k = 0; k < lanes; k++)
			sum[k] = sum[k] * square[k] + 1.0 / i;
	for (int k = 0; k < lanes; k++)
		x[k] = n[k] * ln2_high + (2 * s[k] * sum[k] + n[k] * ln2_low);
}

/* The last few go into a vector of their own, filled up with a value that every function takes. */
INLINE void each_lanes(void (*function)(double *, int), double *x, size_t n)
{
	double rest[LANES];
	size_t at = 0;

	for (; n - at >= LANES; at += LANES)
		function(x + at, LANES);
	for (size_t k = 0; k < LANES; k++)
		rest[k] = at + k < n ? x[at + k] : 1;
	function(rest, LANES);
	memcpy(x + at, rest, (n - at) * sizeof *x);
}

void exact_exp_all(double *x, size_t n)
{
	each_lanes(exp_lanes, x, n);
}

void exact_log_all(double *x, size_t n)
{
	each_lanes(log_lanes, x, n);
}

double exact_exp(double x)
{
	exp_lanes(&x, 1);
	return x;
}

double exact_log(double x)
{
	log_lanes(&x, 1);
	return x;
}
