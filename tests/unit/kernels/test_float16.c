#include <criterion/criterion.h>
#include <math.h>

#include "kernels/float16.h"

/* From the definition: sign, exponent with bias 15, 10 bits of fraction. */
static double half_value(unsigned half)
{
	int exponent = (int)(half >> 10 & 31u), fraction = (int)(half & 1023u);
	double value;

	if (exponent == 31)
		value = fraction ? NAN : INFINITY;
	else if (exponent == 0)
		value = ldexp(fraction, -24);
	else
		value = ldexp(1024 + fraction, exponent - 25);
	return half & 0x8000u ? -value : value;
}

Test(float16, reads_every_half)
{
	for (unsigned half = 0; half < 65536; half++) {
		double expected = half_value(half);
		float found = f32_from_f16((uint16_t)half);

		if (isnan(expected))
			cr_assert(isnan(found), "%04x", half);
		else
			cr_assert(expected == (double)found && !signbit(expected) == !signbit(found),
			          "%04x: found %g, expected %g", half, (double)found, expected);
	}
}

Test(float16, writes_back_every_half)
{
	for (unsigned half = 0; half < 65536; half++) {
		uint16_t found = f16_from_f32(f32_from_f16((uint16_t)half));

		if (isnan(half_value(half)))
			cr_assert(isnan(half_value(found)), "%04x", half);
		else
			cr_assert_eq(found, half, "%04x: found %04x", half, found);
	}
}

/* Between any two neighbours: below the middle, the middle (to even), above. */
Test(float16, rounds_to_nearest_even)
{
	for (unsigned half = 0; half < 0x7bff; half++) {
		double low = half_value(half), high = half_value(half + 1);
		float middle = (float)((low + high) / 2);
		unsigned even = half % 2 ? half + 1 : half;

		cr_assert_eq(f16_from_f32(middle), even, "middle above %04x", half);
		cr_assert_eq(f16_from_f32(nextafterf(middle, 0)), half, "below, %04x", half);
		cr_assert_eq(f16_from_f32(nextafterf(middle, INFINITY)), half + 1, "above, %04x",
		             half);
		cr_assert_eq(f16_from_f32(-middle), even | 0x8000u);
	}
	cr_assert_eq(f16_from_f32(65519.996f), 0x7bff);
	cr_assert_eq(f16_from_f32(65520.0f), 0x7c00);
	cr_assert_eq(f16_from_f32(1e-10f), 0);
	cr_assert_eq(f16_from_f32(-INFINITY), 0xfc00);
}

Test(float16, reads_bfloat16)
{
	cr_assert_eq(f32_from_bf16(0x3f80), 1.0f);
	cr_assert_eq(f32_from_bf16(0xc049), -3.140625f);
	cr_assert(isnan(f32_from_bf16(0x7fc0)));
}
