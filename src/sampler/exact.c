#include "sampler/exact.h"

#include <math.h>

/* ln 2 in two parts: the first has enough trailing zeros that n times it is
 * exact for every exponent n of a double. */
static const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;

double exact_exp(double x)
{
	double n, r, sum = 1;

	if (x < -745) /* below the smallest denormal */
		return 0;
	/* x = n ln 2 + r with |r| <= ln 2 / 2, where 17 terms of the series are
	 * more than a double can hold. */
	n = floor(x * 0x1.71547652b82fep+0 + 0.5);
	r = x - n * ln2_high - n * ln2_low;
	for (int i = 17; i > 0; i--)
		sum = 1 + sum * r / i;
	return ldexp(sum, (int)n);
}

double exact_log(double x)
{
	int n;
	double m = frexp(x, &n), s, square, sum = 0;

	/* x = 2^n m with m near 1, and log m = 2 artanh((m - 1) / (m + 1)). */
	if (m < 0x1.6a09e667f3bcdp-1) { /* sqrt(1/2) */
		m *= 2;
		n--;
	}
	s = (m - 1) / (m + 1);
	square = s * s;
	for (int i = 23; i > 0; i -= 2)
		sum = sum * square + 1.0 / i;
	return n * ln2_high + (2 * s * sum + n * ln2_low);
}
