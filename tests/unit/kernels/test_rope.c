#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "kernels/compute.h"
#include "kernels/rope.h"
#include "support/isas.h"
#include "support/random.h"

enum { N = 3, HEADS = 2, DIM = 10, PAIRS = 4, POS = 70001 };

static void fill(double *frequency, float *x)
{
	struct test_random random = {1};

	for (size_t i = 0; i < PAIRS; i++)
		frequency[i] = pow(10000.0, -(double)i / PAIRS);
	test_random_floats(&random, x, N * HEADS * DIM, 1);
}

/* As complex numbers: pair (a, b) is multiplied with exp(i angle). */
static void check_isa(const struct isa *isa, enum rope_pairing pairing, size_t (*first)(size_t),
                      size_t (*second)(size_t))
{
	double frequency[PAIRS];
	float x[N * HEADS * DIM], y[N * HEADS * DIM], table[N * PAIRS * 2];

	fill(frequency, x);
	memcpy(y, x, sizeof x);
	rope_table(frequency, PAIRS, POS, N, 1.5f, table);
	rope(&(struct compute){NULL, isa}, pairing, table, PAIRS, N, HEADS, DIM, y);
	for (size_t row = 0; row < N * HEADS; row++) {
		const float *from = x + row * DIM, *to = y + row * DIM;

		for (size_t i = 0; i < PAIRS; i++) {
			double angle = (double)(POS + row / HEADS) * frequency[i];
			double a = (double)from[first(i)], b = (double)from[second(i)];

			cr_assert_float_eq(to[first(i)], 1.5 * (a * cos(angle) - b * sin(angle)), 1e-6);
			cr_assert_float_eq(to[second(i)], 1.5 * (a * sin(angle) + b * cos(angle)), 1e-6);
		}
		for (size_t i = 2 * PAIRS; i < DIM; i++)
			cr_assert_eq(to[i], from[i], "the rest of a head passes through");
	}
}

static void check(enum rope_pairing pairing, size_t (*first)(size_t), size_t (*second)(size_t))
{
	for (size_t i = 0; i < isa_n; i++)
		if (isa_usable(&isa_table[i]))
			check_isa(&isa_table[i], pairing, first, second);
}

static size_t twice(size_t i)
{
	return 2 * i;
}

static size_t twice_and_one(size_t i)
{
	return 2 * i + 1;
}

static size_t same(size_t i)
{
	return i;
}

static size_t second_half(size_t i)
{
	return i + PAIRS;
}

Test(rope, rotates_adjacent_pairs)
{
	check(ROPE_ADJACENT, twice, twice_and_one);
}

Test(rope, rotates_halves)
{
	check(ROPE_HALVES, same, second_half);
}

Test(rope, does_nothing_at_position_zero)
{
	double frequency[PAIRS];
	float x[N * HEADS * DIM], y[N * HEADS * DIM], table[PAIRS * 2];

	fill(frequency, x);
	memcpy(y, x, sizeof x);
	rope_table(frequency, PAIRS, 0, 1, 1, table);
	rope(&(struct compute){NULL, isa_generic()}, ROPE_HALVES, table, PAIRS, 1, HEADS, DIM, y);
	cr_assert_eq(memcmp(x, y, sizeof x), 0);
}
